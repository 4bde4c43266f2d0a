using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What is concluded from the account of a connection: a 10 s upload of 10 MB with an RTT of 40 ms, unless said otherwise.</summary>
public sealed class FindingRulesTests
{
    static readonly TracePosition Early = new(7, new TraceTime(Second));
    static readonly TracePosition Late = new(900, new TraceTime(3 * Second));

    // Ten rounds of slow start, 0.4 s, carry 10 MB over a path of any rate: of the 6 s that the program did not wait, as much is not lost.
    [Fact]
    public void SendBuffer_MostOfTheTime_IsFoundWithItsSize()
    {
        Finding finding = Single(Upload(up => up with
        {
            Limits = Spent((LimitState.SendBuffer, 6 * Second), (LimitState.Application, 4 * Second)),
            MaxInFlightBytes = 8192,
            MaxReceiveWindowBytes = 65536,
        }));
        Assert.Equal(0.9, finding.Confidence);
        Assert.Equal((FindingIds.SendBufferLimited, 5.6, FindingSeverity.Critical), (finding.Id, Math.Round(finding.SecondsLost!.Value, 9), finding.Severity));
        Assert.Equal("The client's send buffer, full with 8.19 kB in flight, holds the upload back.", finding.Title);
        Assert.True(finding.IsFromClient);
    }

    // The capture begins behind the SYNs.
    [Fact]
    public void SendBuffer_WithTheWindowUnknown_MayBeTheWindow()
    {
        Finding finding = Single(Upload(up => up with
        {
            Limits = Spent((LimitState.SendBuffer, 6 * Second), (LimitState.Application, 4 * Second)),
            MaxInFlightBytes = 8192,
            MaxReceiveWindowBytes = null,
        }));
        Assert.Equal(FindingIds.WindowOrBuffer, finding.Id);
        Assert.Equal(
            "Never more than 8.19 kB are in flight: the server's receive window or the client's send buffer holds the upload back.", finding.Title);
        Assert.Contains("the capture began later", finding.Cause, StringComparison.Ordinal);
    }

    // What was in flight never filled the window, by any scale.
    [Fact]
    public void SendBuffer_BesideAWindowThatWasNeverFull_IsTheSendBuffer() => Assert.Equal(FindingIds.SendBufferLimited, Single(Upload(up => up with
    {
        Limits = Spent((LimitState.SendBuffer, 6 * Second), (LimitState.Application, 4 * Second)),
        MaxInFlightBytes = 8192,
        MaxReceiveWindowBytes = null,
        IsReceiveWindowOpen = true,
    })).Id);

    // A download that the client's window limits: what the client runs decides which advice is of use, what the server runs does not.
    [Theory]
    [InlineData(EndSystem.Unknown, EndSystem.Linux, new[] { "Windows client", "Linux client" })]
    [InlineData(EndSystem.Windows, EndSystem.Linux, new[] { "Windows client" })]
    [InlineData(EndSystem.Linux, EndSystem.Unknown, new[] { "Linux client" })]
    public void Advice_WhereTheSystemIsKnown_IsForThatAlone(EndSystem client, EndSystem server, string[] told)
    {
        Connection download = Of(up => up, down => down with
        {
            ActiveTime = 10 * Second,
            MaxReceiveWindowBytes = 65536,
            Limits = Spent((LimitState.ReceiveWindow, 10 * Second)),
        });
        Finding finding = Single(download with { ClientSystem = client, ServerSystem = server }, FindingIds.ReceiveWindowLimited);
        Assert.Equal(told, finding.Advice.Select(step => step.Split(':')[0]).Where(
            place => place.StartsWith("Windows", StringComparison.Ordinal) || place.StartsWith("Linux", StringComparison.Ordinal)));
    }

    // Which end lacks SACK no packet tells; where both run Linux, advice for Windows is of no use.
    [Fact]
    public void Advice_WhereBothEndsAreAlike_IsForTheirSystemAlone()
    {
        var text = new FindingText($"-").Advise("Windows: a", "Linux: b", "Network: c");
        Connection connection = Upload(up => up) with { ClientSystem = EndSystem.Linux, ServerSystem = EndSystem.Linux };
        Assert.Equal(["Linux: b", "Network: c"], SystemAdvice.For(text, connection).Advice);
        Assert.Equal(3, SystemAdvice.For(text, connection with { ServerSystem = EndSystem.Unknown }).Advice.Count);
    }

    // Whoever reads it knows on which system a command is at home.
    [Fact]
    public void Advice_WithACommand_NamesItsSystem()
    {
        string[] commands = ["netsh", "Get-Net", "Set-Net", "pktmon", "w32tm", "nstat", "ethtool", "sysctl", "net.ipv4", "ss -", "tc -", "perf trace", "strace",
            "tcpdump"];
        string[] rules = [.. Directory.GetFiles(ProjectFolder.PathOf("src", "TcpDiag.Analysis", "Findings", "Rules")).SelectMany(File.ReadLines)];
        string[] named = [.. rules.Where(
            line => commands.Any(command => line.Contains(command, StringComparison.Ordinal)) && line.TrimStart().TrimStart('$').StartsWith('"'))];
        Assert.True(named.Length > 15);
        Assert.All(named, line => Assert.Matches("\"(Windows|Linux)( [a-zA-Z{}.]+| host with an Intel NIC)?: ", line));
    }

    [Fact]
    public void ReceiveWindow_LessZeroWindows_IsFoundWithItsBound()
    {
        // 65,536 bytes per 40 ms are 13.1 Mbit/s; 2 of 8 s count as zero window, and slow start takes 5 % of them.
        IReadOnlyList<Finding> findings = Judge(Upload(up => up with
        {
            Limits = Spent((LimitState.ReceiveWindow, 8 * Second), (LimitState.Application, 2 * Second)),
            MaxReceiveWindowBytes = 65536,
            Patterns = new DirectionPatterns { ZeroWindow = Early, ZeroWindowTime = 2 * Second, ZeroWindowWait = 2 * Second },
        }));
        Assert.Equal([(FindingIds.ReceiveWindowLimited, 5.7), (FindingIds.ZeroWindow, 2.0)],
            findings.Select(finding => (finding.Id, Math.Round(finding.SecondsLost ?? 0, 9))));
        Assert.Contains("(at most 13.1 Mbit/s)", findings[0].Title, StringComparison.Ordinal);
    }

    // 8 + 1 s, less the 0.4 s of slow start.
    [Fact]
    public void Reordering_WithNeedlessRetransmissions_IsTheCauseOfASmallWindow()
    {
        IReadOnlyList<Finding> findings = Judge(Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 8 * Second), (LimitState.Recovery, Second), (LimitState.Application, Second)),
            Retransmissions = 10,
            Repairs = RetransmissionCounts.Of(default, new(0, 9, 1, 0)),
            Dsacks = 9,
            MaxInFlightBytes = 400_000,
            Reordering = new ReorderingSummary(12, Evidence.Packets, 7000) { Extents = new(5 * Millisecond, Millisecond, 4, null, null) },
        }));
        Assert.Equal(FindingIds.CwndLimitedByReordering, findings[0].Id);
        Assert.Equal(8.6, findings[0].SecondsLost!.Value, 3);
        Assert.Equal([FindingIds.PathReordering, FindingIds.SpuriousRetransmissions], findings.Skip(1).Select(finding => finding.Id).Order());
        Assert.All(findings.Skip(1), finding => Assert.Null(finding.SecondsLost));
    }

    // At the receiver no queue shows: 8 Mbit/s that a cut of the window does not change are those of a full link where the queue dropped something, and of a
    // window that is always small where packets overtook each other.
    [Theory]
    [InlineData(10, 12e6, 8.2e6, FindingSeverity.Warning)]
    [InlineData(10, 8.5e6, 9.5e6, FindingSeverity.Warning)] // two rounds in a row were faster than the link would be
    [InlineData(10, 8.5e6, 8.2e6, FindingSeverity.Note)]
    [InlineData(4, 12e6, 8.2e6, FindingSeverity.Note)] // six losses
    public void Reordering_AtAnEvenRate_IsNoFullPath(int needless, double burst, double best, FindingSeverity severity)
    {
        Connection connection = Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 8 * Second), (LimitState.Recovery, 2 * Second)),
            Delivery = new DeliverySummary { BestBitsPerSecond = best, BurstBitsPerSecond = burst },
            FirstData = new TraceTime(0),
            Retransmissions = 10,
            Repairs = RetransmissionCounts.Of(default, new(10 - needless, needless, 0, 0)),
            Reordering = new ReorderingSummary(12, Evidence.Packets, 7000),
        });
        Assert.Equal(severity, Single(connection with { Vantage = Vantage.Server }, FindingIds.CwndLimitedByReordering).Severity);
    }

    // A probe and a timeout answer silence: one of each that was not needed, and one fast retransmission, do not make reordering the cause.
    [Fact]
    public void NeedlessProbes_WithASmallWindow_AreNotReordering()
    {
        IReadOnlyList<Finding> findings = Judge(Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 9 * Second), (LimitState.Application, Second)),
            Retransmissions = 3,
            Repairs = RetransmissionCounts.Of(new(1, 1, 1, 0, 0), new(0, 3, 0, 0)),
            Dsacks = 3,
            MaxInFlightBytes = 400_000,
        }));
        Assert.DoesNotContain(FindingIds.CwndLimitedByReordering, findings.Select(finding => finding.Id));
        Assert.Contains(FindingIds.CwndLimited, findings.Select(finding => finding.Id));
    }

    // Loss of more than one in a thousand keeps the window small, so that the time of both is its cost; so do two in 9 s: a window of 34.5 segments takes
    // cbrt(34.5 · 0.3 / 0.4) = 3.0 s to grow back, and half of the 9 s are 4.5 s.
    [Theory]
    [InlineData(20, 10)]
    [InlineData(2, 10)]
    [InlineData(1, 1)]
    public void Loss_Necessary_CostsItsRecoveryAndTheWindowItKeepsSmall(int lost, int seconds)
    {
        Finding finding = Single(Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 9 * Second), (LimitState.Recovery, Second)),
            Retransmissions = lost,
            Repairs = RetransmissionCounts.Of(default, new(lost, 0, 0, 0)),
        }), FindingIds.PathLoss);
        Assert.Equal(0.96 * seconds, finding.SecondsLost!.Value, 9);
    }

    [Theory]
    [InlineData(20, "0.286 %")]
    [InlineData(113, "1.61 %")]
    [InlineData(1000, "14.3 %")]
    public void Loss_OfSevenThousand_IsToldInThreeDigits(int lost, string part)
    {
        Finding finding = Single(Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 9 * Second), (LimitState.Recovery, Second)),
            Retransmissions = lost,
            Repairs = RetransmissionCounts.Of(default, new(lost, 0, 0, 0)),
        }));
        Assert.Equal($"The path lost {lost} packets of the upload ({part}).", finding.Title);
    }

    [Fact]
    public void CongestionWindow_OnAFullPath_IsThePaths()
    {
        Finding finding = Single(Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
            Delivery = new DeliverySummary { PathFullTime = 8 * Second, PathFullBytes = 8_000_000 },
        }));
        Assert.Equal((FindingIds.PathFull, null, FindingSeverity.Note), (finding.Id, finding.SecondsLost, finding.Severity));
        Assert.StartsWith("The path was full: its slowest link gives this upload 8.00 Mbit/s;", finding.Title, StringComparison.Ordinal);
    }

    // Away from the sender no queue shows; but what replaced a lost packet came 58 ms behind the gap, or 57, and the path takes 40: with CUBIC's cut to 0.7 of
    // what was in flight the path holds 40.6 ms of it, or 39.9.
    [Theory]
    [InlineData(58, FindingSeverity.Note)]
    [InlineData(57, FindingSeverity.Critical)]
    public void Losses_OfAQueueThatACutWindowStillFills_CostNothing(int repair, FindingSeverity severity)
    {
        Connection connection = Lossy(up => up with { Loss = new LossSummary(20, Evidence.Packets, 7000) { RepairNanos = repair * Millisecond } });
        Assert.Equal(severity, Single(connection with { Vantage = Vantage.Middle }, FindingIds.PathLoss).Severity);
        Assert.Equal(FindingSeverity.Critical, Single(connection with { Vantage = Vantage.Client }, FindingIds.PathLoss).Severity);
        Connection late = connection with { Vantage = Vantage.Middle, FromClient = connection.FromClient with { Dsacks = 1 } };
        Assert.Equal(FindingSeverity.Critical, Single(late, FindingIds.PathLoss).Severity);
    }

    // The same at the sender, whose round trips show how long the queue was right before something was lost.
    [Theory]
    [InlineData(58, FindingSeverity.Note)]
    [InlineData(57, FindingSeverity.Critical)]
    public void Losses_OfALongQueue_AreANote(int rtt, FindingSeverity severity)
    {
        Connection connection = Lossy(up => up with { Delivery = up.Delivery! with { LossRtt = rtt * Millisecond } });
        Finding loss = Single(connection with { Vantage = Vantage.Client }, FindingIds.PathLoss);
        Assert.Equal(severity, loss.Severity);
        Assert.Equal(severity == FindingSeverity.Note, loss.Cause.Contains("58.0 ms or more: a full queue", StringComparison.Ordinal));
    }

    // What a program reads late is acknowledged late, as in a queue; but the link let twice as much through in other rounds.
    [Theory]
    [InlineData(15.9e6, FindingSeverity.Note)]
    [InlineData(16e6, FindingSeverity.Warning)]
    public void ReceiveWindow_ThatOpensLate_IsNoFullPath(double best, FindingSeverity severity)
    {
        Finding finding = Single(
            Upload(up => up with
            {
                Limits = Spent((LimitState.ReceiveWindow, 10 * Second)) with { FullWindow = new(16_000, 9e6, 8e6) },
                Delivery = new DeliverySummary { BestBitsPerSecond = best, PathFullTime = 8 * Second, PathFullBytes = 8_000_000 },
            }),
            FindingIds.ReceiveWindowLimited);
        Assert.Equal(severity, finding.Severity);
    }

    // At a rate of 20 Mbit/s, 2.5 bytes per microsecond, the path holds 100 kB: three rounds of slow start carry 10, 20 and 40 segments, 102,200 bytes; what is
    // left takes 3.959 s. At most 5.87 of 10 s are lost; at least, at 10 Mbit/s, which hold 50 kB, two rounds, 43,800 bytes and 7.965 s.
    [Fact]
    public void TimeLost_IsWhatAnUnhinderedSenderWouldHaveSaved()
    {
        Finding finding = Single(Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
            Mss = 1460,
            Delivery = new DeliverySummary { BestBitsPerSecond = 10e6, BurstBitsPerSecond = 20e6 },
        }));
        Assert.Equal((FindingIds.CwndLimited, FindingSeverity.Critical), (finding.Id, finding.Severity));
        Assert.Equal(10 - 0.16 - 3.95912, finding.SecondsLost!.Value, 4);
        Assert.Equal(10 - 0.12 - 7.96496, finding.MinSecondsLost!.Value, 4);
    }

    // Half of the time and 0.3 s on the one hand, on the other sureness and what is in the nature of a program.
    [Theory]
    [InlineData(8, FindingSeverity.Critical)]
    [InlineData(4, FindingSeverity.Warning)]
    [InlineData(1, FindingSeverity.Note)]
    public void Severity_IsTheShareOfTheTransfersTime(int seconds, FindingSeverity severity) =>
        Assert.Equal(severity, Single(Upload(up => up with
        {
            Limits = Spent((LimitState.SendBuffer, seconds * Second), (LimitState.Pacing, (10 - seconds) * Second)),
            MaxReceiveWindowBytes = 65536,
            MaxInFlightBytes = 8192,
        }), FindingIds.SendBufferLimited).Severity);

    // A guess stands behind what is sure, whatever it might cost.
    [Fact]
    public void Findings_LessThanHalfSure_AreNotesAndStandLast()
    {
        IReadOnlyList<Finding> findings = Judge(Upload(up => up with
        {
            Limits = Spent((LimitState.CongestionWindow, 8 * Second), (LimitState.Timeout, 2 * Second)) with { Uncertain = 8 * Second },
            Retransmissions = 3,
            Repairs = RetransmissionCounts.Of(new(0, 0, 3, 0, 0), new(0, 0, 0, 3)),
        }));
        Assert.Equal([FindingIds.RtoStalls, FindingIds.CwndLimited], findings.Select(finding => finding.Id));
        Assert.Equal(FindingSeverity.Note, findings[1].Severity);
    }

    [Fact]
    public void Timeout_Expired_CostsTheSilence()
    {
        Finding finding = Single(Upload(up => up with
        {
            Limits = Spent((LimitState.Timeout, 2 * Second), (LimitState.CongestionWindow, 8 * Second)),
            Retransmissions = 3,
            Repairs = RetransmissionCounts.Of(new(0, 0, 3, 0, 0), new(0, 0, 0, 3)),
        }), FindingIds.RtoStalls);
        Assert.Equal(2.0, finding.SecondsLost);
    }

    [Fact]
    public void Application_HalfOfTheTime_IsToldAsSuch() =>
        Assert.Equal(FindingIds.AppLimited,
            Single(Upload(up => up with { Limits = Spent((LimitState.Application, 6 * Second), (LimitState.CongestionWindow, 4 * Second)) })).Id);

    [Fact]
    public void DsackIgnored_NeedsTheStacksWord()
    {
        Assert.Equal(FindingIds.DsackIgnored, Single(Upload(up => up with
        {
            Dsacks = 3,
            StackDsacks = 0,
        })).Id);
        Assert.Empty(Judge(Upload(up => up with { Dsacks = 3 })));
        Assert.Empty(Judge(Upload(up => up with
        {
            Dsacks = 3,
            StackDsacks = 3,
        })));
    }

    [Fact]
    public void PingPong_ToTheReset_IsCritical()
    {
        Connection connection = Upload(up => up with
        {
            Patterns = new DirectionPatterns
            {
                LongestPingPong = 5,
                FinalPingPong = 5,
                PingPong = Early,
                LastRetransmission = Late,
            },
        });
        Finding finding = Single(connection with { End = ConnectionEnd.Rst });
        Assert.Equal((FindingIds.SpuriousDupackPingpong, FindingSeverity.Critical, 2.0), (finding.Id, finding.Severity, finding.SecondsLost));
        Assert.Contains("5 times in a row, until the connection was reset", finding.Title, StringComparison.Ordinal);
    }

    [Fact]
    public void Bufferbloat_StandingQueue_IsAWarning()
    {
        Finding finding = Single(Upload(up => up with
        {
            Rtt = new RttSummary(40 * Millisecond, 150 * Millisecond, 300 * Millisecond, 50),
            RttLoad = 0.9,
        }));
        Assert.Equal((FindingIds.Bufferbloat, FindingSeverity.Warning), (finding.Id, finding.Severity));
        Assert.Contains("adds 110 ms", finding.Title, StringComparison.Ordinal);
    }

    // Milliseconds: smallest, median, 95th percentile.
    [Theory]
    [InlineData(600, 720, 760, true)] // a satellite, and a queue of 120 ms before it
    [InlineData(600, 690, 900, false)] // 90 ms
    [InlineData(10, 60, 300, false)] // sixfold, but fifty milliseconds: bursts that the queue takes up and hands on
    [InlineData(10, 111, 112, true)]
    public void Bufferbloat_IsWhatStands_WhateverThePath(int min, int median, int p95, bool isFound) => Assert.Equal(
        isFound,
        Judge(Upload(up => up with
        {
            Rtt = new RttSummary(min * Millisecond, median * Millisecond, p95 * Millisecond, 50),
            RttLoad = 0.9,
        })).Any(found => found.Id is FindingIds.Bufferbloat));

    // Delayed acknowledgments triple the RTT of a few bytes, and of any number of bytes alike.
    [Theory]
    [InlineData(0.9, 5000)]
    [InlineData(0.1, 50_000)]
    public void Bufferbloat_WithoutLoad_IsNone(double correlation, int inFlight) => Assert.Empty(Judge(Upload(up => up with
    {
        Rtt = new RttSummary(40 * Millisecond, 150 * Millisecond, 300 * Millisecond, 50),
        RttLoad = correlation,
        MaxInFlightBytes = inFlight,
    })));

    [Theory]
    [InlineData(30.0, true)]
    [InlineData(30.2, true)]
    [InlineData(30.3, false)]
    [InlineData(29.9, false)]
    [InlineData(2.04, true)]
    [InlineData(2.2, false)] // a person may break off then
    [InlineData(7.0, false)] // nobody types 7
    public void ApplicationTimeout_AtARoundNumberOfSeconds_IsFound(double seconds, bool isFound)
    {
        var close = new TracePosition(500, new TraceTime((long)(seconds * Second)));
        Connection connection = Of(
            up => up with { Patterns = new DirectionPatterns { Fin = close, Reset = new TracePosition(501, close.Time + (40 * Millisecond)), Resets = 4 } },
            down => down with { Patterns = new DirectionPatterns { BytesAfterPeerFin = 30_000 } });
        Assert.Equal(isFound, Judge(connection).Any(finding => finding.Id is FindingIds.ApplicationTimeout));
    }

    // An end that has nothing more to send takes what comes for another 20 s; its program ends then.
    [Theory]
    [InlineData(null)]
    [InlineData(20.0)]
    public void ApplicationTimeout_HalfClosed_IsNotFound(double? resetAfter) => Assert.DoesNotContain(Judge(Of(
        up => up with
        {
            Patterns = new DirectionPatterns
            {
                Fin = new TracePosition(500, new TraceTime(30 * Second)),
                Reset = resetAfter is { } after ? new TracePosition(900, new TraceTime((long)((30 + after) * Second))) : null,
            },
        },
        down => down with { Patterns = new DirectionPatterns { BytesAfterPeerFin = 30_000 } })), finding => finding.Id is FindingIds.ApplicationTimeout);

    // Both ends done: a FIN at 30 s without anything after it is no time limit.
    [Fact]
    public void ApplicationTimeout_NothingLeftToSend_IsNotFound() => Assert.Empty(Judge(Of(
        up => up with { Patterns = new DirectionPatterns { Fin = new TracePosition(500, new TraceTime(30 * Second)) } },
        down => down with { Patterns = new DirectionPatterns { Fin = new TracePosition(501, new TraceTime(30 * Second)) } })));

    [Fact]
    public void NameLookup_Unanswered_CostsItsWait()
    {
        Finding finding = Single(Upload(up => up) with { Lookup = new LookupDelay(2 * Second, "*", 137, 2, false, false, 3) });
        Assert.Equal((FindingIds.NameLookupDelay, 2.0), (finding.Id, finding.SecondsLost));
        Assert.Equal("The client waited 2.00 s for a name (NetBIOS, never answered) before it connected.", finding.Title);
    }

    [Fact]
    public void HalvedWindow_BesideAnotherConnection_IsFound()
    {
        Connection wide = Limited(65536);
        Connection narrow = Limited(32768);
        IReadOnlyList<Finding> findings = FindingRules.Judge([wide, narrow], default);
        Finding halved = findings.Single(finding => finding.Id is FindingIds.ReceiveWindowHalved);
        Assert.Same(narrow, halved.Connection);
        Assert.Equal(5.0, halved.SecondsLost); // half of 10 s

        static Connection Limited(int window) => Upload(up => up with
        {
            Limits = Spent((LimitState.ReceiveWindow, 10 * Second)),
            MaxReceiveWindowBytes = window,
        });
    }

    // The servers send nothing back: that one offers them less room holds nobody up.
    [Fact]
    public void HalvedWindow_OfADirectionWithoutData_IsNone()
    {
        Assert.DoesNotContain(FindingRules.Judge([Calm(65536), Calm(32768)], default), finding => finding.Id is FindingIds.ReceiveWindowHalved);

        static Connection Calm(int window) => Of(up => up, down => down with { MaxReceiveWindowBytes = window });
    }

    // Away from the sender: six of ten seconds could as well be pacing or a send buffer.
    [Fact]
    public void Cwnd_MostlyUncertain_IsLessSure()
    {
        Finding finding = Single(Upload(up => up with { Limits = Spent((LimitState.CongestionWindow, 10 * Second)) with { Uncertain = 6 * Second } }),
            FindingIds.CwndLimited);
        Assert.Equal(0.4, finding.Confidence);
        Assert.Contains("a capture at the client tells them apart", finding.Cause, StringComparison.Ordinal);
    }

    [Fact]
    public void Completeness_LostEvents_IsToldOfTheTrace()
    {
        Finding finding = FindingRules.Judge([Upload(up => up)], new TraceCompleteness(5, 3, 2, false)).Single();
        Assert.Equal(FindingIds.CaptureIncomplete, finding.Id);
        Assert.Null(finding.Connection);
        Assert.Equal("The trace is not complete: the recorder dropped 2 packets, the recorder lost 5 events, the recorder lost 3 buffers of events.",
            finding.Title);
    }

    [Fact]
    public void Judge_CalmConnection_FindsNothing() => Assert.Empty(Judge(Upload(up => up)));

    // It lost twenty segments after its first second, and its window was the limit from then on.
    static Connection Lossy(Func<ConnectionDirection, ConnectionDirection> change) => Upload(up => change(up with
    {
        Limits = Spent((LimitState.CongestionWindow, 9 * Second), (LimitState.Recovery, Second)),
        Delivery = new DeliverySummary { BestBitsPerSecond = 20e6, BurstBitsPerSecond = 20e6 },
        FirstData = new TraceTime(0),
        Retransmissions = 20,
        Repairs = RetransmissionCounts.Of(default, new(20, 0, 0, 0)),
        Patterns = new DirectionPatterns { Retransmission = new(1, new TraceTime(Second)) },
    }));
}
