using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Turns a block of a big-endian section into little-endian order in place, so that there is one parser, and one form in
/// which blocks and options are handed on. Data of custom and unknown blocks stays as it is: nobody else knows which of
/// its bytes are numbers.
/// </summary>
static class PcapngByteOrder
{
    const int HeaderBytes = 8;
    const int TrailerBytes = 4;

    /// <summary>Converts one block.</summary>
    /// <param name="block">The whole block; its length fields agree with the span.</param>
    public static void ToLittleEndian(Span<byte> block)
    {
        SwapWords(block[..HeaderBytes]);
        SwapWords(block[^TrailerBytes..]);
        var type = (PcapngBlockType)BinaryPrimitives.ReadUInt32LittleEndian(block);
        Span<byte> body = block[HeaderBytes..^TrailerBytes];
        Span<byte> options = type switch
        {
            PcapngBlockType.SectionHeader => SwapSectionHeader(body),
            PcapngBlockType.InterfaceDescription => SwapInterfaceDescription(body),
            PcapngBlockType.EnhancedPacket => SwapPacket(body, wordBytes: 20),
            PcapngBlockType.Packet => SwapObsoletePacket(body),
            PcapngBlockType.InterfaceStatistics => SwapFixed(body, wordBytes: 12),
            PcapngBlockType.NameResolution => SwapRecords(body),
            PcapngBlockType.DecryptionSecrets => SwapSecrets(body),
            PcapngBlockType.SimplePacket or PcapngBlockType.Custom or PcapngBlockType.CustomNoCopy => SwapFixed(body, wordBytes: 4)[..0],
            _ => [],
        };
        SwapOptions(type, options);
    }

    static Span<byte> SwapSectionHeader(Span<byte> body)
    {
        const int FixedBytes = 16;
        if (body.Length < FixedBytes)
        {
            return [];
        }

        SwapWords(body[..4]);
        SwapHalfWords(body[4..8]);
        body[8..16].Reverse();
        return body[FixedBytes..];
    }

    static Span<byte> SwapInterfaceDescription(Span<byte> body)
    {
        const int FixedBytes = 8;
        if (body.Length < FixedBytes)
        {
            return [];
        }

        SwapHalfWords(body[..4]);
        SwapWords(body[4..FixedBytes]);
        return body[FixedBytes..];
    }

    static Span<byte> SwapObsoletePacket(Span<byte> body)
    {
        if (body.Length >= 4)
        {
            // Interface and drops are 16 bits each: swapping them as one word would also exchange them.
            (body[0], body[1], body[2], body[3]) = (body[2], body[3], body[0], body[1]);
        }

        return SwapPacket(body, wordBytes: 20);
    }

    static Span<byte> SwapPacket(Span<byte> body, int wordBytes)
    {
        if (body.Length < wordBytes)
        {
            return [];
        }

        SwapWords(body[..wordBytes]);
        return Behind(body, wordBytes, BinaryPrimitives.ReadUInt32LittleEndian(body[12..]));
    }

    static Span<byte> SwapSecrets(Span<byte> body)
    {
        const int FixedBytes = 8;
        if (body.Length < FixedBytes)
        {
            return [];
        }

        SwapWords(body[..FixedBytes]);
        return Behind(body, FixedBytes, BinaryPrimitives.ReadUInt32LittleEndian(body[4..]));
    }

    static Span<byte> SwapFixed(Span<byte> body, int wordBytes)
    {
        if (body.Length < wordBytes)
        {
            return [];
        }

        SwapWords(body[..wordBytes]);
        return body[wordBytes..];
    }

    // The options after data that is padded to 32 bits.
    static Span<byte> Behind(Span<byte> body, int start, uint dataBytes)
    {
        long end = start + (((long)dataBytes + 3) & ~3L);
        return end <= body.Length ? body[(int)end..] : [];
    }

    // Name records have the form of options and end with a record of type 0.
    static Span<byte> SwapRecords(Span<byte> rest)
    {
        while (TrySwapHeader(rest, out int type, out int length, out int paddedLength))
        {
            rest = rest[paddedLength..];
            if (type == 0 && length == 0)
            {
                return rest;
            }
        }

        return [];
    }

    static void SwapOptions(PcapngBlockType type, Span<byte> rest)
    {
        while (TrySwapHeader(rest, out int code, out int length, out int paddedLength) && code != PcapngOption.EndOfOpt)
        {
            SwapValue(type, code, rest.Slice(4, length));
            rest = rest[paddedLength..];
        }
    }

    static bool TrySwapHeader(Span<byte> rest, out int code, out int length, out int paddedLength)
    {
        code = length = paddedLength = 0;
        if (rest.Length < 4)
        {
            return false;
        }

        SwapHalfWords(rest[..4]);
        code = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        length = BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]);
        paddedLength = Math.Min(rest.Length, (4 + length + 3) & ~3);
        return length <= rest.Length - 4;
    }

    static void SwapValue(PcapngBlockType type, int code, Span<byte> value)
    {
        switch (type, code)
        {
            case (_, PcapngOption.CustomText or PcapngOption.CustomBytes or PcapngOption.CustomTextNoCopy or PcapngOption.CustomBytesNoCopy):
                SwapWords(value[..Math.Min(4, value.Length)]);
                break;
            case (PcapngBlockType.EnhancedPacket, PcapngOption.EpbVerdict):
                SwapVerdict(value);
                break;
            case (PcapngBlockType.EnhancedPacket, PcapngOption.EpbFlags or PcapngOption.EpbQueue or PcapngOption.EpbProcessIdThreadId):
            case (PcapngBlockType.Packet, PcapngOption.EpbFlags):
            case (PcapngBlockType.InterfaceStatistics, PcapngOption.IsbStartTime or PcapngOption.IsbEndTime):
                SwapWords(value);
                break;
            case (PcapngBlockType.EnhancedPacket, PcapngOption.EpbDropCount or PcapngOption.EpbPacketId):
            case (PcapngBlockType.InterfaceStatistics, >= PcapngOption.IsbIfRecv):
            case (PcapngBlockType.InterfaceDescription, PcapngOption.IfSpeed or PcapngOption.IfTsOffset or PcapngOption.IfTxSpeed or PcapngOption.IfRxSpeed):
                SwapLongWords(value);
                break;
            default:
                break;
        }
    }

    // Only the two Linux verdicts hold a number; a hardware verdict is bytes.
    static void SwapVerdict(Span<byte> value)
    {
        if (value.Length == 9 && value[0] is 1 or 2)
        {
            value[1..].Reverse();
        }
    }

    static void SwapHalfWords(Span<byte> bytes) => SwapEach(bytes, sizeof(ushort));

    static void SwapWords(Span<byte> bytes) => SwapEach(bytes, sizeof(uint));

    static void SwapLongWords(Span<byte> bytes) => SwapEach(bytes, sizeof(ulong));

    static void SwapEach(Span<byte> bytes, int size)
    {
        for (; bytes.Length >= size; bytes = bytes[size..])
        {
            bytes[..size].Reverse();
        }
    }
}
