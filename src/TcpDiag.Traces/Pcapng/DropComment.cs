using System;
using System.Buffers.Text;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// The comment that carries reason and place of a drop through pcapng, for which the format has no option:
/// <c>dropped: NAME at PLACE (1204@0xE0004500)</c>. The numbers at its end are read back.
/// </summary>
static class DropComment
{
    /// <summary>What the comment begins with.</summary>
    public static ReadOnlySpan<byte> Prefix => "dropped: "u8;

    /// <summary>Reads a comment.</summary>
    /// <param name="comment">Any comment of a packet, UTF-8.</param>
    /// <param name="drop">Why and where.</param>
    /// <returns>False when it is another comment.</returns>
    public static bool TryRead(ReadOnlySpan<byte> comment, out PacketDrop drop)
    {
        drop = default;
        int open = comment.LastIndexOf((byte)'(');
        if (!comment.StartsWith(Prefix) || open < 0 || comment[^1] != ')')
        {
            return false;
        }

        ReadOnlySpan<byte> numbers = comment[(open + 1)..^1];
        int at = numbers.IndexOf("@0x"u8);
        if (at < 0
            || !Utf8Parser.TryParse(numbers[..at], out uint reason, out int used) || used != at
            || !Utf8Parser.TryParse(numbers[(at + 3)..], out uint location, out used, 'X') || used != numbers.Length - at - 3)
        {
            return false;
        }

        drop = new PacketDrop(reason, location);
        return true;
    }
}
