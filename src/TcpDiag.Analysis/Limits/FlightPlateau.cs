using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Tells a full send buffer from a full congestion window. Under both the sender answers acknowledgments with as much data
/// as they freed. A congestion window grows: in slow start by a factor each round trip, later by about half a segment
/// (RFC 9438 §4.3) even where CUBIC is flat; a send buffer does not. So the most in flight per round trip is compared with
/// the level of the rounds before. Time waits as
/// <see cref="LimitPlace.Level"/> until the level has held long enough, or has not.
/// </summary>
struct FlightPlateau
{
    // At half a segment per round a congestion window leaves the tolerance in twice as many rounds as that has segments.
    const int MoreRounds = 2;

    // Below the initial window (RFC 6928: ten segments), or what was in flight before, no congestion window holds a sender that has lost nothing.
    const int InitialWindowSegments = 10;
    const int FewRounds = 3;

    // Around W_max CUBIC stays within one segment for 2·cbrt(1/C) = 2.7 s (RFC 9438 §4.2, C = 0.4).
    const long FlatCubic = 3_000_000_000;

    TraceTime _levelSince;
    SequenceNumber _roundEnd;
    int _level;
    int _crest;
    int _peak;
    int _lossLevel;
    int _highest;
    int _bufferLevel;
    int _allowed;
    TraceTime _allowedAt;
    byte _held;
    SequenceNumber _disorderEnd;
    bool _isDisordered;
    bool _isClocked;
    bool _hasRound;

    /// <summary>Whether the capture was taken elsewhere than at the sender: levels are less sharp.</summary>
    public bool IsAway;

    /// <summary>Receive window, bytes; 0 when it is not known.</summary>
    public int Window;

    /// <summary>Estimates of the congestion window taken.</summary>
    public int Samples;

    /// <summary>Smallest of them, bytes.</summary>
    public int MinCwnd;

    /// <summary>Largest of them, bytes.</summary>
    public int MaxCwnd;

    /// <summary>Seen from afar, time at the highest level of slow start, nanoseconds: where a send buffer shows later, it may have been that one's, which holds less of small segments.</summary>
    public long DoubtfulTime;

    /// <summary>Whether the level is known to be that of a send buffer.</summary>
    public bool IsSendBuffer;

    /// <summary>The highest level that was a send buffer's, bytes; 0 when none was.</summary>
    public readonly int SendBufferLevel => _bufferLevel;

    /// <summary>Notes that an acknowledgment was answered: the round trip counts.</summary>
    public void OnAnswer() => _isClocked = true;

    /// <summary>Notes what is in flight after a send.</summary>
    /// <param name="inFlight">Bytes.</param>
    /// <param name="now">When.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnFlight(int inFlight, TraceTime now)
    {
        _peak = Math.Max(_peak, inFlight);
        _highest = Math.Max(_highest, inFlight);
        if (inFlight >= _allowed && !_isDisordered)
        {
            _allowed = inFlight;
            _allowedAt = now;
        }
    }

    /// <summary>Whether the congestion window allowed more: it did so a short time before, and nothing was lost. For an RTO no stack takes that back (RFC 7661 §4.4, RFC 2861).</summary>
    /// <param name="inFlight">In flight after a burst, bytes.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <param name="now">When the burst began.</param>
    /// <returns>False when that is not known.</returns>
    public readonly bool IsBelowCwnd(int inFlight, int mss, TraceTime now) =>
        inFlight + Math.Max(2 * mss, _allowed / 8) < _allowed && now - _allowedAt <= LimitFlight.LeastRto;

    /// <summary>Notes an acknowledgment; judges when it ends a round trip.</summary>
    /// <param name="una">SND.UNA.</param>
    /// <param name="max">SND.MAX.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <param name="now">When.</param>
    /// <param name="book">Where the time waits.</param>
    public void OnAcknowledged(SequenceNumber una, SequenceNumber max, int mss, TraceTime now, ref LimitBook book)
    {
        _isDisordered &= una < _disorderEnd;
        if (_hasRound && una < _roundEnd)
        {
            return;
        }

        if (_isClocked && _peak > 0)
        {
            OnRound(mss, now, ref book);
        }

        _hasRound = true;
        _roundEnd = max;
        _peak = max - una;
        _isClocked = false;
    }

    /// <summary>Notes that data arrived behind a gap, or is sent in recovery: until it is acknowledged, what is in flight by sequence numbers is not all in flight.</summary>
    /// <param name="max">SND.MAX.</param>
    public void OnDisorder(SequenceNumber max)
    {
        _disorderEnd = max;
        _isDisordered = true;
    }

    /// <summary>Notes that something was resent: the window is cut, and its level before the cut is known.</summary>
    /// <param name="inFlight">Bytes in flight.</param>
    /// <param name="book">Where the time waits.</param>
    public void OnLoss(int inFlight, ref LimitBook book)
    {
        _lossLevel = Math.Max(_lossLevel, inFlight);
        _allowed = 0;
        Conclude(ref book);
        _level = 0;
    }

    /// <summary>Notes that the receive window was full: rounds among which it is say nothing of a send buffer.</summary>
    public void OnWindowFull() => _held = 0;

    /// <summary>Notes how full a send buffer is that writes wait for: the highest level, if it was the same, was that of the buffer.</summary>
    /// <param name="fill">What is in flight when it is full, bytes.</param>
    /// <param name="mss">Payload of a full segment, bytes.</param>
    /// <param name="book">Where the time waits.</param>
    public void OnBuffer(int fill, int mss, ref LimitBook book)
    {
        if (fill > 0 && Math.Abs(_crest - fill) <= (IsAway ? Tolerance(_crest, mss) : mss))
        {
            book.Move(LimitPlace.Crest, LimitPlace.SendBuffer);
        }
    }

    /// <summary>Notes that part of the traffic was not captured: the round trip it falls into does not count.</summary>
    public void OnGap()
    {
        _hasRound = false;
        _isClocked = false;
        _peak = 0;
    }

    /// <summary>Notes that the sender had nothing to send: the rounds to come are not of the level before.</summary>
    /// <param name="book">Where the time waits.</param>
    public void OnPause(ref LimitBook book)
    {
        Settle(ref book);
        _level = 0;
        _peak = 0;
    }

    /// <summary>Decides about all time that waits.</summary>
    /// <param name="book">Where it waits.</param>
    public void Conclude(ref LimitBook book)
    {
        Settle(ref book);
        DoubtfulTime += IsAway ? book.At(LimitPlace.Crest) : 0;
        book.Move(LimitPlace.Crest, LimitPlace.CongestionWindow);
    }

    // A level that has not held long enough is a congestion window; the highest one until a buffer is found that holds no more.
    void Settle(ref LimitBook book)
    {
        if (!IsSendBuffer && _level > 0 && book.At(LimitPlace.Level) > 0)
        {
            MinCwnd = Samples == 0 ? _level : Math.Min(MinCwnd, _level);
            MaxCwnd = Math.Max(MaxCwnd, _level);
            Samples += _held + 1;
        }

        if (!IsSendBuffer && _lossLevel == 0 && _level >= _crest && 2 * book.At(LimitPlace.Level) >= book.At(LimitPlace.Crest))
        {
            book.Move(LimitPlace.Crest, LimitPlace.CongestionWindow);
            book.Move(LimitPlace.Level, _crest > 0 ? LimitPlace.Crest : LimitPlace.CongestionWindow); // the first is that of the initial window
            _crest = _level;
        }

        book.Move(LimitPlace.Level, IsSendBuffer ? LimitPlace.SendBuffer : LimitPlace.CongestionWindow);
        _held = 0;
        IsSendBuffer = false;
    }

    void OnRound(int mss, TraceTime now, ref LimitBook book)
    {
        if (_level == 0 || Math.Abs(_peak - _level) > Tolerance(mss))
        {
            bool isSettling = _peak < _level && _lossLevel == 0 && _highest < InitialWindowSegments * mss; // a send buffer: no congestion window has held anything yet
            if (_level > 0 && (IsSendBuffer || !isSettling))
            {
                Settle(ref book);
            }

            _level = _peak;
            _held = 0;
            _levelSince = now;
            IsSendBuffer = _lossLevel == 0 && _level <= _bufferLevel && IsFarBelowWindow; // the congestion window was larger when that buffer was found
            return;
        }

        _held = (byte)Math.Min(_held + 1, byte.MaxValue);
        IsSendBuffer |= IsFarBelowWindow && HasHeld(mss, now);
        if (IsSendBuffer)
        {
            _bufferLevel = Math.Max(_bufferLevel, _level);
            OnBuffer(_level, mss, ref book);
        }
    }

    // Near the receive window a level is constant because of that one, whatever else there is.
    readonly bool IsFarBelowWindow => Window == 0 || _level < Window - (Window / 4);

    // Small windows grow by whole segments.
    readonly int Tolerance(int mss) => Tolerance(_level, mss);

    readonly int Tolerance(int level, int mss) => IsAway ? Math.Max(2 * mss, level / 16) : level < 16 * mss ? mss : 2 * mss;

    readonly bool HasHeld(int mss, TraceTime now)
    {
        int tolerance = Tolerance(mss);
        bool isBelowCwnd = _lossLevel == 0 && (_level < InitialWindowSegments * mss || _level + tolerance < _highest);
        int least = isBelowCwnd ? FewRounds : MoreRounds + (2 * tolerance / mss);
        bool hasLost = _lossLevel + tolerance >= _level;
        return _held >= least && (!hasLost || now - _levelSince > FlatCubic);
    }
}
