using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace TcpDiag.Traces.Tests.Pcapng;

/// <summary>Builds pcapng bytes field by field in either byte order, independently of the writer under test.</summary>
sealed class PcapngBytes(bool bigEndian)
{
    readonly List<byte> _file = [];

    public byte[] ToArray() => [.. _file];

    public PcapngBytes Section(params byte[] options) =>
        Block(0x0A0D0D0A, [.. U32(0x1A2B3C4D), .. U16(1), .. U16(0), .. U64(ulong.MaxValue), .. options]);

    public PcapngBytes Interface(ushort linkType, uint snapLength, params byte[] options) =>
        Block(1, [.. U16(linkType), .. U16(0), .. U32(snapLength), .. options]);

    public PcapngBytes Packet(uint interfaceId, ulong time, byte[] data, uint originalLength, params byte[] options) =>
        Block(6,
        [
            .. U32(interfaceId), .. U32((uint)(time >> 32)), .. U32((uint)time), .. U32((uint)data.Length), .. U32(originalLength),
            .. Padded(data), .. options,
        ]);

    public PcapngBytes ObsoletePacket(ushort interfaceId, ushort drops, ulong time, byte[] data, uint originalLength, params byte[] options) =>
        Block(2,
        [
            .. U16(interfaceId), .. U16(drops), .. U32((uint)(time >> 32)), .. U32((uint)time), .. U32((uint)data.Length),
            .. U32(originalLength), .. Padded(data), .. options,
        ]);

    public PcapngBytes SimplePacket(uint originalLength, byte[] data) => Block(3, [.. U32(originalLength), .. Padded(data)]);

    public PcapngBytes Statistics(uint interfaceId, ulong time, params byte[] options) =>
        Block(5, [.. U32(interfaceId), .. U32((uint)(time >> 32)), .. U32((uint)time), .. options]);

    public PcapngBytes Block(uint type, params byte[] body)
    {
        byte[] padded = Padded(body);
        uint length = (uint)padded.Length + 12;
        return Raw([.. U32(type), .. U32(length), .. padded, .. U32(length)]);
    }

    public PcapngBytes Raw(params byte[] bytes)
    {
        _file.AddRange(bytes);
        return this;
    }

    public byte[] Option(ushort code, params byte[] value) => [.. U16(code), .. U16((ushort)value.Length), .. Padded(value)];

    public static byte[] EndOfOptions() => [0, 0, 0, 0];

    public byte[] U16(ushort value)
    {
        byte[] bytes = new byte[2];
        if (bigEndian)
        {
            BinaryPrimitives.WriteUInt16BigEndian(bytes, value);
        }
        else
        {
            BinaryPrimitives.WriteUInt16LittleEndian(bytes, value);
        }

        return bytes;
    }

    public byte[] U32(uint value)
    {
        byte[] bytes = new byte[4];
        if (bigEndian)
        {
            BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
        }
        else
        {
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        }

        return bytes;
    }

    public byte[] U64(ulong value)
    {
        byte[] bytes = new byte[8];
        if (bigEndian)
        {
            BinaryPrimitives.WriteUInt64BigEndian(bytes, value);
        }
        else
        {
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        }

        return bytes;
    }

    public static byte[] Padded(byte[] bytes) => [.. bytes, .. new byte[(4 - (bytes.Length % 4)) % 4]];

    public static byte[] Padded(ReadOnlySpan<byte> bytes) => Padded(bytes.ToArray());
}
