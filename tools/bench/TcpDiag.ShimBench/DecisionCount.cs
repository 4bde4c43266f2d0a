using System;
using System.IO;
using TcpDiag.Impairment.Decisions;

namespace TcpDiag.ShimBench;

/// <summary>What a decision log says of a run: how often something was decided, and how punctual packets left.</summary>
sealed class DecisionCount
{
    // Two-sided 99 % of the normal distribution, to which the binomial comes close at these numbers.
    const double Z99 = 2.5758;

    readonly DelayErrorStatistics _errors = new();

    /// <summary>Packets that came.</summary>
    public long Offered { get; private set; }

    /// <summary>Packets the loss model dropped.</summary>
    public long Lost { get; private set; }

    /// <summary>Packets the reordering took out of their order.</summary>
    public long Reordered { get; private set; }

    /// <summary>Packets dropped for another reason, which no reordering could choose.</summary>
    public long OtherDrops { get; private set; }

    /// <summary>Half of the packets left at most so late, microseconds.</summary>
    public double P50Us => _errors.QuantileNanos(0.5) / 1000.0;

    /// <summary>99 % of the packets left at most so late, microseconds.</summary>
    public double P99Us => _errors.QuantileNanos(0.99) / 1000.0;

    /// <summary>Reads a log to its end.</summary>
    public static DecisionCount Read(Stream log)
    {
        DecisionCount count = new();
        DecisionLogReader reader = new(log);
        while (reader.TryRead(out ImpairmentDecision decision))
        {
            count.Add(in decision);
        }

        return reader.IsComplete && reader.Losses == default ? count : throw new InvalidDataException($"The log is not whole: {reader.Losses}.");
    }

    /// <summary>A rate beside the one asked for, and whether it lies in the interval that 99 % of all runs keep.</summary>
    public static string Rate(long events, long trials, double asked)
    {
        double half = Z99 * Math.Sqrt(asked * (1 - asked) / trials);
        double rate = (double)events / trials;
        string verdict = Math.Abs(rate - asked) <= half ? "inside" : "OUTSIDE";
        return FormattableString.Invariant($"{rate:P4} of {trials:N0}, asked {asked:P1}, {verdict} {asked - half:P4} … {asked + half:P4}");
    }

    void Add(in ImpairmentDecision decision)
    {
        _errors.Record(in decision);
        bool isDrop = decision.Action.IsDrop();
        Offered += isDrop || decision.Action == ImpairmentAction.Forward ? 1 : 0;
        Lost += decision.Action == ImpairmentAction.DropLoss ? 1 : 0;
        OtherDrops += isDrop && decision.Action != ImpairmentAction.DropLoss ? 1 : 0;
        Reordered += decision.Action.IsReordering() ? 1 : 0;
    }
}
