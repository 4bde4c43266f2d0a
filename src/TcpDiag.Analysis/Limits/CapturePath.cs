using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// The path between the capture point and the sender. What passes the capture point on its way to the sender acts there later: by the part of the
/// round trip that the handshake shows, then followed by echoed timestamps (RFC 7323 §4).
/// </summary>
struct CapturePath
{
    int _delay; // nanoseconds
    int _handshakeDelay; // nanoseconds, as the handshake showed it, or echoes where none did
    uint _echoTsVal; // whose echo is awaited, to follow the delay
    TraceTime _echoTime; // when it passed the capture point
    uint _newestTsVal; // while the delay is learned: of the acknowledgment that passed last
    TraceTime _newestTime; // when the first with it did
    bool _isEchoAwaited;
    int _shortestEcho; // nanoseconds, while the delay is learned: it is no longer than this
    byte _echoes; // answers by which the delay is learned
    byte _sharpEchoes; // those that show it well
    Pooled<AckDelayLine> _line;

    /// <summary>Delay from the capture point to the sender and back; 0 for a capture at the sender.</summary>
    public readonly int DelayNanos => _delay;

    /// <summary>Whether the capture was taken elsewhere than at the sender: what is known of it then is less sharp.</summary>
    public readonly bool IsAway => _delay > 0;

    /// <summary>Whether the path is known.</summary>
    public bool IsKnown { get; private set; }

    /// <summary>Whether the capture is known to have been taken at the sender.</summary>
    public readonly bool IsAtSender => IsKnown && !IsAway;

    /// <summary>Whether data echoes timestamps: which acknowledgments the sender had is known.</summary>
    public bool HasEchoes { get; private set; }

    /// <summary>Takes in where the capture was taken.</summary>
    /// <param name="delayNanos">Delay from the capture point to the sender and back; 0 at the sender.</param>
    public void Place(long delayNanos)
    {
        _delay = (int)Math.Min(delayNanos, int.MaxValue);
        IsKnown = true;
    }

    /// <summary>Takes in that the sender's stack is recorded beside its packets.</summary>
    public void PlaceHere()
    {
        Place(0);
        IsLearning = false;
        IsHere = true;
    }

    /// <summary>Whether the sender's stack is recorded beside its packets.</summary>
    public bool IsHere { get; private set; }

    /// <summary>Whether the delay is to be learned from echoed timestamps: the capture began after the handshake.</summary>
    public bool IsLearning { get; private set; }

    /// <summary>Whether echoed timestamps showed where the capture was taken, some time after it began.</summary>
    public readonly bool WasLearned => _echoes > 0 && IsKnown;

    /// <summary>What was learned, nanoseconds; 0 when nothing was, or the capture was taken at the sender.</summary>
    public readonly int LearnedNanos => WasLearned && IsAway ? _handshakeDelay : 0;

    /// <summary>Begins to learn the delay.</summary>
    public void BeginLearning()
    {
        IsLearning = true;
        _handshakeDelay = int.MaxValue;
        _shortestEcho = int.MaxValue;
    }

    /// <summary>
    /// Takes in an acknowledgment while the delay is learned. Several carry one timestamp: only the first that has a new one is waited for, and only where
    /// the one before came shortly before it, as the data does then that these two let go.
    /// </summary>
    /// <param name="tsVal">Its TSval; 0 without timestamps.</param>
    /// <param name="now">When it passed.</param>
    /// <param name="before">When the acknowledgment before did.</param>
    public void AwaitEcho(uint tsVal, TraceTime now, TraceTime before)
    {
        if (tsVal != _newestTsVal)
        {
            (_newestTsVal, _newestTime) = (tsVal, now);
        }

        if (tsVal == 0 || _isEchoAwaited || tsVal == _echoTsVal)
        {
            return;
        }

        _isEchoAwaited = _echoTsVal != 0 && (_shortestEcho < Thresholds.MaxSenderDelayNanos || now - before <= _shortestEcho / Thresholds.NearPart);
        _echoTsVal = tsVal;
        _echoTime = now;
    }

    /// <summary>
    /// Takes in data while the delay is learned. The sender had an acknowledgment before it sent what echoes it, and after it sent what still echoes an older
    /// one: where these two follow each other closely, the delay is known as well, and else only that it is no longer.
    /// </summary>
    /// <param name="echo">Its TSecr; 0 without timestamps.</param>
    /// <param name="time">When it passed.</param>
    /// <param name="before">When the data before it did.</param>
    /// <param name="toReceiverNanos">The shortest time to the receiver and back; 0 while none is known.</param>
    /// <returns>The delay, nanoseconds, 0 at the sender; null as long as it is not known.</returns>
    public int? Learn(uint echo, TraceTime time, TraceTime before, uint toReceiverNanos)
    {
        if (!_isEchoAwaited || unchecked((int)(echo - _echoTsVal)) < 0)
        {
            return null;
        }

        _isEchoAwaited = false;
        TraceTime had = echo == _newestTsVal ? _newestTime : _echoTime; // a writer that is blocked waits for several
        int delay = (int)Math.Clamp(time - had, 0, int.MaxValue);
        return Learn(delay, toReceiverNanos, isSharp: time - before <= delay / Thresholds.NearPart);
    }

    /// <summary>
    /// Takes in data, while the delay is learned, for which the receive window had no room until an acknowledgment passed: the sender sent it for that.
    /// </summary>
    /// <param name="opened">When the acknowledgment passed.</param>
    /// <param name="time">When the data did.</param>
    /// <param name="toReceiverNanos">The shortest time to the receiver and back; 0 while none is known.</param>
    /// <returns>The delay, nanoseconds, 0 at the sender; null as long as it is not known.</returns>
    public int? LearnFromWindow(TraceTime opened, TraceTime time, uint toReceiverNanos)
    {
        _isEchoAwaited = false;
        return Learn((int)Math.Clamp(time - opened, 0, int.MaxValue), toReceiverNanos, isSharp: true);
    }

    int? Learn(int delay, uint toReceiverNanos, bool isSharp)
    {
        _shortestEcho = Math.Min(_shortestEcho, delay);
        if (isSharp)
        {
            _sharpEchoes++;
            _handshakeDelay = Math.Min(_handshakeDelay, delay);
        }

        long near = Math.Clamp(toReceiverNanos / Thresholds.NearSenderPart, Thresholds.MinSenderDelayNanos, Thresholds.MaxSenderDelayNanos);
        bool isAtSender = ++_echoes >= Thresholds.MinPhases && _shortestEcho < near;
        bool isLearned = _sharpEchoes >= Thresholds.MinSharpEchoes && _shortestEcho >= near;
        IsLearning = !isAtSender && !isLearned && _echoes < byte.MaxValue;
        return isAtSender ? 0 : isLearned ? _handshakeDelay : null;
    }

    /// <summary>Keeps the delay as the handshake showed it.</summary>
    /// <param name="isReliable">False where data was overtaking from the first: it may have ended the handshake in appearance, sooner than the path is
    /// long.</param>
    public void KeepHandshakeDelay(bool isReliable) => _handshakeDelay = isReliable ? _delay : int.MaxValue;

    // How long after it passed an acknowledgment acts: rather too short for it to be answered than too long, unless echoes show it.
    readonly long LagNanos => _delay - (HasEchoes ? 0 : _delay / 16);

    /// <summary>Makes ready for an acknowledgment that passes the capture point.</summary>
    public void Prepare(in ArrivedAck ack, TraceTime now, StructPool<AckDelayLine> lines)
    {
        if (ack.TsVal != 0 && !_isEchoAwaited)
        {
            _echoTsVal = ack.TsVal;
            _echoTime = now;
            _isEchoAwaited = true;
        }

        if (!_line.IsAny)
        {
            _line = lines.Take();
        }
    }

    /// <summary>Puts an acknowledgment behind those that are on their way.</summary>
    public readonly void Enqueue(in ArrivedAck ack) => _line.Value.Add(ack);

    /// <summary>Takes the oldest acknowledgment if the sender has it by now.</summary>
    /// <param name="now">The instant.</param>
    /// <param name="echo">The timestamp that data of the sender echoes at this instant; 0 when nothing shows.</param>
    /// <param name="ack">The acknowledgment, which arrived now at the latest; undefined when there is none.</param>
    /// <returns>False when the sender has none of them yet.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryTake(TraceTime now, uint echo, out ArrivedAck ack)
    {
        Unsafe.SkipInit(out ack);
        return _line.IsAny && _line.Value.TryTake(now, LagNanos, echo, out ack);
    }

    /// <summary>Whether the sender does not have acknowledgments, by what it echoes, that should have arrived long ago: they were lost on their way.</summary>
    /// <param name="now">When it sent.</param>
    public readonly bool HasOverdue(TraceTime now) => HasEchoes && _line.IsAny && _line.Value.IsOverdue(now, LagNanos + (_delay / Thresholds.OverdueDivisor));

    /// <summary>
    /// Takes in data that echoes a timestamp. The first that echoes the awaited one answers the acknowledgment that carried it: queues of the moment are
    /// in the delay. Only data that comes all the time can be queued; after a silence the sender may have had nothing to send, and the path is as long as
    /// in the handshake at most.
    /// </summary>
    /// <param name="echo">Its TSecr; 0 without timestamps.</param>
    /// <param name="time">When it passed.</param>
    /// <param name="isFlowing">Whether data comes all the time.</param>
    public void OnData(uint echo, TraceTime time, bool isFlowing)
    {
        if (_isEchoAwaited && unchecked((int)(echo - _echoTsVal)) >= 0)
        {
            long delay = Math.Clamp(time - _echoTime, Thresholds.MinSenderDelayNanos, int.MaxValue);
            long max = isFlowing ? delay : Math.Min(delay, _handshakeDelay);
            _delay = delay < _delay ? (int)delay : _delay + (int)(Math.Max(max - _delay, 0) / 8);
            _isEchoAwaited = false;
        }
    }

    /// <summary>Takes in whether data carries an echo at all.</summary>
    public void OnEcho(uint echo) => HasEchoes |= echo != 0;

    /// <summary>Gives its memory back.</summary>
    public void Release(StructPool<AckDelayLine> lines) => lines.Return(ref _line);
}

/// <summary>What an acknowledgment says to the sender when it arrives there.</summary>
struct ArrivedAck
{
    /// <summary>When; until it does, when it passed the capture point.</summary>
    public TraceTime Time;

    /// <summary>Its TSval, which the sender's next data echoes (RFC 7323 §4.3); 0 without one.</summary>
    public uint TsVal;

    /// <summary>SND.UNA from now on.</summary>
    public SequenceNumber Una;

    /// <summary>Right edge of the receive window.</summary>
    public SequenceNumber Edge;

    /// <summary>Whether the edge is known.</summary>
    public bool HasEdge;

    /// <summary>Whether it carries data of the peer.</summary>
    public bool HasPayload;

    /// <summary>Whether it acknowledges data that was never captured.</summary>
    public bool HasUnseen;

    /// <summary>Whether it reports data that arrived above a gap.</summary>
    public bool HasNews;

    /// <summary>Says as well what an earlier one said that is left out.</summary>
    public void Take(in ArrivedAck earlier)
    {
        HasPayload |= earlier.HasPayload;
        HasUnseen |= earlier.HasUnseen;
        HasNews |= earlier.HasNews;
    }
}

/// <summary>
/// Acknowledgments on their way from the capture point to the sender. How long that way is shows ever better, and counts for all of them. When more are under
/// way than fit, two become one.
/// </summary>
struct AckDelayLine
{
    const int Length = 64; // two flights in turn, of 15 ms each, with two in each millisecond (a timestamp)

    Entries _entries;
    uint _echo; // timestamp of the latest one taken
    byte _head;
    byte _count;

    /// <summary>Adds an acknowledgment, with the instant at which it passes the capture point.</summary>
    public void Add(in ArrivedAck ack)
    {
        if (_count == Length)
        {
            Thin();
        }

        _count -= (byte)(_count == Length ? 1 : 0);
        At(_count++) = ack;
    }

    /// <summary>Whether the oldest passed the capture point longer ago than that, nanoseconds.</summary>
    public readonly bool IsOverdue(TraceTime now, long nanos) => _count > 0 && now - _entries[_head].Time > nanos;

    /// <summary>Takes the oldest acknowledgment if the sender has it by now.</summary>
    /// <param name="now">The instant.</param>
    /// <param name="lag">How long the way to the sender and back is, nanoseconds.</param>
    /// <param name="echo"> The timestamp that data of the sender echoes at this instant: it has what is older, and not what is newer, whenever that was
    /// expected. 0 when nothing shows.
    /// </param>
    /// <param name="ack">The acknowledgment, which arrived now at the latest; undefined when there is none.</param>
    /// <returns>False when the sender has none of them yet.</returns>
    public bool TryTake(TraceTime now, long lag, uint echo, out ArrivedAck ack)
    {
        ref ArrivedAck oldest = ref _entries[_head];
        if (_count == 0 || !HasArrived(oldest, now, lag, echo))
        {
            Unsafe.SkipInit(out ack);
            return false;
        }

        ack = oldest;
        _echo = ack.TsVal;
        ack.Time = now - ack.Time > lag ? ack.Time + lag : now;
        _head = (byte)((_head + 1) % Length);
        _count--;
        return true;
    }

    // Of several with the timestamp that is echoed the sender has the first at least.
    readonly bool HasArrived(in ArrivedAck ack, TraceTime now, long lag, uint echo)
    {
        int newer = unchecked((int)(ack.TsVal - echo));
        bool isShown = echo != 0 && ack.TsVal != 0 && (newer != 0 || ack.TsVal != _echo);
        return isShown ? newer <= 0 : now - ack.Time >= lag;
    }

    // An echo does not tell those with one timestamp apart: between the first and the last of them every other one goes, and the next says what it said.
    void Thin()
    {
        byte kept = 1;
        bool isKept = true; // the one before
        for (int i = 1; i < Length; i++)
        {
            ArrivedAck ack = At(i);
            bool isBetween = i + 1 < Length && ack.TsVal != 0 && At(i - 1).TsVal == ack.TsVal && At(i + 1).TsVal == ack.TsVal;
            ack.Take(isKept ? default : At(i - 1));
            isKept = !isBetween || !isKept;
            At(i) = ack;
            if (isKept)
            {
                At(kept++) = ack;
            }
        }

        _count = kept;
    }

    [UnscopedRef]
    ref ArrivedAck At(int number) => ref _entries[(_head + number) % Length];

    [InlineArray(Length)]
    struct Entries
    {
        ArrivedAck _first;
    }
}
