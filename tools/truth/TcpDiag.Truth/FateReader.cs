using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;

namespace TcpDiag.Truth;

/// <summary>Reads from the decision log of a run what became of the packets of its main flow.</summary>
static class FateReader
{
    /// <summary>Reads a log.</summary>
    /// <param name="path">The log.</param>
    /// <returns>One fate per packet sent, in the order of sending.</returns>
    public static IReadOnlyList<Fate> Read(string path)
    {
        using FileStream stream = File.OpenRead(path);
        var reader = new DecisionLogReader(stream);
        var flows = new Dictionary<uint, List<Fate>>();
        var damaged = new HashSet<long>();
        for (long order = 0; reader.TryRead(out ImpairmentDecision decision); order++)
        {
            if (decision.Direction != LinkDirection.Out)
            {
                continue;
            }

            if (decision.Action == ImpairmentAction.Corrupt)
            {
                damaged.Add(decision.PacketId);
            }
            else if (IsEnd(decision.Action))
            {
                bool isWhole = decision.Action == ImpairmentAction.Forward && !damaged.Contains(decision.PacketId);
                Of(flows, decision.FlowHash).Add(new Fate(decision.PacketId, isWhole ? decision.Time : null, order));
            }
        }

        List<Fate> main = flows.Values.MaxBy(list => list.Count) ?? [];
        return [.. main.OrderBy(fate => fate.Packet)];
    }

    // Every packet offered ends in one of these (docs/formats/decision-log.md).
    static bool IsEnd(ImpairmentAction action) => action is ImpairmentAction.Forward
        or ImpairmentAction.DropLoss or ImpairmentAction.DropQueue or ImpairmentAction.DropBlackout or ImpairmentAction.DropCapacity
        or ImpairmentAction.DropAqm;

    static List<Fate> Of(Dictionary<uint, List<Fate>> flows, uint hash)
    {
        if (!flows.TryGetValue(hash, out List<Fate>? list))
        {
            flows[hash] = list = [];
        }

        return list;
    }
}
