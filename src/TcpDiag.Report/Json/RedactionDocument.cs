using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Redaction;
using TcpDiag.Redaction.Verification;
using TcpDiag.Traces;

namespace TcpDiag.Report.Json;

/// <summary>What <c>tcpdiag redact --json</c> prints (docs/schemas/redaction.json).</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="DryRun">Whether nothing was written.</param>
/// <param name="Files">The files.</param>
/// <param name="Kinds">What was replaced and removed in all of them; kinds that did not occur are left out.</param>
/// <param name="Values">The names and addresses themselves; null unless nothing was written.</param>
public sealed record RedactionDocument(
    string Schema,
    bool DryRun,
    IReadOnlyList<RedactedFileEntry> Files,
    IReadOnlyList<RedactedKindEntry> Kinds,
    IReadOnlyList<RedactedValueEntry>? Values)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/redaction/1";

    /// <summary>Puts a document together.</summary>
    public static RedactionDocument From(bool isDryRun, IReadOnlyList<RedactedFileEntry> files, Pseudonyms names)
    {
        ArgumentNullException.ThrowIfNull(names);
        IEnumerable<RedactedKindEntry> kinds =
            from kind in Enum.GetValues<RedactionKind>()
            where names.Counts[kind] > 0
            select new RedactedKindEntry(NameOf(kind), names.Counts[kind], names.Originals.Distinct(kind), IsRemoved(kind) ? "removed" : "replaced");
        IEnumerable<RedactedValueEntry> values = names.Originals.List().Select(value => new RedactedValueEntry(NameOf(value.Kind), value.Value, value.Source));
        return new RedactionDocument(SchemaName, isDryRun, files, [.. kinds], isDryRun ? [.. values] : null);
    }

    /// <summary>What a file's redaction came to.</summary>
    /// <param name="input">The file as the user named it.</param>
    /// <param name="output">The result, or null.</param>
    /// <param name="problems">What could not be read.</param>
    /// <param name="verification">What a verification has found, or null.</param>
    public static RedactedFileEntry File(string input, string? output, IReadOnlyList<TraceProblem> problems, RedactionVerification? verification) => new(
        input,
        output,
        [.. problems.Select(problem => new InfoDocument.Problem(problem.OffsetBytes, problem.Message))],
        verification is null ? null : new RedactionVerificationEntry(
            verification.HasPassed,
            verification.BytesSearched,
            verification.ValuesSearched,
            verification.ValuesOnlyRead,
            [.. verification.Leaks.Select(leak => new RedactionLeakEntry(NameOf(leak.Kind), leak.Source, leak.Count, leak.FirstOffset))]));

    /// <summary>Writes the document.</summary>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.WriteLine(JsonSerializer.Serialize(this, RedactionJsonContext.Default.RedactionDocument));
    }

    static bool IsRemoved(RedactionKind kind) => kind
        is RedactionKind.PayloadBytes or RedactionKind.UnknownEvents or RedactionKind.OpaqueEventBytes
        or RedactionKind.Blocks or RedactionKind.Options or RedactionKind.Files;

    static string NameOf(RedactionKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());
}

/// <summary>A file that was redacted.</summary>
/// <param name="Input">As the user named it.</param>
/// <param name="Output">The result; null with --dry-run.</param>
/// <param name="Problems">What could not be read, and therefore is not in the result.</param>
/// <param name="Verification">What a search of the result has found; null where there was none.</param>
/// <param name="Removed">Whether the result was removed for what was found in it.</param>
public sealed record RedactedFileEntry(
    string Input, string? Output, IReadOnlyList<InfoDocument.Problem> Problems, RedactionVerificationEntry? Verification, bool Removed = false);

/// <summary>What was replaced or removed of one kind.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Count">How many occurrences, or bytes.</param>
/// <param name="Distinct">Distinct values; null where they are not kept.</param>
/// <param name="Action">replaced or removed.</param>
public sealed record RedactedKindEntry(string Kind, long Count, long? Distinct, string Action);

/// <summary>A name or an address that was recognised.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Value">The value; words in lower case.</param>
/// <param name="Place">Where it was first found: packets and events, or a file of a bundle.</param>
public sealed record RedactedValueEntry(string Kind, string Value, string Place);

/// <summary>What a verification has found.</summary>
/// <param name="Passed">Whether nothing was found and nothing had to be left out.</param>
/// <param name="BytesSearched">Bytes searched, unpacked ones included.</param>
/// <param name="ValuesSearched">Distinct values that every byte was searched for.</param>
/// <param name="ValuesOnlyRead">Distinct values that were looked for only where names and addresses are read.</param>
/// <param name="Leaks">What was found; never the values.</param>
public sealed record RedactionVerificationEntry(
    bool Passed, long BytesSearched, long ValuesSearched, long ValuesOnlyRead, IReadOnlyList<RedactionLeakEntry> Leaks);

/// <summary>Original values found in a redacted file.</summary>
/// <param name="Kind">What they are.</param>
/// <param name="Place">Where.</param>
/// <param name="Count">How many.</param>
/// <param name="FirstOffset">Offset of the first one in the unpacked bytes; null where it was found in a decoded name or address.</param>
public sealed record RedactionLeakEntry(string Kind, string Place, long Count, long? FirstOffset);

/// <summary>Serialises what <c>tcpdiag redact</c> prints without reflection: camelCase names, null for unknown values.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true, NewLine = "\n")]
[JsonSerializable(typeof(RedactionDocument))]
sealed partial class RedactionJsonContext : JsonSerializerContext;
