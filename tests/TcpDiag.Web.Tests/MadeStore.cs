using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Store;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Testing;

namespace TcpDiag.Web.Tests;

/// <summary>A store in a folder of its own: recordings that are made up, and fixtures that are read.</summary>
sealed class MadeStore : IDisposable
{
    /// <summary>Weeks from 1970 to that in which most recordings are; in the next but one lie the fixtures.</summary>
    public const long Weeks = 2966;

    /// <summary>Nanoseconds of a week.</summary>
    public const long Week = 7L * 86_400_000_000_000;

    public string Folder { get; } = Directory.CreateTempSubdirectory("tcpdiag-web-").FullName;

    public string Path => System.IO.Path.Combine(Folder, "results.db");

    /// <summary>A hash for a number.</summary>
    public static string Source(int number) => FormattableString.Invariant($"{number:x64}");

    public IResultStore Open() => ResultStores.Open(Path, isCreated: true);

    public void Dispose() => Directory.Delete(Folder, recursive: true);

    /// <summary>Reads a fixture into the store.</summary>
    /// <returns>Its SHA-256, and the copy that was read.</returns>
    public (string Source, string File) AddFixture(string name)
    {
        string file = System.IO.Path.Combine(Folder, name);
        File.Copy(ProjectFolder.Fixture(name), file);
        using IResultStore store = Open();
        return (RecordingIntake.Add(store, file, new RecordingLabels()).File.Sha256, file);
    }

    /// <summary>Adds recordings of machines on builds, one for each of two weeks.</summary>
    /// <param name="builds">The builds, each with six machines.</param>
    /// <param name="connections">Connections of each recording.</param>
    public void AddFleet(IReadOnlyList<string> builds, int connections = 2)
    {
        using IResultStore store = Open();
        int number = 1;
        for (int build = 0; build < builds.Count; build++)
        {
            for (int machine = 0; machine < 6; machine++)
            {
                for (int week = 0; week < 2; week++)
                {
                    store.Add(Recording(new(Source(number++), (Weeks + week) * Week, FormattableString.Invariant($"m-{build}-{machine}"), null, "windows",
                        builds[build], "nic"), connections));
                }
            }
        }
    }

    /// <summary>A recording that is made up.</summary>
    /// <param name="head">What it is.</param>
    /// <param name="connections">Its connections, each with both directions and a finding.</param>
    /// <param name="values">Columns that are so in every table that has them.</param>
    public static ResultRows Recording(RowHead head, int connections, params (string Column, object Value)[] values) =>
        new(ResultKind.Analysis, head, new Version(1, 0),
    [
        Rows(StoreSchema.Recordings, head, 1, [("connections", connections), .. values]),
        Rows(StoreSchema.Find("connection")!, head, connections, values),
        Rows(StoreSchema.Directions, head, connections, [("sender", "client"), .. values]),
        Rows(StoreSchema.Findings, head, connections, values),
    ]);

    static RowBatch Rows(StoreTable table, RowHead head, int count, params (string Column, object Value)[] values) =>
        new(table, Enumerable.Range(0, count).Select(number => table.Columns.Select(column => Value(column, head, number, values)).ToArray()));

    static StoreValue Value(StoreColumn column, RowHead head, int number, (string Column, object Value)[] values)
    {
        if (values.FirstOrDefault(value => string.Equals(value.Column, column.Name, StringComparison.Ordinal)).Value is { } given)
        {
            return given is string text ? StoreValue.Of(text) : StoreValue.Of(Convert.ToInt64(given, System.Globalization.CultureInfo.InvariantCulture));
        }

        return column.Name switch
        {
            RowHead.SourceName => StoreValue.Of(head.Source),
            "started_ns" => StoreValue.Of(head.StartedNanos),
            "week" => StoreValue.Of(head.StartedNanos is { } nanos ? WeekOf(nanos) : null),
            "machine" => StoreValue.Of(head.Machine),
            "site" => StoreValue.Of(head.Site),
            "platform" => StoreValue.Of(head.Platform),
            "build" => StoreValue.Of(head.Build),
            "nic" => StoreValue.Of(head.Nic),
            "connection" or "position" => StoreValue.Of(number),
            "finding" or "first_finding" => StoreValue.Of("path-loss"),
            "severity" or "worst" => StoreValue.Of("warning"),
            "unique_bytes" => StoreValue.Of(10_000_000 + number),
            "goodput_bps" => StoreValue.Of(40_000_000 + (head.Source[^1] * 100_000) + number),
            "active_ns" => StoreValue.Of(2_000_000_000),
            "lost_ns" => StoreValue.Of(1_000_000 * (number + 1)),
            "round_trip_min_ns" => StoreValue.Of(20_000_000),
            "is_simulated" or "is_description" => StoreValue.Of(0),
            _ => column.Kind is ColumnKind.Number or ColumnKind.Flag ? StoreValue.None : StoreValue.Of(column.IsRequired ? "client" : null),
        };
    }

    // 1970-01-01 was a Thursday.
    static string WeekOf(long nanos)
    {
        long day = nanos / (Week / 7);
        return DateTime.UnixEpoch.AddDays(day - ((day + 3) % 7)).ToString("yyyy-MM-dd", System.Globalization.CultureInfo.InvariantCulture);
    }
}
