using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace TcpDiag.Traces.Pcapng;

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
