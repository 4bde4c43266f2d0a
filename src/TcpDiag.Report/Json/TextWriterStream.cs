using System;
using System.IO;
using System.Text;
using TcpDiag.Traces.Input;

namespace TcpDiag.Report.Json;

/// <summary>Passes UTF-8 on to a text writer piece by piece.</summary>
/// <param name="output">Where the text goes; not closed.</param>
sealed class TextWriterStream(TextWriter output) : SinkStream
{
    const int PieceBytes = 1 << 12;

    readonly Decoder _decoder = Encoding.UTF8.GetDecoder();
    readonly char[] _text = new char[PieceBytes + 1];

    /// <summary>Opens a stream for UTF-8 that follows what a text writer has written so far.</summary>
    /// <param name="output">The writer; not closed. If it writes UTF-8 itself, its own stream is returned and takes the bytes as they are.</param>
    /// <returns>The stream; not to be closed.</returns>
    public static Stream Open(TextWriter output)
    {
        if (output is not StreamWriter { Encoding: UTF8Encoding } writer)
        {
            return new TextWriterStream(output);
        }

        writer.Flush();
        return writer.BaseStream;
    }

    /// <inheritdoc/>
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            ReadOnlySpan<byte> piece = buffer[..Math.Min(PieceBytes, buffer.Length)];
            output.Write(_text, 0, _decoder.GetChars(piece, _text, flush: false));
            buffer = buffer[piece.Length..];
        }
    }

    /// <inheritdoc/>
    public override void Flush() => output.Flush();
}
