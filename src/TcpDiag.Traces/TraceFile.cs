using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO.Compression;
using System.Linq;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Pcap;
using TcpDiag.Traces.Pcapng;

namespace TcpDiag.Traces;

/// <summary>Opens traces of any format, recognised by their first bytes, compressed or not.</summary>
public static class TraceFile
{
    // Up to the marker of the first record of an .etl file (docs/formats/etl.md).
    internal const int HeadBytes = EtlMarkerOffset + sizeof(uint);
    const int EtlMarkerOffset = 0x48;
    const uint EtlMarker32 = 0xC001_0002;
    const uint EtlMarker64 = 0xC002_0002;

    const string FoundDecisionLog = "a decision log of shim run, which tcpdiag shim log shows";

    // How such a log begins (docs/formats/decision-log.md).
    static ReadOnlySpan<byte> DecisionLog => "TDIMPAIR"u8;

    /// <summary>Opens one trace; pieces in a bundle as one, merged by time.</summary>
    /// <param name="path">A file, or <c>-</c> for standard input.</param>
    /// <param name="options">What to read; null for everything.</param>
    /// <returns>Its records in the order of the file; the caller closes it.</returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">It is no trace of a format that is read.</exception>
    public static TraceReader Open(string path, TraceOpenOptions? options = null)
    {
        return Open([path], options);
    }

    /// <summary>Opens several traces as one, merged by time. Interfaces are numbered anew, those of the first trace first.</summary>
    /// <param name="paths">One or more files.</param>
    /// <param name="options">What to read; null for everything.</param>
    /// <returns>The records of all; the caller closes it.</returns>
    /// <exception cref="ArgumentException">No file is named.</exception>
    /// <exception cref="TraceInputException">A file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">One is no trace of a format that is read.</exception>
    public static TraceReader Open(IReadOnlyList<string> paths, TraceOpenOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        if (paths.Count == 0)
        {
            throw new ArgumentException("No trace is named.", nameof(paths));
        }

        var readers = new List<TraceReader>(paths.Count);
        try
        {
            foreach (string path in paths)
            {
                AddReaders(readers, path, options ?? TraceOpenOptions.Default);
            }

            return readers is [var only] ? only : new MergedTraceReader(readers, paths[0]);
        }
        catch
        {
            readers.ForEach(reader => reader.Dispose());
            throw;
        }
    }

    // What is not taken over yet is closed here when one of them does not open.
    static void AddReaders(List<TraceReader> readers, string path, TraceOpenOptions options)
    {
        IReadOnlyList<TraceInput> inputs = OpenInputs(path, out TraceFormat format);
        int opened = 0;
        try
        {
            for (; opened < inputs.Count; opened++)
            {
                readers.Add(Open(inputs[opened], format, options));
            }
        }
        catch
        {
            foreach (TraceInput input in inputs.Skip(opened))
            {
                input.Dispose();
            }

            throw;
        }
    }

    /// <summary>Opens the bytes of a trace.</summary>
    /// <param name="path">A file, or <c>-</c> for standard input.</param>
    /// <param name="format">What they are.</param>
    /// <returns>
    /// The (decompressed) bytes; positioned for an .etl file, which is read at many places; of several .etl in a bundle the first. The
    /// caller closes it.
    /// </returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">It is no trace of a format that is read.</exception>
    public static TraceInput OpenInput(string path, out TraceFormat format)
    {
        IReadOnlyList<TraceInput> inputs = OpenInputs(path, out format);
        foreach (TraceInput input in inputs.Skip(1))
        {
            input.Dispose();
        }

        return inputs[0];
    }

    /// <summary>Opens the bytes of a trace that may be spread over several files of a bundle.</summary>
    /// <param name="path">A file, or <c>-</c> for standard input.</param>
    /// <param name="format">What they are.</param>
    /// <returns>The (decompressed) bytes, one input but for several .etl in a bundle; positioned for .etl. The caller closes them.</returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">It is no trace of a format that is read.</exception>
    public static IReadOnlyList<TraceInput> OpenInputs(string path, out TraceFormat format)
    {
        TraceInput source = TraceInputs.Open(path);
        TraceInput input = TraceInputs.ShowHead(source, HeadBytes, out ReadOnlyMemory<byte> head);
        try
        {
            format = Detect(path, head.Span);
            if (format != TraceFormat.Etl)
            {
                return [input];
            }

            if (source.Bundle is not { } bundle
                || BundleReader.ReadManifest(path, bundle, out _) is not { } manifest
                || BundleReader.Traces(manifest) is not { Length: > 1 } pieces)
            {
                return [TraceInputs.MakeSeekable(input)];
            }

            using (input)
            {
                return OpenPieces(path, bundle, pieces);
            }
        }
        catch
        {
            input.Dispose();
            throw;
        }
    }

    // One after the other: of one zip only one file is unpacked at a time.
    static List<TraceInput> OpenPieces(string path, ZipArchive bundle, BundleFile[] pieces)
    {
        var inputs = new List<TraceInput>(pieces.Length);
        try
        {
            foreach (BundleFile piece in pieces)
            {
                inputs.Add(TraceInputs.MakeSeekable(new StreamInput($"{path}/{piece.Name}", BundleReader.Open(bundle, piece))));
            }

            return inputs;
        }
        catch
        {
            inputs.ForEach(input => input.Dispose());
            throw;
        }
    }

    /// <summary>Detects the format of bytes that are read front to back.</summary>
    /// <param name="source">Not read from yet; owned by what is returned, or closed.</param>
    /// <param name="format">What they are.</param>
    /// <returns>The same bytes; positioned for an .etl file.</returns>
    /// <exception cref="TraceInputException">They cannot be spooled.</exception>
    /// <exception cref="TraceFormatException">They are no trace of a format that is read.</exception>
    internal static TraceInput WithFormat(TraceInput source, out TraceFormat format)
    {
        try
        {
            byte[] head = new byte[HeadBytes];
            head = head[..source.Read(head)];
            format = Detect(source.Path, head);
            var input = new PrefixedInput(head, source);
            return format == TraceFormat.Etl ? TraceInputs.MakeSeekable(input) : input;
        }
        catch
        {
            source.Dispose();
            throw;
        }
    }

    /// <summary>Detects the format of a trace without reading it.</summary>
    /// <param name="path">For the message.</param>
    /// <param name="head">Its first 76 bytes, or all if there are fewer.</param>
    /// <exception cref="TraceFormatException">It is none of a format that is read.</exception>
    internal static TraceFormat Detect(string path, ReadOnlySpan<byte> head) =>
        FormatOf(head) ?? throw new TraceFormatException(
            path, 0, -1, "an .etl, .pcapng or .pcap trace", head.StartsWith(DecisionLog) ? FoundDecisionLog : FoundBytes.Describe(head));

    /// <summary>Detects the format of a trace without reading it.</summary>
    /// <param name="head">Its first 76 bytes, or all if there are fewer.</param>
    /// <returns>The format; null when it is none that is read.</returns>
    internal static TraceFormat? FormatOf(ReadOnlySpan<byte> head) =>
        PcapngBlockScanner.IsSectionHeader(head) ? TraceFormat.Pcapng
        : PcapReader.IsPcap(head) ? TraceFormat.Pcap
        : IsEtl(head) ? TraceFormat.Etl
        : null;

    static bool IsEtl(ReadOnlySpan<byte> head) =>
        head.Length >= HeadBytes
        && BinaryPrimitives.ReadUInt32LittleEndian(head[EtlMarkerOffset..]) is EtlMarker32 or EtlMarker64;

    /// <summary>Reads bytes whose format is known.</summary>
    /// <param name="input">From <see cref="OpenInput"/>; closed with the reader.</param>
    /// <param name="format">What they are.</param>
    /// <param name="options">What to read.</param>
    /// <returns>The records; the caller closes it.</returns>
    /// <exception cref="TraceFormatException">They are not of that format.</exception>
    public static TraceReader Open(TraceInput input, TraceFormat format, TraceOpenOptions options) => format switch
    {
        TraceFormat.Pcapng => PcapngReader.Open(input, options),
        TraceFormat.Pcap => PcapReader.Open(input, options),
        _ => EtlTraceReader.Open(input, options),
    };
}

/// <summary>The kinds of trace file, recognised by their first bytes and never by their name.</summary>
public enum TraceFormat
{
    /// <summary>Event Trace Log of Windows (docs/formats/etl.md).</summary>
    Etl,

    /// <summary>PCAP Next Generation (draft-ietf-opsawg-pcapng).</summary>
    Pcapng,

    /// <summary>Classic libpcap, microsecond or nanosecond (draft-ietf-opsawg-pcap).</summary>
    Pcap,
}

/// <summary>What to read of a trace.</summary>
public sealed record TraceOpenOptions
{
    /// <summary>Everything.</summary>
    public static TraceOpenOptions Default { get; } = new();

    /// <summary>
    /// Whether events of the TCP stack are decoded. When not, journal entries of a pcapng file come as
    /// <see cref="TraceRecordKind.Block"/>, as a filter that passes them on needs them.
    /// </summary>
    public bool DecodeStackEvents { get; init; } = true;

    /// <summary>
    /// Whether NDIS packets of an .etl trace are handed out at every filter layer they pass; else only at one layer of each adapter,
    /// its own where it was captured. PktMon's components always are, repeats marked.
    /// </summary>
    public bool AllLayers { get; init; }

    /// <summary>
    /// Whether somebody waits for what a pipe brings: packets are handed on as they arrive, in smaller pieces, which costs a
    /// fast input some speed. An .etl trace is read from its end, live or not.
    /// </summary>
    public bool IsLive { get; init; }
}
