using System.Buffers.Binary;

namespace TcpDiag.Traces.Pcap;

/// <summary>What stands in front of each packet of a pcap file, in the order of bytes of the machine that reads it.</summary>
/// <param name="Seconds">Seconds since 1970.</param>
/// <param name="Fraction">The rest, in units of the file.</param>
/// <param name="CapturedLength">Bytes kept of the packet.</param>
/// <param name="OriginalLength">Bytes of the packet on the wire.</param>
readonly record struct PcapRecordHeader(uint Seconds, uint Fraction, uint CapturedLength, uint OriginalLength)
{
    /// <summary>The same read from a file of the other order.</summary>
    /// <returns>The header.</returns>
    public PcapRecordHeader Reversed() => new(
        BinaryPrimitives.ReverseEndianness(Seconds),
        BinaryPrimitives.ReverseEndianness(Fraction),
        BinaryPrimitives.ReverseEndianness(CapturedLength),
        BinaryPrimitives.ReverseEndianness(OriginalLength));
}
