using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>Reads domain names with compression (RFC 1035 §4.1.4) and undoes NetBIOS first-level encoding (RFC 1001 §14.1).</summary>
static class DnsName
{
    const int MaxCharacters = 253; // 255 octets, less the first length and the final zero
    const int NetBiosLabelLength = 32;

    /// <summary>Reads a name.</summary>
    /// <param name="message">The whole message.</param>
    /// <param name="offset">In: where the name begins. Out: behind it.</param>
    /// <param name="name">Receives the labels joined by dots; bytes outside ASCII become '?'.</param>
    /// <param name="length">Characters written.</param>
    /// <returns>False when the name is truncated or too long, or its pointers do not lead strictly backwards.</returns>
    public static bool TryRead(ReadOnlySpan<byte> message, ref int offset, Span<char> name, out int length)
    {
        length = 0;
        int position = offset;
        int lowestStart = offset; // every pointer must go below all before it, so the walk ends
        bool hasJumped = false;
        while (position < message.Length)
        {
            int label = message[position];
            if (label == 0)
            {
                offset = hasJumped ? offset : position + 1;
                return true;
            }

            if (label >= 0xC0)
            {
                offset = hasJumped ? offset : position + 2;
                if (!TryFollow(message, ref position, ref lowestStart))
                {
                    return false;
                }

                hasJumped = true;
            }
            else if (label > 63 || !TryAppend(message, ref position, name, ref length))
            {
                return false;
            }
        }

        return false;
    }

    static bool TryFollow(ReadOnlySpan<byte> message, ref int position, ref int lowestStart)
    {
        if (message.Length - position < 2)
        {
            return false;
        }

        int target = BinaryPrimitives.ReadUInt16BigEndian(message[position..]) & 0x3FFF;
        bool isBackwards = target < lowestStart;
        position = target;
        lowestStart = target;
        return isBackwards;
    }

    static bool TryAppend(ReadOnlySpan<byte> message, ref int position, Span<char> name, ref int length)
    {
        int count = message[position];
        if (message.Length - position - 1 < count || length + count + 1 > MaxCharacters)
        {
            return false;
        }

        if (length > 0)
        {
            name[length++] = '.';
        }

        ReadOnlySpan<byte> label = message.Slice(position + 1, count);
        bool isNetBios = length == 0 && count == NetBiosLabelLength && !label.ContainsAnyExceptInRange((byte)'A', (byte)'P');
        length += isNetBios ? DecodeNetBios(label, name) : CopyLabel(label, name[length..]);
        position += count + 1;
        return true;
    }

    static int CopyLabel(ReadOnlySpan<byte> label, Span<char> name)
    {
        for (int i = 0; i < label.Length; i++)
        {
            name[i] = Printable(label[i]);
        }

        return label.Length;
    }

    // 16 bytes as two letters each, 'A' + nibble: 15 characters padded with blanks, then the service suffix, left out here.
    static int DecodeNetBios(ReadOnlySpan<byte> label, Span<char> name)
    {
        int length = 0;
        for (int i = 0; i < NetBiosLabelLength - 2; i += 2)
        {
            name[i / 2] = Printable((byte)(((label[i] - 'A') << 4) | (label[i + 1] - 'A')));
            length = name[i / 2] == ' ' ? length : (i / 2) + 1;
        }

        return length;
    }

    static char Printable(byte value) => value is >= 0x20 and < 0x7F ? (char)value : '?';
}
