using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// The packets of one socket on their way to the file: looks up each packet's interface, puts back a VLAN tag that the kernel
/// has stripped, and copies what is kept.
/// </summary>
sealed class PacketSource : IDisposable
{
    // Blocks taken at once before other sources have their turn.
    const int BlocksPerTurn = 16;

    const int VlanTagLength = 4;

    // Two MAC addresses precede the tag (IEEE 802.3 §3.2).
    const int VlanTagOffset = 12;

    readonly PacketSocket _socket;
    readonly CaptureInterface _requested;
    readonly int _snapLength;
    readonly Dictionary<int, RecordedInterface> _interfaces = [];
    RecordedInterface? _latest;

    /// <summary>Creates a source.</summary>
    /// <param name="socket">The socket; disposed with the source.</param>
    /// <param name="requested">The interface to record, or all.</param>
    /// <param name="snapLength">Most bytes kept of a packet.</param>
    public PacketSource(PacketSocket socket, CaptureInterface requested, int snapLength)
    {
        _socket = socket;
        _requested = requested;
        _snapLength = snapLength;
    }

    public int Descriptor => _socket.Descriptor;

    public IReadOnlyCollection<RecordedInterface> Interfaces => _interfaces.Values;

    /// <summary>Drains the blocks that are ready.</summary>
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

    /// <summary>Time of the first packet that the kernel has not handed over yet.</summary>
    /// <returns>The time; null when there is none.</returns>
    public TraceTime? PeekPending() => _socket.Ring.PeekPending();

    /// <summary>Rejects further packets; those in the ring can still be drained.</summary>
    public void Stop()
    {
        var refuse = new BpfAssembler();
        refuse.Accept(0);
        _socket.Attach(refuse.Assemble());
    }

    /// <summary>Packets lost so far because the ring was full.</summary>
    public long ReadDropped() => _socket.ReadDropped();

    public void Dispose() => _socket.Dispose();

    void Add(ref RingPacket packet, TimeOrder order, RecordingFile file)
    {
        RecordedInterface device = FindInterface(ref packet, file);
        device.Packets++;
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

        order.Commit(packet.Time, new(0, 0, device.Id, packet.OriginalLength + tag, packet.Direction), length);
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
        string shown = (_requested with { Name = name }).ToString();
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

/// <summary>An interface that has been written to the file.</summary>
sealed class RecordedInterface(int kernelIndex, int id, string name)
{
    public int KernelIndex { get; } = kernelIndex;

    public int Id { get; } = id;

    /// <summary>Its name, with its namespace where that is not ours.</summary>
    public string Name { get; } = name;

    public long Packets { get; set; }

    /// <summary>Packets lost, known at the end.</summary>
    public long Dropped { get; set; }
}

/// <summary>Queries an interface (netdevice(7), linux/ethtool.h) in the network namespace of a packet socket.</summary>
sealed unsafe class InterfaceProbe(PacketSocket socket, string name)
{
    const uint RequestMtu = 0x8921;
    const uint RequestHardwareAddress = 0x8927;
    const uint RequestEthtool = 0x8946;
    const int RequestLength = 40;
    const int NameLength = 16;
    const int AddressLength = 6;
    const int LargeReceiveFlag = 1 << 15;

    // ETHTOOL_G…: offloads decide whether a packet in the capture is a segment or several merged ones.
    static readonly (string Name, uint Command, uint Mask)[] Features =
    [
        ("tso", 0x1E, uint.MaxValue), ("gso", 0x23, uint.MaxValue), ("gro", 0x2B, uint.MaxValue), ("lro", 0x25, LargeReceiveFlag),
    ];

    /// <summary>The hardware address; empty when there is none.</summary>
    /// <returns>Six bytes, or none.</returns>
    public IReadOnlyList<byte> ReadMacAddress()
    {
        byte* request = stackalloc byte[RequestLength];
        Prepare(request);

        // struct sockaddr behind the name: a 16-bit family, then the address.
        return socket.TryControl(RequestHardwareAddress, request)
            ? new ReadOnlySpan<byte>(request + NameLength + 2, AddressLength).ToArray()
            : [];
    }

    /// <summary>MTU and offloads in words.</summary>
    /// <returns>E.g. <c>mtu 1500, tso on, gso on, gro off, lro off</c>.</returns>
    public string Describe()
    {
        var text = new StringBuilder();
        byte* request = stackalloc byte[RequestLength];
        uint* value = stackalloc uint[2];
        Prepare(request);
        if (socket.TryControl(RequestMtu, request))
        {
            text.Append(CultureInfo.InvariantCulture, $"mtu {*(int*)(request + NameLength)}");
        }

        foreach ((string feature, uint command, uint mask) in Features)
        {
            value[0] = command;
            value[1] = 0;
            Prepare(request);
            *(nint*)(request + NameLength) = (nint)value;
            if (socket.TryControl(RequestEthtool, request))
            {
                text.Append(CultureInfo.InvariantCulture, $"{(text.Length > 0 ? ", " : string.Empty)}{feature} {((value[1] & mask) != 0 ? "on" : "off")}");
            }
        }

        return text.ToString();
    }

    void Prepare(byte* request)
    {
        var bytes = new Span<byte>(request, RequestLength);
        bytes.Clear();
        Encoding.UTF8.GetBytes(name.AsSpan(0, Math.Min(name.Length, NameLength - 1)), bytes[..(NameLength - 1)]);
    }
}
