using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// The packets of one socket on their way to the file: finds each packet's interface, puts a VLAN tag back that the kernel
/// took out, and copies what is kept.
/// </summary>
sealed class PacketSource : IDisposable
{
    // So many blocks are taken in one go before other sources have their turn.
    const int BlocksPerTurn = 16;

    const int VlanTagLength = 4;

    // Two MAC addresses stand before the tag (IEEE 802.3 §3.2).
    const int VlanTagOffset = 12;

    readonly PacketSocket _socket;
    readonly CaptureInterface _place;
    readonly int _snapLength;
    readonly Dictionary<int, RecordedInterface> _interfaces = [];
    RecordedInterface? _latest;

    /// <summary>Creates a source.</summary>
    /// <param name="socket">The socket; disposed with the source.</param>
    /// <param name="place">What was asked for.</param>
    /// <param name="snapLength">Most bytes kept of a packet.</param>
    public PacketSource(PacketSocket socket, CaptureInterface place, int snapLength)
    {
        _socket = socket;
        _place = place;
        _snapLength = snapLength;
    }

    /// <summary>The descriptor to wait on.</summary>
    public int Descriptor => _socket.Descriptor;

    /// <summary>The interfaces that had packets.</summary>
    public IReadOnlyCollection<RecordedInterface> Interfaces => _interfaces.Values;

    /// <summary>Takes over the blocks that are ready.</summary>
    /// <param name="order">Takes the packets.</param>
    /// <param name="file">Takes the interfaces.</param>
    /// <returns>True when there may be more.</returns>
    public bool Drain(TimeOrder order, RecordingFile file)
    {
        for (int i = 0; i < BlocksPerTurn; i++)
        {
            if (!_socket.Ring.TryTake(out Span<byte> block))
            {
                return false;
            }

            var reader = new RingBlockReader(block);
            var packet = default(RingPacket);
            while (reader.TryRead(ref packet))
            {
                Add(ref packet, order, file);
            }

            _socket.Ring.Release();
        }

        return true;
    }

    /// <summary>When the first packet was seen that the kernel has not handed over yet.</summary>
    /// <returns>The time; null when there is none.</returns>
    public TraceTime? PeekPending() => _socket.Ring.PeekPending();

    /// <summary>Lets no more packets in; those in the ring can still be drained.</summary>
    public void Stop()
    {
        var refuse = new BpfAssembler();
        refuse.Accept(0);
        _socket.Attach(refuse.Assemble());
    }

    /// <summary>Packets lost so far because the ring was full.</summary>
    /// <returns>The count since the start.</returns>
    public long ReadDropped() => _socket.ReadDropped();

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    void Add(ref RingPacket packet, TimeOrder order, RecordingFile file)
    {
        RecordedInterface place = FindInterface(ref packet, file);
        place.Packets++;
        bool hasTag = packet.VlanTag != 0 && packet.Data.Length >= VlanTagOffset && packet.LinkType == LinkType.Ethernet;
        int tag = hasTag ? VlanTagLength : 0;
        int length = Math.Min(packet.Data.Length + tag, _snapLength);
        Span<byte> target = order.Reserve(packet.Data.Length + tag);
        if (hasTag)
        {
            packet.Data[..VlanTagOffset].CopyTo(target);
            BinaryPrimitives.WriteUInt32BigEndian(target[VlanTagOffset..], packet.VlanTag);
            packet.Data[VlanTagOffset..].CopyTo(target[(VlanTagOffset + VlanTagLength)..]);
        }
        else
        {
            packet.Data.CopyTo(target);
        }

        order.Commit(packet.Time, new(0, 0, place.Id, packet.OriginalLength + tag, packet.Direction), length);
    }

    RecordedInterface FindInterface(ref RingPacket packet, RecordingFile file)
    {
        if (_latest is not null && _latest.KernelIndex == packet.InterfaceIndex)
        {
            return _latest;
        }

        if (!_interfaces.TryGetValue(packet.InterfaceIndex, out _latest))
        {
            _latest = Describe(packet.InterfaceIndex, packet.LinkType, file);
            _interfaces.Add(packet.InterfaceIndex, _latest);
        }

        return _latest;
    }

    RecordedInterface Describe(int kernelIndex, LinkType linkType, RecordingFile file)
    {
        string name = _socket.InterfaceName(kernelIndex);
        var probe = new InterfaceProbe(_socket, name);
        string shown = (_place with { Name = name }).ToString();
        int id = file.AddInterface(new TraceInterface
        {
            Index = 0,
            Name = shown,
            Description = probe.Describe(),
            LinkType = linkType,
            MacAddress = linkType == LinkType.Ethernet ? probe.ReadMacAddress() : [],
        });
        return new(kernelIndex, id, shown);
    }
}
