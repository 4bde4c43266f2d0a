using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;

namespace TcpDiag.Truth.Scores;

/// <summary>
/// What a sender made of what the path did to it, packet by packet. The order in which new data and repairs alternate differs between a kernel and a model from
/// early on; whether the packet that came late or was lost is resent, and how much is resent in all, does not depend on it.
/// </summary>
/// <param name="Hit">By packet number: late or lost, and whether its segment was sent again later.</param>
/// <param name="QueueDrops">Packets that the queue dropped, which is the sender's doing.</param>
/// <param name="FirstDrop">Number of the first of these: behind it, other packets come late in another run.</param>
/// <param name="Resent">Segments sent again in all.</param>
sealed record PathAnswers(IReadOnlyDictionary<long, (bool IsLate, bool IsResent)> Hit, int QueueDrops, long FirstDrop, long Resent)
{
    /// <summary>Reads the answers of a run.</summary>
    /// <param name="folder">Its folder, with the log of its path.</param>
    /// <param name="cells">The segment of each data packet that it sent, in order.</param>
    /// <param name="firstPacket">The number of the first of these packets.</param>
    public static PathAnswers Of(string folder, IReadOnlyList<long> cells, long firstPacket)
    {
        Dictionary<long, int> last = [];
        for (int i = 0; i < cells.Count; i++)
        {
            last[cells[i]] = i;
        }

        Dictionary<long, (bool, bool)> hit = [];
        int drops = 0;
        long firstDrop = long.MaxValue;
        foreach (ImpairmentDecision one in Decisions(Path.Combine(folder, "decisions.tdil")))
        {
            long index = one.PacketId - firstPacket;
            if (one.Action == ImpairmentAction.DropQueue)
            {
                drops++;
                firstDrop = Math.Min(firstDrop, one.PacketId);
            }
            else if (one.Action is ImpairmentAction.DropLoss or ImpairmentAction.ReorderAdd && index >= 0 && index < cells.Count)
            {
                hit[one.PacketId] = (one.Action == ImpairmentAction.ReorderAdd, last[cells[(int)index]] > index);
            }
        }

        return new PathAnswers(hit, drops, firstDrop, cells.Count - last.Count);
    }

    /// <summary>The table.</summary>
    /// <param name="pairs">Kernel and model by side.</param>
    public static string ToMarkdown(IEnumerable<(string Side, PathAnswers Kernel, PathAnswers Model)> pairs)
    {
        StringBuilder text = new("| side | late packets | resent by both | by neither | the kernel only | the model only | lost packets | resent by both | one only | ");
        text.Append("queue overflowed in both | the kernel only | the model only | resent where it did not, model and kernel |\n");
        text.Append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
        (string Side, PathAnswers Kernel, PathAnswers Model)[] all = [.. pairs];
        foreach (IGrouping<string, (string Side, PathAnswers Kernel, PathAnswers Model)> side in all.GroupBy(pair => pair.Side, StringComparer.Ordinal))
        {
            Append(text, side.Key, [.. side]);
        }

        Append(text, "together", all);
        return text.ToString();
    }

    static void Append(StringBuilder text, string name, (string Side, PathAnswers Kernel, PathAnswers Model)[] pairs)
    {
        (bool IsLate, bool Kernel, bool Model)[] hits = [.. pairs.SelectMany(pair => Common(pair.Kernel, pair.Model))];
        string Count(bool isLate, Func<bool, bool, bool> which) => $"{hits.Count(hit => hit.IsLate == isLate && which(hit.Kernel, hit.Model))}";
        (string Side, PathAnswers Kernel, PathAnswers Model)[] calm = [.. pairs.Where(pair => pair.Kernel.QueueDrops + pair.Model.QueueDrops == 0)];
        string[] fields =
        [
            Count(true, (_, _) => true), Count(true, (kernel, model) => kernel && model), Count(true, (kernel, model) => !kernel && !model),
            Count(true, (kernel, model) => kernel && !model), Count(true, (kernel, model) => !kernel && model),
            Count(false, (_, _) => true), Count(false, (kernel, model) => kernel && model), Count(false, (kernel, model) => kernel != model),
            $"{pairs.Count(pair => pair.Kernel.QueueDrops > 0 && pair.Model.QueueDrops > 0)}",
            $"{pairs.Count(pair => pair.Kernel.QueueDrops > 0 && pair.Model.QueueDrops == 0)}",
            $"{pairs.Count(pair => pair.Kernel.QueueDrops == 0 && pair.Model.QueueDrops > 0)}",
            calm.Length == 0 ? string.Empty : string.Create(
                CultureInfo.InvariantCulture, $"{calm.Average(pair => pair.Model.Resent):0.0}, {calm.Average(pair => pair.Kernel.Resent):0.0}"),
        ];
        text.Append(CultureInfo.InvariantCulture, $"| {name} | {string.Join(" | ", fields)} |\n");
    }

    // Packets of the same number, as long as the queue has dropped none in either.
    static IEnumerable<(bool IsLate, bool Kernel, bool Model)> Common(PathAnswers kernel, PathAnswers model)
    {
        long end = Math.Min(kernel.FirstDrop, model.FirstDrop);
        return kernel.Hit.Where(hit => hit.Key < end && model.Hit.ContainsKey(hit.Key))
            .Select(hit => (hit.Value.IsLate, hit.Value.IsResent, model.Hit[hit.Key].IsResent));
    }

    static List<ImpairmentDecision> Decisions(string path)
    {
        using FileStream stream = File.OpenRead(path);
        DecisionLogReader reader = new(stream);
        List<ImpairmentDecision> decisions = [];
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            if (decision.Direction == LinkDirection.Out)
            {
                decisions.Add(decision);
            }
        }

        return decisions;
    }
}
