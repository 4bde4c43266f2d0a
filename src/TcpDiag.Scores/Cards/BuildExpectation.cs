using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Simulator.Senders;

namespace TcpDiag.Scores.Cards;

/// <summary>What a build of Windows is expected to do: a hypothesis from what is documented of it, to be held against what a sender did.</summary>
/// <param name="Build">The build, e.g. 22000.</param>
/// <param name="Traits">What is known of the line it belongs to.</param>
public sealed record BuildExpectation(int Build, SenderTraits Traits)
{
    const string Window = "the reordering window is fixed"; // SenderTraits.Assumed
    const double Half = 0.5;

    /// <summary>The line of builds, e.g. <c>windows-22000</c>.</summary>
    public string Line => Traits.Name;

    /// <summary>What a build is expected to do.</summary>
    /// <param name="build">The build.</param>
    /// <returns>Null for one that nothing is known of.</returns>
    public static BuildExpectation? Find(int build) => SenderVariants.FindBuild(build) is { } traits ? new BuildExpectation(build, traits) : null;

    /// <summary>Holds a sender against it.</summary>
    /// <param name="card">The sender's card; one that was scored.</param>
    /// <returns>A line for each trait that can be compared.</returns>
    public IReadOnlyList<ExpectedTrait> Compare(Scorecard card) =>
    [
        CompareDetection(card),
        CompareRate(card, "lost-retransmissions", "lost retransmissions", FindsLostRetransmissions, "found"),
        CompareRate(card, "tail-losses", "tail losses", Traits.HasTailLossProbe, "probed"),
    ];

    bool FindsLostRetransmissions => Traits.FindsLostRetransmissions && Traits.Detection == Simulator.Senders.LossDetection.Rack;

    /// <summary>The verdict on loss detection that is expected of it.</summary>
    public string LossDetection => (Traits.Detection, Traits.Adaptation) switch
    {
        (Simulator.Senders.LossDetection.Rack, WindowAdaptation.Adaptive) => Fingerprint.RackAdaptive,
        (Simulator.Senders.LossDetection.Rack, WindowAdaptation.BlindToDsack) => Fingerprint.RackNoDsack,
        (Simulator.Senders.LossDetection.Rack, _) => Fingerprint.RackFixed,
        (Simulator.Senders.LossDetection.DuplicateAcks, _) => Fingerprint.DuplicateAcks,
        _ => Fingerprint.NoSack,
    };

    /// <summary>Whether a verdict on loss detection is what is expected.</summary>
    /// <param name="observed">The verdict.</param>
    /// <param name="isFromEvents">Whether events gave it; packets alone do not tell a window that is blind to DSACKs from a fixed one.</param>
    /// <returns>Null where the verdict leaves it open.</returns>
    public bool? Agrees(string observed, bool isFromEvents)
    {
        bool isSame = observed.Equals(LossDetection, StringComparison.Ordinal)
            || (observed is Fingerprint.RackFixed && LossDetection is Fingerprint.RackNoDsack && !isFromEvents);
        bool isOpen = observed is Fingerprint.Unknown or Fingerprint.NoSack // without SACK no build shows what it has
            || (observed is Fingerprint.Rack && Traits.Detection == Simulator.Senders.LossDetection.Rack);
        return isOpen ? null : isSame;
    }

    ExpectedTrait CompareDetection(Scorecard card)
    {
        string observed = card.Fingerprint?.Verdict ?? Fingerprint.Unknown;
        bool isAssumed = Traits.Assumed.Contains(Window, StringComparer.Ordinal);
        bool? agrees = Agrees(observed, card.Fingerprint is null or { IsFromEvents: true });
        return new ExpectedTrait("loss detection", LossDetection, observed, agrees, isAssumed);
    }

    static ExpectedTrait CompareRate(Scorecard card, string id, string what, bool isExpected, string does)
    {
        const string doesNot = "left to the timeout";
        Proportion? rate = card.Components.FirstOrDefault(component => component.Id.Equals(id, StringComparison.Ordinal))?.Rate;
        bool? isDone = rate is not { } seen ? null : seen.Low > Half ? true : seen.High < Half ? false : null;
        string observed = isDone is { } done ? (done ? does : doesNot) : "too few to tell";
        return new ExpectedTrait(what, isExpected ? does : doesNot, observed, isDone is null ? null : isDone == isExpected, IsAssumed: false);
    }
}

/// <summary>A trait of a build beside what a sender did.</summary>
/// <param name="What">The trait.</param>
/// <param name="Expected">What is expected.</param>
/// <param name="Observed">What was observed.</param>
/// <param name="Agrees">Whether they agree; null where the trace does not tell.</param>
/// <param name="IsAssumed">Whether the expectation is assumed, not documented.</param>
public sealed record ExpectedTrait(string What, string Expected, string Observed, bool? Agrees, bool IsAssumed)
{
    /// <summary>The verdict in words.</summary>
    public string VerdictText => Agrees switch
    {
        true => "agrees",
        false => "contradicts",
        null => "cannot be told",
    };
}
