using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Findings;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Senders;
using static TcpDiag.Truth.Causes.Draws;

namespace TcpDiag.Truth.Causes;

/// <summary>What a path does to a transfer.</summary>
static class PathScenarios
{
    static readonly string[] OfLoss = [FindingIds.TailLoss, FindingIds.LostRetransmissions, FindingIds.RtoStalls, FindingIds.PathLoss];
    static readonly string[] OfSilence = [.. OfLoss, FindingIds.Bufferbloat]; // links whose queue has no end
    static readonly string[] OfReordering =
        [FindingIds.PathReordering, FindingIds.SpuriousRetransmissions, FindingIds.DsackIgnored, FindingIds.CwndLimitedByReordering,
            FindingIds.SpuriousDupackPingpong];

    static readonly Func<CaptureView, bool> AtSender = view => view.Point == SegmentPoint.Sender;
    static readonly Func<CaptureView, bool> FromTheBeginning = view => !view.IsLate;

    // A capture that begins during a silence begins with its end, unless it has what is sent into it.
    static readonly Func<CaptureView, bool> SilenceShows = view => FromTheBeginning(view) || AtSender(view);

    public static IEnumerable<Scenario> All => [.. Losses(), .. Silence(), .. Reordering(), .. Queues(), .. Opening()];

    static IEnumerable<Scenario> Losses()
    {
        yield return new("loss", [FindingIds.PathLoss], Slow.ToLossy("out:1pct", "out:2pct"), random =>
            Any(random) with { Bytes = Amount(random, 4, 10) })
        { Beside = OfLoss };
        yield return new("loss-rare", [FindingIds.PathLoss], ["rate=100mbit rtt=120ms loss=out:0.1pct"], random =>
            Any(random) with { Bytes = Amount(random, 10, 20) })
        { Beside = OfLoss };
        yield return new("loss-heavy", [FindingIds.PathLoss, FindingIds.RtoStalls], ["rate=20mbit rtt=30ms loss=out:5pct"], random =>
            Any(random) with { Bytes = Amount(random, 1, 3) })
        { Beside = OfLoss };
        yield return new("loss-download", [FindingIds.PathLoss], ["rate=50mbit rtt=60ms loss=in:1pct"],
            random => Any(random) with { Bytes = Amount(random, 4, 8), IsDownload = true })
        { Beside = OfLoss };
        yield return new("loss-windows-blocks", [FindingIds.PathLoss, FindingIds.LostRetransmissions], ["rate=50mbit rtt=60ms loss=out:2pct"],
            random => Any(random) with { Bytes = Amount(random, 2, 5), Sender = SenderVariants.FindBuild(17_763)! })
        { Beside = OfLoss };
        yield return new("loss-reno-far", [FindingIds.PathLoss], ["rate=100mbit rtt=150ms loss=out:0.3pct"], random =>
            Any(random) with { Bytes = Amount(random, 6, 10), Sender = Reno })
        { Beside = OfLoss };
        yield return new("corruption", [FindingIds.PathLoss], ["rate=50mbit rtt=60ms corrupt=out:1pct"], random =>
            Any(random) with { Bytes = Amount(random, 4, 8) })
        { Beside = OfLoss };
        yield return new("burst-loss", [FindingIds.PathLoss, FindingIds.RtoStalls], Slow.ToLossy("out:burst:0.1pct:8"), random =>
            Any(random) with { Bytes = Amount(random, 8, 16) })
        { Beside = OfLoss };
        yield return new("gilbert-loss", [FindingIds.PathLoss, FindingIds.RtoStalls], ["rate=50mbit rtt=60ms loss=out:ge:0.2pct:30pct:0:100pct"],
            random => Any(random) with { Bytes = Amount(random, 6, 10) })
        { Beside = OfLoss };
        // One repair in ten is lost; but the cause is what loses them, and may as well stand first.
        yield return new("lost-retransmissions", [FindingIds.LostRetransmissions, FindingIds.RtoStalls, FindingIds.PathLoss],
            ["rate=20mbit rtt=40ms loss=out:10pct"],
            random => Any(random) with { Bytes = 1_000_000, Sender = SenderVariants.FindBuild(18_362)! })
        { Beside = OfLoss };
        // The last three of 60 segments of 1460 bytes: SYN and the handshake's end are the first two packets. Behind the place of the loss nothing of the
        // originals is seen, so that what is sent again looks like late data.
        yield return new("tail-loss", [FindingIds.TailLoss, FindingIds.RtoStalls],
            ["rate=50mbit rtt=40ms loss=out:list:60-62", "rate=100mbit rtt=80ms loss=out:list:61-62"],
            random => Any(random) with { Bytes = 60 * 1460, Sender = SenderVariants.FindBuild(random.Next(2) == 0 ? 10_586 : 22_000)! })
        { Beside = OfLoss, Shows = AtSender };
    }

    static IEnumerable<Scenario> Silence()
    {
        yield return new("outage", [FindingIds.RtoStalls], ["rate=20mbit rtt=30ms blackout=out:1s+3s", "rate=50mbit rtt=60ms blackout=out:500ms+4s"],
            random => Any(random) with { Bytes = Amount(random, 5, 9) })
        { Beside = OfSilence, Shows = SilenceShows };
        yield return new("outages", [FindingIds.RtoStalls], ["rate=20mbit rtt=30ms blackout=out:700ms+900ms/2s"], random => Any(random) with { Bytes = Amount(random, 5, 9) })
        { Beside = OfSilence };
        yield return new("outage-of-acks", [FindingIds.RtoStalls], ["rate=20mbit rtt=30ms blackout=in:1s+3s"], random => Any(random) with { Bytes = Amount(random, 5, 9) })
        { Beside = OfSilence, Shows = SilenceShows, OverNanos = 4_000_000_000 };
        yield return new("dead-peer", [FindingIds.DeadPeer], ["rate=20mbit rtt=30ms blackout=800ms+10min"],
            random => Any(random) with { Bytes = Amount(random, 5, 9), LimitNanos = 60_000_000_000 })
        { Beside = OfLoss, Shows = view => AtSender(view) && FromTheBeginning(view) }; // a timer that has doubled sends once in what is left of the run
    }

    static IEnumerable<Scenario> Reordering()
    {
        string[] expected = [FindingIds.CwndLimitedByReordering, FindingIds.DsackIgnored];
        yield return new("reordering-late", expected, ["rate=100mbit rtt=40ms reorder=out:1pct:add:12ms", "rate=50mbit rtt=20ms reorder=out:2pct:add:8ms"],
            random => Any(random) with { Bytes = Amount(random, 6, 12), Sender = NotAdapting })
        { Beside = OfReordering };
        yield return new("reordering-late-fixed", expected, ["rate=100mbit rtt=40ms reorder=out:1pct:add:15ms"],
            random => Any(random) with { Bytes = Amount(random, 6, 12), Sender = SenderVariants.Find("not-adapting")! })
        { Beside = OfReordering };
        yield return new("reordering-late-22000", expected, ["rate=100mbit rtt=40ms reorder=out:1pct:add:15ms"],
            random => Any(random) with { Bytes = Amount(random, 6, 12), Sender = SenderVariants.FindBuild(22_000)! })
        { Beside = OfReordering };
        yield return new("reordering-dupthresh", expected, ["rate=100mbit rtt=40ms reorder=out:1pct:add:6ms"],
            random => Any(random) with { Bytes = Amount(random, 6, 12), Sender = SenderVariants.FindBuild(10_586)! })
        { Beside = OfReordering };
        yield return new("reordering-swap", expected, ["rate=100mbit rtt=40ms reorder=out:1pct:swap:40"],
            random => Any(random) with { Bytes = Amount(random, 6, 12), Sender = SenderVariants.FindBuild(10_586)! })
        { Beside = OfReordering };
        yield return new("reordering-download", expected, ["rate=100mbit rtt=40ms reorder=in:1pct:add:15ms"],
            random => Any(random) with { Bytes = Amount(random, 6, 12), Sender = NotAdapting, IsDownload = true })
        { Beside = OfReordering };
    }

    static IEnumerable<Scenario> Queues()
    {
        yield return new("policer", [FindingIds.Policer],
            ["rate=out:20mbit burst=out:100kb buffer=out:1pkt rtt=40ms", "rate=out:10mbit burst=out:60kb buffer=out:1pkt rtt=60ms"],
            random => Any(random) with { Bytes = Amount(random, 10, 20) })
        { Beside = OfLoss, CuredPath = path => $"{path.Split(' ')[0]} buffer=out:1bdp {path.Split(' ')[^1]}" };
        // A queue of about half a second that stands; round trips from behind it do not show it, nor those of a capture that begins when it stands.
        yield return new("bufferbloat", [FindingIds.Bufferbloat], ["rate=out:5mbit rtt=20ms buffer=out:400kb", "rate=out:10mbit rtt=30ms buffer=out:600kb"],
            random => Any(random) with { Bytes = Amount(random, 12, 20) })
        {
            Beside = [.. OfLoss, FindingIds.PathFull, FindingIds.SpuriousRetransmissions],
            Shows = view => AtSender(view) && FromTheBeginning(view),
            CuredPath = path => string.Join(' ', path.Split(' ')[..2]) + " buffer=out:1bdp",
        };
        yield return new("ecn-marks", [FindingIds.EcnMarks], ["rate=out:50mbit rtt=60ms ecn=out:20pkt", "rate=out:100mbit rtt=40ms ecn=out:10pkt"],
            random => Any(random) with { Bytes = Amount(random, 8, 16), IsEcn = true })
        { Shows = FromTheBeginning }; // marks come when slow start fills the queue
        yield return new("duplicates", [FindingIds.DuplicatedByNetwork], ["rate=50mbit rtt=40ms duplicate=out:3pct"], random =>
            Any(random) with { Bytes = Amount(random, 4, 8) })
        {
            // In front of where copies are made, only DSACKs tell of them.
            Shows = view => view is not { Kind: CaptureKind.Cut, Point: SegmentPoint.Sender },
        };
    }

    static IEnumerable<Scenario> Opening()
    {
        yield return new("syn-lost", [FindingIds.SynRetransmitted], ["rate=50mbit rtt=40ms loss=out:list:1", "rate=50mbit rtt=40ms loss=out:list:1-2"],
            random => Any(random) with { Bytes = random.Next(50_000, 900_000) })
        { Shows = view => AtSender(view) && FromTheBeginning(view) };
        yield return new("syn-ack-lost", [FindingIds.SynRetransmitted], ["rate=50mbit rtt=40ms loss=in:list:1"], random =>
            Any(random) with { Bytes = random.Next(50_000, 900_000) })
        {
            Shows = FromTheBeginning,
        };
        yield return new("slow-start", [FindingIds.SlowStart], ["rate=100mbit rtt=200ms", "rate=1gbit rtt=120ms"],
            random => Any(random) with { Bytes = random.Next(200_000, 900_000) })
        { Shows = FromTheBeginning };
        yield return new("idle-restart", [FindingIds.IdleRestart], ["rate=100mbit rtt=150ms", "rate=300mbit rtt=100ms"], random => Any(random) with
        {
            Sender = Linux, // others keep their window
            Bytes = 8_000_000,
            BurstBytes = 1_000_000,
            BurstNanos = random.Next(3, 6) * 1_000_000_000L,
        })
        {
            Beside = [FindingIds.SlowStart],
            Shows = view => AtSender(view) && FromTheBeginning(view),
            Cured = flow => flow with { Sender = flow.Sender with { Congestion = flow.Sender.Congestion with { RestartsAfterIdle = false } } },
        };
    }
}
