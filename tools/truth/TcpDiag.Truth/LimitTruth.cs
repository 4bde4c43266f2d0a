using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>Compares the shares of what limited the sender, told at both ends, with what its kernel and its program say (<see cref="SenderTruth"/>).</summary>
public sealed class LimitTruth
{
    const double Points = 0.05;
    const double Half = 0.5;
    const double Most = 0.95;

    readonly List<LimitRun> _runs = [];

    /// <summary>Runs compared: one connection each.</summary>
    public IReadOnlyList<LimitRun> Runs => _runs;

    /// <summary>Runs left out, since they came to no end.</summary>
    public int LeftOut { get; private set; }

    /// <summary>
    /// Compares all runs below a result directory. Those that came to no end are left out: what the kernel counts goes on after what either capture shows.
    /// </summary>
    /// <param name="root">The directory (docs/lab.md).</param>
    /// <returns>The comparison.</returns>
    public static LimitTruth Of(string root)
    {
        var truth = new LimitTruth();
        foreach (string result in Directory.EnumerateFiles(root, "result.json", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            string folder = Path.GetDirectoryName(result)!;
            if (File.Exists(Path.Combine(folder, "sender-2.tsv")))
            {
                continue;
            }

            if (WriteLog.HasEnded(folder))
            {
                truth._runs.Add(Compare(folder, Path.GetRelativePath(root, folder).Replace('\\', '/')));
            }
            else
            {
                truth.LeftOut++;
            }
        }

        return truth;
    }

    /// <summary>The comparison as a Markdown table: shares in percent, true and told at the sender, true and told at the receiver.</summary>
    /// <returns>Lines.</returns>
    public string ToMarkdown()
    {
        var text = new StringBuilder($"| run | {LimitShares.Head} | timeouts | resent | furthest off at the sender, at the receiver "
            + $"|\n|---|---|---|---|---|---|---|---|---|---|\n");
        foreach (LimitRun run in _runs)
        {
            text.Append(CultureInfo.InvariantCulture,
                $"| {run.Name} | {LimitShares.Cells(run.Sender, run.Receiver)} | {run.Timeouts} | {run.Retransmissions.True} {run.Retransmissions.Told} ");
            text.Append(CultureInfo.InvariantCulture, $"| {run.SenderOff * 100:0.0}, {run.ReceiverOff * 100:0.0} |\n");
        }

        return text.ToString();
    }

    /// <summary>How many runs were left out, as a line; empty for none.</summary>
    public string LeftOutLine => LeftOut == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"Left out, since they came to no end: {LeftOut}.\n");

    /// <summary>How many runs are told as they were, and how far off they are, for those to whom a table of all is too long.</summary>
    /// <param name="runs">The runs.</param>
    /// <returns>Two lines for each end.</returns>
    public static string Summarise(IReadOnlyCollection<LimitRun> runs) =>
        Summarise("sender", [.. runs.Select(run => (run.Name, run.Sender.True, run.Sender.Told))])
            + Summarise("receiver", [.. runs.Select(run => (run.Name, run.Receiver.True, run.Receiver.Told))]);

    static string Summarise(string end, (string Name, LimitShares True, LimitShares? Told)[] runs)
    {
        double[] off = [.. runs.Select(run => run.True.Distance(run.Told))];
        double[] beyond = [.. runs.Select(run => run.True.DistanceBeyondUncertain(run.Told))];
        int[] missed = [.. Enumerable.Range(0, runs.Length).Where(i => off[i] > Points)];
        IEnumerable<string> names = missed.Select(i => $"{runs[i].Name} {Percent(off[i])} ({Percent(beyond[i])})");
        double uncertain = runs.Select(run => run.Told?.Uncertain ?? 0).DefaultIfEmpty().Average();
        return $"At the {end}: {runs.Length - missed.Length} of {runs.Length} within 5 points, {missed.Count(i => beyond[i] <= Points)} of the others "
            + $"with what is told to be uncertain. Off, median and p95: {Spread(off)}; beyond what is uncertain ({Percent(uncertain)} of the time): "
            + $"{Spread(beyond)}.\nOff (beyond what is uncertain): {string.Join(", ", names)}\n";
    }

    static string Spread(double[] off)
    {
        double[] sorted = [.. off.Order()];
        return $"{Percent(Quantiles.Between(sorted, Half))}, {Percent(Quantiles.Between(sorted, Most))}";
    }

    static string Percent(double share) => (share * 100).ToString("0.0", CultureInfo.InvariantCulture);

    static ConnectionDirection Sent(Connection connection) =>
        connection.FromClient.PayloadBytes >= connection.FromServer.PayloadBytes ? connection.FromClient : connection.FromServer;

    // The peer's SYN-ACK may have been sent again as well, which the connection counts together with SYNs.
    static int Syns(SegmentRecorder recorder) => Math.Max(recorder.Segments.Count(segment => (segment.Flags & TcpFlags.Syn) != 0), 1);

    static LimitRun Compare(string folder, string name)
    {
        (Connection sender, SegmentRecorder recorder) = TruthReport.Analyse(Path.Combine(folder, "sender.pcapng"));
        (Connection receiver, _) = TruthReport.Analyse(Path.Combine(folder, "receiver.pcapng"));
        ConnectionDirection sent = Sent(sender);
        ConnectionDirection received = Sent(receiver);
        var kernel = KernelCounters.Read(folder);
        Endpoint local = sent == sender.FromClient ? sender.Client : sender.Server;
        var truth = new SenderTruth(recorder, WriteLog.Read(folder), KernelStates.Read(Path.Combine(folder, "sender.pcapng"), local), sent.Mss ?? 0);
        return new(
            name,
            (truth.Shares(sent.ActiveTime ?? 0, kernel.ReceiveWindowSeconds), LimitShares.Of(sent.Limits)),
            (truth.Shares(received.ActiveTime ?? 0, kernel.ReceiveWindowSeconds), LimitShares.Of(received.Limits)),
            (kernel.Retransmissions, sent.Retransmissions + Syns(recorder) - 1),
            kernel.Timeouts);
    }
}
