using System;
using System.Buffers.Binary;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;

namespace TcpDiag.Traces.Input;

/// <summary>
/// A zip archive without its end, where the list of its files stands: a download that broke off, a recorder that was killed. Its
/// first file, if deflated, can still be read from its own header (APPNOTE.TXT §4.3.7) as far as it goes.
/// </summary>
static class CutArchive
{
    const int HeaderBytes = 30;
    const uint Signature = 0x0403_4B50;
    const ushort Encrypted = 1;
    const ushort Deflated = 8;

    /// <summary>Opens the first file.</summary>
    /// <param name="path">For messages.</param>
    /// <param name="stream">The archive; owned by what is returned.</param>
    /// <param name="extensions">Ends of names that are traces.</param>
    /// <returns>The trace as far as it goes; null when the first file is none, or not readable without the list.</returns>
    public static StreamInput? TryOpen(string path, Stream stream, string[] extensions)
    {
        stream.Position = 0;
        Span<byte> header = stackalloc byte[HeaderBytes];
        if (stream.ReadAtLeast(header, HeaderBytes, throwOnEndOfStream: false) < HeaderBytes || BinaryPrimitives.ReadUInt32LittleEndian(header) != Signature)
        {
            return null;
        }

        int flags = BinaryPrimitives.ReadUInt16LittleEndian(header[6..]);
        int method = BinaryPrimitives.ReadUInt16LittleEndian(header[8..]);
        byte[] name = new byte[BinaryPrimitives.ReadUInt16LittleEndian(header[26..])];
        int extra = BinaryPrimitives.ReadUInt16LittleEndian(header[28..]);
        int read = stream.ReadAtLeast(name, name.Length, throwOnEndOfStream: false);
        string text = Encoding.UTF8.GetString(name, 0, read);
        if ((flags & Encrypted) != 0 || method != Deflated || !extensions.Any(end => text.EndsWith(end, StringComparison.OrdinalIgnoreCase)))
        {
            return null;
        }

        stream.Position = Math.Min(stream.Length, HeaderBytes + name.Length + extra);
        return new StreamInput(path, new DeflateStream(stream, CompressionMode.Decompress), stream, "the zip archive has no end: its first trace is read as far as it goes");
    }
}
