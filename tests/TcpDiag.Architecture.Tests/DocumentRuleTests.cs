using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Architecture.Tests;

/// <summary>What holds for every page of the documentation.</summary>
public sealed class DocumentRuleTests
{
    const int MaxColumns = 160;

    // Written by tools/bench, a page for each machine.
    const string Benchmarks = "docs/benchmarks/";

    static IEnumerable<string> Pages => SourceTree.Files.Where(file => file.EndsWith(".md", StringComparison.Ordinal));

    [ToolFact("python3")]
    public void VerificationTable_IsThatOfThePages()
    {
        ProgramResult result = ExternalProgram.TryRun("python3", [ProjectFolder.PathOf("tools", "docs", "verification-table.py"), "--check"]);
        Assert.True(result.ExitCode == 0, result.Error);
    }

    [Fact]
    public void Lines_AreNotTooLong() => Assert.Empty(
        from page in Pages
        where !page.StartsWith(Benchmarks, StringComparison.Ordinal) || Path.GetFileName(page) is "README.md"
        from line in Prose(SourceTree.Read(page))
        where line.Length > MaxColumns
        select $"{page}: {line}");

    [Fact]
    public void Pages_AreInAnIndex() => Assert.Empty(
        from page in Pages
        where page.StartsWith("docs/", StringComparison.Ordinal) && page is not "docs/README.md"
        let index = IndexOf(page)
        where !SourceTree.Read(index).Contains($"]({Path.GetRelativePath(Folder(index), page).Replace('\\', '/')})", StringComparison.Ordinal)
        select $"{page}: not in {index}");

    // A folder's README lists its pages, the one of docs all others.
    static string IndexOf(string page)
    {
        string own = Folder(page) is "docs/verification" ? "docs/verification.md" : $"{Folder(page)}/README.md";
        return Pages.Contains(own, StringComparer.Ordinal) && !string.Equals(own, page, StringComparison.Ordinal) ? own : "docs/README.md";
    }

    static string Folder(string page) => Path.GetDirectoryName(page)!.Replace('\\', '/');

    // Without tables, code and what programs write between their two markers.
    static IEnumerable<string> Prose(string text)
    {
        bool isCode = false;
        bool isWritten = false;
        foreach (string line in text.ReplaceLineEndings("\n").Split('\n'))
        {
            isCode ^= line.TrimStart().StartsWith("```", StringComparison.Ordinal);
            isWritten = line.EndsWith(": begin -->", StringComparison.Ordinal) || (isWritten && !line.EndsWith(": end -->", StringComparison.Ordinal));
            if (!isCode && !isWritten && !line.StartsWith('|') && !line.StartsWith("    ", StringComparison.Ordinal))
            {
                yield return line;
            }
        }
    }
}
