using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace TcpDiag.Traces.Pcapng;

/// <summary>Block types of pcapng (draft-ietf-opsawg-pcapng, "Standardized Block Type Codes").</summary>
#pragma warning disable CA1028 // the file format stores 32 unsigned bits
public enum PcapngBlockType : uint
#pragma warning restore CA1028
{
    /// <summary>None: no block has this type.</summary>
    None = 0,

    /// <summary>Interface Description Block.</summary>
    InterfaceDescription = 1,

    /// <summary>Packet Block, obsolete.</summary>
    Packet = 2,

    /// <summary>Simple Packet Block: no time, no interface.</summary>
    SimplePacket = 3,

    /// <summary>Name Resolution Block.</summary>
    NameResolution = 4,

    /// <summary>Interface Statistics Block.</summary>
    InterfaceStatistics = 5,

    /// <summary>Enhanced Packet Block.</summary>
    EnhancedPacket = 6,

    /// <summary>systemd Journal Export Block.</summary>
    Journal = 9,

    /// <summary>Decryption Secrets Block.</summary>
    DecryptionSecrets = 10,

    /// <summary>Custom Block that may be copied into other files.</summary>
    Custom = 0x0000_0BAD,

    /// <summary>Custom Block that must not be copied into other files.</summary>
    CustomNoCopy = 0x4000_0BAD,

    /// <summary>Section Header Block; reads the same in both byte orders.</summary>
    SectionHeader = 0x0A0D_0D0A,
}

/// <summary>The fixed part of an Enhanced Packet Block in little-endian order, as a view on the block.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
readonly struct EnhancedPacketHeader
{
    /// <summary>Bytes in front of the packet data.</summary>
    public const int Bytes = 28;

    readonly uint _type;
    readonly uint _totalLength;
    readonly uint _interfaceId;
    readonly uint _timestampHigh;
    readonly uint _timestampLow;
    readonly uint _capturedLength;
    readonly uint _originalLength;

    /// <summary>Block type; 6 for this block.</summary>
    public PcapngBlockType Type => (PcapngBlockType)FromLittleEndian(_type);

    /// <summary>Bytes of the whole block.</summary>
    public uint TotalLength => FromLittleEndian(_totalLength);

    /// <summary>Number of the interface in its section.</summary>
    public uint InterfaceId => FromLittleEndian(_interfaceId);

    /// <summary>Time in units of the interface.</summary>
    public ulong Timestamp => ((ulong)FromLittleEndian(_timestampHigh) << 32) | FromLittleEndian(_timestampLow);

    /// <summary>Bytes kept of the packet.</summary>
    public uint CapturedLength => FromLittleEndian(_capturedLength);

    /// <summary>Bytes of the packet on the wire.</summary>
    public uint OriginalLength => FromLittleEndian(_originalLength);

    static uint FromLittleEndian(uint value) => BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
}
