using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Architecture.Tests;

/// <summary>What holds for every page of the documentation.</summary>
public sealed partial class DocumentRuleTests
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

    // In the drawings of the architecture: two capitals or more, as no word has. Folders may have such names, too.
    [Fact]
    public void ArchitecturePage_TypesDrawn_Exist()
    {
        string page = SourceTree.Read("docs/architecture.md");
        IEnumerable<string> drawings = page.Split("```").Where((_, number) => number % 2 == 1);
        string[] drawn = [.. drawings.SelectMany(drawing => TypeName().Matches(drawing)).Select(match => match.Value).Distinct(StringComparer.Ordinal)];
        IEnumerable<string> folders = SourceTree.Files.Select(file => Path.GetFileName(Folder(file)));
        string all = string.Concat(SourceTree.Code.Where(file => file.StartsWith("src/", StringComparison.Ordinal)).Select(SourceTree.Read));
        Assert.NotEmpty(drawn);
        Assert.All(drawn.Except(folders, StringComparer.Ordinal), name =>
            Assert.Matches($@"\b(class|struct|interface|record|enum) {name}\b", all));
    }

    // What a contributor is sent to: paths, and files named by themselves.
    [Fact]
    public void Contributing_FilesNamed_Exist()
    {
        string page = SourceTree.Read("CONTRIBUTING.md");
        string[] paths = [.. FilePath().Matches(page).Select(match => match.Value)];
        string[] names = [.. FileName().Matches(page).Select(match => match.Groups["name"].Value)];
        Assert.NotEmpty(paths);
        Assert.NotEmpty(names);
        Assert.All(paths, path => Assert.Contains(SourceTree.Files, file => string.Equals(file, path, StringComparison.Ordinal)
            || file.StartsWith($"{path}/", StringComparison.Ordinal)));
        Assert.All(names, name => Assert.Contains(SourceTree.Files, file => Path.GetFileName(file).Equals(name, StringComparison.Ordinal)
            || Path.GetFileNameWithoutExtension(file).Equals(name, StringComparison.Ordinal)));
    }

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

    [GeneratedRegex(@"(?<=`)(src|tests|tools|docs|driver)/(?!\w+\.X)[\w./-]*\w(?=`)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex FilePath();

    [GeneratedRegex(@"`(?<name>[A-Z]\w+(\.cs|Tests))`", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex FileName();

    [GeneratedRegex(@"\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex TypeName();

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
