using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Threading;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Buffers;
using TcpDiag.Traces.Input;

namespace TcpDiag.Redaction.Verification;

/// <summary>
/// Searches a redacted file for the replaced values, in two ways. It reads the file as a redaction does, and so finds every name and address wherever one
/// can occur: each must be a pseudonym. And it searches every byte, also in the files of a bundle and in compressed buffers, for all values long enough not
/// to occur by chance. A value that is also a pseudonym of another (as addresses of a small network are) proves nothing and is not reported.
/// </summary>
public static class RedactionVerifier
{
    const string BytesSource = "bytes";

    /// <summary>Verifies a file.</summary>
    /// <param name="names">The pseudonyms that the file was redacted with.</param>
    /// <param name="path">The redacted file.</param>
    /// <param name="cancellation">Cancels the work.</param>
    /// <returns>What was found.</returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">It is not a trace.</exception>
    public static RedactionVerification Verify(Pseudonyms names, string path, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(names);
        using var met = Pseudonyms.ForVerification();
        TraceRedactor.Redact(met, path, Stream.Null, cancellation);
        List<RedactionLeak> leaks = [.. Compare(names.Originals, met.Originals)];
        var search = new ByteSearch(names.Originals, new FileInfo(path).Length);
        SearchFile(search, path, cancellation);
        leaks.AddRange(search.Leaks);
        bool isComplete = names.Originals.IsComplete && met.Originals.IsComplete;
        return new RedactionVerification(search.Bytes, search.ValuesSearched, search.ValuesLeftOut, isComplete, leaks);
    }

    static IEnumerable<RedactionLeak> Compare(OriginalValues originals, OriginalValues met) =>
    [
        .. LeaksOf(RedactionKind.Words, met.Words, originals.IsLeakInText),
        .. LeaksOf(RedactionKind.Ipv4Addresses, met.Addresses, address => address.IsIpv4 && originals.IsLeak(address)),
        .. LeaksOf(RedactionKind.Ipv6Addresses, met.Addresses, address => !address.IsIpv4 && originals.IsLeak(address)),
        .. LeaksOf(RedactionKind.MacAddresses, met.Macs, originals.IsLeak),
        .. LeaksOf(RedactionKind.SecurityIds, met.SecurityIds.FirstSeen, originals.SecurityIds.IsLeak),
        .. LeaksOf(RedactionKind.Guids, met.Guids.FirstSeen, originals.Guids.IsLeak),
        .. originals.LeakedBy(met.Networks.FirstSeen.Keys).GroupBy(network => (OriginalValues.KindOf(network.Address), met.Networks.FirstSeen[network]))
            .Select(group => new RedactionLeak(group.Key.Item1, group.Key.Item2, group.Count(), null)),
    ];

    static IEnumerable<RedactionLeak> LeaksOf<T>(RedactionKind kind, IReadOnlyDictionary<T, string> met, Func<T, bool> isLeak) =>
        met.Where(value => isLeak(value.Key)).CountBy(value => value.Value).Select(group => new RedactionLeak(kind, group.Key, group.Value, null));

    static void SearchFile(ByteSearch search, string path, CancellationToken cancellation)
    {
        if (TraceBundle.ReadManifest(path) is not { } manifest)
        {
            SearchTrace(search, TraceFile.OpenInput(path, out TraceFormat format), format, BytesSource, cancellation);
            return;
        }

        using ZipArchive archive = TraceInputs.OpenArchive(path) ?? throw new TraceInputException(path, "no bundle any more");
        foreach (ZipArchiveEntry entry in archive.Entries)
        {
            Stream stream = entry.Open();
            if (manifest.Files.Any(file => file.Kind is BundleManifest.TraceKind && string.Equals(file.Name, entry.FullName, StringComparison.Ordinal)))
            {
                SearchTrace(search, TraceFile.WithFormat(new StreamInput(path, stream), out TraceFormat format), format, entry.FullName, cancellation);
                continue;
            }

            using (stream)
            {
                search.Search(stream, entry.FullName, cancellation);
            }
        }
    }

    // Buffers of an .etl file may be compressed: their unpacked contents are searched.
    static void SearchTrace(ByteSearch search, TraceInput input, TraceFormat format, string source, CancellationToken cancellation)
    {
        if (format != TraceFormat.Etl)
        {
            using var bytes = new InputStream(input);
            search.Search(bytes, source, cancellation);
            return;
        }

        using EtlFile file = EtlFile.Open(input);
        using var buffer = new EtlBuffer(input, file.ProblemLog);
        byte[] header = new byte[EtlBufferHeader.Length];
        foreach (EtlBufferEntry entry in file.Entries)
        {
            buffer.Load(entry);
            byte[] bytes = entry.IsCompressed ? [.. header, .. buffer.Rest] : new byte[entry.StoredBytes];
            input.ReadAt(entry.Offset, entry.IsCompressed ? bytes.AsSpan(0, header.Length) : bytes);
            using var stream = new MemoryStream(bytes);
            search.Search(stream, source, cancellation);
        }
    }
}

/// <summary>The result of a verification.</summary>
/// <param name="BytesSearched">Bytes searched, after unpacking.</param>
/// <param name="ValuesSearched">Distinct values searched for in every byte.</param>
/// <param name="ValuesOnlyRead">
/// Distinct values searched for only where names and addresses are read: too short or too common to rule out chance among all bytes.
/// </param>
/// <param name="IsComplete">Whether all values were recorded; false with a hostile number of names.</param>
/// <param name="Leaks">The original values found.</param>
public sealed record RedactionVerification(long BytesSearched, long ValuesSearched, long ValuesOnlyRead, bool IsComplete, IReadOnlyList<RedactionLeak> Leaks)
{
    /// <summary>Whether nothing was found and nothing left out.</summary>
    public bool HasPassed => IsComplete && Leaks.Count == 0;
}

/// <summary>Original values that a verification has found in a redacted file.</summary>
/// <param name="Kind">Their kind.</param>
/// <param name="Source">Where: <c>packets and events</c> as read, <c>bytes</c> of the file, or the name of a file in a bundle.</param>
/// <param name="Count">How many.</param>
/// <param name="FirstOffset">Offset of the first one in the unpacked bytes; null if it was found by reading.</param>
public sealed record RedactionLeak(RedactionKind Kind, string Source, long Count, long? FirstOffset);
