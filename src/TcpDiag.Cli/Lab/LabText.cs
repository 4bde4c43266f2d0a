using System;
using System.Globalization;
using System.IO;
using System.Linq;
using TcpDiag.Lab;
using TcpDiag.Lab.Results;

namespace TcpDiag.Cli.Lab;

/// <summary>An experiment in words.</summary>
static class LabText
{
    const double BitsPerMegabit = 1e6;

    /// <summary>Goodput of each side of each cell.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="run">The experiment.</param>
    /// <param name="folder">Its directory.</param>
    public static void Write(TextWriter output, LabRunDocument run, string folder)
    {
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{run.Matrix.Name}, scale {run.Scale}, seed {run.Seed}, Linux {run.Kernel}: {run.Results.Count} runs in {folder}"));
        int cellWidth = run.Results.Max(result => result.Cell.Length);
        int sideWidth = run.Results.Max(result => result.Side.Length);
        foreach (IGrouping<(string Cell, string Side), IterationResult> runs in run.Results.GroupBy(result => (result.Cell, result.Side)))
        {
            IterationResult[] valid = [.. runs.Where(result => result.Fault is null)];
            output.WriteLine($"{runs.Key.Cell.PadRight(cellWidth)}  {runs.Key.Side.PadRight(sideWidth)}  {Goodput(valid)}  {Retransmissions(valid)}{Void(runs.Count(), valid.Length)}");
        }
    }

    /// <summary>How an experiment stands.</summary>
    /// <param name="error">Where to write.</param>
    /// <param name="progress">The run that begins.</param>
    public static void WriteProgress(TextWriter error, LabProgress progress)
    {
        // One line that is written over again, and only where somebody looks at it.
        if (!Console.IsErrorRedirected)
        {
            error.Write($"\r[{progress.Done + 1}/{progress.Count}] {progress.Next.Folder}   ");
        }
    }

    static string Goodput(IterationResult[] runs)
    {
        double[] values = [.. runs.Select(result => result.GoodputBitsPerSecond / BitsPerMegabit).OfType<double>()];
        return values.Length == 0
            ? "no goodput"
            : string.Create(CultureInfo.InvariantCulture, $"{values.Average(),8:F2} Mbit/s mean of {values.Length} ({values.Min():F2} to {values.Max():F2})");
    }

    static string Retransmissions(IterationResult[] runs)
    {
        long sent = runs.Sum(result => result.Sender.Kernel.DataSegmentsOut ?? 0);
        long again = runs.Sum(result => result.Sender.Kernel.Retransmissions ?? 0);
        return sent == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"{100.0 * again / sent:F2} % resent");
    }

    static string Void(int runs, int valid) => runs == valid ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"  {runs - valid} void");
}
