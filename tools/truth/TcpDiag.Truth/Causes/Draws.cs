using System;
using System.Collections.Generic;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Timing;

namespace TcpDiag.Truth.Causes;

/// <summary>What the scenarios have in common: stacks, paths, and amounts that are drawn anew for each run, so that no rule can be fitted to one
/// size.</summary>
static class Draws
{
    /// <summary>Linux.</summary>
    public static readonly SenderTraits Linux = new()
    {
        Name = "linux",
        Congestion = CongestionTraits.Linux,
        Rto = RtoLimits.Linux,
        ReducesFromCwnd = true,
    };

    /// <summary>Reno.</summary>
    public static readonly SenderTraits Reno = new()
    {
        Name = "reno",
        Congestion = new() { Algorithm = CongestionAlgorithm.Reno, Exit = SlowStartExit.HyStartPlusPlus, SlowStartLimitSegments = 2 },
    };

    /// <summary>A Windows that follows RFC 8985.</summary>
    public static readonly SenderTraits Windows = new() { Name = "windows", Rto = RtoLimits.WindowsInternet, HasTimestamps = false };

    /// <summary>Whose reordering window never grows.</summary>
    public static readonly SenderTraits NotAdapting = Windows with { Name = "not-adapting", Adaptation = WindowAdaptation.BlindToDsack, Undoes = false };

    /// <summary>Links that a bulk transfer fills.</summary>
    public static readonly string[] Links =
    [
        "rate=1mbit rtt=60ms buffer=2bdp", "rate=out:5mbit rtt=30ms buffer=1bdp", "rate=20mbit rtt=20ms buffer=1bdp", "rate=50mbit rtt=80ms buffer=0.5bdp",
        "rate=200mbit rtt=10ms buffer=1bdp", "rate=1gbit rtt=1ms buffer=4bdp",
    ];

    /// <summary>Paths that carry more than a host that holds itself back.</summary>
    public static readonly string[] Open = ["rtt=20ms", "rate=100mbit rtt=40ms", "rate=300mbit rtt=80ms", "rate=1gbit rtt=150ms"];

    /// <summary>Paths on which a loss costs much.</summary>
    public static readonly string[] Slow = ["rate=20mbit rtt=30ms", "rate=50mbit rtt=60ms", "rate=100mbit rtt=120ms"];

    /// <summary>A flow of any stack.</summary>
    public static SimulatedFlow Any(Random random) => new()
    {
        Sender = random.Next(4) switch { 0 => Linux, 1 => Reno, 2 => Windows, _ => new SenderTraits() },
        WriteBytes = random.Next(2) == 0 ? 64 * 1024 : 256 * 1024,
        Receiver = new ReceiverTraits { QuickAcks = random.Next(0, 20), WindowScale = 8 },
    };

    /// <summary>Megabytes, in bytes.</summary>
    public static long Amount(Random random, int from, int to) => random.NextInt64(from * 1_000_000L, to * 1_000_000L);

    /// <summary>Each path with each of these losses.</summary>
    public static string[] ToLossy(this string[] paths, params string[] losses)
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
