using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces;

namespace TcpDiag.Truth;

/// <summary>
/// Compares what the analysis of both captures of lab runs says with what the path did (its decision log) and what the sending kernel did
/// (its events and counters).
/// </summary>
public sealed class TruthReport
{
    static readonly int[] Necessary = [0], Needless = [1], TakenNecessary = [0], TakenNeedless = [1, 2], All = [0, 1], Any = [0, 1, 2, 3];

    /// <summary>Runs compared.</summary>
    public int Runs { get; private set; }

    /// <summary>Runs whose retransmissions at the sender are what the kernel counts.</summary>
    public int ExactRetransmissions { get; private set; }

    /// <summary>Runs whose losses at the receiver are what the path dropped.</summary>
    public int ExactLosses { get; private set; }

    /// <summary>Runs whose reordering at the receiver is what the path did.</summary>
    public int ExactReorderings { get; private set; }

    /// <summary>Packets dropped in all runs, and those that the receivers' captures told.</summary>
    public (long True, long Told) Losses { get; private set; }

    /// <summary>Packets reordered in all runs, those that the receivers' captures told, and those that the senders' did.</summary>
    public (long True, long Told, long Hindsight) Reorderings { get; private set; }

    /// <summary>Needs where DSACK and timestamps are on.</summary>
    public Confusion Needs { get; } = NewNeeds();

    /// <summary>Those of them where timestamps are all there is.</summary>
    public Confusion NeedsByTimestamps { get; } = NewNeeds();

    /// <summary>Needs where both are off.</summary>
    public Confusion NeedsWithoutProof { get; } = NewNeeds();

    /// <summary>Triggers.</summary>
    public Confusion Triggers { get; } = new(["recovery", "probe", "loss"], ["fast", "tlp", "rto", "lost retransmission", "unknown"]);

    /// <summary>What does not agree, one line each.</summary>
    public List<string> Differences { get; } = [];

    /// <summary>Of what was taken for necessary, the share that was; and for needless.</summary>
    public (double Necessary, double Needless) Precision => (
        Share(Needs.Sum(Necessary, TakenNecessary), Needs.Sum(All, TakenNecessary)),
        Share(Needs.Sum(Needless, TakenNeedless), Needs.Sum(All, TakenNeedless)));

    /// <summary>Of what was necessary, the share that was taken for it; and of what was needless.</summary>
    public (double Necessary, double Needless) Recall => (
        Share(Needs.Sum(Necessary, TakenNecessary), Needs.Sum(Necessary, Any)),
        Share(Needs.Sum(Needless, TakenNeedless), Needs.Sum(Needless, Any)));

    /// <summary>Triggers that agree with the kernel's state, as a share.</summary>
    public double TriggerAgreement => Share(
        Triggers.Sum([0], [0, 3]) + Triggers.Sum([1], [1]) + Triggers.Sum([2], [2, 3]),
        Triggers.Sum([0, 1, 2], [0, 1, 2, 3, 4]));

    /// <summary>Compares all runs below a result directory.</summary>
    /// <param name="root">The directory (docs/lab.md).</param>
    /// <returns>The report.</returns>
    public static TruthReport Of(string root)
    {
        var report = new TruthReport();
        foreach (string result in Directory.EnumerateFiles(root, "result.json", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            report.Add(Path.GetDirectoryName(result)!, Path.GetRelativePath(root, Path.GetDirectoryName(result)!));
        }

        return report;
    }

    /// <summary>The report as a section of docs/verification/retransmissions.md.</summary>
    /// <returns>Markdown, without its heading.</returns>
    public string ToMarkdown()
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"{Runs} runs. Exact: retransmissions at the sender (kernel) {ExactRetransmissions}, ");
        text.Append(CultureInfo.InvariantCulture, $"losses at the receiver {ExactLosses}, reordering at the receiver {ExactReorderings}.\n");
        text.Append(CultureInfo.InvariantCulture, $"Packets dropped {Losses.True}, told {Losses.Told}; reordered {Reorderings.True}, ");
        text.Append(CultureInfo.InvariantCulture, $"told at the receiver {Reorderings.Told}, at the sender by hindsight {Reorderings.Hindsight}.\n\n");
        text.Append("Retransmissions at the sender, DSACK or timestamps on: ");
        text.Append(CultureInfo.InvariantCulture, $"precision {Percent(Precision.Necessary)} necessary, {Percent(Precision.Needless)} needless; ");
        text.Append(CultureInfo.InvariantCulture, $"recall {Percent(Recall.Necessary)} and {Percent(Recall.Needless)}.\n\n");
        text.Append(Needs.ToMarkdown("was ↓ taken for →")).Append("\nOf these, without DSACK:\n\n").Append(NeedsByTimestamps.ToMarkdown("was ↓ taken for →"))
            .Append("\nBoth off:\n\n").Append(NeedsWithoutProof.ToMarkdown("was ↓ taken for →"));
        text.Append(CultureInfo.InvariantCulture, $"\nTriggers against the kernel's congestion state: {Percent(TriggerAgreement)} agree.\n\n");
        return text.Append(Triggers.ToMarkdown("kernel ↓ taken for →")).ToString();
    }

    static Confusion NewNeeds() => new(["necessary", "needless"], ["necessary", "spurious", "likely spurious", "unknown"]);

    static double Share(long part, long whole) => whole == 0 ? 1 : (double)part / whole;

    static string Percent(double share) => (share * 100).ToString("0.0", CultureInfo.InvariantCulture) + " %";

    internal static (Connection Connection, SegmentRecorder Recorder) Analyse(string path)
    {
        var recorder = new SegmentRecorder();
        using TraceReader reader = TraceFile.Open([path]);
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, new AnalysisOptions { Follower = recorder });
        return (analysis.Connections.MaxBy(connection => connection.FromClient.PayloadBytes)!, recorder);
    }

    void Add(string folder, string name)
    {
        (Connection sender, SegmentRecorder recorder) = Analyse(Path.Combine(folder, "sender.pcapng"));
        (Connection receiver, _) = Analyse(Path.Combine(folder, "receiver.pcapng"));
        IReadOnlyList<Fate> fates = FateReader.Read(Path.Combine(folder, "decisions.tdil"));
        if (fates.Count != recorder.Segments.Count)
        {
            Differences.Add($"{name}: left out: {recorder.Segments.Count} packets at the sender, {fates.Count} on the path");
            return;
        }

        Runs++;
        var truth = new PathTruth(recorder.Segments, fates);
        Compare(name, sender.FromClient, receiver.FromClient, truth, KernelCounters.Read(folder).Retransmissions);
        KernelStates states = KernelStates.Read(Path.Combine(folder, "sender.pcapng"), sender.Client);
        bool hasProof = !name.Contains("not-adapting", StringComparison.Ordinal);
        bool hasTimestampsAlone = name.Contains("no-dsack", StringComparison.Ordinal);
        foreach ((SentSegment segment, bool isNecessary) in truth.Resent)
        {
            (hasProof ? Needs : NeedsWithoutProof).Add(isNecessary ? 0 : 1, Column(segment.Need));
            if (hasTimestampsAlone)
            {
                NeedsByTimestamps.Add(isNecessary ? 0 : 1, Column(segment.Need));
            }

            Triggers.Add(states.CauseAt(segment.Time), Column(segment.Trigger));
            Note(name, segment, isNecessary, hasProof, states.CauseAt(segment.Time));
        }
    }

    void Compare(string name, ConnectionDirection sent, ConnectionDirection received, PathTruth truth, long kernelRetransmissions)
    {
        long told = received.Loss?.Packets ?? 0;
        long reordered = received.Reordering?.Packets ?? 0;
        ExactRetransmissions += Check(name, "retransmissions at the sender", kernelRetransmissions - truth.SynsResent, sent.Retransmissions);
        ExactLosses += Check(name, "losses at the receiver", truth.Lost, told);
        ExactReorderings += Check(name, "reordering at the receiver", truth.Reordered, reordered);
        Losses = (Losses.True + truth.Lost, Losses.Told + told);
        Reorderings = (Reorderings.True + truth.Reordered, Reorderings.Told + reordered, Reorderings.Hindsight + (sent.Reordering?.Packets ?? 0));
    }

    int Check(string name, string what, long expected, long found)
    {
        if (expected != found)
        {
            Differences.Add($"{name}: {what}: {expected} in truth, {found} found");
        }

        return expected == found ? 1 : 0;
    }

    void Note(string name, SentSegment segment, bool isNecessary, bool hasProof, int cause)
    {
        bool isNeedRight = Column(segment.Need) switch { 0 => isNecessary, 1 or 2 => !isNecessary, _ => false };
        if (hasProof && !isNeedRight)
        {
            Differences.Add($"{name}: packet {segment.Packet} at {segment.Start}: {(isNecessary ? "necessary" : "needless")} in truth, {segment.Need} found");
        }

        int trigger = Column(segment.Trigger);
        bool isTriggerRight = cause == 0 ? trigger is 0 or 3 : cause == 1 ? trigger == 1 : trigger is 2 or 3;
        if (!isTriggerRight)
        {
            Differences.Add($"{name}: packet {segment.Packet} at {segment.Start}: state {cause} in the kernel, {segment.Trigger} found");
        }
    }

    static int Column(RetransmissionNeed need) => need switch
    {
        RetransmissionNeed.Necessary => 0,
        RetransmissionNeed.Spurious => 1,
        RetransmissionNeed.LikelySpurious => 2,
        _ => 3,
    };

    static int Column(RetransmissionTrigger trigger) => trigger switch
    {
        RetransmissionTrigger.Fast => 0,
        RetransmissionTrigger.Tlp => 1,
        RetransmissionTrigger.Rto => 2,
        RetransmissionTrigger.LostRetransmission => 3,
        _ => 4,
    };
}
