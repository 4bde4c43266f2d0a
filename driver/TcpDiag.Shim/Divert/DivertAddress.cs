using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// WINDIVERT_ADDRESS of WinDivert 2.2, 80 bytes: what the driver knows of a packet or of a flow, and needs to take a packet back. The fields from
/// byte 16 on depend on the layer; those of other layers than network and flow are not read here.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = SizeBytes)]
struct DivertAddress
{
    /// <summary>The size of the structure.</summary>
    public const int SizeBytes = 80;

    /// <summary>When the event happened, in ticks of QueryPerformanceCounter.</summary>
    [FieldOffset(0)]
    public long Timestamp;

    /// <summary>Layer (8 bits), event (8 bits), then the flags; see the properties.</summary>
    [FieldOffset(8)]
    public uint Bits;

    /// <summary>Network: index of interface and sub-interface, as one number.</summary>
    [FieldOffset(16)]
    public ulong Interface;

    /// <summary>Flow: the process that made it, or receives it.</summary>
    [FieldOffset(32)]
    public uint ProcessId;

    [FieldOffset(36)]
    AddressWords _local;

    [FieldOffset(52)]
    AddressWords _remote;

    [FieldOffset(68)]
    ushort _localPort;

    [FieldOffset(70)]
    ushort _remotePort;

    [FieldOffset(72)]
    byte _protocol;

    const uint OutboundBit = 1 << 17;
    const uint LoopbackBit = 1 << 18;
    const uint ImpostorBit = 1 << 19;
    const uint Ipv6Bit = 1 << 20;
    const uint ChecksumBits = (1 << 21) | (1 << 22) | (1 << 23); // IP, TCP, UDP
    const int EventShift = 8;

    /// <summary>Flow: its protocol and ends.</summary>
    public FlowEnds Flow
    {
        readonly get => new((IpProtocol)_protocol, new Endpoint(_local.ToAddress(), _localPort), new Endpoint(_remote.ToAddress(), _remotePort));
        set
        {
            _protocol = (byte)value.Protocol;
            (_local, _localPort) = (AddressWords.Of(value.Local.Address), value.Local.Port);
            (_remote, _remotePort) = (AddressWords.Of(value.Remote.Address), value.Remote.Port);
        }
    }

    public DivertEvent Event
    {
        readonly get => (DivertEvent)(byte)(Bits >> EventShift);
        set => Bits = (Bits & ~(0xFFu << EventShift)) | ((uint)value << EventShift);
    }

    /// <summary>The layer it was seen at.</summary>
    public DivertLayer Layer
    {
        readonly get => (DivertLayer)(byte)Bits;
        set => Bits = (Bits & ~0xFFu) | (byte)value;
    }

    /// <summary>Whether the packet leaves this host. One that this host sends to itself is outbound only.</summary>
    public bool IsOutbound
    {
        readonly get => (Bits & OutboundBit) != 0;
        set => Set(OutboundBit, value);
    }

    /// <summary>Whether this host sends the packet to itself.</summary>
    public bool IsLoopback
    {
        readonly get => (Bits & LoopbackBit) != 0;
        set => Set(LoopbackBit, value);
    }

    /// <summary>Whether another driver has sent the packet.</summary>
    public bool IsImpostor
    {
        readonly get => (Bits & ImpostorBit) != 0;
        set => Set(ImpostorBit, value);
    }

    /// <summary>Whether it is IPv6.</summary>
    public bool IsIpv6
    {
        readonly get => (Bits & Ipv6Bit) != 0;
        set => Set(Ipv6Bit, value);
    }

    /// <summary>Whether the checksums stand in the packet; those that do not are left to the hardware.</summary>
    public bool HasChecksums
    {
        readonly get => (Bits & ChecksumBits) == ChecksumBits;
        set => Set(ChecksumBits, value);
    }

    void Set(uint bits, bool value) => Bits = value ? Bits | bits : Bits & ~bits;

    // The four 32-bit words of an address, the lowest first, each in host order; an IPv4 address is mapped, ::ffff:a.b.c.d.
    [InlineArray(4)]
    struct AddressWords
    {
        uint _word;

        public readonly IpAddress ToAddress() => new(((ulong)this[3] << 32) | this[2], ((ulong)this[1] << 32) | this[0]);

        public static AddressWords Of(IpAddress address)
        {
            AddressWords words = default;
            words[0] = (uint)address.Low;
            words[1] = (uint)(address.Low >> 32);
            words[2] = (uint)address.High;
            words[3] = (uint)(address.High >> 32);
            return words;
        }
    }
}

/// <summary>WINDIVERT_EVENT: what happened.</summary>
enum DivertEvent
{
    Packet = 0,

    /// <summary>A TCP connection was made, or the first packet of another flow seen.</summary>
    FlowEstablished = 1,

    /// <summary>A flow ended, or was idle for long.</summary>
    FlowDeleted = 2,
}
