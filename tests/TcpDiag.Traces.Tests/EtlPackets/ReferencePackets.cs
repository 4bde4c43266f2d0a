using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using TcpDiag.Testing;

namespace TcpDiag.Traces.Tests.EtlPackets;

/// <summary>A packet of a reference file.</summary>
sealed record ReferencePacket(string Interface, int LinkType, long TimeNanos, int OriginalLength, PacketDirection Direction, byte[] Data);

/// <summary>
/// Reads the packets that came with the traces of ../shared/traces/windows: little-endian pcapng with nanoseconds, one
/// section. Apart from the product's reader on purpose.
/// </summary>
static class ReferencePackets
{
    public static List<ReferencePacket> Read(string trace, string file) => Parse(WindowsTraces.ReadBytes(trace, file));

    public static List<ReferencePacket> Parse(byte[] bytes)
    {
        var interfaces = new List<(string Name, int LinkType)>();
        var packets = new List<ReferencePacket>();
        for (int offset = 0; offset < bytes.Length;)
        {
            ReadOnlySpan<byte> block = bytes.AsSpan(offset);
            int length = I32(block, 4);
            switch (I32(block, 0))
            {
                case 1:
                    interfaces.Add((Encoding.UTF8.GetString(Option(block[16..(length - 4)], 2)), I32(block, 8) & 0xFFFF));
                    break;
                case 6:
                    packets.Add(Packet(block[..(length - 4)], interfaces));
                    break;
                default:
                    break;
            }

            offset += length;
        }

        return packets;
    }

    static ReferencePacket Packet(ReadOnlySpan<byte> block, List<(string Name, int LinkType)> interfaces)
    {
        (string name, int linkType) = interfaces[I32(block, 8)];
        long time = ((long)I32(block, 12) << 32) | (uint)I32(block, 16);
        int captured = I32(block, 20);
        ReadOnlySpan<byte> options = block[(28 + ((captured + 3) & ~3))..];
        var direction = (PacketDirection)(Option(options, 2) is { Length: > 0 } flags ? flags[0] & 3 : 0);
        return new ReferencePacket(name, linkType, time, I32(block, 24), direction, block.Slice(28, captured).ToArray());
    }

    static ReadOnlySpan<byte> Option(ReadOnlySpan<byte> options, int wanted)
    {
        while (options.Length >= 4)
        {
            int code = BinaryPrimitives.ReadUInt16LittleEndian(options);
            int length = BinaryPrimitives.ReadUInt16LittleEndian(options[2..]);
            if (code == wanted || code == 0)
            {
                return code == 0 ? default : options.Slice(4, length);
            }

            options = options[(4 + ((length + 3) & ~3))..];
        }

        return default;
    }

    static int I32(ReadOnlySpan<byte> bytes, int offset) => BinaryPrimitives.ReadInt32LittleEndian(bytes[offset..]);
}

/// <summary>The traces of ../shared/traces/windows.</summary>
static class WindowsTraces
{
    public const string Netsh = "sample-22621-netsh";
    public const string NetshRundown = "sample-19041-netsh-rundown";
    public const string PktMon = "sample-26100-pktmon";

    /// <summary>A file of a trace, unzipped where it is stored so.</summary>
    public static byte[] ReadBytes(string trace, string file)
    {
        string path = SharedFolder.PathOf("traces", "windows", trace, file);
        if (File.Exists(path))
        {
            return File.ReadAllBytes(path);
        }

        using ZipArchive zip = ZipFile.OpenRead(path + ".zip");
        using Stream stream = zip.Entries.Single().Open();
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }

    public static byte[] ReadTrace(string trace) => ReadBytes(trace, trace + ".etl");
}
