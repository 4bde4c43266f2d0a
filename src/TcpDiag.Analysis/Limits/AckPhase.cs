using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Whether data follows acknowledgments so closely that the capture was taken at its sender: the only thing that shows where a capture was taken that began
/// after the handshake, of a connection with data in one direction. Elsewhere an acknowledgment and the data it lets go are a way apart, and data comes
/// anywhere between two acknowledgments. Where writes keep the beat of the round trip data comes just after them everywhere, but seldom as soon as a stack
/// answers. The default value has seen nothing.
/// </summary>
struct AckPhase
{
    TraceTime _ack;
    uint _answerNanos; // to the first data after it, at most 4.2 s
    byte _near;
    byte _atOnce; // of these, as soon as a stack answers
    byte _count;
    Phase _phase;

    enum Phase : byte
    {
        None,
        Acked,
        Answered,
    }

    /// <summary>Whether data followed most acknowledgments within the first part of the time to the next one, and much of it at once.</summary>
    public readonly bool IsAtSender =>
        _near >= Thresholds.MinPhases && _near >= Thresholds.NearShare * _count && _atOnce >= Thresholds.AtOnceShare * _near;

    /// <summary>Whether it has seen enough: what comes now changes nothing.</summary>
    public readonly bool IsDecided => _count == byte.MaxValue;

    /// <summary>Takes in an acknowledgment of new data.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAck(TraceTime now)
    {
        if (IsDecided)
        {
            return;
        }

        if (_phase == Phase.Answered && now > _ack)
        {
            _count++;
            byte near = (long)_answerNanos * Thresholds.NearPart <= now - _ack ? (byte)1 : (byte)0;
            _near += near;
            _atOnce += _answerNanos <= Thresholds.StackAnswerNanos ? near : (byte)0;
        }

        _ack = now;
        _phase = Phase.Acked;
    }

    /// <summary>Takes in new data.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnData(TraceTime now)
    {
        if (_phase == Phase.Acked)
        {
            _answerNanos = (uint)Math.Clamp(now - _ack, 0, uint.MaxValue);
            _phase = Phase.Answered;
        }
    }

    /// <summary>Takes in that something was resent, or not captured: what comes next answers nothing.</summary>
    public void Interrupt() => _phase = Phase.None;
}

/// <summary>
/// Whether data follows at once where an acknowledgment ended a silence, as at its sender: elsewhere the way there and back lies between the two, and what
/// comes sooner does so by chance, of which each such answer leaves less. Counted only while it is not known where the capture was taken. The default value has
/// seen nothing.
/// </summary>
struct QuietAnswers
{
    const int MaxBits = 10; // of one answer: clocks are no better than that (assumed)
    const int MinBits = 6; // an answer that chance gives once in 64 times, or more often, shows nothing (assumed)
    const int NeededBits = 8; // beyond one for each silence: chance gives so many once in 256 times
    const int NeededMean = 4; // bits for each: what has its rhythm from elsewhere meets an acknowledgment now and then (assumed)
    const long MinQuietNanos = 1_000_000; // shorter ones are pauses of a busy machine (assumed)
    const int MinQuietParts = 4; // of the round trip: acknowledgments and data in even rows would fall together by one chance for all (assumed)

    TraceTime _ack;
    uint _quietNanos; // before it, at most 4.2 s; 0 while none waits for its answer
    uint _latestQuietNanos; // of the latest answer
    ushort _bits;
    byte _count; // of silences, those in a row that are as long count as one
    byte _rowBits; // the least of the latest row, which are in the sum

    /// <summary>Whether chance does not explain what was seen.</summary>
    public readonly bool IsAtSender => _bits >= Math.Max(NeededBits + _count, NeededMean * _count);

    /// <summary>Takes in an acknowledgment without data.</summary>
    /// <param name="now">When.</param>
    /// <param name="before">When anything was sent or heard before.</param>
    public void OnAck(TraceTime now, TraceTime before)
    {
        if (now - before >= MinQuietNanos && _count < byte.MaxValue - 1)
        {
            _count += _quietNanos > 0 ? (byte)1 : (byte)0;
            _quietNanos = (uint)Math.Min(now - before, uint.MaxValue);
            _ack = now;
        }
    }

    /// <summary>Takes in data, new or sent again.</summary>
    /// <param name="now">When.</param>
    /// <param name="minRttNanos">The smallest round trip; 0 while none is known: at the receiver, which acknowledges at once, there is no room for an
    /// answer.</param>
    public void OnData(TraceTime now, uint minRttNanos)
    {
        if (_quietNanos == 0)
        {
            return;
        }

        if (_quietNanos >= minRttNanos / MinQuietParts)
        {
            Add(Math.Max(now - _ack, 1), minRttNanos);
        }

        _quietNanos = 0;
    }

    // Where silences are as long each time, as those of a program with a clock, so is what follows them: if that is by chance, then once for all of them.
    void Add(long answer, uint minRttNanos)
    {
        long room = Math.Min(_quietNanos, minRttNanos);
        int shown = answer <= Thresholds.MinSenderDelayNanos && room > answer ? Math.Min(BitOperations.Log2((ulong)(room / answer)), MaxBits) : 0;
        byte bits = shown >= MinBits ? (byte)shown : (byte)0;
        if (_latestQuietNanos != 0 && Math.Abs((long)_quietNanos - _latestQuietNanos) <= 2 * answer)
        {
            byte least = Math.Min(bits, _rowBits);
            _bits -= (ushort)(_rowBits - least);
            _rowBits = least;
        }
        else
        {
            _bits += bits;
            _rowBits = bits;
            _count++;
        }

        _latestQuietNanos = _quietNanos;
    }
}

/// <summary>The acknowledgments by which a sender is clocked.</summary>
struct AckClock
{
    /// <summary>Latest acknowledgment that let the sender send more.</summary>
    public TraceTime Last { get; private set; }

    /// <summary>Its timestamp; 0 without one.</summary>
    public uint TsVal { get; private set; }

    /// <summary>Whether it came since the latest send.</summary>
    public bool IsTicked { get; private set; }

    /// <summary>Whether those since the latest send were lost on their way, as what the sender echoes shows.</summary>
    public bool IsUnheard { get; private set; }

    /// <summary>Whether the peer sent data since the latest send: what is sent next may answer it.</summary>
    public bool HasPeerSpoken { get; private set; }

    /// <summary>When half of what was in flight after the latest burst was acknowledged; valid when no more than that is in flight.</summary>
    public TraceTime Halved { get; private set; }

    /// <summary>Timestamp of the acknowledgment that did so; 0 without one.</summary>
    public uint HalvedTsVal { get; private set; }

    /// <summary>Takes in an acknowledgment that lets the sender send more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAck(TraceTime now, uint tsVal)
    {
        Last = now;
        TsVal = tsVal;
        IsTicked = true;
    }

    /// <summary>Takes in data of the peer.</summary>
    public void OnPeerData() => HasPeerSpoken = true;

    /// <summary>Takes in the acknowledgment of half of what was in flight.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnHalved(TraceTime now, uint tsVal)
    {
        Halved = now;
        HalvedTsVal = tsVal;
    }

    /// <summary>Takes in that what had answered an acknowledgment may have been lost before the capture point.</summary>
    public void ForgetHalved() => HalvedTsVal = 0;

    /// <summary>Takes in that a recovery ended: what follows is clocked.</summary>
    public void Tick() => IsTicked = true;

    /// <summary>Takes in that the acknowledgments since the latest send did not arrive.</summary>
    public void OnUnheard() => IsUnheard = true;

    /// <summary>Begins a new interval.</summary>
    public void BeginInterval()
    {
        IsTicked = false;
        IsUnheard = false;
        HasPeerSpoken = false;
    }
}
