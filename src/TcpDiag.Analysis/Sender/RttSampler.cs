using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// Takes the RTT samples of one end's data. A sample is the time from the sending of a segment to the first acknowledgment whose number
/// lies in it: never of what was resent before it was acknowledged, nor while the receiver misses something (Karn; RFC 6298 §3), except
/// where the echoed timestamp tells the transmissions apart (RFC 7323 §4). The send times are in the <see cref="Flight"/> of the end. Where more segments are
/// in flight than there is room for, one of two is followed, of four, and so on: which ones, a hash of their numbers decides, so that neither the beginning
/// of a burst nor any rhythm of acknowledgments is preferred.
/// </summary>
struct RttSampler
{
    const int MaxThinning = 20; // one of a million segments: more than fit a window of 2^30 bytes (RFC 7323 §2.3)
    const uint HashFactor = 0x9E37_79B1; // 2^32 over the golden ratio: D. E. Knuth, TAOCP 3, §6.4

    /// <summary>What the handshake showed of the path.</summary>
    public HandshakeRtt Handshake;

    SequenceNumber _recoveryEnd;
    bool _isInRecovery;
    byte _head; // of the ring, modulo its length
    byte _count; // send times kept: the oldest and those in the ring
    byte _thinning; // one of 2^n segments is followed

    /// <summary>Remembers when new data was sent, if it is to be followed.</summary>
    /// <param name="flight">The end's sent data.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind the last byte.</param>
    /// <param name="time">When.</param>
    /// <param name="pool">Where a ring is taken from when several segments are in flight.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSent(ref Flight flight, SequenceNumber start, SequenceNumber end, TraceTime time, FlightPool pool)
    {
        if ((_count == SendTimeRing.Length && !TryMakeRoom(ref flight)) || (_thinning > 0 && !IsFollowed(start)))
        {
            return;
        }

        ref SendTime entry = ref flight.Oldest;
        if (_count > 0)
        {
            entry = ref pool.RingOf(ref flight)[(_head + _count - 1) & (SendTimeRing.Length - 1)];
        }

        entry.Start = start;
        entry.End = end;
        entry.Time = time;
        _count++;
    }

    /// <summary>Remembers when new data was sent: several segments, each right behind the one before.</summary>
    /// <param name="flight">The end's sent data.</param>
    /// <param name="segments">The segments, more than one or behind others in flight.</param>
    /// <param name="pool">Where a ring is taken from.</param>
    public void OnSent(ref Flight flight, ReadOnlySpan<SendTime> segments, FlightPool pool)
    {
        if (_count == 0 || _thinning > 0 || _count + segments.Length > SendTimeRing.Length)
        {
            foreach (ref readonly SendTime segment in segments)
            {
                OnSent(ref flight, segment.Start, segment.End, segment.Time, pool);
            }

            return;
        }

        ref SendTimeRing ring = ref pool.RingOf(ref flight);
        int place = _head + _count - 1;
        foreach (ref readonly SendTime segment in segments)
        {
            ring[place++ & (SendTimeRing.Length - 1)] = segment;
        }

        _count += (byte)segments.Length;
    }

    /// <summary>Takes a sample when an acknowledgment of new data allows one.</summary>
    /// <param name="flight">The end's sent data.</param>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="hasDuplicateAcks">Whether the receiver misses something.</param>
    /// <param name="time">When.</param>
    /// <param name="pool">Where the samples are kept.</param>
    /// <returns>The latest sample taken, nanoseconds; 0 without one.</returns>
    public long OnAcknowledged(ref Flight flight, SequenceNumber ack, bool hasDuplicateAcks, TraceTime time, FlightPool pool)
    {
        int count = _count;
        int head = _head;
        int behind = 1;
        TraceTime sent = default;
        ref SendTimeRing later = ref flight.Ring.Value;
        ref SendTime oldest = ref flight.Oldest;
        while (count > 0 && ack > oldest.Start)
        {
            behind = ack - oldest.End;
            sent = oldest.Time;
            if (behind < 0)
            {
                oldest.Start = ack; // the rest of an offloaded segment, sent at the same time
                break;
            }

            if (--count > 0)
            {
                oldest = ref later[head++ & (SendTimeRing.Length - 1)];
            }
        }

        if (count != _count)
        {
            (_count, _head) = ((byte)count, (byte)head);
            flight.Oldest = oldest;
        }

        long rtt = 0;
        if (behind <= 0 && !hasDuplicateAcks && !_isInRecovery)
        {
            rtt = time - sent; // of the latest segment: the number lies in it, or at its end
            pool.AddSample(ref flight, rtt);
        }

        if (_count <= SendTimeRing.Length / 4)
        {
            _thinning -= (byte)(_thinning > 0 ? 1 : 0);
        }

        if (_count == 0)
        {
            pool.ReturnRing(ref flight);
        }

        _isInRecovery &= ack < _recoveryEnd;
        return Math.Max(rtt, 0);
    }

    /// <summary>How long ago data above SND.UNA was sent for the first time.</summary>
    /// <param name="flight">The end's sent data.</param>
    /// <param name="end">Behind its last byte.</param>
    /// <param name="now">Now.</param>
    /// <returns>Nanoseconds; 0 when its segment is not followed, or something was sent again since.</returns>
    public readonly long AgeOf(in Flight flight, SequenceNumber end, TraceTime now)
    {
        for (int i = _count - 1; i > 0; i--)
        {
            SendTime sent = flight.Ring.Value[(_head + i - 1) & (SendTimeRing.Length - 1)];
            if (end > sent.Start)
            {
                return end <= sent.End ? now - sent.Time : 0;
            }
        }

        return _count > 0 && end > flight.Oldest.Start && end <= flight.Oldest.End ? now - flight.Oldest.Time : 0;
    }

    /// <summary>Notes that data was sent again, or the clock was set: what is in flight gives no samples any more.</summary>
    /// <param name="space">What was sent; data that had been acknowledged does not matter.</param>
    public void Stop(in SequenceSpace space)
    {
        if (space.InFlight == 0)
        {
            return;
        }

        _count = 0;
        _recoveryEnd = space.SndMax;
        _isInRecovery = true;
    }

    /// <summary>Forgets the send times: what was sent was refused.</summary>
    public void Clear() => _count = 0;

    // The upper bits of the hash: what is followed stays so when fewer are.
    readonly bool IsFollowed(SequenceNumber start)
    {
        uint hash = unchecked(start.Value * HashFactor);
        hash = unchecked((hash ^ (hash >> 15)) * HashFactor);
        return hash >> (32 - _thinning) == 0;
    }

    // Follows half as many, until there is a place. The oldest one stays: part of it may have been acknowledged.
    bool TryMakeRoom(ref Flight flight)
    {
        ref SendTimeRing ring = ref flight.Ring.Value;
        while (_count == SendTimeRing.Length && _thinning < MaxThinning)
        {
            _thinning++;
            byte kept = 1;
            for (int i = 0; i < SendTimeRing.Length - 1; i++)
            {
                SendTime entry = ring[(_head + i) & (SendTimeRing.Length - 1)];
                if (IsFollowed(entry.Start))
                {
                    ring[(_head + kept++ - 1) & (SendTimeRing.Length - 1)] = entry;
                }
            }

            _count = kept;
        }

        return _count < SendTimeRing.Length;
    }
}

/// <summary>What the handshake showed of round trips, seen from one end's data. Nanoseconds; 0 when not measured.</summary>
/// <param name="WholeNanos">From the SYN to the acknowledgment that ended the handshake.</param>
/// <param name="ToReceiverNanos">The part between the capture point and the receiver of the data.</param>
readonly record struct HandshakeRtt(long WholeNanos, long ToReceiverNanos)
{
    const int SenderSharePart = 10; // of the round trip, at most one part of so many lies between sender and capture point (assumed)

    /// <summary>The part between the sender of the data and the capture point, nanoseconds.</summary>
    public long ToSenderNanos => Math.Max(WholeNanos - ToReceiverNanos, 0);

    /// <summary>Whether it was measured, and the capture point is that of the sender, or close by.</summary>
    public bool IsAtSender => WholeNanos > 0 && ToSenderNanos * SenderSharePart <= WholeNanos;
}

/// <summary>When a segment was sent for the first time.</summary>
struct SendTime
{
    /// <summary>First byte.</summary>
    public SequenceNumber Start;

    /// <summary>Behind the last byte.</summary>
    public SequenceNumber End;

    /// <summary>When.</summary>
    public TraceTime Time;
}

/// <summary>Send times after the oldest one, as a ring.</summary>
[InlineArray(Length)]
struct SendTimeRing
{
    /// <summary>Places: a power of two.</summary>
    public const int Length = 16;

    SendTime _first;
}
