using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Wire;

namespace TcpDiag.Truth.Scores;

/// <summary>
/// Runs of the lab beside the same runs simulated: one matrix and one seed, so that the path decides the same of the packet of the same number, as long as both
/// send the same. Compared are what is sent, in order, and when; and what comes of it.
/// </summary>
public static class SimulatorTruth
{
    const long NanosPerMs = 1_000_000;
    const int MaxSmss = 1460;
    const long FirstData = 3; // packet number, behind the SYN and the end of the handshake

    /// <summary>The table.</summary>
    /// <param name="lab">What <c>lab run</c> wrote.</param>
    /// <param name="simulated">What <c>simulate</c> wrote of the same matrix and seed.</param>
    /// <returns>Markdown.</returns>
    public static string ToMarkdown(string lab, string simulated)
    {
        Dictionary<string, Run> others = Read(simulated).ToDictionary(run => run.Folder, StringComparer.Ordinal);
        Pair[] pairs = [.. Read(lab).Where(run => others.ContainsKey(run.Folder)).Select(run => PairOf(lab, run, simulated, others[run.Folder]))];
        StringBuilder text = new();
        text.Append("| side and path | pairs | the same sent | else until, round trips | share of the data | then the kernel repairs first, the model, both otherwise | ");
        text.Append("until sent elsewhere in time | goodput, simulated by kernel | resent, simulated and kernel |\n");
        text.Append("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        foreach (IGrouping<string, Pair> group in pairs.GroupBy(pair => pair.Kernel.Side, StringComparer.Ordinal))
        {
            Append(text, group.Key, [.. group]);
        }

        foreach (IGrouping<string, Pair> group in pairs.GroupBy(pair => pair.Kernel.Cell[4..], StringComparer.Ordinal))
        {
            Append(text, group.Key, [.. group]);
        }

        Append(text, "together", pairs);
        return $"{text}\n{PathAnswers.ToMarkdown(pairs.Select(pair => (pair.Kernel.Side, pair.KernelAnswers, pair.ModelAnswers)))}";
    }

    static void Append(StringBuilder text, string name, Pair[] pairs)
    {
        double[] shares = [.. pairs.Where(pair => !pair.IsSame).Select(pair => 100 * pair.SameShare).Order()];
        double[] rounds = [.. pairs.Where(pair => !pair.IsSame).Select(pair => pair.SameNanos / (double)pair.Kernel.RttNanos).Order()];
        double[] late = [.. pairs.Select(pair => 100 * pair.InTimeShare).Order()];
        double[] ratios = [.. pairs.Select(pair => pair.Simulated.Goodput / pair.Kernel.Goodput).Order()];
        string share = shares.Length == 0 ? " | " : FormattableString.Invariant(
            $"{Quantiles.Nearest(rounds, 0.5):0} ({Quantiles.Nearest(rounds, 0.1):0}–{Quantiles.Nearest(rounds, 0.9):0}) | {Quantiles.Nearest(shares, 0.5):0} %");
        string first = string.Join(", ", Enum.GetValues<FirstRepair>().Where(one => one != FirstRepair.None).Select(one => pairs.Count(pair => pair.First == one)));
        text.Append(
            CultureInfo.InvariantCulture,
            $"| {name} | {pairs.Length} | {pairs.Count(pair => pair.IsSame)} | {share} | {first} | {Quantiles.Nearest(late, 0.5):0} % | ");
        text.Append(CultureInfo.InvariantCulture, $"{Quantiles.Nearest(ratios, 0.5):0.00} ({Quantiles.Nearest(ratios, 0.1):0.00}–{Quantiles.Nearest(ratios, 0.9):0.00}) | ");
        text.Append(CultureInfo.InvariantCulture, $"{pairs.Average(pair => pair.Simulated.Resent):0.0}, {pairs.Average(pair => pair.Kernel.Resent):0.0} |\n");
    }

    static Pair PairOf(string lab, Run kernel, string simulated, Run other)
    {
        Sent[] real = Load(Path.Combine(lab, kernel.Folder));
        Sent[] model = Load(Path.Combine(simulated, other.Folder));
        int common = Math.Min(real.Length, model.Length);
        int same = 0;
        while (same < common && real[same].Cell == model[same].Cell)
        {
            same++;
        }

        // By half a round trip: a burst of offloaded segments leaves at once what the model sends one by one.
        int inTime = 0;
        while (inTime < same && Math.Abs((real[inTime].Time - real[0].Time) - (model[inTime].Time - model[0].Time)) <= kernel.RttNanos / 2)
        {
            inTime++;
        }

        bool isSame = same == real.Length && same == model.Length;
        long nanos = same == 0 ? 0 : real[Math.Min(same, real.Length - 1)].Time - real[0].Time;
        return new Pair(
            kernel, other, isSame, (double)same / real.Length, nanos, isSame ? FirstRepair.None : FirstOf(real, model, same), (double)inTime / real.Length,
            AnswersOf(Path.Combine(lab, kernel.Folder)), AnswersOf(Path.Combine(simulated, other.Folder)));
    }

    static PathAnswers AnswersOf(string folder)
    {
        SentSegment[] data = DataOf(folder);
        int smss = Usual(data);
        return PathAnswers.Of(folder, [.. data.SelectMany(segment => PacketsOf(segment, smss))], FirstData);
    }

    // The segment in which each packet begins: an offloaded one is cut into packets from its own first byte on.
    static IEnumerable<long> PacketsOf(SentSegment segment, int smss)
    {
        for (int offset = 0; offset < segment.Payload; offset += smss)
        {
            yield return (segment.Start - 1 + offset) / smss;
        }
    }

    static SentSegment[] DataOf(string folder)
    {
        (_, SegmentRecorder recorder) = TruthReport.Analyse(Path.Combine(folder, "sender.pcapng"));
        return [.. recorder.Segments.Where(segment => segment.Payload > 0)];
    }

    // What was sent where both differ for the first time: a cell that was sent before is a repair.
    static FirstRepair FirstOf(Sent[] real, Sent[] model, int at)
    {
        (bool kernel, bool simulated) = (IsRepair(real, at), IsRepair(model, at));
        return kernel == simulated ? FirstRepair.Both : kernel ? FirstRepair.Kernel : FirstRepair.Model;
    }

    static bool IsRepair(Sent[] all, int at) => at < all.Length && at > 0 && all[at].Cell <= all[..at].Max(sent => sent.Cell);

    static Sent[] Load(string folder)
    {
        SentSegment[] data = DataOf(folder);
        int smss = Usual(data);
        return [.. data.SelectMany(segment => Cut(segment, smss))];
    }

    // Offloaded segments are whole numbers of it.
    static int Usual(SentSegment[] data) => data.Select(segment => segment.Payload).Where(length => length is > 1000 and <= MaxSmss)
        .GroupBy(length => length).OrderByDescending(group => group.Count()).Select(group => group.Key).FirstOrDefault(MaxSmss);

    // Onto a grid from the first byte of data on: where the end of a write falls, the kernel may send a short segment and the model a full one.
    static IEnumerable<Sent> Cut(SentSegment segment, int smss)
    {
        for (long cell = (segment.Start - 1 + smss - 1) / smss; 1 + (cell * smss) < segment.Start + segment.Payload; cell++)
        {
            yield return new Sent(cell, segment.Time);
        }
    }

    static IEnumerable<Run> Read(string directory)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(directory, "run.json")));
        foreach (JsonElement run in document.RootElement.GetProperty("results").EnumerateArray())
        {
            bool isWhole = !run.GetProperty("isVoid").GetBoolean() && run.GetProperty("goodputBitsPerSecond").ValueKind == JsonValueKind.Number
                && run.GetProperty("analysis").ValueKind == JsonValueKind.Object;
            if (isWhole)
            {
                JsonElement analysis = run.GetProperty("analysis");
                yield return new Run(
                    run.GetProperty("folder").GetString()!, run.GetProperty("cell").GetString()!, run.GetProperty("side").GetString()!,
                    run.GetProperty("goodputBitsPerSecond").GetDouble(), analysis.GetProperty("retransmissions").GetInt64(),
                    analysis.GetProperty("minRttNs") is { ValueKind: JsonValueKind.Number } rtt ? rtt.GetInt64() : NanosPerMs);
            }
        }
    }

    readonly record struct Sent(long Cell, TraceTime Time);

    sealed record Run(string Folder, string Cell, string Side, double Goodput, long Resent, long RttNanos);

    sealed record Pair(Run Kernel, Run Simulated, bool IsSame, double SameShare, long SameNanos, FirstRepair First, double InTimeShare,
        PathAnswers KernelAnswers, PathAnswers ModelAnswers);

    enum FirstRepair
    {
        None,
        Kernel,
        Model,
        Both,
    }
}
