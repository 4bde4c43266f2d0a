using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>
/// Gathers what speaks against each way of detecting losses. Two things do: a segment that is sent again before that way could have declared it lost; and one
/// outside any recovery that it declares lost, and that is sent again only later, or delivered without having been sent again. Of each round trip one
/// contradiction counts, because what happens in one has one cause.
/// </summary>
sealed class FingerprintEvidence
{
    /// <summary>A step of the window below which clocks and the work of a stack decide, ns.</summary>
    public const long MinStepNanos = 1_000_000;

    /// <summary>What a stack needs to send after an acknowledgment arrived, and a capture to order the two, ns.</summary>
    public const long MinReactionNanos = 2_000_000;

    const int ReactionOfStep = 8;

    readonly Against _duplicateAcks = new();
    readonly Against _fixed = new();
    readonly Against _adaptive = new();
    readonly Against _sooner = new(); // than duplicate acknowledgments allow
    SequenceNumber? _roundEnd;

    /// <summary>How long after a declaration a segment is sent again at the latest.</summary>
    /// <param name="stepNanos">A step of the window, ns.</param>
    /// <returns>ns.</returns>
    public static long ReactionNanos(long stepNanos) => Math.Max(MinReactionNanos, stepNanos / ReactionOfStep);

    /// <summary>Round trips in which at least one way was contradicted.</summary>
    public int Rounds { get; private set; }

    /// <summary>A segment that was overtaken is sent again by its loss detection.</summary>
    /// <param name="repair">What is known of it.</param>
    /// <param name="at">Where the sender stands.</param>
    public void OnRepaired(in Repair repair, in Standing at)
    {
        if (at.StepNanos < MinStepNanos)
        {
            return;
        }

        // In a recovery RFC 6675 §5 sends holes that do not count as lost; a lost retransmission it never finds.
        ref readonly Hole hole = ref repair.Hole;
        bool isTooEarlyToCount = hole.WasRetransmitted || (repair.IsFirst && hole.DueBy(Candidate.DuplicateAcks) > repair.Time);

        // What begins a recovery goes out whatever cwnd says: where that was due long ago, the sender waits longer.
        bool isFree = repair.IsFirst && !hole.WasInRecovery && !hole.WasRetransmitted;
        TraceTime limit = isFree ? repair.Time + -ReactionNanos(at.StepNanos) : TraceTime.Earliest;
        Note(_sooner, isTooEarlyToCount, repair.Packet, at);
        Note(_duplicateAcks, isTooEarlyToCount || hole.SeenBy(Candidate.DuplicateAcks) <= limit, repair.Packet, at);
        Note(_fixed, hole.IsOutside(Candidate.FixedSoonest, Candidate.FixedLatest, repair.Time, limit), repair.Packet, at);
        Note(_adaptive, hole.IsOutside(Candidate.AdaptiveSoonest, Candidate.AdaptiveLatest, repair.Time, limit), repair.Packet, at);
    }

    /// <summary>A segment that was overtaken is delivered, and was not sent again.</summary>
    /// <param name="hole">The segment.</param>
    /// <param name="now">When the acknowledgment arrived.</param>
    /// <param name="packet">Its packet.</param>
    /// <param name="at">Where the sender stands.</param>
    public void OnFilled(in Hole hole, TraceTime now, long packet, in Standing at)
    {
        if (at.StepNanos < MinStepNanos || hole.WasInRecovery || hole.WasRetransmitted)
        {
            return;
        }

        TraceTime limit = now + -ReactionNanos(at.StepNanos);
        Note(_duplicateAcks, hole.SeenBy(Candidate.DuplicateAcks) <= limit, packet, at);
        Note(_fixed, hole.SeenBy(Candidate.FixedLatest) <= limit, packet, at);
        Note(_adaptive, hole.SeenBy(Candidate.AdaptiveLatest) <= limit, packet, at);
    }

    /// <summary>Judges.</summary>
    /// <param name="hasSack">Whether SACK was agreed on.</param>
    /// <param name="fastRepairs">Repairs by loss detection.</param>
    /// <param name="reorderingSeen">RACK.reordering_seen of the reference: before that no window counts (RFC 8985 §6.2 step 4).</param>
    /// <returns>The fingerprint.</returns>
    public Fingerprint Judge(bool hasSack, long fastRepairs, bool reorderingSeen)
    {
        if (!hasSack)
        {
            return Fingerprint.WithoutSack;
        }

        FingerprintCandidate[] candidates = FingerprintCandidate.Weigh(
            [
                (Fingerprint.DuplicateAcks, _duplicateAcks.Rounds, _duplicateAcks.FirstPacket),
                (Fingerprint.RackFixed, _fixed.Rounds, _fixed.FirstPacket),
                (Fingerprint.RackAdaptive, _adaptive.Rounds, _adaptive.FirstPacket),
            ],
            Rounds);
        return Fingerprint.Of(candidates, Rounds, fastRepairs).WithoutWindow(reorderingSeen, _sooner.Rounds);
    }

    void Note(Against against, bool isContradicted, long packet, in Standing at)
    {
        if (!isContradicted)
        {
            return;
        }

        if (_roundEnd is not { } end || at.SndUna >= end)
        {
            _roundEnd = at.SndNxt;
            Rounds++;
        }

        against.Note(packet, Rounds);
    }

    // What speaks against one way.
    sealed class Against
    {
        int _latestRound;

        public int Rounds { get; private set; }

        public long FirstPacket { get; private set; }

        public void Note(long packet, int round)
        {
            if (round == _latestRound)
            {
                return;
            }

            _latestRound = round;
            Rounds++;
            FirstPacket = Rounds == 1 ? packet : FirstPacket;
        }
    }
}

/// <summary>Where a sender stands.</summary>
/// <param name="SndUna">SND.UNA.</param>
/// <param name="SndNxt">SND.NXT.</param>
/// <param name="StepNanos">A step of the reordering window: min_RTT/4, ns.</param>
readonly record struct Standing(SequenceNumber SndUna, SequenceNumber SndNxt, long StepNanos);

/// <summary>A segment that was sent again, until it is known whether that was needed.</summary>
struct Repair
{
    /// <summary>What it was before; valid with <see cref="HasHole"/>.</summary>
    public Hole Hole;

    /// <summary>Whether it had been overtaken.</summary>
    public bool HasHole;

    /// <summary>When it was sent again.</summary>
    public TraceTime Time;

    /// <summary>The packet.</summary>
    public long Packet;

    /// <summary>What triggered it.</summary>
    public RetransmissionTrigger Trigger;

    /// <summary>Whether it began a recovery: no window held it back.</summary>
    public bool IsFirst;

    /// <summary>The timeout that it began, if it did.</summary>
    public TimeoutStart Timeout;

    /// <summary>The path then.</summary>
    public PathTimes Path;
}

/// <summary>A timeout that a retransmission began.</summary>
/// <param name="IsAny">Whether it began one.</param>
/// <param name="WasAvoidable">Whether the reference would have repaired a loss before it, by RACK or by a probe.</param>
/// <param name="ProbeDue">When the reference would have probed the tail that timed out; <see cref="TraceTime.Latest"/> where it was none.</param>
readonly record struct TimeoutStart(bool IsAny, bool WasAvoidable, TraceTime ProbeDue);

/// <summary>Round trips of the reference.</summary>
/// <param name="SrttNanos">SRTT, ns.</param>
/// <param name="StepNanos">min_RTT/4, ns.</param>
readonly record struct PathTimes(long SrttNanos, long StepNanos);
