using System.IO;
using System.Linq;
using System.Reflection;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>Every finding has its page, and every page its finding.</summary>
public sealed class FindingPagesTests
{
    [Fact]
    public void Pages_AreThoseOfTheFindings()
    {
        string folder = Path.Combine(ProjectFolder.Root, "docs", "findings");
        var ids = typeof(FindingIds).GetFields(BindingFlags.Public | BindingFlags.Static).Select(field => (string)field.GetRawConstantValue()!);
        var pages = Directory.GetFiles(folder, "*.md").Select(Path.GetFileNameWithoutExtension).Where(page => page is not "README");
        Assert.Equal(ids.Order(), pages.Order());
    }

    [Fact]
    public void Pages_AreAllInTheIndex()
    {
        string folder = Path.Combine(ProjectFolder.Root, "docs", "findings");
        string index = File.ReadAllText(Path.Combine(folder, "README.md"));
        Assert.All(
            Directory.GetFiles(folder, "*.md").Select(Path.GetFileName).Where(page => page is not "README.md"),
            page => Assert.Contains($"]({page})", index, System.StringComparison.Ordinal));
    }
}
