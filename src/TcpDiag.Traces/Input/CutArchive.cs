using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;

namespace TcpDiag.Traces.Input;

/// <summary>
/// A zip archive without its end, where the list of its files would be: a download that broke off, a recorder that was killed. Its
/// files, if deflated, can still be read from their own headers (APPNOTE.TXT §4.3.7), the last one as far as it goes.
/// </summary>
static class CutArchive
{
    const int HeaderBytes = 30;
    const uint Signature = 0x0403_4B50;
    const uint ListSignature = 0x0201_4B50;
    const ushort Encrypted = 1;
    const ushort LengthBehind = 8;
    const ushort Deflated = 8;

    const string Damage = "the zip archive has no end: its first trace is read as far as it goes";
    const string BundleExtension = ".tcpdiag";

    /// <summary>Opens the first trace.</summary>
    /// <param name="path">For messages.</param>
    /// <param name="stream">The archive; owned by what is returned.</param>
    /// <param name="extensions">Ends of names that are traces.</param>
    /// <returns>The trace as far as it goes; null when there is none, or not readable without the list.</returns>
    public static StreamInput? TryOpen(string path, Stream stream, string[] extensions)
    {
        CutEntry? trace = Entries(stream).FirstOrDefault(entry => extensions.Any(end => entry.Name.EndsWith(end, StringComparison.OrdinalIgnoreCase)));
        string damage = path.EndsWith(BundleExtension, StringComparison.OrdinalIgnoreCase)
            ? $"{Damage}; on Linux `tcpdiag capture recover {path}` makes a whole bundle of all there is"
            : Damage;
        return trace is null ? null : new StreamInput(path, Open(stream, trace), stream, damage);
    }

    /// <summary>Whether a file begins as a zip archive.</summary>
    /// <returns>True by its first four bytes.</returns>
    public static bool IsArchive(Stream stream)
    {
        Span<byte> head = stackalloc byte[sizeof(uint)];
        stream.Position = 0;
        return stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length && BinaryPrimitives.ReadUInt32LittleEndian(head) == Signature;
    }

    /// <summary>Its files, as far as they can be found: the first whose header lacks its length is the last.</summary>
    public static IEnumerable<CutEntry> Entries(Stream stream)
    {
        long position = 0;
        byte[] header = new byte[HeaderBytes];
        while (TryReadHeader(stream, position, header, out string name))
        {
            int flags = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(6));
            int method = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(8));
            uint length = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(18));
            int names = BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(26)) + BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(28));
            if ((flags & Encrypted) != 0 || method != Deflated)
            {
                yield break;
            }

            bool isLast = (flags & LengthBehind) != 0 || length is 0 or uint.MaxValue;
            position = Math.Min(stream.Length, position + HeaderBytes + names);
            yield return new(name, position, isLast ? null : length, isLast && (flags & LengthBehind) == 0 && length == 0);
            position = isLast ? stream.Length : position + length;
        }
    }

    /// <summary>Whether <see cref="Entries"/> finds all that an archive has.</summary>
    /// <returns>False where something follows that no header in front of it announces.</returns>
    public static bool IsAllFound(Stream stream)
    {
        if (Entries(stream).LastOrDefault() is not { } last)
        {
            return false;
        }

        if (last.Length is not { } length)
        {
            return last.IsOpen;
        }

        byte[] mark = new byte[sizeof(uint)];
        stream.Position = Math.Min(stream.Length, last.Position + length);
        return stream.ReadAtLeast(mark, mark.Length, throwOnEndOfStream: false) < mark.Length
            || BinaryPrimitives.ReadUInt32LittleEndian(mark) == ListSignature
            || stream.Length - stream.Position < HeaderBytes;
    }

    /// <summary>Opens a file.</summary>
    /// <param name="stream">The archive, of which nothing else is read meanwhile.</param>
    /// <param name="entry">One of <see cref="Entries"/>.</param>
    /// <returns>Its bytes; reading may end with an exception where the archive does.</returns>
    public static DeflateStream Open(Stream stream, CutEntry entry)
    {
        stream.Position = entry.Position;
        return new(stream, CompressionMode.Decompress, leaveOpen: true);
    }

    static bool TryReadHeader(Stream stream, long position, byte[] header, out string name)
    {
        name = string.Empty;
        if (position >= stream.Length)
        {
            return false;
        }

        stream.Position = position;
        if (stream.ReadAtLeast(header, HeaderBytes, throwOnEndOfStream: false) < HeaderBytes || BinaryPrimitives.ReadUInt32LittleEndian(header) != Signature)
        {
            return false;
        }

        byte[] bytes = new byte[BinaryPrimitives.ReadUInt16LittleEndian(header.AsSpan(26))];
        name = Encoding.UTF8.GetString(bytes, 0, stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false));
        return true;
    }
}

/// <summary>A file of an archive without its end.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Position">Where its deflated bytes begin.</param>
/// <param name="Length">How many there are, or would be; null for the last one, where its header lacks it.</param>
/// <param name="IsOpen">Whether it was being written where the archive stays: a writer that can seek sets the length when a file is whole.</param>
sealed record CutEntry(string Name, long Position, long? Length, bool IsOpen);
