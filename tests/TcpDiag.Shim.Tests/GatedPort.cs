using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Tests;

/// <summary>A port that hands nothing out until it is opened, so that packets pile up in the system.</summary>
sealed class GatedPort(IPacketPort port) : IPacketPort
{
    readonly ManualResetEventSlim _open = new(initialState: false);
    readonly ManualResetEventSlim _asked = new(initialState: false);

    public long Lost => port.Lost;

    public long Bypassed => port.Bypassed;

    public string? Doubt => port.Doubt;

    public IReadOnlyList<string> Notes => port.Notes;

    public void Open() => _open.Set();

    /// <summary>Waits until a shim asks for packets, or has ended: until then it still counts none, and its code may still have to be compiled.</summary>
    public void AwaitBegin(Task run) => WaitHandle.WaitAny([_asked.WaitHandle, ((IAsyncResult)run).AsyncWaitHandle]);

    public void Wait(long timeoutNanos)
    {
        if (_open.Wait(TimeSpan.FromMicroseconds(Math.Max(0, timeoutNanos) / 1000)))
        {
            port.Wait(timeoutNanos);
        }
    }

    public int Receive(Span<byte> buffer, out PacketOrigin origin)
    {
        _asked.Set();
        origin = default;
        return _open.IsSet ? port.Receive(buffer, out origin) : 0;
    }

    public void Attribute(ref PacketFacts facts) => port.Attribute(ref facts);

    public void Prepare(Span<byte> packet, ref PacketOrigin origin) => port.Prepare(packet, ref origin);

    public void Finish() => port.Finish();

    public void Complete(ReadOnlySpan<byte> packet, in PacketOrigin origin, bool isFirst) => port.Complete(packet, in origin, isFirst);

    public void Dispose()
    {
        _open.Dispose();
        _asked.Dispose();
    }
}
