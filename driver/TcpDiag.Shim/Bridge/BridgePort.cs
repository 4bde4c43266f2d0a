using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Runtime.Versioning;
using TcpDiag.Impairment;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Bridge;

/// <summary>
/// A machine in the middle of a cable: what arrives at one of its two Ethernet interfaces leaves from the other, through this process. From the near to the far
/// one is <see cref="LinkDirection.Out"/>. Frames without an IP packet, such as ARP, pass at once; those for this machine itself are the system's. No bridge
/// of the kernel's is made and no rule installed: when the process ends, however it ends, everything is as it was, and the cable is cut.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class BridgePort : IPacketPort
{
    const int EthernetBytes = 14;
    const int TagBytes = 4;
    const int TypeBytes = 2;
    const int AddressesBytes = 12; // destination and source
    const int MaxFrameBytes = 1 << 17;
    const ushort Ipv4 = 0x0800;
    const ushort Ipv6 = 0x86DD;
    const ushort Vlan = 0x8100;
    const int Ipv6HeaderBytes = 40;

    // Then the other end has its turn, so that a flood from one side does not starve the other.
    const int MaxInARow = 16;

    readonly FrameSocket _near;
    readonly FrameSocket _far;
    readonly PollDescriptor[] _polled = new PollDescriptor[2];
    readonly byte[] _received = new byte[MaxFrameBytes];
    readonly byte[] _sent = new byte[MaxFrameBytes];
    readonly JoinedPacket _joined = new();
    PacketOrigin _joinedOrigin;
    LinkDirection _side;
    int _inARow;

    /// <summary>Joins two interfaces of the calling thread's namespace.</summary>
    /// <param name="near">Name of the near one.</param>
    /// <param name="far">Name of the far one.</param>
    /// <exception cref="PlatformException">The system refused, or an interface is not fit for it.</exception>
    public BridgePort(string near, string far)
    {
        (uint nearIndex, uint farIndex) = InterfacePair.Find("--bridge", near, far);
        MaxPacketBytes = Math.Max(Check(near, nearIndex), Check(far, farIndex));
        _near = FrameSocket.Open(near, nearIndex);
        try
        {
            _far = FrameSocket.Open(far, farIndex);
        }
        catch (PlatformException)
        {
            _near.Dispose();
            throw;
        }

        _polled[0] = new PollDescriptor { Descriptor = _near.Descriptor, Events = PollDescriptor.PollIn };
        _polled[1] = new PollDescriptor { Descriptor = _far.Descriptor, Events = PollDescriptor.PollIn };
    }

    /// <summary>Bytes of the largest packet that either interface takes.</summary>
    public int MaxPacketBytes { get; }

    /// <inheritdoc/>
    public long Lost => _near.Lost + _far.Lost;

    /// <summary>Always 0: nothing passes but through this process.</summary>
    public long Bypassed => 0;

    /// <summary>Always null: the sockets count what they lose.</summary>
    public string? Doubt => null;

    /// <summary>None.</summary>
    public IReadOnlyList<string> Notes => [];

    /// <inheritdoc/>
    public void Wait(long timeoutNanos)
    {
        if (!_joined.HasNext && Libc.Poll(_polled, 2, Timespec.FromNanos(Math.Max(0, timeoutNanos))) < 0 && Libc.LastError() != Errno.Interrupted)
        {
            throw PlatformException.FromLastError("wait for the interfaces", "They were removed while in use.");
        }
    }

    /// <inheritdoc/>
    public int Receive(Span<byte> buffer, out PacketOrigin origin)
    {
        while (true)
        {
            origin = _joinedOrigin;
            int length;
            if (_joined.HasNext)
            {
                length = _joined.Next(buffer);
                CountIf(length == 0, origin.Direction);
            }
            else if ((length = ReceiveFrame(out uint tag)) == 0)
            {
                return 0;
            }
            else
            {
                length = Open(_received.AsSpan(0, length), tag, buffer, out origin);
            }

            if (length > 0)
            {
                return length;
            }
        }
    }

    /// <summary>Does nothing: a cable knows no processes.</summary>
    public void Attribute(ref PacketFacts facts)
    {
    }

    /// <summary>Does nothing: every checksum was calculated on arrival.</summary>
    public void Prepare(Span<byte> packet, ref PacketOrigin origin)
    {
    }

    /// <summary>Does nothing: the sockets count what they lose at once.</summary>
    public void Finish()
    {
    }

    /// <inheritdoc/>
    public void Complete(ReadOnlySpan<byte> packet, in PacketOrigin origin, bool isFirst)
    {
        if (!packet.IsEmpty)
        {
            int length = WriteHeader(in origin, packet[0] >> 4 == 4 ? Ipv4 : Ipv6);
            packet.CopyTo(_sent.AsSpan(length));
            Target(origin.Direction).Send(_sent.AsSpan(0, length + packet.Length));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _near.Dispose();
        _far.Dispose();
    }

    FrameSocket Source(LinkDirection direction) => direction == LinkDirection.Out ? _near : _far;

    FrameSocket Target(LinkDirection direction) => direction == LinkDirection.Out ? _far : _near;

    static int Check(string name, uint index)
    {
        LinkFacts facts = LinkFacts.Read(index);
        return facts switch
        {
            { HardwareType: not LinkFacts.Ethernet } => throw new ShimException($"--bridge: {name} is no Ethernet interface. Use --route."),
            { IsUp: false } => throw new ShimException($"--bridge: {name} is down: ip link set {name} up"),
            { Master: not 0 } => throw new ShimException(
                $"--bridge: {name} belongs to a bridge or bond of the system's, which would pass its packets too: ip link set {name} nomaster"),
            _ => facts.Mtu,
        };
    }

    // A frame and what stands in front of it; 0 when there is none. Both ends are looked at, and the first once more when only its turn was over.
    int ReceiveFrame(out uint tag)
    {
        tag = 0;
        int looks = _inARow < MaxInARow ? 2 : 3;
        for (int look = 0; look < looks; look++)
        {
            int length = _inARow < MaxInARow ? Source(_side).Receive(_received, out tag) : 0;
            if (length > 0)
            {
                _inARow++;
                return length;
            }

            _side = _side == LinkDirection.Out ? LinkDirection.In : LinkDirection.Out;
            _inARow = 0;
        }

        return 0;
    }

    // The IP packet of a frame, made whole. 0 for a frame that passes, or cannot, and for one whose packet is taken apart next.
    int Open(Span<byte> received, uint tag, Span<byte> buffer, out PacketOrigin origin)
    {
        origin = default;
        OffloadedWork work = OffloadedWork.Read(received);
        Span<byte> frame = received[OffloadedWork.HeaderBytes..];
        int type = FindType(frame, ref tag);
        int offset = type + TypeBytes;
        int length = IsPacket(frame, type) ? PacketLength(frame[offset..]) : 0;
        if (length == 0)
        {
            Pass(frame, type, tag);
            return 0;
        }

        Span<byte> packet = frame.Slice(offset, length);
        origin = Remember(frame, tag);
        bool isTaken = work.IsUnderstood
            && (work.SegmentBytes > 0 ? _joined.TryLoad(packet, work.SegmentBytes) : packet.Length <= buffer.Length);
        CountIf(!isTaken, _side);
        if (!isTaken || work.SegmentBytes > 0)
        {
            _joinedOrigin = origin;
            return 0;
        }

        work.Complete(packet, offset);
        packet.CopyTo(buffer);
        return packet.Length;
    }

    // Where the type of what the frame holds stands. A tag that is still in the frame is read.
    static int FindType(ReadOnlySpan<byte> frame, ref uint tag)
    {
        if (tag != 0 || frame.Length < EthernetBytes + TagBytes || Type(frame, AddressesBytes) != Vlan)
        {
            return AddressesBytes;
        }

        tag = BinaryPrimitives.ReadUInt32BigEndian(frame[AddressesBytes..]);
        return AddressesBytes + TagBytes;
    }

    static bool IsPacket(ReadOnlySpan<byte> frame, int type) => frame.Length > type + TypeBytes && Type(frame, type) is Ipv4 or Ipv6;

    static ushort Type(ReadOnlySpan<byte> frame, int offset) => BinaryPrimitives.ReadUInt16BigEndian(frame[offset..]);

    // Without what pads a short frame; 0 for what says of itself that it is longer than it is.
    static int PacketLength(ReadOnlySpan<byte> packet)
    {
        int length = packet switch
        {
            _ when packet[0] >> 4 == 4 && packet.Length >= 20 => BinaryPrimitives.ReadUInt16BigEndian(packet[2..]),
            _ when packet[0] >> 4 == 6 && packet.Length >= Ipv6HeaderBytes => BinaryPrimitives.ReadUInt16BigEndian(packet[4..]) + Ipv6HeaderBytes,
            _ => 0,
        };
        return length <= packet.Length ? length : 0;
    }

    // The frame's addresses and tag fit into what is remembered of a packet.
    PacketOrigin Remember(ReadOnlySpan<byte> frame, uint tag) => new(
        _side, BinaryPrimitives.ReadUInt32BigEndian(frame[8..]), BinaryPrimitives.ReadUInt64BigEndian(frame), tag);

    // Writes what goes in front of the packet: no offloaded work, addresses, tag, type.
    int WriteHeader(in PacketOrigin origin, ushort type)
    {
        Span<byte> header = _sent;
        header[..OffloadedWork.HeaderBytes].Clear();
        header = header[OffloadedWork.HeaderBytes..];
        BinaryPrimitives.WriteUInt64BigEndian(header, origin.Interface);
        BinaryPrimitives.WriteUInt32BigEndian(header[8..], origin.Id);
        int length = AddressesBytes;
        if (origin.Tag != 0)
        {
            BinaryPrimitives.WriteUInt32BigEndian(header[length..], origin.Tag);
            length += TagBytes;
        }

        BinaryPrimitives.WriteUInt16BigEndian(header[length..], type);
        return OffloadedWork.HeaderBytes + length + TypeBytes;
    }

    // A frame without an IP packet goes on as it came.
    void Pass(ReadOnlySpan<byte> frame, int type, uint tag)
    {
        if (frame.Length >= type + TypeBytes)
        {
            int length = WriteHeader(Remember(frame, tag), Type(frame, type));
            ReadOnlySpan<byte> content = frame[(type + TypeBytes)..];
            content.CopyTo(_sent.AsSpan(length));
            Target(_side).Send(_sent.AsSpan(0, length + content.Length));
        }
    }

    void CountIf(bool isLost, LinkDirection direction)
    {
        if (isLost)
        {
            Source(direction).CountLost();
        }
    }
}
