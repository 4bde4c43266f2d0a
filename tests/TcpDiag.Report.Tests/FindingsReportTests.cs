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
    public void Write_MoreThanAsked_TellsEachKindOnceWithItsCost() => Assert.Equal(
        [
            " 1. warning     5.00 s  zero-window, 90 % sure",
            "    This is zero-window. (and 2 more like it, 6.00 s in all)",
            " 2. warning     3.00 s  path-loss, 90 % sure",
            "    This is path-loss.",
            " 3. warning          -  sack-off, 90 % sure",
            "    This is sack-off. (and 1 more like it)",
            "--findings 6 lists each, --explain gives the reasons",
        ],
        Write(ManyOfTwoKinds, top: 5));

    [Fact]
    public void Write_FewerKindsAskedThanThereAre_TellsHowManyAreLeft() => Assert.Equal(
        [
            " 1. warning     5.00 s  zero-window, 90 % sure",
            "    This is zero-window. (and 2 more like it, 6.00 s in all)",
            "… and 3 more; --findings 6 lists them, --explain gives the reasons for each",
        ],
        Write(ManyOfTwoKinds, top: 1));

    [Fact]
    public void Write_AsManyAsAsked_ListsEachThatCosts() => Assert.Equal(
        ["5.00 s", "4.00 s", "3.00 s", "2.00 s", "-"],
        Write(ManyOfTwoKinds, top: 6).Where(line => !line.StartsWith("    ", System.StringComparison.Ordinal)).Select(line => line[12..22].Trim()));
}
