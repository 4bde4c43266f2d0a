using System;

namespace TcpDiag.Traces.Redaction;

/// <summary>NetBIOS names in domain names (RFC 1001 §14.1): each of 16 bytes as two letters, 'A' plus a nibble; the last byte tells the service.</summary>
static class NetBiosName
{
    const int EncodedLength = 32;
    const int ServiceLength = 2;

    /// <summary>Decodes a label.</summary>
    /// <param name="label">Any label.</param>
    /// <param name="name">Receives the 15 characters of the name, blanks at its end.</param>
    /// <param name="length">Characters of the name.</param>
    /// <returns>False when the label is not encoded.</returns>
    public static bool TryDecode(ReadOnlySpan<byte> label, Span<char> name, out int length)
    {
        length = 0;
        if (label.Length != EncodedLength || label.ContainsAnyExceptInRange((byte)'A', (byte)'P'))
        {
            return false;
        }

        for (int i = 0; i < EncodedLength - ServiceLength; i += 2)
        {
            name[length++] = (char)(((label[i] - 'A') << 4) | (label[i + 1] - 'A'));
        }

        return true;
    }

    /// <summary>Encodes a name; the service stays.</summary>
    /// <param name="name">15 characters below 256.</param>
    /// <param name="label">The label, 32 bytes.</param>
    public static void Encode(ReadOnlySpan<char> name, Span<byte> label)
    {
        for (int i = 0; i < name.Length; i++)
        {
            label[2 * i] = (byte)('A' + (name[i] >> 4));
            label[(2 * i) + 1] = (byte)('A' + (name[i] & 0xF));
        }
    }
}
