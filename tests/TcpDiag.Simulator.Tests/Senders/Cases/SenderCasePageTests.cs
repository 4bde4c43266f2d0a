using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders.Cases;

/// <summary>What docs/verification/sender.md publishes is what the cases are.</summary>
[Trait(Tier.Name, Tier.Detail)]
public sealed partial class SenderCasePageTests
{
    const string Begin = "| RFC | cases | of these with an exception | statements |\n|---|--:|--:|--:|\n";

    static readonly string Folder = ProjectFolder.PathOf("tests", "scenarios", "sender");

    static readonly string Page = File.ReadAllText(ProjectFolder.PathOf("docs", "verification", "sender.md")).ReplaceLineEndings("\n");

    static readonly CaseFile[] Files =
    [
        .. Directory.GetFiles(Folder, "*.scn", SearchOption.AllDirectories).Order(StringComparer.Ordinal).Select(Read),
    ];

    [Fact]
    public void Table_OfThePage_CountsTheFiles()
    {
        string expected = Begin + string.Join('\n', Rows()) + "\n\n";
        Assert.True(Page.Contains(expected, StringComparison.Ordinal), $"docs/verification/sender.md should hold\n{expected}");
    }

    [Fact]
    public void Exceptions_AllOfThem_AreExplainedOnThePage()
    {
        CaseFile[] exceptions = [.. Files.Where(file => file.Exceptions > 0)];
        Assert.All(exceptions, file => Assert.Contains($"`{file.Name}`", Page, StringComparison.Ordinal));
    }

    // Two lines of intent, the second of which names its source.
    [Fact]
    public void Files_AllOfThem_BeginWithTheirIntentAndSource()
    {
        string[] silent = [.. Files.Where(file => file.IntentLines < 2 || (file.Rfcs.Length == 0 && !file.NamesAnotherSource)).Select(file => file.Name)];
        Assert.Empty(silent);
    }

    static IEnumerable<string> Rows()
    {
        foreach (int rfc in Files.SelectMany(file => file.Rfcs).Distinct().Order())
        {
            CaseFile[] citing = [.. Files.Where(file => file.Rfcs.Contains(rfc))];
            yield return Row(FormattableString.Invariant($"{rfc}"), citing);
        }

        yield return Row("all cases", Files);
        yield return Row("of these after packetdrill", [.. Files.Where(file => file.Name.StartsWith("packetdrill/", StringComparison.Ordinal))]);
    }

    static string Row(string name, CaseFile[] files) =>
        FormattableString.Invariant($"| {name} | {files.Length} | {files.Count(file => file.Exceptions > 0)} | {files.Sum(file => file.Statements)} |");

    static CaseFile Read(string path)
    {
        string[] lines = File.ReadAllLines(path);
        string[] intent = [.. lines.TakeWhile(line => line.StartsWith('#'))];
        return new CaseFile(
            Path.GetRelativePath(Folder, path).Replace('\\', '/')[..^".scn".Length],
            [.. intent.Skip(1).SelectMany(line => RfcNumber().Matches(line)).Select(
                match => int.Parse(match.Groups["number"].ValueSpan, provider: null)).Distinct()],
            intent.Length,
            intent.Any(line => line.Contains("draft-", StringComparison.Ordinal) || line.Contains("Linux's HyStart", StringComparison.Ordinal)),
            lines.Count(line => line.StartsWith('=')),
            lines.Count(line => line.StartsWith("=!", StringComparison.Ordinal)));
    }

    [GeneratedRegex(@"RFC (?<number>\d{4})", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex RfcNumber();

    sealed record CaseFile(string Name, int[] Rfcs, int IntentLines, bool NamesAnotherSource, int Statements, int Exceptions);
}
