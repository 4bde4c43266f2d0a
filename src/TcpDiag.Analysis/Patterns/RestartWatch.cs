using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Watches bursts after pauses: a sender that takes its congestion window back (RFC 5681 §4.1) sends no more than an initial window, waits a round trip, and
/// goes on with more, though far more was in flight before the pause. Only a capture at the sender shows what leaves in one round.
/// </summary>
struct RestartWatch
{
    const int SenderSharePart = 10; // of the handshake's round trip, at most one part of so many lies between sender and capture point

    SequenceNumber _start;
    SequenceNumber _roundEnd; // behind the first round, once it is acknowledged in part
    TracePosition _position;
    TracePosition _first;
    int _firstRound; // of the present burst, bytes; 0 before its first acknowledgment
    int _window; // the largest first round of a burst that began anew, bytes
    int _count;
    bool _isOpen;

    /// <summary>Whether a burst is in its first two rounds.</summary>
    public readonly bool IsOpen => _isOpen;

    /// <summary>Whether new data begins a burst that may be one: nothing else is in flight, and much more than an initial window was once.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The data.</param>
    public static bool MayBegin(in SendState sent, in Segment segment) =>
        segment.Sent.Kind == SentKind.New
        && segment.Time - sent.Times.LastAck >= Thresholds.MinIdleNanos
        && sent.Times.LastAck > sent.Times.FirstData
        && IsAtSender(sent.Rtt.Handshake);

    /// <summary>The largest first round that a restart explains, bytes: an initial window (RFC 6928).</summary>
    public static int MaxWindow(in SegmentSizes sizes) => Thresholds.InitialWindowSegments * sizes.WirePayload;

    /// <summary>Begins with the first data behind a pause.</summary>
    public void Begin(in Segment segment)
    {
        _start = segment.Start;
        _position = new(segment.PacketNumber, segment.Time);
        _firstRound = 0;
        _isOpen = true;
    }

    /// <summary>Takes in that something was sent again: losses keep a window small as well.</summary>
    public void OnResent() => _isOpen = false;

    /// <summary>Takes in an acknowledgment.</summary>
    /// <param name="sent">The end acknowledged, after it.</param>
    public void OnAcknowledged(in SendState sent)
    {
        if (!_isOpen)
        {
            return;
        }

        if (_firstRound == 0)
        {
            _firstRound = sent.Space.SndMax - _start;
            _roundEnd = sent.Space.SndMax;
            int mss = sent.Sizes.WirePayload;
            _isOpen = _firstRound >= Thresholds.MinRestartSegments * mss && _firstRound <= MaxWindow(sent.Sizes)
                && sent.Space.MaxInFlight >= Thresholds.MinRestartFactor * _firstRound;
        }
        else if (sent.Space.SndUna >= _roundEnd)
        {
            bool hasGrown = sent.Space.SndMax - _roundEnd > _firstRound;
            _first = _count == 0 ? _position : _first;
            _window = hasGrown ? Math.Max(_window, _firstRound) : _window;
            _count += hasGrown ? 1 : 0;
            _isOpen = false;
        }
    }

    /// <summary>What was found.</summary>
    /// <returns>Null without any restart.</returns>
    public readonly RestartSummary? Summarise() => _count > 0 ? new(_count, _window, _first) : null;

    static bool IsAtSender(in HandshakeRtt handshake) =>
        handshake.WholeNanos > 0 && (handshake.WholeNanos - handshake.ToReceiverNanos) * SenderSharePart <= handshake.WholeNanos;
}
