using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.Json;
using TcpDiag.Analysis.Results;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>What every row begins with: what it was made from, when, and on which machine.</summary>
/// <param name="Source">SHA-256 of the file or result it was made from, lower-case hexadecimal.</param>
/// <param name="StartedNanos">When the recording or experiment began, nanoseconds since the Unix epoch; null when unknown.</param>
/// <param name="Machine">Pseudonym of the machine; null when nothing tells which it was.</param>
/// <param name="Site">What the user calls the place; null when not named.</param>
/// <param name="Platform">windows, linux; null when unknown.</param>
/// <param name="Build">Build of Windows or release of the kernel; null when unknown.</param>
/// <param name="Nic">Network adapter or its driver; null when unknown.</param>
public sealed record RowHead(string Source, long? StartedNanos, string? Machine, string? Site, string? Platform, string? Build, string? Nic)
{
    /// <summary>Name of the column that says what a row was made from.</summary>
    public const string SourceName = "source";

    const long NanosPerDay = 86_400_000_000_000;

    /// <summary>The columns, and their values.</summary>
    internal static IReadOnlyList<(StoreColumn Column, Func<RowHead, StoreValue> Value)> Columns { get; } =
    [
        (new(SourceName, ColumnKind.Text, "SHA-256 of the file it was made from") { IsRequired = true }, head => StoreValue.Of(head.Source)),
        (new("started_ns", ColumnKind.Number, "beginning of the recording, since 1970-01-01 UTC"), head => StoreValue.Of(head.StartedNanos)),
        (new("week", ColumnKind.Day, "the Monday before it, UTC"), head => StoreValue.Of(head.Week)),
        (new("machine", ColumnKind.Word, "the recorded machine") { IsPersonal = true }, head => StoreValue.Of(head.Machine)),
        (new("site", ColumnKind.Word, "place, as the user named it"), head => StoreValue.Of(head.Site)),
        (new("platform", ColumnKind.Word, "windows, linux"), head => StoreValue.Of(head.Platform)),
        (new("build", ColumnKind.Word, "build of Windows, or release of the kernel"), head => StoreValue.Of(head.Build)),
        (new("nic", ColumnKind.Word, "network adapter, or its driver"), head => StoreValue.Of(head.Nic)),
    ];

    /// <summary>The names of the columns.</summary>
    public static IEnumerable<string> Names => Columns.Select(entry => entry.Column.Name);

    /// <summary>The Monday on or before its beginning, UTC.</summary>
    internal string? Week => StartedNanos is { } nanos ? WeekOf(nanos) : null;

    /// <summary>The Monday on or before an instant, UTC.</summary>
    /// <param name="nanos">Nanoseconds since the Unix epoch.</param>
    /// <returns>Year, month and day.</returns>
    internal static string WeekOf(long nanos)
    {
        long day = nanos >= 0 ? nanos / NanosPerDay : ((nanos + 1) / NanosPerDay) - 1;
        long monday = day - ((((day + 3) % 7) + 7) % 7); // 1970-01-01 was a Thursday
        return DateTime.UnixEpoch.AddDays(monday).ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
    }
}

/// <summary>Words for enumerations, those of the JSON documents: camelCase.</summary>
static class Names
{
    static readonly ConcurrentDictionary<Enum, string> Known = new();

    /// <summary>The word for a value.</summary>
    public static string Of(Enum value) => Known.GetOrAdd(value, static one => JsonNamingPolicy.CamelCase.ConvertName(one.ToString()));

    /// <summary>The word for evidence; null without any.</summary>
    public static string? OfEvidence(Evidence? evidence) => evidence is null or Evidence.None ? null : Of(evidence);
}
