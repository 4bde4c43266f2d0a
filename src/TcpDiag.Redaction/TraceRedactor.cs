using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Threading;
using TcpDiag.Redaction.Bundles;
using TcpDiag.Redaction.Events;
using TcpDiag.Redaction.Pcapng;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;

namespace TcpDiag.Redaction;

/// <summary>
/// Redacts traces and bundles so that they can be shared: payload is removed, names and addresses are replaced, and the analysis of connections stays the
/// same (docs/commands/redact.md).
/// </summary>
public static class TraceRedactor
{
    /// <summary>Redacts a file into the same format, in one pass and in memory that does not grow with it.</summary>
    /// <param name="names">The pseudonyms; the same instance for files that belong together.</param>
    /// <param name="path">A trace or a bundle, also compressed; <c>-</c> for standard input.</param>
    /// <param name="output">Receives the result, compressed only for bundles; may be closed. Need not seek.</param>
    /// <param name="cancellation">Cancels the work.</param>
    /// <returns>What could not be read and is therefore not in the result.</returns>
    /// <exception cref="TraceInputException">The file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">It is not a trace of a supported format.</exception>
    public static IReadOnlyList<TraceProblem> Redact(Pseudonyms names, string path, Stream output, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(names);
        ArgumentNullException.ThrowIfNull(output);
        if (path is TraceInputs.StandardInput)
        {
            return RedactStandardInput(names, output, cancellation);
        }

        if (TraceBundle.ReadManifest(path) is { } manifest)
        {
            using ZipArchive archive = TraceInputs.OpenArchive(path) ?? throw new TraceInputException(path, "no bundle any more");
            return new BundleRedactor(names).Run(path, archive, manifest, output, cancellation);
        }

        return Redact(names, TraceFile.OpenInput(path, out TraceFormat format), format, output, cancellation);
    }

    /// <summary>
    /// Collects the names in all files before the first is written, so that a name found in one of them stays in none. Only texts of bundles depend on
    /// it; a single file is learnt from while it is redacted.
    /// </summary>
    /// <param name="names">The pseudonyms.</param>
    /// <param name="paths">All files of the run.</param>
    /// <param name="cancellation">Cancels the work.</param>
    /// <exception cref="TraceInputException">A file cannot be opened.</exception>
    /// <exception cref="TraceFormatException">One is not a trace of a supported format.</exception>
    public static void Learn(Pseudonyms names, IReadOnlyList<string> paths, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(names);
        ArgumentNullException.ThrowIfNull(paths);
        if (paths.Count < 2 || !paths.Any(path => TraceBundle.ReadManifest(path) is not null))
        {
            return;
        }

        foreach (string path in paths)
        {
            Redact(names, path, Stream.Null, cancellation);
        }

        names.ResetCounts();
    }

    /// <summary>Redacts the bytes of a trace.</summary>
    /// <param name="names">The pseudonyms.</param>
    /// <param name="input">The bytes; closed.</param>
    /// <param name="format">Their format.</param>
    /// <param name="output">Receives the result.</param>
    /// <param name="cancellation">Cancels the work.</param>
    /// <returns>What could not be read.</returns>
    /// <exception cref="TraceFormatException">They are not of that format.</exception>
    public static IReadOnlyList<TraceProblem> Redact(
        Pseudonyms names, TraceInput input, TraceFormat format, Stream output, CancellationToken cancellation) => format switch
        {
            TraceFormat.Pcapng => new PcapngRedactor(names).Run(input, output, cancellation),
            TraceFormat.Pcap => new PcapRedactor(names).Run(input, output, cancellation),
            _ => new EtlRedactor(names).Run(input, output, cancellation),
        };

    // Standard input can be read only once: its format shows when it is opened.
    static IReadOnlyList<TraceProblem> RedactStandardInput(Pseudonyms names, Stream output, CancellationToken cancellation)
    {
        const string path = TraceInputs.StandardInput;
        TraceInput source = TraceInputs.Open(path);
        if (source.Bundle is not { } archive)
        {
            return Redact(names, TraceFile.WithFormat(source, out TraceFormat format), format, output, cancellation);
        }

        using (source)
        {
            BundleManifest manifest = BundleReader.ReadManifest(path, archive, out _) ?? throw new TraceInputException(path, "no bundle any more");
            return new BundleRedactor(names).Run(path, archive, manifest, output, cancellation);
        }
    }
}
