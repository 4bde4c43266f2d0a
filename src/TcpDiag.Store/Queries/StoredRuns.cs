using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Scores.RunSets;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Queries;

/// <summary>
/// The recordings of a store as runs that can be compared: <c>STORE@26100</c>, or <c>STORE@site=Berlin,build=26100</c>. A machine is one run in each class of
/// conditions, that of its median goodput, since its recordings are more alike than those of several machines.
/// </summary>
public static class StoredRuns
{
    const double NanosPerSecond = 1e9;
    const string Build = "build";

    /// <summary>Reads a set.</summary>
    /// <param name="text">A store, <c>@</c>, and which of its recordings.</param>
    /// <returns>The set; null where the text names no store.</returns>
    /// <exception cref="StoreException">The store cannot be read, or has no such column.</exception>
    /// <exception cref="RunSetException">It has no such recordings.</exception>
    public static RunSet? TryRead(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        int at = text.LastIndexOf('@');
        if (at <= text.LastIndexOf('/') + 1 || Directory.Exists(text) || !(ResultStores.IsServer(text[..at]) || File.Exists(text[..at])))
        {
            return null;
        }

        StoreFilter filter = Parse(text[(at + 1)..]);
        using IResultStore store = ResultStores.Open(text[..at]);
        StoredTransfer[] transfers = [.. Largest(store.Query(new StoreQuery(StoreSchema.Directions, StoredTransfer.Columns, filter)))];
        RunCell[] cells = [.. transfers.GroupBy(one => one.Key, StringComparer.Ordinal).OrderBy(cell => cell.Key, StringComparer.Ordinal).Select(Cell)];
        return cells.Length > 0
            ? new RunSet(text, Side: null, [], SystemOf(transfers), IsComplete: true, cells) { IsByMachine = true }
            : throw new RunSetException(
                $"{text}: expected recordings with a transfer of 100 kB or more, found none. tcpdiag store list --store {text[..at]} shows what is there.");
    }

    // 26100, or column=value, of what every row begins with.
    static StoreFilter Parse(string text)
    {
        StoreFilter filter = StoreFilter.All.And("unique_bytes", ConditionKind.Min, StoreValue.Of(PathClasses.MinBytes));
        foreach (string part in text.Split(','))
        {
            string[] pair = part.Split('=', 2);
            string column = pair.Length == 2 ? pair[0] : Build;
            if (!RowHead.Names.Contains(column, StringComparer.Ordinal) || pair[^1].Length == 0)
            {
                throw new StoreException($"@{text}: expected a build, or one of {string.Join(", ", RowHead.Names)} = a value; found '{part}'.");
            }

            bool isNumber = StoreSchema.Directions.Require(column).Kind == ColumnKind.Number;
            bool hasNumber = long.TryParse(pair[^1], NumberStyles.None, CultureInfo.InvariantCulture, out long number);
            filter = filter.And(column, ConditionKind.Is, isNumber && hasNumber ? StoreValue.Of(number) : StoreValue.Of(pair[^1]));
        }

        return filter;
    }

    // Rows of a recording come together.
    static IEnumerable<StoredTransfer> Largest(IEnumerable<StoreValue[]> rows)
    {
        StoredTransfer? largest = null;
        foreach (StoreValue[] row in rows)
        {
            StoredTransfer transfer = new(row);
            if (largest is not null && !string.Equals(largest.Source, transfer.Source, StringComparison.Ordinal))
            {
                yield return largest;
                largest = null;
            }

            largest = transfer.Goodput > 0 && !(largest?.Bytes >= transfer.Bytes) ? transfer : largest;
        }

        if (largest is not null)
        {
            yield return largest;
        }
    }

    static RunCell Cell(IGrouping<string, StoredTransfer> transfers)
    {
        IEnumerable<Run> runs = transfers.GroupBy(one => one.Machine ?? one.Source, StringComparer.Ordinal).Take(RunCell.MaxRuns)
            .Select(machine => machine.OrderBy(one => one.Goodput).ElementAt((machine.Count() - 1) / 2).Run);
        return new RunCell(transfers.Key, transfers.First().Conditions, [.. runs], VoidRuns: 0) { IsRecorded = true };
    }

    static string SystemOf(StoredTransfer[] transfers)
    {
        string[] builds = [.. transfers.Select(one => one.Build ?? "unknown system").Distinct(StringComparer.Ordinal)];
        int machines = transfers.Select(one => one.Machine ?? one.Source).Distinct(StringComparer.Ordinal).Count();
        string system = builds.Length == 1 ? builds[0] : $"{builds.Length} builds";
        return string.Create(CultureInfo.InvariantCulture, $"{system}, {transfers.Length} recordings of {machines} machines");
    }

    /// <summary>A transfer as its row has it.</summary>
    sealed class StoredTransfer(StoreValue[] row)
    {
        static readonly string[] Names =
        [
            RowHead.SourceName, "machine", "build", "unique_bytes", "goodput_bps", "wire_segments", "retransmissions", "dsacks", "round_trip_min_ns",
            "rtt_median_ns",
            "slow_start_exit_bytes", "recorded_at",
        ];

        public static StoreColumn[] Columns { get; } = [.. Names.Select(StoreSchema.Directions.Require)];

        public string Source => row[0].Text!;

        public string? Machine => row[1].Text;

        public string? Build => row[2].Text;

        public long Bytes => row[3].Number ?? 0;

        public long Goodput => row[4].Number ?? 0;

        public IReadOnlyList<Setting> Conditions => PathClasses.ConditionsOf(IsSent, row[8].Number, Bytes);

        public string Key => Setting.Join(Conditions);

        public Run Run => new(Iteration: null, Seed: null, Folder: null, RunEnd.Complete, Figures());

        bool? IsSent => row[11].Text switch
        {
            DirectionTable.RecordedSender => true,
            DirectionTable.RecordedReceiver => false,
            _ => null,
        };

        Dictionary<Metric, double> Figures()
        {
            Dictionary<Metric, double> figures = new() { [Metric.Goodput] = Goodput };
            Add(figures, Metric.Retransmissions, (double?)row[6].Number / row[5].Number);
            Add(figures, Metric.Needless, (double?)row[7].Number / row[5].Number);
            Add(figures, Metric.RttUnderLoad, IsSent is false ? null : row[9].Number / NanosPerSecond);
            Add(figures, Metric.SlowStartExit, row[10].Number);
            return figures;
        }

        static void Add(Dictionary<Metric, double> figures, Metric metric, double? figure)
        {
            if (figure is { } known && double.IsFinite(known))
            {
                figures[metric] = known;
            }
        }
    }
}
