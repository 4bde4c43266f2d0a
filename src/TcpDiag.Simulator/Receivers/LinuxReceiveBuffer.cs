using System;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Receivers;

/// <summary>
/// The receive window as Linux tunes it (dynamic right-sizing; net/ipv4/tcp_input.c and tcp_output.c of 6.18): with each segment it may grow by two, up to what
/// the buffer holds (tcp_grow_window), and the buffer follows what the program read in a round trip (tcp_rcv_space_adjust, tcp_rcvbuf_grow). Counted in bytes
/// of payload, as full segments of 1500 bytes take them.
/// </summary>
/// <param name="advMss">The MSS it announced, bytes.</param>
/// <param name="window">The window of the handshake, bytes.</param>
/// <param name="maxClamp">What the buffer holds at most, bytes (tcp_rmem).</param>
/// <param name="firstByte">The first byte of data.</param>
struct LinuxReceiveBuffer(int advMss, int window, int maxClamp, SequenceNumber firstByte)
{
    const int FirstClamp = 81_920; // 131072 bytes (tcp_rmem), 160 of 256 of it payload: a full segment takes 2304
    const int InitialCwnd = 10; // TCP_INIT_CWND
    const int MinLength = 128; // smaller segments say nothing of what a full one takes
    const int Smoothing = 8;

    int _threshold = window; // rcv_ssthresh
    int _perRound = InitialCwnd * advMss; // rcvq_space.space
    SequenceNumber _roundStart = firstByte; // rcvq_space.seq
    TraceTime? _roundTime; // rcvq_space.time
    uint? _echoed;
    SequenceNumber _windowEnd; // rcv_rtt_est.seq
    TraceTime? _windowTime; // rcv_rtt_est.time

    /// <summary>What the buffer holds, bytes (window_clamp).</summary>
    public int Clamp { get; private set; } = Math.Min(FirstClamp, maxClamp);

    /// <summary>Its estimate of the round trip, ns (rcv_rtt_est); 0 before the first sample.</summary>
    public long RttNanos { get; private set; }

    /// <summary>The connection is established.</summary>
    public void OnEstablished(TraceTime now) => _roundTime = now;

    /// <summary>A segment arrived in time or not: its echo is a sample of the round trip (tcp_rcv_rtt_measure_ts).</summary>
    /// <param name="tsEcr">What it echoes.</param>
    /// <param name="nanos">How long ago that was.</param>
    /// <param name="isDrained">Whether the program has read all there is.</param>
    public void OnEcho(uint tsEcr, long nanos, bool isDrained)
    {
        if (tsEcr == _echoed || nanos <= 0)
        {
            return;
        }

        _echoed = tsEcr;
        if (RttNanos == 0 || nanos < RttNanos)
        {
            RttNanos = nanos;
        }
        else if (isDrained)
        {
            RttNanos += (nanos - RttNanos) / Smoothing;
        }
    }

    /// <summary>Data in order arrived: how long a window takes is a sample too, the only one without timestamps (tcp_rcv_rtt_measure).</summary>
    /// <param name="rcvNxt">RCV.NXT before it.</param>
    /// <param name="granted">The window granted, bytes.</param>
    /// <param name="now">When.</param>
    public void OnInOrder(SequenceNumber rcvNxt, int granted, TraceTime now)
    {
        if (_windowTime is { } start && rcvNxt < _windowEnd)
        {
            return;
        }

        long nanos = _windowTime is { } begin ? now - begin : 0;
        RttNanos = nanos > 0 && (RttNanos == 0 || nanos < RttNanos) ? nanos : RttNanos;
        (_windowEnd, _windowTime) = (rcvNxt + granted, now);
    }

    /// <summary>A segment was taken in.</summary>
    /// <param name="length">Its bytes.</param>
    /// <param name="held">What the buffer holds with it.</param>
    /// <returns>Whether the window grew.</returns>
    public bool TryGrow(int length, int held)
    {
        int room = Clamp - held - _threshold;
        if (room <= 0 || length < MinLength)
        {
            return false;
        }

        _threshold += Math.Min(room, 2 * Math.Max(advMss, length));
        return true;
    }

    /// <summary>Something is held out of order: the buffer has to take it besides.</summary>
    /// <param name="span">From RCV.NXT to the last byte held.</param>
    public void OnOutOfOrder(int span) => Provide((2L * _perRound) + span);

    /// <summary>The program has read.</summary>
    /// <param name="next">The byte it reads next.</param>
    /// <param name="span">From RCV.NXT to the last byte held out of order; 0 when nothing is.</param>
    /// <param name="now">When.</param>
    public void OnRead(SequenceNumber next, int span, TraceTime now)
    {
        _roundTime ??= now;
        if (RttNanos == 0 || now - _roundTime.Value < RttNanos)
        {
            return;
        }

        int copied = next - _roundStart;
        if (copied > _perRound)
        {
            long twice = 2L * copied;
            long growth = twice * (copied - _perRound) / _perRound; // a sender in slow start doubles its rate
            _perRound = copied;
            Provide(twice + (2 * growth) + span);
        }

        (_roundStart, _roundTime) = (next, now);
    }

    /// <summary>The window to grant, bytes (__tcp_select_window); 0 when less than a sixteenth of the buffer is free, or less than a segment.</summary>
    /// <param name="held">What the buffer holds.</param>
    public readonly int Window(int held)
    {
        int free = Clamp - held;
        bool isFull = free < Clamp / 2 && (free < Clamp / 16 || free < advMss);
        return isFull ? 0 : Math.Min(free, _threshold);
    }

    void Provide(long bytes) => Clamp = (int)Math.Max(Clamp, Math.Min(bytes, maxClamp));
}
