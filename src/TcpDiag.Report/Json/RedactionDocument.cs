using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Traces;
using TcpDiag.Traces.Redaction;
using TcpDiag.Traces.Redaction.Verification;

namespace TcpDiag.Report.Json;

/// <summary>What <c>tcpdiag redact --json</c> prints (docs/schemas/redaction.json).</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="DryRun">Whether nothing was written.</param>
/// <param name="Files">The files.</param>
/// <param name="Kinds">What was replaced and removed in all of them; kinds that were not met are left out.</param>
/// <param name="Values">The names and addresses themselves; null unless nothing was written.</param>
public sealed record RedactionDocument(string Schema, bool DryRun, IReadOnlyList<RedactedFileEntry> Files, IReadOnlyList<RedactedKindEntry> Kinds, IReadOnlyList<RedactedValueEntry>? Values)
{
    /// <summary>Name and number of the schema.</summary>
    public const string SchemaName = "tcpdiag/redaction/1";

    /// <summary>Puts a document together.</summary>
    /// <param name="isDryRun">Whether nothing was written.</param>
    /// <param name="files">The files.</param>
    /// <param name="names">What was replaced.</param>
    /// <returns>The document.</returns>
    public static RedactionDocument From(bool isDryRun, IReadOnlyList<RedactedFileEntry> files, Pseudonyms names)
    {
        ArgumentNullException.ThrowIfNull(names);
        IEnumerable<RedactedKindEntry> kinds =
            from kind in Enum.GetValues<RedactionKind>()
            where names.Tally[kind] > 0
            select new RedactedKindEntry(NameOf(kind), names.Tally[kind], names.Originals.Distinct(kind), IsRemoved(kind) ? "removed" : "replaced");
        IEnumerable<RedactedValueEntry> values = names.Originals.List().Select(value => new RedactedValueEntry(NameOf(value.Kind), value.Value, value.Place));
        return new RedactionDocument(SchemaName, isDryRun, files, [.. kinds], isDryRun ? [.. values] : null);
    }

    /// <summary>What a file's redaction came to.</summary>
    /// <param name="input">The file as the user named it.</param>
    /// <param name="output">The result, or null.</param>
    /// <param name="problems">What could not be read.</param>
    /// <param name="verification">What a verification has found, or null.</param>
    /// <returns>The entry.</returns>
    public static RedactedFileEntry File(string input, string? output, IReadOnlyList<TraceProblem> problems, RedactionVerification? verification) => new(
        input,
        output,
        [.. problems.Select(problem => new InfoDocument.Problem(problem.OffsetBytes, problem.Message))],
        verification is null ? null : new RedactionVerificationEntry(
            verification.HasPassed,
            verification.BytesSearched,
            verification.ValuesSearched,
            verification.ValuesOnlyRead,
            [.. verification.Leaks.Select(leak => new RedactionLeakEntry(NameOf(leak.Kind), leak.Place, leak.Count, leak.FirstOffset))]));

    /// <summary>Writes the document.</summary>
    /// <param name="output">Where to.</param>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.WriteLine(JsonSerializer.Serialize(this, RedactionJsonContext.Default.RedactionDocument));
    }

    static bool IsRemoved(RedactionKind kind) => kind
        is RedactionKind.PayloadBytes or RedactionKind.UnknownEvents or RedactionKind.OpaqueEventBytes or RedactionKind.Blocks or RedactionKind.Options or RedactionKind.Files;

    static string NameOf(RedactionKind kind) => JsonNamingPolicy.CamelCase.ConvertName(kind.ToString());
}
