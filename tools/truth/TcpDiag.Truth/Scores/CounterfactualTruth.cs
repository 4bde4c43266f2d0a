using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using TcpDiag.Scores;
using TcpDiag.Scores.Counterfactuals;
using TcpDiag.Traces;

namespace TcpDiag.Truth.Scores;

/// <summary>
/// What a reference would have reached, predicted from the trace of a sender that does not adapt, beside what a real one reached on the same path with the same
/// seed.
/// </summary>
/// <param name="Cell">The path.</param>
/// <param name="Own">Goodput of the sender whose trace it is, bit/s.</param>
/// <param name="Real">Goodput of the real reference.</param>
/// <param name="Predicted">What was predicted; null where nothing was.</param>
public sealed record CounterfactualTruth(string Cell, double Own, double Real, Counterfactual? Predicted)
{
    const double Near = 0.15;

    /// <summary>Reads the pairs of an experiment.</summary>
    /// <param name="directory">What <c>lab run</c> wrote.</param>
    public static IReadOnlyList<CounterfactualTruth> Of(string directory)
    {
        (string Folder, JsonElement Run)[] runs = [.. LabFolder.Runs(directory).Where(one => one.Run.GetProperty("goodputBitsPerSecond").ValueKind == JsonValueKind.Number)];
        Dictionary<string, double> real = runs.Where(one => one.Run.Text("side") is "adaptive").ToDictionary(one => KeyOf(one.Run), one => Goodput(one.Run), StringComparer.Ordinal);
        return [.. runs.Where(one => one.Run.Text("side") is not "adaptive" && real.ContainsKey(KeyOf(one.Run)))
            .Select(one => new CounterfactualTruth(one.Run.Text("cell"), Goodput(one.Run), real[KeyOf(one.Run)], Predict(one.Folder)))];
    }

    /// <summary>The table.</summary>
    public static string ToMarkdown(IReadOnlyList<CounterfactualTruth> pairs)
    {
        StringBuilder text = new("| path | pairs | told | within 15 % | predicted by real: 10 %, middle, 90 % | range holds it | own by real |\n|---|--:|--:|--:|--:|--:|--:|\n");
        foreach (IGrouping<string, CounterfactualTruth> group in pairs.GroupBy(one => one.Cell[4..], StringComparer.Ordinal))
        {
            Append(text, group.Key, [.. group]);
        }

        Append(text, "together", [.. pairs]);
        return text.ToString();
    }

    /// <inheritdoc/>
    public override string ToString() => FormattableString.Invariant(
        $"{Cell}: own {Own / 1e6:0.00}, real {Real / 1e6:0.00}, predicted {Predicted?.BitsPerSecond / 1e6:0.00} ({Predicted?.Low / 1e6:0.00} to {Predicted?.High / 1e6:0.00}); path {Predicted?.RateBitsPerSecond / 1e6:0.00} Mbit/s, {Predicted?.Path.RttNanos / 1e6:0.0} ms, queue {Predicted?.Path.QueueNanos / 1e6:0.0} ms {Predicted?.Path.IsQueueKnown}, {Predicted?.Path.Lost.Count} lost, {Predicted?.Path.Displaced.Count} displaced of {Predicted?.Path.Segments}, {(Predicted?.Path.Displaced.Count > 0 ? Predicted.Path.Displaced.Values.Order().ElementAt(Predicted.Path.Displaced.Count / 2) / 1e6 : 0):0.0} ms");

    static void Append(StringBuilder text, string name, CounterfactualTruth[] pairs)
    {
        CounterfactualTruth[] told = [.. pairs.Where(one => one.Predicted is not null)];
        double[] ratios = [.. told.Select(one => one.Predicted!.BitsPerSecond / one.Real).Order()];
        text.Append(CultureInfo.InvariantCulture, $"| {name} | {pairs.Length} | {told.Length} | {ratios.Count(ratio => Math.Abs(ratio - 1) <= Near)} | ");
        text.Append(CultureInfo.InvariantCulture, $"{Quantiles.Nearest(ratios, 0.1):0.00}, {Quantiles.Nearest(ratios, 0.5):0.00}, {Quantiles.Nearest(ratios, 0.9):0.00} | ");
        text.Append(CultureInfo.InvariantCulture, $"{told.Count(one => one.Predicted!.Low <= one.Real && one.Real <= one.Predicted.High)} | ");
        text.Append(CultureInfo.InvariantCulture, $"{Quantiles.Nearest([.. pairs.Select(one => one.Own / one.Real).Order()], 0.5):0.00} |\n");
    }

    static string KeyOf(JsonElement run) => $"{run.Text("cell")}/{Path.GetFileName(run.Text("folder"))}";

    static double Goodput(JsonElement run) => run.GetProperty("goodputBitsPerSecond").GetDouble();

    static Counterfactual? Predict(string folder)
    {
        using TraceReader reader = TraceFile.Open(Path.Combine(folder, "sender.pcapng"));
        return TraceScorer.Score(reader, isPredicted: true).Cards[0].Reference;
    }
}
