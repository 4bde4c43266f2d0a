using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Scores.Cards;

/// <summary>A trait of a build's TCP in words.</summary>
/// <param name="Name">What it is about, e.g. <c>loss detection</c>.</param>
/// <param name="Value">What the build does, e.g. <c>by time, window adapts</c>.</param>
/// <param name="IsAssumed">Whether it is assumed, not documented.</param>
public sealed record BuildTrait(string Name, string Value, bool IsAssumed);

/// <summary>A trait in which two builds differ.</summary>
/// <param name="Name">What it is about.</param>
/// <param name="From">The trait of the first build.</param>
/// <param name="To">The trait of the second.</param>
public sealed record TraitChange(string Name, BuildTrait From, BuildTrait To);

/// <summary>
/// What is documented of builds of Windows, in words: the traits of <see cref="SenderVariants"/>, whose sources stand there and in docs/simulator.md.
/// </summary>
public static class BuildTraits
{
    const string Window = "the reordering window is fixed"; // SenderTraits.Assumed
    const string Exit = "limited slow start, not yet CSS";
    const string Reno = "Reno in place of Compound TCP";

    /// <summary>The traits of a build.</summary>
    /// <param name="build">The build, e.g. 22000.</param>
    /// <returns>Always the same ones in the same order; none for a build of which nothing is known.</returns>
    public static IReadOnlyList<BuildTrait> Of(int build) => SenderVariants.FindBuild(build) is { } traits ? Of(traits) : [];

    /// <summary>The traits in which two builds differ.</summary>
    /// <param name="from">The first build.</param>
    /// <param name="to">The second build.</param>
    /// <returns>None where they are the same, or of one of them nothing is known.</returns>
    public static IReadOnlyList<TraitChange> Between(int from, int to) =>
    [
        .. Of(from).Zip(Of(to), (a, b) => new TraitChange(a.Name, a, b))
            .Where(change => !string.Equals(change.From.Value, change.To.Value, StringComparison.Ordinal)),
    ];

    static BuildTrait[] Of(SenderTraits traits) =>
    [
        new("loss detection", DetectionOf(traits), IsAssumed(traits, Window)),
        new("lost retransmissions", traits is { Detection: LossDetection.Rack, FindsLostRetransmissions: true } ? "found" : "left to the timeout", false),
        new("tail losses", traits.HasTailLossProbe ? "probed (TLP)" : "left to the timeout", false),
        new("in recovery", traits.HasPrr ? "PRR" : "cwnd at once down to ssthresh", false),
        new("congestion control", traits.Congestion.Algorithm == CongestionAlgorithm.Cubic ? "CUBIC" : "Reno", IsAssumed(traits, Reno)),
        new("slow start ends", ExitOf(traits.Congestion.Exit), IsAssumed(traits, Exit)),
        new("initial window", FormattableString.Invariant($"{traits.InitialWindowSegments} segments"), false),
    ];

    static string DetectionOf(SenderTraits traits) => (traits.Detection, traits.Adaptation) switch
    {
        (LossDetection.Rack, WindowAdaptation.Adaptive) => "RACK, window adapts",
        (LossDetection.Rack, WindowAdaptation.BlindToDsack) => "RACK, blind to DSACKs",
        (LossDetection.Rack, _) => "RACK, fixed window",
        (LossDetection.DuplicateAcks, _) => "duplicate ACKs",
        _ => "duplicate ACKs, no SACK",
    };

    static string ExitOf(SlowStartExit exit) => exit switch
    {
        SlowStartExit.HyStartPlusPlus => "HyStart++",
        SlowStartExit.LimitedSlowStart => "HyStart, limited slow start",
        SlowStartExit.LinuxHyStart or SlowStartExit.LinuxLateHyStart => "HyStart",
        _ => "with a loss",
    };

    static bool IsAssumed(SenderTraits traits, string what) => traits.Assumed.Contains(what, StringComparer.Ordinal);
}
