using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Limits;

namespace TcpDiag.Truth;

/// <summary>
/// Compares the shares of what limited the sender with the clocks of its kernel (tcp_info), at both ends, and with the program's log of its writes where the kernel
/// is blind: it counts whatever is in flight as busy.
/// </summary>
public sealed class LimitTruth
{
    readonly List<LimitRun> _runs = [];

    /// <summary>Runs compared: one connection each.</summary>
    public IReadOnlyList<LimitRun> Runs => _runs;

    /// <summary>Compares all runs below a result directory.</summary>
    /// <param name="root">The directory (docs/lab.md).</param>
    /// <returns>The comparison.</returns>
    public static LimitTruth Of(string root)
    {
        var truth = new LimitTruth();
        foreach (string result in Directory.EnumerateFiles(root, "result.json", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            string folder = Path.GetDirectoryName(result)!;
            if (!File.Exists(Path.Combine(folder, "sender-2.tsv")))
            {
                truth._runs.Add(Compare(folder, Path.GetRelativePath(root, folder).Replace('\\', '/')));
            }
        }

        return truth;
    }

    /// <summary>The comparison as a Markdown table: shares in percent, true, told at the sender, told at the receiver.</summary>
    /// <returns>Lines.</returns>
    public string ToMarkdown()
    {
        var text = new StringBuilder("| run | application | receive window | timeouts | resent | largest share told at the sender, at the receiver |\n|---|---|---|---|---|---|\n");
        foreach (LimitRun run in _runs)
        {
            text.Append(CultureInfo.InvariantCulture, $"| {run.Name} | {Percent(run.Application)} | {Percent(run.ReceiveWindow)} | {run.Timeouts} / {Percent(run.AtSender.Share(LimitState.Timeout))} | {run.Retransmissions.True} {run.Retransmissions.Told} | {run.AtSender.Main}, {run.AtReceiver.Main} |\n");
        }

        return text.ToString();
    }

    static string Percent((double True, double Sender, double Receiver) shares) => $"{Percent(shares.True)} {Percent(shares.Sender)} {Percent(shares.Receiver)}";

    static ConnectionDirection Sent(Connection connection) =>
        connection.FromClient.PayloadBytes >= connection.FromServer.PayloadBytes ? connection.FromClient : connection.FromServer;

    static string Percent(double share) => double.IsNaN(share) ? "–" : (share * 100).ToString("0.0", CultureInfo.InvariantCulture);

    static LimitRun Compare(string folder, string name)
    {
        (Connection sender, SegmentRecorder recorder) = TruthReport.Analyse(Path.Combine(folder, "sender.pcapng"));
        (Connection receiver, _) = TruthReport.Analyse(Path.Combine(folder, "receiver.pcapng"));
        var kernel = KernelCounters.Read(folder);
        var atSender = new ToldLimits(Sent(sender).Limits);
        var atReceiver = new ToldLimits(Sent(receiver).Limits);
        double active = Math.Max(atSender.ActiveSeconds, double.Epsilon);
        double application = WriteLog.Read(folder).ApplicationShare(recorder.Segments);
        return new(
            name,
            (application, atSender.Application, atReceiver.Application),
            (Math.Min(kernel.ReceiveWindowSeconds / active, 1), atSender.Share(LimitState.ReceiveWindow), atReceiver.Share(LimitState.ReceiveWindow)),
            (kernel.Retransmissions, Sent(sender).Retransmissions + (sender.SynRetransmissions ?? 0)),
            kernel.Timeouts,
            atSender,
            atReceiver);
    }
}
