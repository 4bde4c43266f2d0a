using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Threading;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;

namespace TcpDiag.Redaction.Bundles;

/// <summary>
/// Redacts a bundle file by file into a new one with its own hashes: the traces first, then the texts, all of which are learnt from before the first is
/// written, so that their order does not decide what stays. A file that is not understood is left out.
/// </summary>
sealed class BundleRedactor(Pseudonyms names)
{
    // A snapshot of a busy server has some 10 MB.
    const int MaxTextBytes = 64 << 20;

    static readonly string[] OwnNames = ["trace.etl", "trace.pcapng", "snapshot.json", "snapshot-end.json", "journal.jsonl"];

    const string OwnRemark = "Redacted by tcpdiag: names and addresses are pseudonyms, payload is removed.";

    readonly JsonRedactor _json = new(names);
    readonly List<TraceProblem> _problems = [];

    public IReadOnlyList<TraceProblem> Run(string path, ZipArchive archive, BundleManifest manifest, Stream output, CancellationToken cancellation)
    {
        using var bundle = new BundleWriter(new HashingStream(output, static (_, _) => { }));
        ILookup<bool, (BundleFile File, string Name)> files = manifest.Files.Select((file, index) => (file, NameOf(file, index + 1)))
            .ToLookup(one => one.file.Kind is BundleManifest.TraceKind);
        foreach ((BundleFile file, string name) in files[true])
        {
            AddTrace(bundle, name, file, OpenTrace(path, archive, file), cancellation);
        }

        foreach ((BundleFile file, _) in files[false])
        {
            Learn(file, archive);
        }

        Learn(manifest);
        foreach ((BundleFile file, string name) in files[false])
        {
            AddText(bundle, name, file, archive);
        }

        names.Originals.Source = BundleManifest.FileName;
        bundle.Complete(Redact(manifest));
        names.Originals.Source = OriginalValues.Packets;
        return _problems;
    }

    static string NameOf(BundleFile file, int number) =>
        OwnNames.Contains(file.Name) ? file.Name : string.Create(CultureInfo.InvariantCulture, $"{file.Kind}-{number}{ExtensionOf(file.Name)}");

    static string ExtensionOf(string name) =>
        Path.GetExtension(name) is ".etl" or ".pcapng" or ".pcap" or ".json" or ".jsonl" ? Path.GetExtension(name) : ".bin";

    BundleManifest Redact(BundleManifest manifest) => manifest with
    {
        OperatingSystem = names.ReplaceText(manifest.OperatingSystem, TextRule.Names),
        Engine = names.ReplaceText(manifest.Engine, TextRule.Names),
        Tool = names.ReplaceText(manifest.Tool, TextRule.Names),
        Match = names.ReplaceText(manifest.Match),
        StopReason = names.ReplaceText(manifest.StopReason, TextRule.Sentence),
        Remarks = [.. manifest.Remarks.Append(OwnRemark).Distinct(StringComparer.Ordinal).Select(remark => names.ReplaceText(remark, TextRule.Sentence))],
    };

    void Learn(BundleManifest manifest)
    {
        names.Originals.Source = BundleManifest.FileName;
        names.Learn(manifest.Match, TextRule.Ordinary);
        foreach (string text in manifest.Remarks.Prepend(manifest.StopReason))
        {
            names.Learn(text, TextRule.Sentence);
        }
    }

    static StreamInput OpenTrace(string path, ZipArchive archive, BundleFile file)
    {
        try
        {
            return new StreamInput(path, BundleReader.Open(archive, file));
        }
        catch (InvalidDataException exception)
        {
            throw new TraceInputException(path, $"damaged bundle: {file.Name}: {exception.Message}", exception);
        }
    }

    void AddTrace(BundleWriter bundle, string name, BundleFile file, StreamInput source, CancellationToken cancellation)
    {
        using Stream target = bundle.Create(name, file.Kind);
        TraceInput input = TraceFile.WithFormat(source, out TraceFormat format);
        _problems.AddRange(TraceRedactor.Redact(names, input, format, target, cancellation));
    }

    void Learn(BundleFile file, ZipArchive archive)
    {
        names.Originals.Source = file.Name;
        try
        {
            using Stream source = BundleReader.Open(archive, file);
            byte[] bytes = ReadText(source);
            if (file.Kind is BundleManifest.SnapshotKind)
            {
                _json.Learn(bytes);
            }
            else if (file.Kind is BundleManifest.JournalKind)
            {
                _json.LearnLines(Encoding.UTF8.GetString(bytes));
            }
        }
        catch (Exception exception) when (exception is IOException or InvalidDataException)
        {
            // Redacting it reports the damage.
        }
    }

    void AddText(BundleWriter bundle, string name, BundleFile file, ZipArchive archive)
    {
        names.Originals.Source = file.Name;
        try
        {
            using Stream source = BundleReader.Open(archive, file);
            byte[] redacted = RedactText(name, file, source);
            bundle.Add(name, file.Kind, new MemoryStream(redacted));
        }
        catch (Exception exception) when (exception is JsonException or IOException or InvalidDataException)
        {
            names.Counts.Add(RedactionKind.Files);
            _problems.Add(new TraceProblem(0, $"{name} of the bundle was left out: {exception.Message}"));
        }
    }

    byte[] RedactText(string name, BundleFile file, Stream source) => file.Kind switch
    {
        BundleManifest.SnapshotKind => RedactSnapshot(name, ReadText(source)),
        BundleManifest.JournalKind => _json.RedactLines(Encoding.UTF8.GetString(ReadText(source))),
        _ => throw new InvalidDataException("files of its kind are not known"),
    };

    // JSON that is no snapshot is redacted too, and remains a file that no analysis reads.
    byte[] RedactSnapshot(string name, byte[] json)
    {
        byte[] redacted = _json.Redact(json, isIndented: true);
        if (TraceBundle.ParseSnapshot(json, out string? damage) is null)
        {
            _problems.Add(new TraceProblem(0, $"{name} of the bundle cannot be read: {damage}"));
        }

        return redacted;
    }

    static byte[] ReadText(Stream source)
    {
        using var bytes = new MemoryStream();
        byte[] piece = new byte[1 << 16];
        for (int count = source.Read(piece); count > 0; count = source.Read(piece))
        {
            if (bytes.Length + count > MaxTextBytes)
            {
                throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"expected at most {MaxTextBytes} bytes"));
            }

            bytes.Write(piece, 0, count);
        }

        return bytes.ToArray();
    }
}
