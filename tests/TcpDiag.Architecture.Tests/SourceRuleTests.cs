using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace TcpDiag.Architecture.Tests;

/// <summary>What holds for every source file.</summary>
public sealed partial class SourceRuleTests
{
    const int ProductLines = 500;
    const int TestLines = 600;
    const int TestingProjectLines = 650;
    const int MaxColumns = 160;

    static readonly string[] TextFiles = [".cs", ".csproj", ".props", ".md", ".sh", ".yml", ".json", ".py", ".txt", ".tsv"];

    [Fact]
    public void Files_AreNotTooLong() => AssertNone(
        from file in SourceTree.Code
        let lines = SourceTree.Read(file).AsSpan().Count('\n')
        where lines > (file.StartsWith("tests/", StringComparison.Ordinal) ? TestLines : ProductLines)
        select string.Create(CultureInfo.InvariantCulture, $"{file}: {lines} lines"));

    [Fact]
    public void Lines_OfTheProduct_AreNotTooLong() => AssertNone(Lines(
        SourceTree.Code.Where(file => file.StartsWith("src/", StringComparison.Ordinal) || file.StartsWith("driver/", StringComparison.Ordinal)),
        line => line.TrimEnd('\r').Length > MaxColumns));

    [Fact]
    public void TestingProject_StaysSmall()
    {
        int lines = SourceTree.Code.Where(file => file.StartsWith("tests/TcpDiag.Testing/",
            StringComparison.Ordinal)).Sum(file => SourceTree.Read(file).AsSpan().Count('\n'));
        Assert.InRange(lines, 1, TestingProjectLines);
    }

    [Fact]
    public void Namespaces_FollowFolders() => AssertNone(
        from file in SourceTree.Code
        let declared = NamespaceDeclaration().Match(SourceTree.Read(file))
        where declared.Success && !string.Equals(declared.Groups["name"].Value, ExpectedNamespace(file), StringComparison.Ordinal)
        select $"{file}: {declared.Groups["name"].Value}, expected {ExpectedNamespace(file)}");

    [Fact]
    public void Code_HoldsNoOpenNotes()
    {
        // Put together here so that this file does not find itself.
        string[] words = ["TO" + "DO", "FIX" + "ME", "HA" + "CK", "XX" + "X:", "NotImplemented" + "Exception"];
        AssertNone(Lines(SourceTree.Code, line => words.Any(word => line.Contains(word, StringComparison.Ordinal))));
    }

    [Fact]
    public void Tree_NamesNoMachine()
    {
        string[] words = ["/wo" + "rk/", "/ho" + "me/", "/ro" + "ot/", "C:\\Us" + "ers\\", "art" + "ifactory", "jf" + "rog"];
        IEnumerable<string> files = SourceTree.Files.Where(file => TextFiles.Contains(Path.GetExtension(file), StringComparer.Ordinal)
            || Path.GetFileName(file) is "run");
        AssertNone(Lines(files, line => words.Any(word => line.Contains(word, StringComparison.OrdinalIgnoreCase))));
    }

    [Fact]
    public void PublicTypes_AreDocumented() => AssertNone(
        from file in SourceTree.Code
        where file.StartsWith("src/", StringComparison.Ordinal)
        let lines = SourceTree.Read(file).Split('\n')
        from i in Enumerable.Range(1, lines.Length - 1)
        where PublicType().IsMatch(lines[i]) && !IsDocumented(lines, i)
        select $"{file}: {lines[i]}");

    static bool IsDocumented(string[] lines, int index)
    {
        int above = index - 1;

        // What is indented here goes on with an attribute.
        while (above > 0 && (lines[above].StartsWith('[') || lines[above].StartsWith('#') || lines[above].StartsWith("    ", StringComparison.Ordinal)))
        {
            above--;
        }

        return lines[above].StartsWith("///", StringComparison.Ordinal);
    }

    static IEnumerable<string> Lines(IEnumerable<string> files, Func<string, bool> isWrong) =>
        from file in files
        from line in SourceTree.Read(file).Split('\n')
        where isWrong(line)
        select $"{file}: {line.Trim()}";

    // The project's own name, which is also the root namespace, then the folders below it.
    static string ExpectedNamespace(string file)
    {
        string folder = Path.GetDirectoryName(file)!.Replace('\\', '/');
        string project = SourceTree.Projects.Where(candidate => $"{folder}/".StartsWith(Path.GetDirectoryName(candidate)!.Replace('\\', '/') + "/",
            StringComparison.Ordinal))
            .MaxBy(candidate => candidate.Length) ?? throw new InvalidOperationException($"{file} belongs to no project");
        string below = folder[Path.GetDirectoryName(project)!.Length..].Replace('/', '.');
        return Path.GetFileNameWithoutExtension(project) + below;
    }

    static void AssertNone(IEnumerable<string> wrong) => Assert.Equal(string.Empty, string.Join('\n', wrong));

    [GeneratedRegex(@"^namespace (?<name>[\w.]+);", RegexOptions.Multiline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex NamespaceDeclaration();

    [GeneratedRegex(@"^public\s.*\b(class|struct|enum|interface|record)\s", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex PublicType();
}
