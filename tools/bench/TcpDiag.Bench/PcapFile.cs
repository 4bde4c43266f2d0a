using System;
using System.Buffers.Binary;
using System.IO;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Bench;

/// <summary>Writes packets as a .pcap file, which every peer reads (draft-ietf-opsawg-pcap §4, nanoseconds, little-endian).</summary>
static class PcapFile
{
    const uint NanosecondMagic = 0xA1B2_3C4D;
    const long Second = 1_000_000_000;

    /// <summary>Writes all packets of a trace.</summary>
    /// <param name="path">The file.</param>
    /// <param name="trace">The trace, read to its end; its packets are of one link type.</param>
    public static void Write(string path, TraceReader trace)
    {
        using var file = new BufferedStream(File.Create(path), 1 << 20);
        var record = default(TraceRecord);
        while (trace.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet)
            {
                WriteHeader(file, record.LinkType);
                Write(file, record);
            }
        }
    }

    static void WriteHeader(Stream file, LinkType link)
    {
        if (file.Position > 0)
        {
            return;
        }

        Span<byte> header = stackalloc byte[24];
        BinaryPrimitives.WriteUInt32LittleEndian(header, NanosecondMagic);
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], 0x0004_0002); // version 2.4
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], ushort.MaxValue);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], (uint)link);
        file.Write(header);
    }

    static void Write(Stream file, in TraceRecord packet)
    {
        Span<byte> header = stackalloc byte[16];
        BinaryPrimitives.WriteUInt32LittleEndian(header, (uint)(packet.Time.Nanoseconds / Second));
        BinaryPrimitives.WriteUInt32LittleEndian(header[4..], (uint)(packet.Time.Nanoseconds % Second));
        BinaryPrimitives.WriteInt32LittleEndian(header[8..], packet.Data.Length);
        BinaryPrimitives.WriteInt32LittleEndian(header[12..], packet.OriginalLength);
        file.Write(header);
        file.Write(packet.Data);
    }
}
