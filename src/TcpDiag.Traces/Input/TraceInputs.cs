using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Traces.Input;

/// <summary>
/// Opens inputs: plain files, <c>.gz</c>, <c>.zip</c> with one trace in it, bundles, pipes, and standard input as <c>-</c>. What
/// is compressed is recognised by its first bytes, never by its name, and streamed: nothing is unpacked into memory.
/// </summary>
public static class TraceInputs
{
    /// <summary>The name of standard input.</summary>
    public const string StandardInput = "-";

    const int HeadBytes = 4;

    static readonly string[] TraceExtensions = [".etl", ".pcapng", ".pcap"];

    /// <summary>Opens an input to be read front to back.</summary>
    /// <param name="path">A file, or <c>-</c>.</param>
    /// <returns>The (decompressed) bytes; the caller closes it.</returns>
    /// <exception cref="TraceInputException">It cannot be opened, or is an archive without a trace.</exception>
    public static TraceInput Open(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        try
        {
            Stream stream = string.Equals(path, StandardInput, StringComparison.Ordinal) ? OpenStandardInput() : OpenFile(path);
            return Decompress(path, stream);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException)
        {
            throw new TraceInputException(path, Describe(exception), exception);
        }
    }

    /// <summary>Shows the first bytes of an input; they are still read by the first <see cref="TraceInput.Read"/>.</summary>
    /// <param name="input">Not read from yet; owned by what is returned.</param>
    /// <param name="headBytes">How many bytes to show.</param>
    /// <param name="head">The first bytes, fewer only if there are no more.</param>
    /// <returns>The same bytes; the caller closes it.</returns>
    internal static TraceInput ShowHead(TraceInput input, int headBytes, out ReadOnlyMemory<byte> head)
    {
        byte[] bytes = new byte[headBytes];
        if (input.CanReadAt)
        {
            head = bytes.AsMemory(0, input.ReadAt(0, bytes));
            return input;
        }

        head = bytes.AsMemory(0, input.Read(bytes));
        return new PrefixedInput(head, input);
    }

    /// <summary>Opens an input to be read at positions too; what is compressed or a pipe is unpacked to a temporary file.</summary>
    /// <param name="path">A file, or <c>-</c>.</param>
    /// <returns>The (decompressed) bytes; the caller closes it, which removes the temporary file.</returns>
    /// <exception cref="TraceInputException">It cannot be opened, or the disk is too small for the unpacked bytes.</exception>
    public static TraceInput OpenSeekable(string path) => MakeSeekable(Open(path));

    /// <summary>The same bytes as an input that can be read at positions.</summary>
    /// <param name="input">Not read from yet; owned by what is returned, or closed.</param>
    /// <returns>The input itself, or a temporary copy of it.</returns>
    /// <exception cref="TraceInputException">The disk is too small for the copy.</exception>
    public static TraceInput MakeSeekable(TraceInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        return input.CanReadAt ? input : new FileInput(input.Path, SpoolFile.Copy(input), input.Damage);
    }

    /// <summary>Opens a zip archive for its other files.</summary>
    /// <returns>The archive; null when the file is none, or standard input.</returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    internal static ZipArchive? OpenArchive(string path)
    {
        if (string.Equals(path, StandardInput, StringComparison.Ordinal))
        {
            return null;
        }

        FileStream? file = null;
        try
        {
            file = OpenFile(path);
            var archive = new ZipArchive(file, ZipArchiveMode.Read);
            file = null;
            return archive;
        }
        catch (InvalidDataException)
        {
            // Not a zip, or one that is cut off: its other files cannot be found.
            return null;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException)
        {
            throw new TraceInputException(path, Describe(exception), exception);
        }
        finally
        {
            file?.Dispose();
        }
    }

    // No buffer of its own: every reader here reads large pieces.
    static FileStream OpenFile(string path) => new(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);

#pragma warning disable RS0030 // Standard input is a file like any other here; nothing is written to the console.
    static Stream OpenStandardInput() => Console.OpenStandardInput();
#pragma warning restore RS0030

    static TraceInput Decompress(string path, Stream stream)
    {
        byte[] head = new byte[HeadBytes];
        head = head[..stream.ReadAtLeast(head, HeadBytes, throwOnEndOfStream: false)];
        if (stream.CanSeek)
        {
            stream.Position = 0;
        }
        else
        {
            stream = new PrefixStream(head, stream);
        }

        if (head is [0x1F, 0x8B, ..])
        {
            // RFC 1952 §2.3.1.
            return new StreamInput(path, new GZipStream(stream, CompressionMode.Decompress));
        }

        if (head is [(byte)'P', (byte)'K', 3, 4] or [(byte)'P', (byte)'K', 5, 6])
        {
            return OpenZip(path, stream);
        }

        return stream is FileStream { CanSeek: true } file ? new FileInput(path, file) : new StreamInput(path, stream);
    }

    static StreamInput OpenZip(string path, Stream stream)
    {
        // The directory of a zip is at its end, so a pipe is read to its end first.
        if (!stream.CanSeek)
        {
            stream = SpoolFile.Copy(new StreamInput(path, stream));
        }

        try
        {
            var archive = new ZipArchive(stream, ZipArchiveMode.Read);
            if (BundleReader.ReadManifest(path, archive, out string? damage) is { } manifest)
            {
                return new StreamInput(path, BundleReader.OpenTrace(path, archive, manifest), archive);
            }

            ZipArchiveEntry entry = ChooseEntry(path, archive);
            return entry.IsEncrypted
                ? throw new TraceInputException(path, "an encrypted zip archive, which is not read. Unpack it first.")
                : new StreamInput(path, entry.Open(), archive, damage, expectedCrc: entry.Crc32);
        }
        catch (InvalidDataException exception)
        {
            return CutArchive.TryOpen(path, stream, TraceExtensions) ?? throw Damaged(path, stream, exception);
        }
        catch (TraceInputException)
        {
            stream.Dispose();
            throw;
        }
    }

    static TraceInputException Damaged(string path, Stream stream, InvalidDataException exception)
    {
        stream.Dispose();
        return new(path, $"damaged zip archive: {exception.Message}", exception);
    }

    static ZipArchiveEntry ChooseEntry(string path, ZipArchive archive)
    {
        foreach (string extension in TraceExtensions)
        {
            if (archive.Entries.FirstOrDefault(entry => entry.Name.EndsWith(extension, StringComparison.OrdinalIgnoreCase)) is { } trace)
            {
                return trace;
            }
        }

        List<ZipArchiveEntry> files = [.. archive.Entries.Where(entry => entry.Name.Length > 0).Take(2)];
        return files.Count == 1
            ? files[0]
            : throw new TraceInputException(path, $"a zip archive with {(files.Count == 0 ? "no file" : "several files but no .etl, .pcapng or .pcap")} in it");
    }

    static string Describe(Exception exception) => exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => "no such file",
        UnauthorizedAccessException => "access denied, or a folder",
        _ => exception.Message,
    };
}
