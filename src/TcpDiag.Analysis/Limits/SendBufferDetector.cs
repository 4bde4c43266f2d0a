using System;
using System.Runtime.CompilerServices;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Tells a full send buffer from a full congestion window. Under both the sender answers acknowledgments with as much data as they freed. A
/// congestion window grows: in slow start by a factor each round trip, later by about half a segment (RFC 9438 §4.3) even where CUBIC is flat; a
/// send buffer does not. So the most in flight per round trip is compared with the level of the rounds before. Time is
/// <see cref="OpenState.FullFlight"/> until the level has held long enough, or has not; that of the highest level of slow start is
/// <see cref="OpenState.SlowStartTop"/> until a buffer shows that holds as much.
/// </summary>
struct SendBufferDetector
{
    TraceTime _levelSince;
    SequenceNumber _roundEnd;
    int _level;
    int _peak; // most in flight in this round
    int _lossLevel; // most in flight when something was lost
    int _highest; // most in flight ever
    int _top; // the highest level of slow start so far
    int _rounds; // that the level has held, at most 255
    int _steps; // in a row from a level to one a little higher, up to this one; no more than count
    int _spread; // by which the most in flight of its rounds differed from it, bytes
    bool _isSendBuffer;
    bool _isAnswered;
    bool _hasRound;
    bool _isAway;
    bool _isLate;
    int _window;
    SlowStartGrowth _growth;

    /// <summary>Estimates of the congestion window taken.</summary>
    public int Samples { get; private set; }

    /// <summary>Smallest of them, bytes.</summary>
    public int MinCwnd { get; private set; }

    /// <summary>Largest of them, bytes.</summary>
    public int MaxCwnd { get; private set; }

    /// <summary>The highest level that was a send buffer's, bytes; 0 when none was.</summary>
    public int BufferLevel { get; private set; }

    /// <summary>
    /// Seen from afar, time at the highest level of slow start and in the rounds behind its end: where a send buffer shows later, it may have been that one's,
    /// which holds less of small segments, or not.
    /// </summary>
    public long DoubtfulNanos { get; private set; }

    /// <summary>Whether the level is known to be that of a send buffer.</summary>
    public readonly bool IsSendBuffer => _isSendBuffer;

    /// <summary>Begins.</summary>
    /// <param name="isAway">Whether the capture was taken elsewhere than at the sender: levels are less sharp.</param>
    public void Begin(bool isAway) => _isAway = isAway;

    /// <summary>
    /// Takes in that the capture began during the connection: what came before may have been a loss, so that a level below an earlier one is no news.
    /// </summary>
    public void BeginLate() => _isLate = true;

    /// <summary>Takes in the receive window, bytes.</summary>
    public void OnWindow(int bytes) => _window = bytes;

    /// <summary>Takes in that an acknowledgment was answered: the round trip counts.</summary>
    public void OnAnswer() => _isAnswered = true;

    /// <summary>Takes in what is in flight after a send, bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnFlight(int inFlight)
    {
        if (inFlight > _peak)
        {
            _peak = inFlight;
        }

        if (inFlight > _highest)
        {
            _highest = inFlight;
        }
    }

    /// <summary>Takes in an acknowledgment; judges when it ends a round trip.</summary>
    /// <param name="una">SND.UNA.</param>
    /// <param name="max">SND.MAX.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <param name="now">When.</param>
    /// <param name="timeline">Where the time is open.</param>
    public void OnAcknowledged(SequenceNumber una, SequenceNumber max, int mss, TraceTime now, ref LimitTimeline timeline)
    {
        if (_hasRound && una < _roundEnd)
        {
            return;
        }

        if (_isAnswered && _peak > 0)
        {
            OnRound(mss, now, ref timeline);
        }
        else if (!_hasRound && !_isLate)
        {
            _growth.Begin(_peak);
        }

        _hasRound = true;
        _roundEnd = max;
        _peak = max - una;
        _isAnswered = false;
    }

    /// <summary>Takes in that something was resent: the window is cut, and its level before the cut is known.</summary>
    /// <param name="inFlight">Bytes in flight.</param>
    /// <param name="timeline">Where the time is open.</param>
    public void OnLoss(int inFlight, ref LimitTimeline timeline)
    {
        _lossLevel = Math.Max(_lossLevel, inFlight);
        Settle(ref timeline);
        _level = 0;
        _growth.OnLoss();
    }

    /// <summary>
    /// Takes in what is in flight where a full send buffer is known, bytes: the highest level of slow start, if it was the same, was that of the buffer, and so
    /// were the rounds behind its end, if the buffer may have ended it.
    /// </summary>
    public void OnFullBuffer(int fill, int mss, ref LimitTimeline timeline)
    {
        bool isSame = Math.Abs(_top - fill) <= (_isAway ? Tolerance(_top, mss) : mss);
        if (fill > 0 && (_growth.HasEnded ? _growth.IsEndedBy(fill) : isSame))
        {
            DoubtfulNanos += _isAway && _growth.HasEnded ? timeline.In(OpenState.SlowStartTop) : 0;
            timeline.Decide(OpenState.SlowStartTop, OpenState.SendBuffer);
        }
    }

    /// <summary>Takes in that the receive window was full: rounds among which it is say nothing of a send buffer.</summary>
    public void OnWindowFull() => _rounds = 0;

    /// <summary>Takes in that part of the traffic was not captured: the round trip it falls into does not count.</summary>
    public void OnGap()
    {
        _hasRound = false;
        _isAnswered = false;
        _peak = 0;
    }

    /// <summary>Takes in that the sender had nothing to send: the rounds to come are not of the level before.</summary>
    public void OnPause(ref LimitTimeline timeline)
    {
        SettleLevel(ref timeline);
        _level = 0;
        _peak = 0;
        _growth.OnPause();
    }

    /// <summary>
    /// Takes in that the sender was silent for as long as a stack keeps its congestion window (RFC 5681 §4.1): what was in flight before says nothing of what
    /// that allows now.
    /// </summary>
    public void OnRestart(ref LimitTimeline timeline)
    {
        OnPause(ref timeline);
        _highest = 0;
    }

    /// <summary>Decides about all time that is open.</summary>
    public void Settle(ref LimitTimeline timeline)
    {
        SettleLevel(ref timeline);
        DoubtfulNanos += _isAway ? timeline.In(OpenState.SlowStartTop) : 0;
        timeline.Decide(OpenState.SlowStartTop, OpenState.CongestionWindow);
    }

    // A level that has not held long enough is a congestion window; the highest one until a buffer is found that holds no more.
    void SettleLevel(ref LimitTimeline timeline)
    {
        if (!_isSendBuffer)
        {
            TakeSamples(timeline);
        }

        if (!_isSendBuffer && _growth.HasEnded)
        {
            timeline.Decide(OpenState.FullFlight, OpenState.SlowStartTop);
        }
        else if (!_isSendBuffer && _lossLevel == 0 && _level >= _top && 2 * timeline.In(OpenState.FullFlight) >= timeline.In(OpenState.SlowStartTop))
        {
            timeline.Decide(OpenState.SlowStartTop, OpenState.CongestionWindow);
            timeline.Decide(OpenState.FullFlight, _top > 0 ? OpenState.SlowStartTop : OpenState.CongestionWindow); // the first is that of the initial window
            _top = _level;
        }

        timeline.Decide(OpenState.FullFlight, _isSendBuffer ? OpenState.SendBuffer : OpenState.CongestionWindow);
        _rounds = 0;
        _isSendBuffer = false;
    }

    void OnRound(int mss, TraceTime now, ref LimitTimeline timeline)
    {
        FollowSlowStart(mss, ref timeline);
        if (_level == 0 || Math.Abs(_peak - _level) > Tolerance(mss))
        {
            // A send buffer that settles: below the initial window no congestion window has held anything yet.
            bool isSettling = _peak < _level && _lossLevel == 0 && _highest < Thresholds.InitialWindowSegments * mss;
            if (_level > 0 && (_isSendBuffer || !isSettling))
            {
                SettleLevel(ref timeline);
            }

            bool isStep = _level > 0 && _peak > _level && _peak <= _level + (Thresholds.MaxStepSegments * mss);
            _steps = isStep ? Math.Min(_steps + 1, Thresholds.MinSteps) : 0;
            _level = _peak;
            _rounds = 0;
            _spread = 0;
            _levelSince = now;
            _isSendBuffer = _lossLevel == 0 && _level <= BufferLevel && IsFarBelowWindow; // the congestion window was larger when that buffer was found
            return;
        }

        _rounds = Math.Min(_rounds + 1, byte.MaxValue);
        _spread = Math.Max(_spread, Math.Abs(_peak - _level));
        _isSendBuffer |= IsFarBelowWindow && HasHeld(mss, now);
        if (_isSendBuffer)
        {
            BufferLevel = Math.Max(BufferLevel, _level);
            OnFullBuffer(_level, mss, ref timeline);
        }
    }

    void FollowSlowStart(int mss, ref LimitTimeline timeline)
    {
        bool hadEnded = _growth.HasEnded;
        int before = _growth.Latest;
        Growth growth = _growth.OnRound(_peak);
        if (growth == Growth.Doubled && _level == 0)
        {
            timeline.Decide(OpenState.FullFlight, OpenState.CongestionWindow); // of the initial window
        }
        else if (hadEnded && growth != Growth.Slower)
        {
            timeline.Decide(OpenState.SlowStartTop, OpenState.CongestionWindow);
        }
        else if (growth == Growth.Ended && Math.Abs(_peak - before) > Tolerance(before, mss))
        {
            EndSlowStart(ref timeline);
        }
    }

    // What was in flight before had doubled from what was in flight before that, or was the initial window; seen from afar it may have been less or more.
    void EndSlowStart(ref LimitTimeline timeline)
    {
        TakeSamples(timeline);
        DoubtfulNanos += _isAway ? timeline.In(OpenState.FullFlight) : 0;
        timeline.Decide(OpenState.FullFlight, OpenState.CongestionWindow);
        timeline.Decide(OpenState.SlowStartTop, OpenState.CongestionWindow);
    }

    // The level was that of a congestion window.
    void TakeSamples(in LimitTimeline timeline)
    {
        if (_level > 0 && timeline.In(OpenState.FullFlight) > 0)
        {
            MinCwnd = Samples == 0 ? _level : Math.Min(MinCwnd, _level);
            MaxCwnd = Math.Max(MaxCwnd, _level);
            Samples += _rounds + 1;
        }
    }

    // Growth that does not show beside what the rounds differ by, at most all that is equal among them: from afar they are often more alike than that.
    readonly int UnseenGrowth(int mss, int tolerance) => Math.Clamp(2 * _spread, Math.Min(2 * mss, tolerance), tolerance);

    // Near the receive window a level is constant because of that one, whatever else there is.
    readonly bool IsFarBelowWindow => _window == 0 || _level < _window - (_window / 4);

    // Small windows grow by whole segments.
    readonly int Tolerance(int mss) => Tolerance(_level, mss);

    readonly int Tolerance(int level, int mss) => _isAway ? Math.Max(2 * mss, level / 16) : level < 16 * mss ? mss : 2 * mss;

    // Whether the slowest of common senders would clearly have more in flight by now, if this level were its congestion window. What was in flight before shows
    // at the sender only: elsewhere it follows the delay as well.
    readonly bool HasHeld(int mss, TraceTime now)
    {
        int tolerance = Tolerance(mss);
        bool isBelowCwnd = _lossLevel == 0 && !_isLate
            && (_level < Thresholds.InitialWindowSegments * mss || (!_isAway && _level + tolerance < _highest));
        if (isBelowCwnd)
        {
            return _rounds >= Thresholds.MinRounds;
        }

        int segments = (UnseenGrowth(mss, tolerance) / mss) + 1;
        bool isClimbing = _isLate && _steps >= Thresholds.MinSteps; // to the W_max of a loss before the capture
        bool isFlat = isClimbing || _lossLevel + tolerance >= _level; // as CUBIC is around W_max
        return _rounds >= ReferenceGrowth.RoundsOf(segments) && (!isFlat || now - _levelSince > ReferenceGrowth.PlateauNanos(segments));
    }
}

/// <summary>
/// How long the slowest of common senders takes to show that its congestion window grows, when nothing else holds it back. Reno grows by a segment each
/// round trip (RFC 5681 §3.1). CUBIC grows no slower than a Reno that leaves <see cref="Cubic.Beta"/> of its window: by <see cref="Cubic.Alpha"/> segments
/// (RFC 9438 §4.3), which Linux counts to whole segments before it follows them. Only around W_max its curve is flat, while that Reno is far below.
/// </summary>
static class ReferenceGrowth
{
    const int Margin = 3; // rounds for each segment: 1 / Alpha is 1.9, and half as many more for one that begins late, or was not acknowledged whole

    /// <summary>Round trips after which it has grown by some segments.</summary>
    /// <param name="segments">So many.</param>
    public static int RoundsOf(int segments) => Margin * segments;

    /// <summary>
    /// For how long its curve stays within some segments of W_max on both sides: C·(t − K)³ (RFC 9438 §4.2) is as much at 2·cbrt(segments / C).
    /// </summary>
    /// <param name="segments">So many.</param>
    /// <returns>Nanoseconds.</returns>
    public static long PlateauNanos(int segments) => (long)(2e9 * Math.Cbrt(segments / Cubic.C));
}
