using System;
using System.Linq;
using Spectre.Console;
using TcpDiag.Analysis.Results;
using TcpDiag.Report.Json;

namespace TcpDiag.Report;

/// <summary>The text form of a redaction: what was replaced and removed, by kind; in a dry run the values too; and what a verification found.</summary>
public static class RedactionReport
{
    const int KindWidth = 18;
    const int CountWidth = 14;
    const int DistinctWidth = 10;

    // A screen or two; a busy server has thousands.
    const int MaxValues = 100;

    /// <summary>Writes the report.</summary>
    public static void Write(IAnsiConsole console, RedactionDocument redaction)
    {
        string will = redaction.DryRun ? "to be " : string.Empty;
        Line(console, $"{"kind",-KindWidth}{"met",CountWidth}{"distinct",DistinctWidth}");
        foreach (RedactedKindEntry kind in redaction.Kinds)
        {
            string distinct = kind.Distinct is { } number ? Invariant($"{number}") : string.Empty;
            Line(console, Invariant($"{NameOf(kind.Kind),-KindWidth}{kind.Count,CountWidth}{distinct,DistinctWidth}  {will}{kind.Action}{Example(kind.Kind)}"));
        }

        foreach (IGrouping<string, RedactedValueEntry> kind in (redaction.Values ?? []).GroupBy(value => value.Kind, StringComparer.Ordinal))
        {
            WriteValues(console, kind.Key, [.. kind.Select(value => value.Value)]);
        }

        foreach (RedactedFileEntry file in redaction.Files)
        {
            Write(console, file);
        }
    }

    static void WriteValues(IAnsiConsole console, string kind, string[] values)
    {
        string rest = values.Length > MaxValues ? Invariant($"; the first {MaxValues}, --json has them all") : string.Empty;
        Line(console, Invariant($"\n{NameOf(kind)} ({values.Length}{rest}):"));
        foreach (string line in TerminalText.Wrap(SafeText.OneLine(string.Join(' ', values.Take(MaxValues))), console.Profile.Width - 2))
        {
            Line(console, "  " + line);
        }
    }

    static void Write(IAnsiConsole console, RedactedFileEntry file)
    {
        string target = SafeText.OneLine(file.Output ?? file.Input);
        if (file.Verification is not { } verification)
        {
            return;
        }

        string verdict = verification.Passed ? "verified" : "NOT CLEAN";
        string searched = $"{Quantity.Count(verification.BytesSearched, "byte")} searched for {Quantity.Count(verification.ValuesSearched, "value")}";
        Line(console, Invariant($"{target}: {verdict}; {searched}, {verification.ValuesOnlyRead} looked for only where they can stand"));
        foreach (RedactionLeakEntry leak in verification.Leaks)
        {
            string offset = leak.FirstOffset is { } first ? Invariant($", first at 0x{first:x}") : string.Empty;
            Line(console, Invariant($"  {NameOf(leak.Kind)}: {leak.Count} in {SafeText.OneLine(leak.Place)}{offset}"));
        }

        if (!verification.Passed && verification.Leaks.Count == 0)
        {
            Line(console, "  more names than can be remembered: not all were looked for");
        }

        if (file.Removed)
        {
            Line(console, "  removed: what is named above would be given away. --keep-unclean keeps it");
        }
    }

    // unknownEvents becomes "unknown events".
    static string NameOf(string kind) => string.Concat(kind.Select(letter => char.IsUpper(letter) ? $" {char.ToLowerInvariant(letter)}" : $"{letter}"));

    // Explains a kind by a value reserved for documentation.
    static string Example(string kind) => kind switch
    {
        "payloadBytes" => ", headers stay",
        "ipv4Addresses" => ", e.g. 192.0.2.1",
        "ipv6Addresses" => ", e.g. 2001:db8::1",
        "macAddresses" => ", e.g. 00:53:00:00:00:01",
        "words" => ", e.g. notes.exe",
        "dnsLabels" => ", e.g. www.example",
        "eventNames" => ", of own programs",
        "securityIds" => ", e.g. S-1-5-21-…",
        "guids" => ", e.g. of an adapter",
        "unknownEvents" => ", header stays",
        "opaqueEventBytes" => " or zeroed",
        "blocks" => ", e.g. TLS secrets",
        "options" => ", e.g. hashes",
        _ => string.Empty,
    };

    static void Line(IAnsiConsole console, string text) => console.Write(new Text(text + "\n"));

    static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
