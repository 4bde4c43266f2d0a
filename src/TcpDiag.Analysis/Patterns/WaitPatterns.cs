using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>What the waits of one end's data have in common. Taken from a pool with the first wait that may be one of them.</summary>
struct WaitPatterns
{
    /// <summary>Whether small writes wait for delayed acknowledgments.</summary>
    public NagleWatch Nagle;

    /// <summary>Whether bursts begin anew with a small window after pauses.</summary>
    public RestartWatch Restart;

    /// <summary>Whether ordinary segments may end something.</summary>
    public readonly bool IsOpen => Nagle.IsOpen || Restart.IsOpen;
}

/// <summary>
/// Watches whether small segments leave only with the acknowledgment of the small segment before (Nagle, RFC 9293 §3.7.4), and the other end holds that
/// acknowledgment back because it has nothing to say until it has the whole message (RFC 9293 §3.8.6.3): each waits for the other.
/// </summary>
struct NagleWatch
{
    TraceTime _acked;
    long _heldBack; // of the latest acknowledgment, nanoseconds; 0 when nothing waits for its answer
    long _time;
    long _longest;
    TracePosition _first;
    TracePosition _worst;
    int _count;
    int _close; // of them, those that came as soon as the path allows
    int _delayed;

    /// <summary>Whether the next data shows whether it had waited.</summary>
    public readonly bool IsOpen => _heldBack > 0;

    /// <summary>
    /// By how much an acknowledgment that leaves nothing in flight came later than the path explains, nanoseconds; 0 when that is no acknowledgment held back.
    /// </summary>
    /// <param name="acked">The end acknowledged, after it.</param>
    /// <param name="segment">The acknowledgment.</param>
    public static long HeldBack(in SendState acked, in Segment segment)
    {
        HandshakeRtt handshake = acked.Rtt.Handshake;
        long min = FlightPool.MinRtt(acked);
        long late = segment.Ack.RttNanos - (handshake.WholeNanos > 0 && handshake.ToReceiverNanos < min ? handshake.ToReceiverNanos : min);
        return late is >= Thresholds.MinHeldAckNanos and <= Thresholds.MaxHeldAckNanos ? late : 0;
    }

    /// <summary>Takes in an acknowledgment that was held back, nanoseconds.</summary>
    public void OnHeldBack(long nanoseconds, TraceTime now)
    {
        _heldBack = nanoseconds;
        _acked = now;
        _delayed++;
    }

    /// <summary>Takes in data of the other end: what is sent now may be an answer to it.</summary>
    public void OnPeerData() => _heldBack = 0;

    /// <summary>Takes in the next new data.</summary>
    /// <param name="sent">Its end.</param>
    /// <param name="segment">The data.</param>
    public void OnNew(in SendState sent, in Segment segment)
    {
        HandshakeRtt handshake = sent.Rtt.Handshake;
        long toSender = handshake.ToSenderNanos;
        long distance = TraceTime.Distance(segment.Time, _acked + toSender);
        bool hasWaited = handshake.WholeNanos > 0 && distance <= Thresholds.MaxAnswerNanos + (toSender / Thresholds.AnswerDivisor)
            && segment.Length < sent.Sizes.WirePayload;
        if (hasWaited)
        {
            var position = new TracePosition(segment.PacketNumber, segment.Time);
            _first = _count == 0 ? position : _first;
            _worst = _heldBack > _longest ? position : _worst;
            _longest = _heldBack > _longest ? _heldBack : _longest;
            _time += _heldBack;
            _count++;
            _close += distance <= Thresholds.MaxAnswerNanos + (toSender / Thresholds.CloseAnswerDivisor) ? 1 : 0;
        }

        _heldBack = 0;
    }

    /// <summary>What was found. Answers vary with the path, around what it takes; a program's own rhythm keeps its distance from that.</summary>
    /// <returns>Null where nothing waited.</returns>
    public readonly NagleWaits? Summarise() => _count > 0 && Thresholds.MaxPerCloseAnswer * _close >= _count
        ? new(_count, _delayed, _time, _longest, _first, _worst) : null;
}
