using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class FindingGroupsTests
{
    [Fact]
    public void Of_SeveralIds_OrdersGroupsByWhatAllOfThemLost()
    {
        IReadOnlyList<FindingGroup> groups = FindingGroups.Of(
        [
            FindingsOf.Of(FindingIds.PathLoss, 3),
            .. FindingsOf.Connections(FindingIds.ZeroWindow, 2, 1.5),
            FindingsOf.Of(FindingIds.SackOff, null),
            FindingsOf.Of(FindingIds.CaptureIncomplete, null, severity: FindingSeverity.Critical),
        ]);
        Assert.Equal([FindingIds.ZeroWindow, FindingIds.PathLoss, FindingIds.CaptureIncomplete, FindingIds.SackOff], groups.Select(group => group.Id));
        Assert.Equal([3.5, 3, 0, 0], groups.Select(group => group.SecondsLost));
        Assert.Equal([2, 0, 0, 0], groups.Select(group => group.Connections));
    }

    [Fact]
    public void Of_Group_IsAsGraveAsItsGravest()
    {
        FindingGroup group = Assert.Single(FindingGroups.Of(
        [
            FindingsOf.Of(FindingIds.PathLoss, 1, severity: FindingSeverity.Note),
            FindingsOf.Of(FindingIds.PathLoss, 0.5, severity: FindingSeverity.Critical),
        ]));
        Assert.Equal(FindingSeverity.Critical, group.Severity);
        Assert.Equal(1, group.Worst.SecondsLost);
    }

    [Fact]
    public void Of_BothDirectionsOfAConnection_CountItOnce()
    {
        Connection connection = FindingsOf.Connection(4);
        FindingGroup group = Assert.Single(FindingGroups.Of(
            [FindingsOf.Of(FindingIds.AppLimited, 2, connection), FindingsOf.Of(FindingIds.AppLimited, 1, connection) with { IsFromClient = false }]));
        Assert.Equal(1, group.Connections);
        Assert.Equal("2 transfers of 1 connection", FindingWords.Extent(group));
    }
}

public sealed class AnswerTests
{
    static string Of(params Finding[] findings) => Answer.Of(new TraceAnalysis { Connections = [FindingsOf.Connection(0)], Findings = findings });

    [Fact]
    public void Of_OneConnection_NamesCauseConnectionAndShare() => Assert.Equal(
        "This is zero-window; this cost #0 upload (10.0.0.1:50000 → 10.0.0.2:443) 4.00 s of its 10.0 s.",
        Of([.. FindingsOf.Connections(FindingIds.ZeroWindow, 4)]));

    [Fact]
    public void Of_ManyConnections_NamesAllAndTheWorst() => Assert.Equal(
        "This is zero-window; this cost 3 connections 6.00 s, the worst of them, #0 upload (10.0.0.1:50000 → 10.0.0.2:443), 3.00 s.",
        Of([.. FindingsOf.Connections(FindingIds.ZeroWindow, 3, 2, 1)]));

    [Fact]
    public void Of_CostOfTheTrace_NamesNoConnection() =>
        Assert.Equal("This is clock-step; this cost 1.50 s.", Of(FindingsOf.Of(FindingIds.ClockStep, 1.5)));

    [Fact]
    public void Of_NoFinding_SaysWhy() => Assert.Equal("Nothing was found: no connection carried data.", Of());

    [Fact]
    public void Of_NotesAlone_SaysWhatTheyCost() => Assert.Equal(
        "Nothing to mend: what cost most, path-loss, cost 50.0 ms on 1 connection.",
        Of(FindingsOf.Of(FindingIds.PathLoss, 0.05, FindingsOf.Connection(0), FindingSeverity.Note)));

    [Fact]
    public void Of_WarningWithoutCost_IsNotPassedOver() => Assert.Equal(
        "No connection is known to have lost time, but see this: This is sack-off (1 connection).",
        Of(FindingsOf.Of(FindingIds.SackOff, null, FindingsOf.Connection(0))));

    [Fact]
    public void Of_ResetThatBrokeATransferOff_StandsBeforeWhatOnlyCostTime()
    {
        Finding reset = FindingsOf.Of(FindingIds.ResetByPeer, null, FindingsOf.Connection(1), FindingSeverity.Critical) with { IsBreakOff = true };
        Finding loss = FindingsOf.Of(FindingIds.PathLoss, 5, FindingsOf.Connection(0));
        Assert.Equal([FindingIds.ResetByPeer, FindingIds.PathLoss], FindingGroups.Of([loss, reset]).Select(group => group.Id));
        Assert.Equal("This is reset-by-peer (1 connection).", Of(loss, reset));
    }

    [Fact]
    public void Of_EmptyTrace_SaysSo() =>
        Assert.Equal("There is no TCP connection in this trace.", Answer.Of(new TraceAnalysis { Connections = [] }));
}
