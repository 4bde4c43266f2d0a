using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace TcpDiag.Architecture.Tests;

/// <summary>The permitted directions between projects, and nothing else.</summary>
public sealed partial class ProjectReferenceTests
{
    // A project may use what is listed for it, and what those may use.
    static readonly Dictionary<string, string[]> Direct = new(StringComparer.Ordinal)
    {
        ["TcpDiag.Wire"] = [],
        ["TcpDiag.Platform"] = [],
        ["TcpDiag.Tcp"] = ["TcpDiag.Wire"],
        ["TcpDiag.Impairment"] = ["TcpDiag.Wire", "TcpDiag.Tcp"],
        ["TcpDiag.Traces"] = ["TcpDiag.Wire"],
        ["TcpDiag.Redaction"] = ["TcpDiag.Traces"],
        ["TcpDiag.Locate"] = ["TcpDiag.Traces"],
        ["TcpDiag.Analysis"] = ["TcpDiag.Traces", "TcpDiag.Tcp", "TcpDiag.Platform"],
        ["TcpDiag.Simulator"] = ["TcpDiag.Tcp", "TcpDiag.Impairment", "TcpDiag.Traces"],
        ["TcpDiag.Probe"] = ["TcpDiag.Wire"],
        ["TcpDiag.Scores"] = ["TcpDiag.Analysis", "TcpDiag.Simulator"],
        ["TcpDiag.Capture"] = ["TcpDiag.Traces", "TcpDiag.Platform", "TcpDiag.Analysis"],
        ["TcpDiag.Doctor"] = ["TcpDiag.Capture"],
        ["TcpDiag.Shim"] = ["TcpDiag.Impairment", "TcpDiag.Traces", "TcpDiag.Platform"],
        ["TcpDiag.Lab"] = ["TcpDiag.Capture", "TcpDiag.Shim", "TcpDiag.Analysis", "TcpDiag.Probe"],
        ["TcpDiag.Store"] = ["TcpDiag.Analysis", "TcpDiag.Redaction", "TcpDiag.Scores"],
        ["TcpDiag.Report"] = ["TcpDiag.Analysis", "TcpDiag.Redaction", "TcpDiag.Scores", "TcpDiag.Locate", "TcpDiag.Store"],
        ["TcpDiag.Web"] = ["TcpDiag.Report", "TcpDiag.Store"],
        ["TcpDiag.Cli"] =
        [
            "TcpDiag.Wire", "TcpDiag.Platform", "TcpDiag.Tcp", "TcpDiag.Impairment", "TcpDiag.Traces", "TcpDiag.Redaction", "TcpDiag.Analysis",
            "TcpDiag.Simulator", "TcpDiag.Probe", "TcpDiag.Scores", "TcpDiag.Locate", "TcpDiag.Capture", "TcpDiag.Doctor", "TcpDiag.Shim", "TcpDiag.Lab",
                "TcpDiag.Report",
            "TcpDiag.Store", "TcpDiag.Web",
        ],
    };

    public static TheoryData<string> ProductProjects => [.. SourceTree.Projects.Where(IsProduct)];

    [Theory]
    [MemberData(nameof(ProductProjects))]
    public void Project_References_AreAllowed(string project)
    {
        string name = Path.GetFileNameWithoutExtension(project);
        Assert.True(Direct.TryGetValue(name, out string[]? allowed), $"{name} is not in the table of projects");
        Assert.Empty(References(project).Except(Closure(allowed), StringComparer.Ordinal));
    }

    [Fact]
    public void Table_NamesProjectsThatExist() =>
        Assert.Equal(SourceTree.Projects.Where(IsProduct).Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal),
            Direct.Keys.Order(StringComparer.Ordinal));

    [Fact]
    public void Project_References_AreFound() =>
        Assert.Contains("TcpDiag.Wire", References("src/TcpDiag.Traces/TcpDiag.Traces.csproj"), StringComparer.Ordinal);

    [Fact]
    public void Solution_HoldsEveryProject()
    {
        string solution = SourceTree.Read("TcpDiag.sln").Replace('\\', '/');
        Assert.All(SourceTree.Projects, project => Assert.Contains(project, solution, StringComparison.Ordinal));
    }

    static bool IsProduct(string project) =>
        project.StartsWith("src/", StringComparison.Ordinal) || project.StartsWith("driver/", StringComparison.Ordinal);

    static IEnumerable<string> References(string project) =>
        ProjectReference().Matches(SourceTree.Read(project)).Select(match => match.Groups["name"].Value);

    static HashSet<string> Closure(IEnumerable<string> names)
    {
        var all = new HashSet<string>(StringComparer.Ordinal);
        var open = new Queue<string>(names);
        while (open.TryDequeue(out string? name))
        {
            if (all.Add(name))
            {
                Array.ForEach(Direct[name], open.Enqueue);
            }
        }

        return all;
    }

    [GeneratedRegex("""<ProjectReference\s+Include="[^"]*?(?<name>[\w.]+)\.csproj" """, RegexOptions.ExplicitCapture | RegexOptions.IgnorePatternWhitespace, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ProjectReference();
}
