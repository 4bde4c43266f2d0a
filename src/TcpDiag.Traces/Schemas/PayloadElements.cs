using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Schemas;

/// <summary>Takes single elements of any in-type from the front of a span (docs/formats/etl.md, "Payloads").</summary>
public static class PayloadElements
{
    /// <summary>No length is given: it is in the data.</summary>
    public const int NoLength = -1;

    /// <summary>Takes one element.</summary>
    /// <param name="type">How it is stored.</param>
    /// <param name="length">Bytes of a binary, characters of a string, or <see cref="NoLength"/>.</param>
    /// <param name="is64Bit">Whether pointers take 8 bytes.</param>
    /// <param name="rest">What is left of the payload; moved past the element.</param>
    /// <param name="data">The element without NUL and length.</param>
    /// <returns>False when the payload ends before the element does; <paramref name="rest"/> then stays.</returns>
    public static bool TryTake(InType type, int length, bool is64Bit, scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> data)
    {
        int size = InTypes.FixedSize(type, is64Bit);
        if (size > 0)
        {
            return TryTakeBytes(size, behind: 0, ref rest, out data);
        }

        return type switch
        {
            InType.UnicodeString => TryTakeText(length, unit: 2, ref rest, out data),
            InType.AnsiString => TryTakeText(length, unit: 1, ref rest, out data),
            InType.Binary => TryTakeBytes(length == NoLength ? rest.Length : length, behind: 0, ref rest, out data),
            InType.Sid => TryTakeSid(0, ref rest, out data),
            InType.WbemSid => TryTakeWbemSid(is64Bit, ref rest, out data),
            InType.NonNullTerminatedString or InType.NonNullTerminatedAnsiString => TryTakeBytes(rest.Length, behind: 0, ref rest, out data),
            _ => TryTakeCounted(type, ref rest, out data),
        };
    }

    static bool TryTakeBytes(int count, int behind, scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> data)
    {
        if (count < 0 || count + behind > rest.Length)
        {
            data = default;
            return false;
        }

        data = rest[..count];
        rest = rest[(count + behind)..];
        return true;
    }

    static bool TryTakeText(int length, int unit, scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> data)
    {
        if (length != NoLength)
        {
            return TryTakeBytes((int)Math.Min((long)length * unit, int.MaxValue / 2), behind: 0, ref rest, out data);
        }

        int end = unit == 1 ? rest.IndexOf((byte)0) : IndexOfNulUnit(rest);
        return end >= 0
            ? TryTakeBytes(end, behind: unit, ref rest, out data)
            : TryTakeBytes(rest.Length, behind: 0, ref rest, out data);
    }

    static int IndexOfNulUnit(ReadOnlySpan<byte> text)
    {
        for (int i = 0; i + 1 < text.Length; i += 2)
        {
            if ((text[i] | text[i + 1]) == 0)
            {
                return i;
            }
        }

        return -1;
    }

    // A count in front: 2 bytes, big-endian for the reversed kinds, 4 bytes for a hex dump.
    static bool TryTakeCounted(InType type, scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> data)
    {
        int head = type == InType.HexDump ? sizeof(uint) : sizeof(ushort);
        data = default;
        if (rest.Length < head || type is InType.None or InType.Struct)
        {
            return false;
        }

        long count = type switch
        {
            InType.HexDump => BinaryPrimitives.ReadUInt32LittleEndian(rest),
            InType.ReversedCountedString or InType.ReversedCountedAnsiString => BinaryPrimitives.ReadUInt16BigEndian(rest),
            _ => BinaryPrimitives.ReadUInt16LittleEndian(rest),
        };
        if (head + count > rest.Length)
        {
            return false;
        }

        data = rest.Slice(head, (int)count);
        rest = rest[(head + (int)count)..];
        return true;
    }

    // Revision, count of sub-authorities, 6 bytes of authority, 4 bytes each.
    static bool TryTakeSid(int skip, scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> data)
    {
        const int Head = 8;
        data = default;
        if (rest.Length < skip + Head)
        {
            return false;
        }

        int length = Head + (4 * rest[skip + 1]);
        if (rest.Length < skip + length)
        {
            return false;
        }

        data = rest.Slice(skip, length);
        rest = rest[(skip + length)..];
        return true;
    }

    static bool TryTakeWbemSid(bool is64Bit, scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> data)
    {
        bool isNone = rest.Length >= sizeof(uint) && BinaryPrimitives.ReadUInt32LittleEndian(rest) == 0;
        if (isNone)
        {
            data = default;
            rest = rest[sizeof(uint)..];
            return true;
        }

        return TryTakeSid(is64Bit ? 16 : 8, ref rest, out data);
    }
}

/// <summary>
/// Reads SOCKADDRs: u16 family (host order), u16 port (network order), then family 2: 4 address bytes; family 23: u32 flow info, 16
/// address bytes.
/// </summary>
public static class SocketAddress
{
    const ushort Inet = 2;
    const ushort Inet6 = 23;

    /// <summary>Reads a SOCKADDR.</summary>
    /// <param name="bytes">16 bytes (IPv4) or 28 (IPv6); what follows the address may be missing.</param>
    /// <param name="endpoint">Address and port.</param>
    /// <returns>False when it is of another family or too short.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out Endpoint endpoint)
    {
        endpoint = default;
        if (bytes.Length < 8)
        {
            return false;
        }

        ushort port = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
        switch (BinaryPrimitives.ReadUInt16LittleEndian(bytes))
        {
            case Inet:
                endpoint = new Endpoint(IpAddress.Read(bytes.Slice(4, 4)), port);
                return true;
            case Inet6 when bytes.Length >= 24:
                endpoint = new Endpoint(IpAddress.Read(bytes.Slice(8, 16)), port);
                return true;
            default:
                return false;
        }
    }
}
