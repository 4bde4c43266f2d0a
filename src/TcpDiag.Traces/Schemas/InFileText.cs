using System;
using System.Text;

namespace TcpDiag.Traces.Schemas;

/// <summary>Reads texts that a description in a trace points at: UTF-16 up to a NUL.</summary>
static class InFileText
{
    // Longest name seen is some 60 units; offsets may overlap, so an unbounded text could be read thousands of times.
    const int MaxBytes = 2 * 512;

    /// <summary>Reads a text by its offset; 0 is none.</summary>
    /// <param name="info">The description.</param>
    /// <param name="offset">Bytes from its start.</param>
    /// <returns>The text, cut where it is longer than any real one; empty when it stands outside.</returns>
    public static string At(ReadOnlySpan<byte> info, uint offset)
    {
        if (offset == 0 || offset >= info.Length)
        {
            return string.Empty;
        }

        ReadOnlySpan<byte> rest = info[(int)offset..];
        rest = rest[..Math.Min(rest.Length, MaxBytes)];
        PayloadElements.TryTake(InType.UnicodeString, PayloadElements.NoLength, is64Bit: true, ref rest, out ReadOnlySpan<byte> text);
        return Encoding.Unicode.GetString(text);
    }
}
