using System;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// A timeline of one sender, the client, over a path of 20 ms: times in milliseconds since its first data could go out, amounts in
/// segments of 1000 bytes. The capture is at the sender unless it is told otherwise.
/// </summary>
sealed class SenderScript
{
    public const int Mss = 1000;

    readonly MemoryTrace _trace = new();
    readonly long _begin;
    ushort _window = 65535;
    uint _next = 1;
    uint _acked = 1;
    uint _echo;

    /// <summary>Begins with the handshake.</summary>
    /// <param name="sender">Part of the 20 ms between capture point and sender, milliseconds.</param>
    public SenderScript(double sender = 0)
    {
        long client = (long)(sender * 1000) + 20;
        _begin = 20_020;
        _trace.Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(Mss).SackPermitted())
            .Packet(20_020 - client, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(Mss).Window(_window).SackPermitted())
            .Packet(20_020, FromClient(1, 1));
    }

    /// <summary>Bytes sent so far.</summary>
    public uint Sent => _next - 1;

    /// <summary>Sends new segments 10 µs apart; the last one with PSH if told.</summary>
    public SenderScript Send(double ms, int segments, bool push = false, int bytes = Mss)
    {
        for (int i = 0; i < segments; i++)
        {
            byte flags = (byte)(FrameBuilder.Ack | (push && i == segments - 1 ? FrameBuilder.Psh : 0));
            FrameBuilder frame = FromClient(_next, 1, bytes, flags).Window(65535);
            _trace.Packet(Time(ms) + (i * 10), _echo > 0 ? frame.Timestamps(Tick(ms), _echo) : frame);
            _next += (uint)bytes;
        }

        return this;
    }

    /// <summary>Sends a new segment with the mark that the congestion window was cut.</summary>
    public SenderScript SendCwr(double ms)
    {
        _next += Mss;
        return Add(ms, FromClient(_next - Mss, 1, Mss, FrameBuilder.Ack | FrameBuilder.Cwr).Window(65535));
    }

    /// <summary>Sends again what begins at a segment of 1000 bytes, counted from 0.</summary>
    public SenderScript Resend(double ms, uint segment) => Add(ms, FromClient(1 + (segment * Mss), 1, Mss));

    /// <summary>Has what follows carry timestamps, in ticks of a millisecond, and the sender have heard the acknowledgment of an instant.</summary>
    public SenderScript Echo(double ms)
    {
        _echo = Tick(ms);
        return this;
    }

    /// <summary>Acknowledges further segments.</summary>
    public SenderScript Ack(double ms, int segments, int bytes = Mss)
    {
        _acked += (uint)(segments * bytes);
        return Acknowledge(ms);
    }

    /// <summary>Sends segments, and has them acknowledged if told, that the recorder misses.</summary>
    public SenderScript Miss(int segments, bool isAcknowledged = true)
    {
        _next += (uint)(segments * Mss);
        _acked = isAcknowledged ? _next : _acked;
        return this;
    }

    /// <summary>Acknowledges everything.</summary>
    public SenderScript AckAll(double ms)
    {
        _acked = _next;
        return Acknowledge(ms);
    }

    /// <summary>Acknowledges the same again, with SACK blocks from and to segments if told.</summary>
    public SenderScript Duplicate(double ms, params uint[] segments) =>
        Add(ms, FromServer(1, _acked).Window(_window).Sack([.. segments.Select(segment => unchecked(ClientIsn + 1 + (segment * Mss)))]));

    /// <summary>Grants another window, in bytes, from the next acknowledgment on.</summary>
    public SenderScript Window(ushort bytes)
    {
        _window = bytes;
        return this;
    }

    /// <summary>Acknowledges the same again to tell the window.</summary>
    public SenderScript Acknowledge(double ms)
    {
        FrameBuilder frame = FromServer(1, _acked).Window(_window);
        return Add(ms, _echo > 0 ? frame.Timestamps(Tick(ms), 1) : frame);
    }

    /// <summary>The peer's application sends, and acknowledges everything with it.</summary>
    public SenderScript Reply(double ms, ref uint seq, int bytes)
    {
        _acked = _next;
        _trace.Packet(Time(ms), FromServer(seq, _acked, bytes).Window(_window));
        seq += (uint)bytes;
        return this;
    }

    public ConnectionDirection Direction() => _trace.Analyze().Connections.Single().FromClient;

    /// <summary>Milliseconds in a state.</summary>
    public static double Ms(ConnectionDirection direction, LimitState state) =>
        Math.Round((direction.Limits?.Times.In(state) ?? throw new InvalidOperationException("not judged")) / 1e6, 3);

    SenderScript Add(double ms, FrameBuilder frame)
    {
        _trace.Packet(Time(ms), frame);
        return this;
    }

    static uint Tick(double ms) => 1000 + (uint)ms;

    long Time(double ms) => _begin + (long)Math.Round(ms * 1000);
}
