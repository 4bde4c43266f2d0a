namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Every threshold by which limits are told apart, with its unit and where it comes from: an RFC, a stack's source, or the matrix of
/// tools/truth on which it was fitted (limits.yaml) and checked afterwards on seeds drawn later (limits-heldout.yaml). What a threshold earns
/// there is in docs/verification.
/// </summary>
static class Thresholds
{
    /// <summary>ns. The smallest RTO of common stacks (Linux TCP_RTO_MIN): what is resent sooner was not resent by timer.</summary>
    public const long MinRtoNanos = 200_000_000;

    /// <summary>
    /// RTOs of silence after which nothing can be in flight. A stack's RTO may be longer than ours: Windows' floor is 300 ms, and of its RTT samples events have
    /// only the smoothed ones.
    /// </summary>
    public const int MaxRtos = 4;

    /// <summary>ns. Application time with nothing in flight is idle from here on, or from the RTO on if that is longer (RFC 5681 §4.1; measures, 1 s).</summary>
    public const long MinIdleNanos = 1_000_000_000;

    /// <summary>bytes. As full as a segment gets where jumbo frames hold a write whole (a page, limits.yaml).</summary>
    public const int FullSegmentBytes = 4096;

    /// <summary>ns. Segments the sender hands over at once leave it closer than this (limits.yaml).</summary>
    public const long BurstGapNanos = 200_000;

    /// <summary>ns. Up to here a capture counts as taken at the sender: its stack's own time to answer (limits.yaml).</summary>
    public const long MinSenderDelayNanos = 500_000;

    /// <summary>ns. An answer to an acknowledgment leaves the sender within this, however close bursts are (limits.yaml).</summary>
    public const long MinAnswerNanos = 50_000;

    /// <summary>ns. Within this it leaves where a writer has to be woken first (limits.yaml).</summary>
    public const long MaxAnswerNanos = 2_000_000;

    /// <summary>ns. A waiting writer is woken sooner than this where a processor is free (limits.yaml).</summary>
    public const long WakeUpNanos = 500_000;

    /// <summary>ns. Where data was left, no writer has to be woken (limits.yaml).</summary>
    public const long StackAnswerNanos = 100_000;

    /// <summary>Answers more than pauses that are none by chance, and pauses more than answers that are the program's own (limits.yaml: 1 in 16 by chance).</summary>
    public const int Habit = 4;

    /// <summary>Answers beyond this say no more: a habit can be lost again (four times <see cref="Habit"/>).</summary>
    public const int MaxHabit = 16;

    /// <summary>Of the answers of a habit, so many come sooner than any other rhythm has them come (limits.yaml: clock, portions).</summary>
    public const int MinImmediateAnswers = 2;

    /// <summary>So many pauses of the program's own as long as one that waits, and that one is the program's as well (limits.yaml: portions, 10 points).</summary>
    public const int MinEqualPauses = 2;

    /// <summary>Rounds beyond those in which half a segment a round (RFC 9438 §4.3) leaves the tolerance (limits.yaml).</summary>
    public const int RoundsBeyondTolerance = 2;

    /// <summary>Segments of the initial window (RFC 6928): below it no congestion window holds a sender that has lost nothing.</summary>
    public const int InitialWindowSegments = 10;

    /// <summary>Rounds that suffice below the initial window, or below what was in flight before (limits.yaml).</summary>
    public const int MinRounds = 3;

    /// <summary>ns. Around W_max CUBIC stays within one segment for 2·cbrt(1/C) = 2.7 s (RFC 9438 §4.2, C = 0.4).</summary>
    public const long FlatCubicNanos = 3_000_000_000;

    /// <summary>Sends at even distances that make a run; fewer may be even by chance (limits.yaml: pacing).</summary>
    public const int MinEvenSends = 8;

    /// <summary>Even sends after which is decided, so that a long run does not wait for its end.</summary>
    public const int MaxEvenSends = 64;

    /// <summary>Acknowledgments in a row with SACK blocks without news; one or two also come of a copy, or of an acknowledgment that was overtaken.</summary>
    public const int MinStaleSacks = 3;

    /// <summary>A state with less than this part of the active time, and less than <see cref="MinSpanNanos"/>, gets no place in the evidence.</summary>
    public const int MinSpanParts = 20;

    /// <summary>ns. See <see cref="MinSpanParts"/>.</summary>
    public const long MinSpanNanos = 100_000_000;
}
