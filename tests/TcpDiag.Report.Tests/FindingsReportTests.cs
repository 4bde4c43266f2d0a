using System.Collections.Generic;
using System.IO;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Findings;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class FindingsReportTests
{
    static readonly Finding[] ManyOfTwoKinds =
    [
        Of(FindingIds.ZeroWindow, 5),
        Of(FindingIds.ZeroWindow, 4),
        Of(FindingIds.PathLoss, 3),
        Of(FindingIds.ZeroWindow, 2),
        Of(FindingIds.SackOff, null),
        Of(FindingIds.SackOff, null),
    ];

    static string[] Write(IReadOnlyList<Finding> findings, int top)
    {
        var text = new StringWriter();
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, Out = new AnsiConsoleOutput(text) });
        FindingsReport.Write(console, findings, top, explained: 0);
        return [.. text.ToString().ReplaceLineEndings("\n").Split('\n').Skip(2).SkipLast(1)];
    }

    static Finding Of(string id, double? lost) =>
        new(id, null, null, FindingSeverity.Warning, lost, 0.9, () => new FindingText($"This is {id}.", "Because.", [], []));

    [Fact]
    public void Write_FindingsOfOneKind_AreOneEntryWithTheirCost() => Assert.Equal(
        [
            " 1. warning     11.0 s  zero-window, 90 % sure",
            "    This is zero-window.",
            " 2. warning     3.00 s  path-loss, 90 % sure",
            "    This is path-loss.",
            " 3. warning          -  sack-off, 90 % sure",
            "    This is sack-off.",
        ],
        Write(ManyOfTwoKinds, top: 5));

    [Fact]
    public void Write_FewerEntriesAskedThanThereAre_SaysHowManyAreLeft() => Assert.Equal(
        [
            " 1. warning     11.0 s  zero-window, 90 % sure",
            "    This is zero-window.",
            "… and 2 more; --findings 3 lists them, --explain gives the reasons for each",
        ],
        Write(ManyOfTwoKinds, top: 1));

    [Fact]
    public void Write_OneCauseOnManyConnections_ListsTheWorstOfThem() => Assert.Equal(
        [
            " 1. warning     28.0 s  zero-window, 90 % sure",
            "    This is zero-window.",
            "    On 7 connections, the worst: #0 upload 7.00 s, #1 upload 6.00 s,",
            "      #2 upload 5.00 s, #3 upload 4.00 s, #4 upload 3.00 s and 2 more",
        ],
        Write(FindingsOf.Connections(FindingIds.ZeroWindow, 7, 6, 5, 4, 3, 2, 1), top: 5));

    [Fact]
    public void Write_OneCauseWithoutCost_ListsConnectionsAlone() => Assert.Equal(
        [
            " 1. warning          -  sack-off, 90 % sure",
            "    This is sack-off.",
            "    On 2 connections: #0 upload, #1 upload",
        ],
        Write(FindingsOf.Connections(FindingIds.SackOff, 0, 0), top: 5));

    // The longest id on more connections than a trace has, each beyond a day.
    [Fact]
    public void Write_LongestTexts_FitEightyColumns()
    {
        IReadOnlyList<Finding> findings = FindingsOf.Connections(FindingIds.CwndLimitedByReordering, [.. Enumerable.Repeat(99_999.0, 30_000)]);
        string[] lines = Write([.. findings, .. findings.Select(finding => finding with { IsFromClient = false })], top: 5);
        Assert.All(lines, line => Assert.InRange(line.Length, 1, 80));
        Assert.StartsWith("    On 60000 transfers of 30000 connections, the worst: #0 upload", lines[2], System.StringComparison.Ordinal);
    }
}
