using System;
using System.Collections.Generic;
using TcpDiag.Impairment;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>A port whose packets are numbered in memory; stops a loop when the last one was received and completed.</summary>
sealed class FakePort(byte[] packet, int count) : IPacketPort
{
    int _received;

    public long Lost => 0;

    public long Bypassed => 0;

    public string? Doubt { get; init; }

    public IReadOnlyList<string> Notes => [];

    public int Completed { get; private set; }

    public int Copies { get; private set; }

    public int Dropped { get; private set; }

    public int Prepared { get; private set; }

    public int Waits { get; private set; }

    public List<byte[]>? Sent { get; init; }

    public Action? WhenDone { get; set; }

    public void Wait(long timeoutNanos)
    {
        Waits++;
        if (_received == count)
        {
            WhenDone?.Invoke();
        }
    }

    public int Receive(Span<byte> buffer, out PacketOrigin origin)
    {
        origin = new PacketOrigin((LinkDirection)(_received & 1), (uint)_received);
        if (_received == count)
        {
            return 0;
        }

        _received++;
        packet.CopyTo(buffer);
        return packet.Length;
    }

    public void Attribute(ref PacketFacts facts)
    {
    }

    public void Prepare(Span<byte> packet, ref PacketOrigin origin) => Prepared++;

    public void Finish()
    {
    }

    public void Complete(ReadOnlySpan<byte> packet, in PacketOrigin origin, bool isFirst)
    {
        Sent?.Add(packet.ToArray());
        Completed += isFirst ? 1 : 0;
        Copies += isFirst ? 0 : 1;
        Dropped += packet.IsEmpty ? 1 : 0;
    }

    public void Dispose()
    {
    }
}
