using System;
using System.Collections.Generic;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Timing;

namespace TcpDiag.Simulator.Senders;

/// <summary>
/// The stacks that can be simulated: the RFCs as they stand, Linux with the settings of the lab, and builds of Windows by what is documented of them. What is
/// only assumed of a stack is named in <see cref="SenderTraits.Assumed"/>. The table with sources is in docs/simulator.md.
/// </summary>
public static class SenderVariants
{
    const long Ms = 1_000_000;

    static readonly SenderTraits Linux = new()
    {
        Adaptation = WindowAdaptation.AdaptiveByDelivery,
        LearnsFromCopies = true,
        MarksOnce = true,
        LooksOnNews = true,
        UndoesByAnyEcho = true,
        GrowsOnSacks = true,
        ReducesFromCwnd = true, // tcp_cong.c, tcp_cubic.c: ssthresh from snd_cwnd
        Rto = RtoLimits.Linux,
        MaxAckDelayNanos = 200 * Ms, // tcp_schedule_loss_probe: TCP_RTO_MIN beside one segment
        TimerTickNanos = 4 * Ms, // tcp_rack_mark_lost, with the usual HZ of 250
        Congestion = CongestionTraits.Linux,
        Assumed = ["CUBIC's growth of at least 5 % per round after HyStart is left out", "TSO bursts are left out"],
    };

    // What no source says of any build.
    static readonly SenderTraits Windows = new()
    {
        Undoes = false,
        HasTimestamps = false, // learn.microsoft.com, Get-NetTCPSetting: off by default for connections that are opened
        Rto = RtoLimits.WindowsInternet, // settings event 1223, MinRto: 300 ms
        MaxAckDelayNanos = 50 * Ms,
        Assumed = ["no undo", "TLP.max_ack_delay 50 ms"],
    };

    static readonly Dictionary<string, SenderTraits> Known = Named(
        ("rfc", new SenderTraits()),
        ("reno", new SenderTraits { Congestion = CongestionTraits.Rfc with { Algorithm = CongestionAlgorithm.Reno } }),
        ("adaptive", Linux),
        ("ecn", Linux),
        ("fixed", Linux with { Adaptation = WindowAdaptation.Fixed, HasTimestamps = false }), // tcp_recovery 3
        ("no-timestamps", Linux with { HasTimestamps = false }),
        ("no-dsack", Linux), // tcp_dsack 0 is the receiver's
        ("no-sack", Linux with { Detection = LossDetection.NewReno }),
        ("not-adapting", Linux with { Adaptation = WindowAdaptation.Fixed, HasTimestamps = false }));

    // From the newest down: the first that is not newer than a build is its own.
    static readonly (int Build, SenderTraits Traits)[] Builds =
    [
        // Microsoft 2021 (algorithmic improvements): RFC 8985 in full from 21332 on, in 22621 and later; HyStart++ is RFC 9406 §5.
        (22_621, Windows with { Name = "windows-22621" }),
        // Nebbett 2022: DSACKs are refused by a check of the SACK edges, so the window never grows.
        (22_000, Windows with { Name = "windows-22000", Adaptation = WindowAdaptation.BlindToDsack }),
        (21_332, Windows with { Name = "windows-21332" }),
        // Microsoft 2021: send times per segment since 2004; whether the window adapts before 21332 no source says.
        (19_041, Windows with
        {
            Name = "windows-19041",
            Adaptation = WindowAdaptation.Fixed,
            Congestion = Cubic(SlowStartExit.LimitedSlowStart),
            Assumed = [.. Windows.Assumed, "the reordering window is fixed", "limited slow start, not yet CSS"],
        }),
        // Microsoft 2021: PRR since 19H1; before 2004 a circular array of blocks, which finds no lost retransmission.
        (18_362, Blocks("windows-18362", hasPrr: true, SlowStartExit.LimitedSlowStart)),
        // Event 1475 and the flag of event 1429 v1 stand first in 17763.
        (17_763, Blocks("windows-17763", hasPrr: false, SlowStartExit.LimitedSlowStart)),
        // Microsoft 2016: TLP, RACK and IW 10 since 1607; CUBIC's events stand first in 15063.
        (15_063, Blocks("windows-15063", hasPrr: false, SlowStartExit.LossOnly)),
        (14_393, Blocks("windows-14393", hasPrr: false, SlowStartExit.LossOnly) with
        {
            Congestion = new CongestionTraits { Algorithm = CongestionAlgorithm.Reno, Exit = SlowStartExit.LossOnly },
            Assumed = [.. Windows.Assumed, "the reordering window is fixed", "Reno in place of Compound TCP"],
        }),
        (10_240, Windows with
        {
            Name = "windows-10586",
            Detection = LossDetection.DuplicateAcks,
            HasTailLossProbe = false,
            HasPrr = false,
            InitialWindowSegments = 4,
            Congestion = new CongestionTraits { Algorithm = CongestionAlgorithm.Reno, Exit = SlowStartExit.LossOnly },
            Assumed = [.. Windows.Assumed, "Reno in place of Compound TCP"],
        }),
    ];

    /// <summary>The stacks that have a name.</summary>
    public static IReadOnlyCollection<string> Names => Known.Keys;

    /// <summary>A stack by its name.</summary>
    /// <param name="name">One of <see cref="Names"/>.</param>
    /// <returns>The stack; null where no stack has that name.</returns>
    public static SenderTraits? Find(string name) => Known.GetValueOrDefault(name);

    /// <summary>Windows by its build.</summary>
    /// <param name="build">The build, e.g. 22000; 10240 or later.</param>
    /// <returns>What is known of the line it belongs to; null for an earlier build.</returns>
    public static SenderTraits? FindBuild(int build)
    {
        int index = Array.FindIndex(Builds, line => line.Build <= build);
        return index < 0 ? null : Builds[index].Traits;
    }

    static SenderTraits Blocks(string name, bool hasPrr, SlowStartExit exit) => Windows with
    {
        Name = name,
        Adaptation = WindowAdaptation.Fixed,
        FindsLostRetransmissions = false,
        HasPrr = hasPrr,
        Congestion = Cubic(exit),
        Assumed = [.. Windows.Assumed, "the reordering window is fixed"],
    };

    static CongestionTraits Cubic(SlowStartExit exit) => CongestionTraits.Rfc with { Exit = exit };

    static Dictionary<string, SenderTraits> Named(params (string Name, SenderTraits Traits)[] stacks)
    {
        Dictionary<string, SenderTraits> named = new(StringComparer.Ordinal);
        foreach ((string name, SenderTraits traits) in stacks)
        {
            named.Add(name, traits with { Name = name });
        }

        return named;
    }
}
