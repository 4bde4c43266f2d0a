using System.Collections.Generic;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// What is kept for a direction in which something was missing, SACKed or resent. Ranges of sequence numbers that were sent
/// once and acknowledged in order are in none of its lists, so it is as large as the trouble is.
/// </summary>
struct Scoreboard
{
    /// <summary>Ranges jumped over at the capture point; they do not overlap.</summary>
    public RangeList<SequenceHole> Missing;

    /// <summary>When something was last jumped over, or came out of order.</summary>
    public TraceTime LastHoleTime;

    /// <summary>Most bytes in flight when the first of <see cref="Missing"/> was jumped over; meaningful while there are any.</summary>
    public int InFlightBefore;

    /// <summary>Ranges not acknowledged between SND.UNA and <see cref="Fack"/>; they do not overlap.</summary>
    public RangeList<SackHole> Holes;

    /// <summary>Segments sent again; of the same range, in the order they were sent.</summary>
    public RangeList<Resend> Resends;

    /// <summary>When the first of <see cref="Resends"/> was sent; meaningful while there are any.</summary>
    public TraceTime FirstResendTime;

    /// <summary>Behind the highest of <see cref="Resends"/>; meaningful while there are any.</summary>
    public SequenceNumber ResendsEnd;

    /// <summary>Behind the highest data SACKed; SND.UNA when nothing above that is.</summary>
    public SequenceNumber Fack;

    /// <summary>SND.MAX when the recovery that goes on began; valid while <see cref="Episode"/> is set.</summary>
    public SequenceNumber EpisodeEnd;

    /// <summary>When the recovery began; by the timer: when it last expired.</summary>
    public TraceTime EpisodeTime;

    /// <summary>What began the recovery that goes on: Fast, Rto, or Unknown when none does.</summary>
    public RetransmissionTrigger Episode;

    /// <summary>When the latest acknowledgment came that covered a retransmission for the first time.</summary>
    public TraceTime ResendAckedTime;

    /// <summary>SRTT and RTTVAR since there has been trouble; begins with the median of the samples before.</summary>
    public RttEstimator Estimator;

    /// <summary>Whether a tail loss probe waits for its answer.</summary>
    public bool IsProbeOut;

    /// <summary>Behind that probe.</summary>
    public SequenceNumber ProbeEnd;

    /// <summary>Longest range in <see cref="Resends"/>, bytes.</summary>
    public int LongestResend;

    /// <summary>Ranges forgotten because a list was full.</summary>
    public long Overflow;

    /// <summary>DSACKs for data that was sent once: the path makes copies, and a DSACK proves nothing any more (RFC 3708 §3).</summary>
    public int UnexplainedDsacks;

    /// <summary>Acknowledgments without any news that nothing sent again explains: another one proves nothing any more.</summary>
    public int UnexplainedRepeats;

    /// <summary>The same where the window had grown: this receiver tells of windows alone, and nothing follows from one of these any more.</summary>
    public int UnexplainedUpdates;

    /// <summary>How long behind the first SACK above it the latest late original came, nanoseconds; 0 before any.</summary>
    public long Lateness;

    /// <summary>Acknowledgments without any news that wait until it is known what they answered; null before any.</summary>
    public List<Repeat>? Repeats;

    /// <summary>Shortest round trip to the receiver known at the latest acknowledgment, nanoseconds; 0 while none is known.</summary>
    public long LeastRtt;

    /// <summary>Wire segments that the path made copies of; the copies count neither as sent nor as retransmissions.</summary>
    public long Copies;

    /// <summary>Retransmissions by trigger.</summary>
    public TriggerTally Triggers;

    /// <summary>Retransmissions of which the sender's stack told the trigger.</summary>
    public long Named;

    /// <summary>Retransmissions of what had passed the capture point before, by need as a sender may know it.</summary>
    public NeedTally SeenNeeds;

    /// <summary>Retransmissions of what had not passed the capture point before, by need as a sender may know it.</summary>
    public NeedTally FillNeeds;

    /// <summary>Those of the latter whose original came all the same.</summary>
    public long Overtaken;

    /// <summary>Originals that came late to the capture point.</summary>
    public ReorderingAccount Arrivals;

    /// <summary>Holes between SACKed data that were filled without a necessary retransmission.</summary>
    public ReorderingAccount Hindsight;

    /// <summary>Takes in a cumulative acknowledgment, where that is all there is to do: nothing is missing, SACKed, probed or resent above SND.UNA, and nothing has waited long enough for its verdict.</summary>
    /// <param name="una">SND.UNA before.</param>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="now">When it passed.</param>
    /// <returns>False when there is more to do; nothing has changed then.</returns>
    public bool TryAdvance(SequenceNumber una, SequenceNumber ack, in Moment now)
    {
        bool isAtRest = Missing.Count == 0 && Holes.Count == 0 && !IsProbeOut && Fack <= ack
            && (Resends.Count == 0 || (ResendsEnd <= una && now.Time - FirstResendTime <= ResendBook.Patience));
        if (isAtRest)
        {
            Fack = ack;
            LeastRtt = now.LeastRtt;
        }

        return isAtRest;
    }
}
