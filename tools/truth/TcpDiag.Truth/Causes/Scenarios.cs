using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Findings;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Timing;

namespace TcpDiag.Truth.Causes;

/// <summary>The corpus: healthy traffic, and causes of slowness. Amounts are drawn anew for each run, so that no rule can be fitted to one size.</summary>
static class Scenarios
{
    static readonly SenderTraits Linux = new()
    {
        Name = "linux",
        Congestion = CongestionTraits.Linux,
        Rto = RtoLimits.Linux,
        ReducesFromCwnd = true,
    };

    static readonly SenderTraits Reno = new()
    {
        Name = "reno",
        Congestion = new() { Algorithm = CongestionAlgorithm.Reno, Exit = SlowStartExit.HyStartPlusPlus, SlowStartLimitSegments = 2 },
    };

    static readonly SenderTraits Windows = new() { Name = "windows", Rto = RtoLimits.WindowsInternet, HasTimestamps = false };

    static readonly string[] Links =
    [
        "rate=1mbit rtt=60ms buffer=2bdp", "rate=out:5mbit rtt=30ms buffer=1bdp", "rate=20mbit rtt=20ms buffer=1bdp", "rate=50mbit rtt=80ms buffer=0.5bdp",
        "rate=200mbit rtt=10ms buffer=1bdp", "rate=1gbit rtt=1ms buffer=4bdp",
    ];

    static readonly string[] Open = ["rtt=20ms", "rate=100mbit rtt=40ms", "rate=300mbit rtt=80ms", "rate=1gbit rtt=150ms"];

    static readonly string[] Slow = ["rate=20mbit rtt=30ms", "rate=50mbit rtt=60ms", "rate=100mbit rtt=120ms"];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Scenario> All { get; } = [.. Healthy(), .. Faulty()];

    static IEnumerable<Scenario> Healthy()
    {
        yield return new("bulk", [], Links, random => Any(random) with { Bytes = Amount(random, 4, 12) });
        yield return new("bulk-download", [], Links, random => Any(random) with { Bytes = Amount(random, 4, 12), IsDownload = true });
        yield return new("short", [], Open, random => Any(random) with { Bytes = random.Next(3_000, 400_000) });
        yield return new("stretch-acks", [], Links[2..], random => Any(random) with
        {
            Bytes = Amount(random, 3, 8),
            Receiver = new() { SegmentsPerAck = random.Next(4, 9), AckDelayNanos = 20_000_000 },
        });
        yield return new("jitter", [], ["rate=20mbit rtt=30ms jitter=3ms buffer=1bdp", "rate=50mbit rtt=50ms jitter=8ms buffer=1bdp"], random => Any(random) with { Bytes = Amount(random, 5, 15) });
        yield return new("late-acks", [], ["rate=out:20mbit rtt=30ms buffer=1bdp reorder=in:5pct:add:4ms", "rate=out:50mbit rtt=60ms buffer=1bdp reorder=in:10pct:add:10ms"],
            random => Any(random) with { Bytes = Amount(random, 8, 20) });
        yield return new("video", [], ["rate=20mbit rtt=40ms", "rate=100mbit rtt=25ms"], random => Any(random) with
        {
            Bytes = Amount(random, 4, 8),
            BurstBytes = random.Next(300_000, 900_000),
            BurstNanos = 2_000_000_000,
            IsDownload = true,
        });
        yield return new("chat", [], Open, random => Any(random) with { Bytes = 5_000, BurstBytes = random.Next(50, 400), BurstNanos = random.Next(200, 900) * 1_000_000L });
        yield return new("steady-writer", [], Open, random => Any(random) with
        {
            Bytes = 400_000,
            BurstBytes = random.Next(300, 3_000),
            BurstNanos = random.NextInt64(5_000_000, 40_000_000),
        });
        yield return new("beat-of-rtt", [], ["rtt=39900us jitter=300us", "rate=100mbit rtt=39800us jitter=1ms"], random => Any(random) with
        {
            Bytes = 300_000,
            BurstBytes = random.Next(1_000, 8_000),
            BurstNanos = (40_000_000 / random.Next(1, 4)) + random.Next(0, 150_000),
        });
        yield return new("paced", [], Open, random => Any(random) with { Bytes = Amount(random, 1, 4), PacingBitsPerSecond = random.Next(3, 15) * 1_000_000L });
        yield return new("uploads-beside-losses", [], ["rate=20mbit rtt=20ms buffer=0.5bdp", "rate=50mbit rtt=20ms buffer=0.5bdp"],
            random => Any(random) with { Bytes = Amount(random, 8, 16) });
        yield return new("large-window", [], Links, random => Any(random) with
        {
            Bytes = Amount(random, 4, 12),
            Receiver = new() { BufferBytes = 64 * 1024, MaxBufferBytes = 32 * 1024 * 1024 },
        });
        yield return new("small-mtu", [], Links, random => Any(random) with { Bytes = Amount(random, 2, 5), Mtu = random.Next(576, 1400) });
    }

    static IEnumerable<Scenario> Faulty()
    {
        yield return new("send-buffer", [FindingIds.SendBufferLimited], Open, random => Any(random) with
        {
            Bytes = Amount(random, 1, 3),
            SendBufferBytes = random.Next(6, 48) * 1024,
            WriteBytes = random.Next(1, 16) * 1024,
        });
        yield return new("send-buffer-64", [FindingIds.SendBufferLimited], ["rtt=60ms", "rate=300mbit rtt=80ms"], random => Any(random) with
        {
            Bytes = Amount(random, 3, 6),
            SendBufferBytes = random.Next(56, 140) * 1024,
            WriteBytes = random.Next(4, 65) * 1024,
        });
        yield return new("receive-window", [FindingIds.ReceiveWindowLimited], Open, random => Any(random) with
        {
            Bytes = Amount(random, 1, 3),
            Receiver = new() { BufferBytes = random.Next(8, 64) * 1024, WindowScale = (byte)random.Next(0, 8) },
        });
        yield return new("zero-window", [FindingIds.ZeroWindow, FindingIds.ReceiveWindowLimited], ["rate=50mbit rtt=30ms"], random => Any(random) with
        {
            Bytes = 600_000,
            Receiver = new() { BufferBytes = 48 * 1024, WindowScale = 0 },
            PauseAfterBytes = 200_000,
            PauseNanos = random.Next(2, 6) * 1_000_000_000L,
        });
        yield return new("slow-reader", [FindingIds.ReceiveWindowLimited, FindingIds.ZeroWindow], ["rate=100mbit rtt=30ms"], random => Any(random) with
        {
            Bytes = 2_000_000,
            Receiver = new() { BufferBytes = 64 * 1024, WindowScale = 0 },
            ReadBitsPerSecond = random.Next(2, 8) * 1_000_000L,
        });
        yield return new("loss", [FindingIds.PathLoss], Slow.ToLossy("out:1pct", "out:2pct"), random => Any(random) with { Bytes = Amount(random, 4, 10) });
        yield return new("burst-loss", [FindingIds.PathLoss, FindingIds.RtoStalls], Slow.ToLossy("out:burst:0.1pct:8"), random => Any(random) with { Bytes = Amount(random, 8, 16) });
        yield return new("outage", [FindingIds.RtoStalls], ["rate=20mbit rtt=30ms blackout=out:1s+3s", "rate=50mbit rtt=60ms blackout=out:500ms+4s"],
            random => Any(random) with { Bytes = Amount(random, 5, 9) });
        yield return new("reordering", [FindingIds.CwndLimitedByReordering], ["rate=100mbit rtt=40ms reorder=out:1pct:add:12ms", "rate=50mbit rtt=20ms reorder=out:2pct:add:8ms"],
            random => Any(random) with
            {
                Bytes = Amount(random, 6, 12),
                Sender = Windows with { Name = "not-adapting", Adaptation = WindowAdaptation.BlindToDsack, Undoes = false },
            });
    }

    static SimulatedFlow Any(Random random) => new()
    {
        Sender = random.Next(4) switch { 0 => Linux, 1 => Reno, 2 => Windows, _ => new SenderTraits() },
        WriteBytes = random.Next(2) == 0 ? 64 * 1024 : 256 * 1024,
        Receiver = new ReceiverTraits { QuickAcks = random.Next(0, 20), WindowScale = 8 },
    };

    // Megabytes.
    static long Amount(Random random, int from, int to) => random.NextInt64(from * 1_000_000L, to * 1_000_000L);

    static string[] ToLossy(this string[] paths, params string[] losses)
    {
        List<string> lossy = [];
        foreach (string path in paths)
        {
            foreach (string loss in losses)
            {
                lossy.Add($"{path} loss={loss}");
            }
        }

        return [.. lossy];
    }
}
