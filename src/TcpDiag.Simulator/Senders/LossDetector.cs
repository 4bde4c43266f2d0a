using System;
using TcpDiag.Tcp.Loss;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>
/// Marks what is lost on a scoreboard: by time (RFC 8985 §6.2), by segments SACKed above (RFC 6675 §4), or by duplicate acknowledgments (RFC 6582), as the
/// stack does.
/// </summary>
/// <param name="traits">The stack.</param>
/// <param name="smss">SMSS in bytes.</param>
sealed class LossDetector(SenderTraits traits, int smss)
{
    const int MaxDupThresh = 300; // Linux, tcp_max_reordering

    RackState _rack;
    ReorderingWindow _window;
    LinuxReorderingWindow _linuxWindow;
    MinRttFilter _minRtt;
    int _duplicateAcks;
    bool _hasNews;
    int _dupThresh = ReorderingWindow.DupThresh;

    /// <summary>min_RTT in ns; 0 before the first sample.</summary>
    public long MinRttNanos => _minRtt.MinRttNanos;

    /// <summary>The state of RACK.</summary>
    public ref readonly RackState Rack => ref _rack;

    /// <summary>RACK.reo_wnd_mult.</summary>
    public int ReoWndMult => IsByDelivery ? _linuxWindow.ReoWndMult : _window.ReoWndMult;

    /// <summary>RACK.reo_wnd_persist.</summary>
    public int ReoWndPersist => IsByDelivery ? _linuxWindow.ReoWndPersist : _window.ReoWndPersist;

    /// <summary>RACK.reordering_seen.</summary>
    public bool ReorderingSeen => _rack.ReorderingSeen;

    /// <summary>Nanoseconds after which the reordering timer looks again (RFC 8985 §6.2 step 5); 0 for no timer.</summary>
    public long ReorderingTimeoutNanos { get; private set; }

    /// <summary>RACK.reo_wnd in ns.</summary>
    public long ReoWndNanos(long srttNanos, bool isRecovering, int sackedSegments) =>
        ReorderingWindow.ReoWndNanos(ReoWndMult, MinRttNanos, srttNanos, _rack.ReorderingSeen, isRecovering, sackedSegments);

    /// <summary>A round-trip sample was taken.</summary>
    public void OnRttSample(TraceTime now, long rttNanos) => _minRtt.OnSample(now, rttNanos);

    /// <summary>
    /// A hole was filled by its original though it had been sent again, or a copy arrived of what had been SACKed: for Linux that is reordering.
    /// </summary>
    /// <param name="overtakenBytes">How far what had overtaken it reaches, bytes; 0 where that is not known.</param>
    public void OnOriginalArrived(int overtakenBytes = 0)
    {
        if (traits.LearnsFromCopies)
        {
            _rack.OnReorderingSeen();
            _dupThresh = Math.Clamp((overtakenBytes + smss - 1) / smss, _dupThresh, MaxDupThresh);
        }
    }

    /// <summary>Marks were taken back: what they stood for is looked at again.</summary>
    public void OnUndone() => _hasNews = true;

    /// <summary>Steps 2 to 4 of RFC 8985 §6.2.</summary>
    /// <param name="delivered">What the acknowledgment newly delivered, in ascending order of ends.</param>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="exitsRecovery">Whether it ends a recovery.</param>
    public void OnAckReceived(ReadOnlySpan<RackSegment> delivered, in AckArrival ack, SequenceNumber sndNxt, bool exitsRecovery)
    {
        _duplicateAcks = ack.IsDuplicate ? _duplicateAcks + 1 : delivered.Length > 0 ? 0 : _duplicateAcks;

        // Beside SACK blocks TSecr is that of the left edge (RFC 7323 §4.3), and says nothing of the segments behind it.
        _hasNews |= _rack.OnAckReceived(delivered, ack.Now, MinRttNanos, ack.HasTimestamps && ack.BlockCount == 0 ? ack.TsEcr : null);
        bool counts = !traits.LearnsFromCopies || _rack.ReorderingSeen; // Linux, tcp_dsack_seen: a DSACK counts once reordering was seen
        bool hasDsack = ack.IsDsack && counts && (traits.Adaptation == WindowAdaptation.Adaptive || IsByDelivery);
        if (IsByDelivery)
        {
            _linuxWindow.OnAckReceived(delivered, ack.Now, hasDsack, exitsRecovery);
        }
        else
        {
            _window.OnAckReceived(ack.Una, sndNxt, hasDsack, exitsRecovery);
        }
    }

    /// <summary>Whether the latest acknowledgment was a reason to look for losses.</summary>
    public bool HasLooked { get; private set; }

    /// <summary>Marks what is lost when an acknowledgment has arrived, if it is a reason to look.</summary>
    /// <returns>Whether anything was marked.</returns>
    public bool DetectOnAck(Scoreboard board, TraceTime now, long srttNanos, bool isRecovering)
    {
        HasLooked = _hasNews || !traits.LooksOnNews || traits.Detection != LossDetection.Rack;
        return HasLooked && Detect(board, now, srttNanos, isRecovering);
    }

    /// <summary>Marks what is lost by now.</summary>
    /// <param name="board">The scoreboard.</param>
    /// <param name="now">The time of the acknowledgment or of the reordering timer.</param>
    /// <param name="srttNanos">SRTT in ns.</param>
    /// <param name="isRecovering">Whether a recovery is under way.</param>
    /// <returns>Whether anything was marked.</returns>
    public bool Detect(Scoreboard board, TraceTime now, long srttNanos, bool isRecovering)
    {
        ReorderingTimeoutNanos = 0;
        _hasNews = false;
        return traits.Detection switch
        {
            LossDetection.Rack => DetectByTime(board, now, ReoWndNanos(srttNanos, isRecovering, board.SackedSegments)),
            LossDetection.DuplicateAcks => DetectBySacks(board),
            _ => DetectByDuplicates(board),
        };
    }

    /// <summary>A partial acknowledgment in a recovery without SACK: the next segment is lost too (RFC 6582 §3.2 step 3).</summary>
    public void OnPartialAck(Scoreboard board)
    {
        if (traits.Detection == LossDetection.NewReno && board.Count > 0 && !board[0].Rack.IsRetransmitted)
        {
            board.MarkLost(0);
        }
    }

    /// <summary>Marks what is lost when the retransmission timer expires: the first segment, and what has been out long enough (RFC 8985 §6.3); all without
    /// RACK.</summary>
    public void MarkLossesOnTimeout(Scoreboard board, TraceTime now, long srttNanos)
    {
        _duplicateAcks = 0;
        ReorderingTimeoutNanos = 0;
        long reoWnd = ReoWndNanos(srttNanos, isRecovering: true, board.SackedSegments);
        for (int i = 0; i < board.Count; i++)
        {
            bool isOverdue = traits.Detection != LossDetection.Rack || board[i].Rack.XmitTime + _rack.RttNanos + reoWnd <= now;
            if (i == 0 || isOverdue)
            {
                board.MarkLost(i);
            }
        }
    }

    bool IsByDelivery => traits.Adaptation == WindowAdaptation.AdaptiveByDelivery;

    // Segments in order of sequence numbers were sent in this order too but for retransmissions: behind the newest delivered one nothing was overtaken.
    bool DetectByTime(Scoreboard board, TraceTime now, long reoWndNanos)
    {
        bool hasMarked = false;
        for (int i = 0; i < board.Count; i++)
        {
            ref readonly SentSegment segment = ref board[i];
            // Where a clock stands still, new data of the same instant may have gone out before a retransmission: its higher end proves nothing.
            bool isTie = segment.Rack.IsRetransmitted && segment.Rack.XmitTime == _rack.XmitTime;
            if (segment.IsSacked || segment.Rack.IsLost || isTie || (segment.WasUnmarked && traits.MarksOnce))
            {
                continue;
            }

            if (_rack.LossTime(segment.Rack, reoWndNanos) is not { } lossTime)
            {
                if (!segment.Rack.IsRetransmitted)
                {
                    break;
                }
            }
            else if (lossTime > now)
            {
                ReorderingTimeoutNanos = Math.Max(ReorderingTimeoutNanos, lossTime - now);
            }
            else if (traits.FindsLostRetransmissions || !segment.Rack.IsRetransmitted)
            {
                board.MarkLost(i);
                hasMarked = true;
            }
        }

        return hasMarked;
    }

    // Ranges and bytes SACKed above a segment: all that are SACKed, less those below it (RFC 6675 §4).
    bool DetectBySacks(Scoreboard board)
    {
        bool hasMarked = false;
        int ranges = CountRanges(board);
        long bytes = board.SackedBytes;
        for (int i = 0; i < board.Count && bytes > 0; i++)
        {
            ref readonly SentSegment segment = ref board[i];
            if (segment.IsSacked)
            {
                bytes -= segment.Bytes;
                ranges -= i + 1 == board.Count || !board[i + 1].IsSacked ? 1 : 0;
            }
            else if (!segment.Rack.IsLost && !segment.Rack.IsRetransmitted && SackLoss.IsLost(ranges, bytes, smss))
            {
                board.MarkLost(i);
                hasMarked = true;
            }
        }

        return hasMarked;
    }

    static int CountRanges(Scoreboard board)
    {
        int ranges = 0;
        for (int i = 0; i < board.Count && board.SackedSegments > 0; i++)
        {
            ranges += board[i].IsSacked && (i == 0 || !board[i - 1].IsSacked) ? 1 : 0;
        }

        return ranges;
    }

    bool DetectByDuplicates(Scoreboard board)
    {
        if (_duplicateAcks < _dupThresh || board.Count == 0 || board[0].Rack.IsRetransmitted || board[0].Rack.IsLost)
        {
            return false;
        }

        board.MarkLost(0);
        return true;
    }
}
