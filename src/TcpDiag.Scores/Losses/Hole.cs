using System.Runtime.CompilerServices;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>The senders that a trace is held against: by when each would have declared a segment lost.</summary>
enum Candidate
{
    /// <summary>The reference: RFC 8985 to the letter.</summary>
    Reference,

    /// <summary>DupThresh segments SACKed above (RFC 6675 §4).</summary>
    DuplicateAcks,

    /// <summary>RACK with a window of min_RTT/4, at the soonest.</summary>
    FixedSoonest,

    /// <summary>The same, at the latest.</summary>
    FixedLatest,

    /// <summary>RACK with a window that follows DSACKs, at the soonest.</summary>
    AdaptiveSoonest,

    /// <summary>The same, at the latest.</summary>
    AdaptiveLatest,
}

/// <summary>A segment that something sent after it has overtaken, from then until it is delivered or sent again.</summary>
struct Hole
{
    Instants _due; // when each candidate declares it lost, timers included
    Instants _seen; // the first acknowledgment that shows it: a sender whose timers are late sees it there at the latest

    int _unmarked; // a bit for each candidate that may have taken it back

    /// <summary>Behind its last byte: what it is known by.</summary>
    public SequenceNumber EndSeq;

    /// <summary>When it was overtaken.</summary>
    public TraceTime OvertakenAt;

    /// <summary>A round trip after it was sent: from there a reordering window counts.</summary>
    public TraceTime WindowStart;

    /// <summary>Segments SACKed above it, at most.</summary>
    public int SackedAbove;

    /// <summary>Whether it had been sent again when it was overtaken: a retransmission was lost, or is late.</summary>
    public bool WasRetransmitted;

    /// <summary>Whether nothing below it was outstanding when it was overtaken: of a flight that was overtaken, one counts.</summary>
    public bool IsLowest;

    /// <summary>Whether the sender repaired a loss at any time meanwhile.</summary>
    public bool WasInRecovery;

    /// <summary>Takes in when a candidate would declare it lost by what is known now; what has been declared stays so.</summary>
    /// <param name="candidate">The candidate.</param>
    /// <param name="due">When; <see cref="TraceTime.Latest"/> for never.</param>
    /// <param name="isSeen">Whether the acknowledgment of now shows it by itself, however late timers are.</param>
    /// <param name="now">The time.</param>
    public void Declare(Candidate candidate, TraceTime due, bool isSeen, TraceTime now)
    {
        int index = (int)candidate;
        if (_due[index] > now)
        {
            _due[index] = due > now ? due : now;
        }

        if (isSeen && _seen[index] > now && (_unmarked & (1 << index)) == 0)
        {
            _seen[index] = now;
        }
    }

    /// <summary>
    /// Takes back, once and for all, what acknowledgments showed a candidate. Linux undoes a recovery in which nothing was sent again yet when SND.UNA moves
    /// past what it declared lost, and does not look at the others a second time (tcp_try_undo_partial, tcp_undo_cwnd_reduction).
    /// </summary>
    public void Unmark(Candidate candidate)
    {
        _unmarked |= 1 << (int)candidate;
        _seen[(int)candidate] = TraceTime.Latest;
    }

    /// <summary>When a candidate declares it lost.</summary>
    public readonly TraceTime DueBy(Candidate candidate) => _due[(int)candidate];

    /// <summary>When an acknowledgment showed a candidate that it is lost.</summary>
    public readonly TraceTime SeenBy(Candidate candidate) => _seen[(int)candidate];

    /// <summary>Whether an acknowledgment showed a candidate that it is lost, later than an instant.</summary>
    public readonly bool WasSeenSince(Candidate candidate, TraceTime since) => SeenBy(candidate) > since && SeenBy(candidate) < TraceTime.Latest;

    /// <summary>Whether a repair came before a candidate could have declared the loss, or long after it had to.</summary>
    /// <param name="soonest">The candidate, at the soonest.</param>
    /// <param name="latest">The same, at the latest.</param>
    /// <param name="repaired">When it was sent again.</param>
    /// <param name="limit">When what shows the loss must have been seen for that to be too late.</param>
    public readonly bool IsOutside(Candidate soonest, Candidate latest, TraceTime repaired, TraceTime limit) =>
        DueBy(soonest) > repaired || SeenBy(latest) <= limit;

    /// <summary>A segment that has just been overtaken.</summary>
    public static Hole Begin(in RackSegment segment, bool isLowest, TraceTime now)
    {
        Hole hole = new() { EndSeq = segment.EndSeq, WasRetransmitted = segment.IsRetransmitted, IsLowest = isLowest, OvertakenAt = now };
        for (int i = 0; i < Instants.Count; i++)
        {
            hole._due[i] = TraceTime.Latest;
            hole._seen[i] = TraceTime.Latest;
        }

        return hole;
    }
}

/// <summary>An instant for each <see cref="Candidate"/>.</summary>
[InlineArray(Count)]
struct Instants
{
    /// <summary>Candidates there are.</summary>
    public const int Count = 6;

    TraceTime _first;
}
