using System;
using System.Threading;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim;

/// <summary>
/// The packet thread: receives, offers, sends what is due, and waits for whichever comes first, the next packet or the next departure. It allocates nothing
/// per packet and never spins.
/// </summary>
sealed class ShimLoop
{
    // Long enough not to matter, short enough to notice a stop at once.
    const long LongestWaitNanos = 50_000_000;

    // A packet that a profile holds back longer than this is not waited for when the run is over.
    const long LongestDrainNanos = 2_000_000_000;

    // After so many packets in a row the departures are looked at again, and so is the request to stop.
    const int BatchPackets = 64;

    readonly IPacketPort _port;
    readonly MatchRule _match;
    readonly bool _namesProcess;
    readonly ShimClock _clock;
    readonly PacketBuffers _buffers;
    readonly LinkEmulator _emulator;
    volatile bool _stop;
    long _passed;
    long _unbuffered;

    public ShimLoop(
        IPacketPort port, MatchRule match, EmulatorSettings settings, ShimClock clock, IDecisionSink sink, int slotBytes, ObservationRing? observer = null)
    {
        _port = port;
        _match = match;
        _namesProcess = match.NamesProcess;
        _clock = clock;
        _buffers = new PacketBuffers(port, slotBytes, settings.CapacityPackets);
        _emulator = new LinkEmulator(settings, clock.Now, sink, _buffers, observer);
        observer?.Attach(_buffers);
    }

    /// <summary>The emulator's counts; exact when the loop has ended, approximate while it runs.</summary>
    public LinkEmulator Emulator => _emulator;

    /// <summary>Packets that were not meant by the match and went through untouched.</summary>
    public long Passed => Volatile.Read(ref _passed);

    /// <summary>Times when every buffer was in use and packets had to wait in the system.</summary>
    public long OutOfBuffers => Volatile.Read(ref _unbuffered);

    /// <summary>
    /// Runs until <see cref="Stop"/>. Packets still under way then get the time they need, while new ones pass untouched; only what takes longer than
    /// two seconds is dropped.
    /// </summary>
    public void Run()
    {
        while (!_stop)
        {
            RunOnce();
        }

        TraceTime deadline = _clock.Now + LongestDrainNanos;
        while (UnderWay > 0 && _clock.Now < deadline)
        {
            RunOnce();
        }

        _port.Finish();
        while (_clock.Now < deadline && TryReceive())
        {
        }
    }

    /// <summary>Ends <see cref="Run"/>, from any thread, within a twentieth of a second.</summary>
    public void Stop() => _stop = true;

    long UnderWay => _emulator.Counts(LinkDirection.Out).UnderWay + _emulator.Counts(LinkDirection.In).UnderWay;

    void RunOnce()
    {
        int received = ReceiveBatch();
        SendDue(_clock.Now);
        if (received < BatchPackets)
        {
            long untilDue = _emulator.NextDue - _clock.Now;
            _port.Wait(Math.Clamp(untilDue, 0, LongestWaitNanos));
        }
    }

    int ReceiveBatch()
    {
        int received = 0;
        while (received < BatchPackets && TryReceive())
        {
            received++;
            TraceTime now = _clock.Now;
            if (_emulator.NextDue <= now)
            {
                SendDue(now);
            }
        }

        return received;
    }

    bool TryReceive()
    {
        int handle = _buffers.Acquire();
        if (handle < 0)
        {
            Volatile.Write(ref _unbuffered, _unbuffered + 1);
            return false;
        }

        Span<byte> buffer = _buffers.Bytes(handle);
        int length = _port.Receive(buffer, out PacketOrigin origin);
        if (length == 0)
        {
            _buffers.Return(handle);
            return false;
        }

        _buffers.Fill(handle, length, in origin);
        if (!_stop && PacketView.TryRead(buffer[..length], out PacketView view) && IsMeant(view, origin.Direction))
        {
            Offer(view, handle, length, origin.Direction);
        }
        else
        {
            Volatile.Write(ref _passed, _passed + 1);
            _buffers.Send(handle, PacketMarks.None, 0);
        }

        return true;
    }

    bool IsMeant(in PacketView view, LinkDirection direction)
    {
        PacketFacts facts = view.ReadFacts(direction == LinkDirection.Out);
        if (_namesProcess)
        {
            _port.Attribute(ref facts);
        }

        return _match.Matches(in facts);
    }

    void Offer(PacketView view, int handle, int length, LinkDirection direction)
    {
        LinkPacket packet = new()
        {
            Handle = handle,
            LengthBytes = length,
            FlowHash = view.HashFlow(),
            Direction = direction,
            Ecn = view.Ecn,
        };
        _emulator.Offer(packet, _clock.Now);
    }

    void SendDue(TraceTime now)
    {
        while (_emulator.TryTake(now, out LinkPacket packet))
        {
            _buffers.Send(packet.Handle, packet.Marks, packet.CorruptBit);
        }
    }
}
