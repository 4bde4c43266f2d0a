using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// Tells what made a sender send a segment again, from what it knew at that instant. A timer shows by silence: nothing sent
/// and nothing heard for as long as the timer takes. A tail loss probe is the last segment, alone, with nothing SACKed (RFC 8985 §7);
/// a timeout sends SND.UNA (RFC 6298 §5.4), and what follows until everything sent by then is acknowledged belongs
/// to it. Otherwise SACK blocks or duplicate acknowledgments are the cause (RFC 5681 §3.2, RFC 8985 §6). Where the sender's stack told the cause itself, that decides.
/// </summary>
static class TriggerJudge
{
    // A reordering timer, which also ends a silence, may be late by so much (two ticks of a kernel that counts 250 a second, and scheduling).
    const long TimerSlack = 10_000_000; // ns

    /// <summary>Judges a segment, and takes note of the recovery it begins or belongs to.</summary>
    /// <param name="sent">The direction, before the segment.</param>
    /// <param name="board">Its state.</param>
    /// <param name="resend">The segment.</param>
    /// <param name="latest">Position of the latest earlier resending of the same data, or −1.</param>
    /// <param name="timing">What the timers of the sender may be.</param>
    /// <param name="named">What the sender's stack told; unknown when it told nothing.</param>
    /// <returns>The trigger.</returns>
    public static RetransmissionTrigger Judge(in DirectionState sent, ref Scoreboard board, in Resend resend, int latest, in Timing timing, RetransmissionTrigger named)
    {
        if (board.Episode != RetransmissionTrigger.Unknown && sent.SndUna >= board.EpisodeEnd)
        {
            board.Episode = RetransmissionTrigger.Unknown;
        }

        if (named != RetransmissionTrigger.Unknown)
        {
            return OfStack(sent, ref board, resend, latest, named);
        }

        long silence = resend.Time - (sent.LastSendTime > sent.LastNewsTime ? sent.LastSendTime : sent.LastNewsTime);
        if (IsProbe(sent, board, resend) && silence >= timing.ShortestPto)
        {
            board.IsProbeOut = true;
            board.ProbeEnd = resend.End;
            return RetransmissionTrigger.Tlp;
        }

        if (IsTimeout(sent, board, resend, latest, silence, timing))
        {
            Begin(ref board, RetransmissionTrigger.Rto, sent.SndMax, resend.Time);
            return RetransmissionTrigger.Rto;
        }

        return ByEvidence(sent, ref board, resend, latest);
    }

    /// <summary>SND.UNA moved: a probe may be answered.</summary>
    /// <param name="board">The direction's state.</param>
    /// <param name="ack">The new SND.UNA.</param>
    public static void OnAdvance(ref Scoreboard board, SequenceNumber ack) => board.IsProbeOut &= ack < board.ProbeEnd;

    static RetransmissionTrigger OfStack(in DirectionState sent, ref Scoreboard board, in Resend resend, int latest, RetransmissionTrigger named)
    {
        if (named == RetransmissionTrigger.Rto)
        {
            Begin(ref board, RetransmissionTrigger.Rto, sent.SndMax, resend.Time);
            return named;
        }

        if (named == RetransmissionTrigger.Tlp)
        {
            board.IsProbeOut = true;
            board.ProbeEnd = resend.End;
            return named;
        }

        // A loss was detected. What a timeout has begun goes on all the same, and what had been sent again before was lost again, whether its stack says so or not.
        if (board.Episode == RetransmissionTrigger.Unknown)
        {
            Begin(ref board, RetransmissionTrigger.Fast, sent.SndMax, resend.Time);
        }

        return board.Episode == RetransmissionTrigger.Fast && named == RetransmissionTrigger.LostRetransmission ? named : ByEvidence(sent, ref board, resend, latest);
    }

    static bool IsProbe(in DirectionState sent, in Scoreboard board, in Resend resend) =>
        resend.End == sent.SndMax
        && board.Episode == RetransmissionTrigger.Unknown
        && !board.IsProbeOut
        && !HasEvidence(sent, board)
        && !sent.Is(DirectionMarks.NoSack);

    // With SACK, a duplicate acknowledgment without blocks says nothing about losses.
    static bool HasEvidence(in DirectionState sent, in Scoreboard board) =>
        board.Fack > sent.SndUna || (sent.DupAckRun > 0 && !sent.Is(DirectionMarks.HasSack));

    static bool IsTimeout(in DirectionState sent, in Scoreboard board, in Resend resend, int latest, long silence, in Timing timing)
    {
        if (resend.Start > sent.SndUna)
        {
            return false;
        }

        if (silence >= (HasEvidence(sent, board) ? timing.LeastRto + TimerSlack : timing.LeastRto))
        {
            return true;
        }

        // A sender that cannot tell the loss of a retransmission hears on while its timer runs.
        return latest >= 0
            && silence > 0
            && resend.Time - board.Resends[latest].Time >= timing.TypicalRto
            && resend.Time - sent.LastAckTime >= timing.TypicalRto;
    }

    static RetransmissionTrigger ByEvidence(in DirectionState sent, ref Scoreboard board, in Resend resend, int latest)
    {
        bool isTimeoutGoingOn = board.Episode == RetransmissionTrigger.Rto;
        if (latest >= 0 && (!isTimeoutGoingOn || board.Resends[latest].Time >= board.EpisodeTime))
        {
            return RetransmissionTrigger.LostRetransmission;
        }

        if (isTimeoutGoingOn)
        {
            return RetransmissionTrigger.Rto;
        }

        // Something sent later has arrived: it was SACKed, or the latest acknowledgment was for a retransmission (RFC 8985 §6.2 step 2).
        bool isFast = HasEvidence(sent, board)
            || board.Episode == RetransmissionTrigger.Fast
            || board.ResendAckedTime == sent.LastNewsTime;
        if (!isFast)
        {
            return RetransmissionTrigger.Unknown;
        }

        if (board.Episode == RetransmissionTrigger.Unknown)
        {
            Begin(ref board, RetransmissionTrigger.Fast, sent.SndMax, resend.Time);
        }

        return RetransmissionTrigger.Fast;
    }

    static void Begin(ref Scoreboard board, RetransmissionTrigger trigger, SequenceNumber end, TraceTime time)
    {
        board.Episode = trigger;
        board.EpisodeEnd = end;
        board.EpisodeTime = time;
        board.IsProbeOut = false;
    }
}
