using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Watches bursts after pauses: a sender that takes its congestion window back sends less than it once had in flight, waits a round trip, and goes on with
/// more. Standards take the initial window (RFC 5681 §4.1); Linux halves the window for each RTO of the pause, down to that (RFC 2861 §3). Which data
/// leaves in one round trip shows in the timestamps it echoes (RFC 7323 §4.3), wherever it is captured; without them only at the sender.
/// </summary>
struct RestartWatch
{
    SequenceNumber _start;
    SequenceNumber _roundEnd; // behind the first round, once it is acknowledged in part
    TracePosition _position;
    TracePosition _first;
    uint _echo; // what data of the first round echoes, then what acknowledged that round; 0 without timestamps
    int _before; // what the burst before carried, bytes
    int _firstRound; // of the present burst, bytes; 0 before its first acknowledgment
    int _window; // the largest first round of a burst that began anew, bytes
    int _count;
    bool _hasBegun;
    bool _isAnswered; // the first round is acknowledged
    bool _isOpen;

    /// <summary>Whether a burst is in its first two rounds.</summary>
    public readonly bool IsOpen => _isOpen;

    /// <summary>Whether new data begins a burst that may be one: much more than an initial window was sent before.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The data, sent after a pause with nothing else in flight.</param>
    public static bool MayBegin(in SendState sent, in Segment segment) =>
        segment.Sent.Kind == SentKind.New
        && sent.Times.LastAck > sent.Times.FirstData
        && (segment.Ack.TsEcr != 0
            ? sent.Counts.UniqueBytes >= Thresholds.MinRestartFactor * MaxWindow(sent.Sizes)
            : sent.Space.MaxInFlight >= Thresholds.MinRestartFactor * MaxWindow(sent.Sizes) && sent.Rtt.Handshake.IsAtSender);

    /// <summary>The largest first round that a restart by the standards explains, bytes: an initial window (RFC 6928).</summary>
    public static int MaxWindow(in SegmentSizes sizes) => Thresholds.InitialWindowSegments * sizes.WirePayload;

    /// <summary>Begins with the first data behind a pause.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The data.</param>
    public void Begin(in SendState sent, in Segment segment)
    {
        _before = segment.Start - (_hasBegun ? _start : sent.FirstCaptured);
        _hasBegun = true;
        _start = segment.Start;
        _position = new(segment.PacketNumber, segment.Time);
        _echo = segment.Ack.TsEcr;
        _firstRound = 0;
        _isAnswered = false;
        _isOpen = true;
    }

    /// <summary>Takes in that something was sent again: losses keep a window small as well.</summary>
    public void OnResent() => _isOpen = false;

    /// <summary>Takes in new data: what it echoes shows which acknowledgment its sender had.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The data.</param>
    public void OnNew(in SendState sent, in Segment segment)
    {
        if (!_isOpen || _echo == 0)
        {
            return;
        }

        int newer = unchecked((int)(segment.Ack.TsEcr - _echo));
        if (_firstRound == 0 && newer > 0)
        {
            EndFirst(sent, segment.Start);
        }
        else if (_isAnswered && newer >= 0)
        {
            EndSecond(segment.Start);
        }
    }

    /// <summary>Takes in an acknowledgment.</summary>
    /// <param name="sent">The end acknowledged, after it.</param>
    /// <param name="segment">The acknowledgment.</param>
    public void OnAcknowledged(in SendState sent, in Segment segment)
    {
        if (!_isOpen)
        {
            return;
        }

        if (_echo == 0 && _firstRound == 0)
        {
            EndFirst(sent, sent.Space.SndMax);
        }
        else if (_echo == 0 && sent.Space.SndUna >= _roundEnd)
        {
            EndSecond(sent.Space.SndMax);
        }
        else if (_firstRound > 0 && !_isAnswered && sent.Space.SndUna >= _roundEnd)
        {
            _isAnswered = true;
            _echo = segment.TsVal;
        }
    }

    /// <summary>What was found.</summary>
    /// <returns>Null without any restart.</returns>
    public readonly RestartSummary? Summarise() => _count > 0 ? new(_count, _window, _first) : null;

    // The receiver's capture does not show what is in flight: there the burst before shows how large the window was.
    void EndFirst(in SendState sent, SequenceNumber end)
    {
        _firstRound = end - _start;
        _roundEnd = end;
        int mss = sent.Sizes.Mss > 0 ? sent.Sizes.Mss : sent.Sizes.LargestPayload ?? SegmentSizes.EthernetPayload;
        bool wasLarger = _echo == 0
            ? sent.Space.MaxInFlight >= Thresholds.MinRestartFactor * _firstRound
            : _before / Thresholds.MinRestartBurstFactor >= _firstRound;
        _isOpen = wasLarger && _firstRound >= Thresholds.MinRestartSegments * mss
            && (_firstRound <= MaxWindow(sent.Sizes) || (_echo != 0 && _firstRound % mss == 0)); // a window that was full, not a write
    }

    void EndSecond(SequenceNumber end)
    {
        bool hasGrown = end - _roundEnd > _firstRound;
        _first = hasGrown && _count == 0 ? _position : _first;
        _window = hasGrown ? Math.Max(_window, _firstRound) : _window;
        _count += hasGrown ? 1 : 0;
        _isOpen = false;
    }
}
