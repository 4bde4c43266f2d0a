using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;

namespace TcpDiag.Scores.RunSets;

/// <summary>
/// Reads a folder of recordings as runs. Each recording is one run, whatever the number of its connections, which share a machine, a path and an hour: that of
/// the transfer with most data in it.
/// </summary>
static class RecordedRuns
{
    const double NanosPerSecond = 1e9;

    const string NoTransfer = "no transfer of 100 kB or more whose rate shows";
    const string SameAs = "the same transfer as in ";

    static readonly string[] Extensions = [".tcpdiag", ".etl", ".pcapng", ".pcap", ".gz", ".cap"];

    /// <summary>Whether a path is one of recordings: a folder without results of an experiment, or a trace.</summary>
    /// <param name="path">The path.</param>
    public static bool AreAt(string path) => File.Exists(path) ? IsRecording(path)
        : Directory.Exists(path) && !File.Exists(Path.Combine(path, LabResultReader.RunFile)) && Files(path).Any();

    /// <summary>Reads recordings, on all processors.</summary>
    /// <param name="path">A folder, with those below it, or one recording.</param>
    /// <returns>The runs by conditions; files that cannot be read, and those without such a transfer, are told in <see cref="RunSet.LeftOut"/>.</returns>
    /// <exception cref="RunSetException">None of them has a transfer of 100 kB.</exception>
    public static RunSet Read(string path)
    {
        string[] files = File.Exists(path) ? [path] : [.. Files(path).Order(StringComparer.Ordinal)];
        var found = new RecordedTransfer?[files.Length];
        var reasons = new string?[files.Length];
        Parallel.For(0, files.Length, i => found[i] = TryRead(files[i], out reasons[i]));
        DropCopies(files, found, reasons);
        RecordedTransfer[] transfers = [.. found.OfType<RecordedTransfer>()];
        bool isWhole = !Array.Exists(reasons, IsDamage);
        string[] leftOut = [.. files.Zip(reasons).Where(file => file.Second is not null).Select(file => $"{file.First}: {file.Second}")];
        return transfers.Length > 0
            ? new RunSet(path, Side: null, [], SystemOf(transfers), isWhole, [.. transfers.GroupBy(one => one.Key, StringComparer.Ordinal).Select(Cell)])
            {
                LeftOut = leftOut,
            }
            : throw new RunSetException($"{path}: expected a recording with a transfer of 100 kB or more, found none. {leftOut.FirstOrDefault()}".TrimEnd());
    }

    static IEnumerable<string> Files(string folder) =>
        Directory.EnumerateFiles(folder, "*", new EnumerationOptions { RecurseSubdirectories = true, IgnoreInaccessible = true }).Where(IsRecording);

    static bool IsRecording(string file) => Extensions.Contains(Path.GetExtension(file), StringComparer.OrdinalIgnoreCase);

    static bool IsDamage(string? reason) => reason is not (null or NoTransfer) && !reason.StartsWith(SameAs, StringComparison.Ordinal);

    static RecordedTransfer? TryRead(string file, out string? reason)
    {
        try
        {
            using TraceReader reader = TraceFile.Open(file);
            TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, AnalysisOptions.Default);
            RecordedTransfer? transfer = RecordedTransfer.LargestOf(analysis, reader.System, file);
            reason = transfer is null ? NoTransfer
                : reader.Problems.Count > 0 ? $"read in part: {reader.Problems[0]}"
                : null;
            return transfer;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or TraceFormatException or TraceInputException)
        {
            reason = exception.Message;
            return null;
        }
    }

    // The same upload twice would count as two.
    static void DropCopies(string[] files, RecordedTransfer?[] found, string?[] reasons)
    {
        Dictionary<string, string> first = new(StringComparer.Ordinal);
        for (int i = 0; i < files.Length; i++)
        {
            if (found[i] is { } transfer && !first.TryAdd(transfer.Identity, files[i]))
            {
                (found[i], reasons[i]) = (null, $"{SameAs}{first[transfer.Identity]}");
            }
        }
    }

    static RunCell Cell(IGrouping<string, RecordedTransfer> transfers) =>
        new(transfers.Key, transfers.First().Conditions, [.. transfers.Select(transfer => transfer.Run)], VoidRuns: 0) { IsRecorded = true };

    static string SystemOf(RecordedTransfer[] transfers)
    {
        string[] systems = [.. transfers.Select(transfer => transfer.System).Distinct(StringComparer.Ordinal)];
        return systems.Length == 1 ? systems[0] : $"{systems.Length} systems";
    }

    /// <summary>The largest transfer of a recording.</summary>
    /// <param name="System">The system that recorded.</param>
    /// <param name="Identity">What tells it from other transfers.</param>
    /// <param name="Conditions">Its conditions.</param>
    /// <param name="Run">Its figures.</param>
    sealed record RecordedTransfer(string System, string Identity, IReadOnlyList<Setting> Conditions, Run Run)
    {
        /// <summary>The conditions as one name.</summary>
        public string Key { get; } = Setting.Join(Conditions);

        public static RecordedTransfer? LargestOf(TraceAnalysis analysis, SystemFacts facts, string file) => analysis.Connections
            .SelectMany(connection => new[] { (Connection: connection, Data: connection.FromClient), (Connection: connection, Data: connection.FromServer) })
            .Where(one => one.Data.UniqueBytes >= PathClasses.MinBytes && one.Data.GoodputBitsPerSecond is not null)
            .OrderByDescending(one => one.Data.UniqueBytes).Select(one => Of(one.Connection, one.Data, facts, file)).FirstOrDefault();

        static RecordedTransfer Of(Connection connection, ConnectionDirection data, SystemFacts facts, string file)
        {
            Vantage sender = data == connection.FromClient ? Vantage.Client : Vantage.Server;
            bool? isSent = connection.Vantage is Vantage.Client or Vantage.Server ? connection.Vantage == sender : null;
            long? roundTrip = RoundTrip.Of(connection) is { Samples: > 0 } rtt ? rtt.Min : null;
            string system = facts.WindowsBuild is { } build ? FormattableString.Invariant($"Windows {build}") : facts.OperatingSystem ?? "unknown system";
            return new(
                system,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{connection.Client} {connection.Server} {connection.Start.Nanoseconds} {connection.Last.Nanoseconds} {data.UniqueBytes} "
                        + $"{data.WireSegments}"),
                PathClasses.ConditionsOf(isSent, roundTrip, data.UniqueBytes),
                new(Iteration: null, Seed: null, file, RunEnd.Complete, Figures(data, isSeenBySender: isSent is not false)));
        }

        static Dictionary<Metric, double> Figures(ConnectionDirection data, bool isSeenBySender)
        {
            Dictionary<Metric, double> figures = new() { [Metric.Goodput] = data.GoodputBitsPerSecond!.Value };
            if (data.WireSegments > 0)
            {
                figures[Metric.Retransmissions] = (double)data.Retransmissions / data.WireSegments;
                figures[Metric.Needless] = (double)data.Dsacks / data.WireSegments;
            }

            // Seen by the receiver it is its own delay.
            if (isSeenBySender && data.Rtt.Samples > 0)
            {
                figures[Metric.RttUnderLoad] = data.Rtt.Median / NanosPerSecond;
            }

            return figures;
        }
    }
}
