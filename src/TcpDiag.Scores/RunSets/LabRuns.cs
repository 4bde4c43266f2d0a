using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace TcpDiag.Scores.RunSets;

/// <summary>
/// Finds the figures of a run of the lab. Those of the analysis go before the kernel's, as both sides have them whatever they run on; time in each limit is
/// the simulator's own where there is one, which knows instead of judging.
/// </summary>
static class LabRuns
{
    const double NanosPerSecond = 1e9;

    /// <summary>Reads a run.</summary>
    /// <param name="root">The result directory.</param>
    /// <param name="result">The run.</param>
    /// <returns>Its figures; those it does not have are left out.</returns>
    public static Run Of(string root, LabFile.ResultPart result)
    {
        string? folder = result.Folder is { } below ? Path.Combine(root, below) : null;
        return new Run(result.Iteration, result.Seed, folder, EndOf(result), Figures(result));
    }

    /// <summary>The smallest figure of a run, which must not be negative.</summary>
    /// <param name="result">The run.</param>
    /// <returns>Its name and the figure; 0 where there is none.</returns>
    public static (string Name, double Value) Smallest(LabFile.ResultPart result)
    {
        IEnumerable<(string, double)> figures = Figures(result).Select(figure => (figure.Key.Name, figure.Value));
        return figures.OrderBy(figure => figure.Item2).FirstOrDefault((string.Empty, 0));
    }

    static Dictionary<Metric, double> Figures(LabFile.ResultPart result)
    {
        LabFile.AnalysisPart? analysis = result.Analysis;
        LabFile.KernelPart? kernel = result.Sender?.Kernel;
        long? segments = analysis?.WireSegments ?? kernel?.DataSegmentsOut;
        Dictionary<Metric, double> figures = new() { [Metric.Goodput] = result.GoodputBitsPerSecond ?? 0 };
        Add(figures, Metric.CompletionTime, result.DurationNs / NanosPerSecond);
        Add(figures, Metric.Retransmissions, Share(analysis is null ? kernel?.Retransmissions : analysis.Retransmissions, segments));
        Add(figures, Metric.Needless, Share(analysis is null ? kernel?.Dsacks : analysis.Dsacks, segments));
        Add(figures, Metric.Timeouts, kernel?.Timeouts);
        Add(figures, Metric.RttUnderLoad, analysis?.MedianRttNs / NanosPerSecond);
        Add(figures, Metric.TimeToRate, analysis?.TimeToRateNs / NanosPerSecond);
        Add(figures, Metric.SlowStartExit, analysis?.SlowStartExitBytes);
        Add(figures, Metric.SenderCpu, CpuPerGigabyte(result.Sender));
        Add(figures, Metric.ReceiverCpu, CpuPerGigabyte(result.Receiver));
        foreach ((string state, long time) in result.Simulated?.StatesNs ?? analysis?.LimitsNs ?? new Dictionary<string, long>(StringComparer.Ordinal))
        {
            if (Metric.OfState(state) is { } metric)
            {
                figures[metric] = time / NanosPerSecond;
            }
        }

        return figures;
    }

    static void Add(Dictionary<Metric, double> figures, Metric metric, double? figure)
    {
        if (figure is { } known)
        {
            figures[metric] = known;
        }
    }

    // Nanoseconds a byte are seconds a gigabyte.
    static double? CpuPerGigabyte(LabFile.EndPart? end) => end is { CpuNs: { } cpu, Bytes: > 0 and { } bytes } ? (double)cpu / bytes : null;

    static double? Share(long? part, long? whole) => whole > 0 ? (double?)part / whole : null;

    // A receiver that closes at its time makes the sender's end a reset; what was measured until then is as good as at a time limit.
    static RunEnd EndOf(LabFile.ResultPart result)
    {
        if (result.Receiver?.Outcome is "closed")
        {
            return RunEnd.CutShort;
        }

        RunEnd sender = EndOf(result.Sender?.Outcome);
        RunEnd receiver = EndOf(result.Receiver?.Outcome);
        return sender > receiver ? sender : receiver;
    }

    static RunEnd EndOf(string? outcome) => outcome switch
    {
        "reset" => RunEnd.Reset,
        "closed" or "time-limit" => RunEnd.CutShort,
        _ => RunEnd.Complete,
    };
}
