using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Threading;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Redaction.Verification;

/// <summary>
/// Looks into a redacted file for the values that were replaced, in two ways. It reads the file as a redaction does, so that it meets every name and address where one can stand:
/// each must be a pseudonym. And it searches every byte, also inside the files of a bundle and compressed buffers, for everything that is long enough not to be met by chance.
/// A value that is also the pseudonym of another one (addresses of a small network are) says nothing and is not reported.
/// </summary>
public static class RedactionVerifier
{
    const string BytesPlace = "bytes";

    /// <summary>Verifies a file.</summary>
    /// <param name="names">What made it.</param>
    /// <param name="path">The redacted file.</param>
    /// <param name="cancellation">Ends the work.</param>
    /// <returns>What was found.</returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">It is no trace.</exception>
    public static RedactionVerification Verify(Pseudonyms names, string path, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(names);
        using var met = Pseudonyms.LookingThrough();
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
        .. Betrayed(RedactionKind.Words, met.Words, originals.IsBetrayedWhereRead),
        .. Betrayed(RedactionKind.Ipv4Addresses, met.Addresses, address => address.IsIpv4 && originals.IsBetrayed(address)),
        .. Betrayed(RedactionKind.Ipv6Addresses, met.Addresses, address => !address.IsIpv4 && originals.IsBetrayed(address)),
        .. Betrayed(RedactionKind.MacAddresses, met.Macs, originals.IsBetrayed),
        .. Betrayed(RedactionKind.SecurityIds, met.SecurityIds.Places, originals.SecurityIds.IsBetrayed),
        .. Betrayed(RedactionKind.Guids, met.Guids.Places, originals.Guids.IsBetrayed),
        .. originals.BetrayedBy(met.Networks.Places.Keys).GroupBy(network => (OriginalValues.KindOf(network.Address), met.Networks.Places[network]))
            .Select(place => new RedactionLeak(place.Key.Item1, place.Key.Item2, place.Count(), null)),
    ];

    static IEnumerable<RedactionLeak> Betrayed<T>(RedactionKind kind, IReadOnlyDictionary<T, string> met, Func<T, bool> isBetrayed) =>
        met.Where(value => isBetrayed(value.Key)).CountBy(value => value.Value).Select(place => new RedactionLeak(kind, place.Key, place.Value, null));

    static void SearchFile(ByteSearch search, string path, CancellationToken cancellation)
    {
        if (TraceBundle.ReadManifest(path) is not { } manifest)
        {
            SearchTrace(search, TraceFile.OpenInput(path, out TraceFormat format), format, BytesPlace, cancellation);
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

    // Buffers of an .etl file may be compressed: what counts is what they hold.
    static void SearchTrace(ByteSearch search, TraceInput input, TraceFormat format, string place, CancellationToken cancellation)
    {
        if (format != TraceFormat.Etl)
        {
            using var bytes = new InputStream(input);
            search.Search(bytes, place, cancellation);
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
            search.Search(stream, place, cancellation);
        }
    }
}
