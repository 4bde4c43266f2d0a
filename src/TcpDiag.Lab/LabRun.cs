using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Lab.Results;
using TcpDiag.Lab.Topology;

namespace TcpDiag.Lab;

/// <summary>Runs an experiment: every side of every cell, several times, one after the other.</summary>
[SupportedOSPlatform("linux")]
public static class LabRun
{
    /// <summary>Runs what the result directory does not have yet.</summary>
    /// <param name="settings">What to run.</param>
    /// <param name="progress">Told before each run.</param>
    /// <param name="interruption">Ends it; what is finished is kept.</param>
    /// <returns>The experiment with its results, as it stands in <c>run.json</c>.</returns>
    /// <exception cref="LabException">A part of it failed, or the directory holds another experiment.</exception>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public static LabRunDocument Run(LabRunSettings settings, Action<LabProgress> progress, CancellationToken interruption)
    {
        LabLink.RemoveAbandoned();
        LabRunDocument header = new(LabRunDocument.CurrentSchema, settings.Matrix, settings.Seed, settings.Scale, ReadKernel(), false, []);
        ResultFolder folder = ResultFolder.Open(settings.Out, header);
        IReadOnlyList<PlannedIteration> plan = PlannedIteration.Plan(settings.Matrix, settings.Seed);
        List<IterationResult> results = [];
        try
        {
            foreach (PlannedIteration planned in plan)
            {
                interruption.ThrowIfCancellationRequested();
                progress(new LabProgress(planned, results.Count, plan.Count));
                results.Add(folder.TryRead(planned) ?? RunOne(settings, folder, planned, interruption));
            }
        }
        finally
        {
            folder.WriteRun(header with { Results = results, IsComplete = results.Count == plan.Count });
        }

        return header with { Results = results, IsComplete = true };
    }

    static IterationResult RunOne(LabRunSettings settings, ResultFolder folder, PlannedIteration planned, CancellationToken interruption)
    {
        IterationResult? result = null;
        for (int attempt = 1; result is not { Fault: null } && attempt <= 1 + settings.Retries; attempt++)
        {
            LabIteration iteration = new(settings.Program, planned, settings.Matrix.Recording, settings.Scale, folder.Prepare(planned));
            result = iteration.Run(interruption) with { Attempts = attempt };
        }

        folder.Write(planned, result!);
        return result!;
    }

    static string ReadKernel() => File.ReadAllText("/proc/sys/kernel/osrelease").Trim();
}
