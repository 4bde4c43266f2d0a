using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Lab;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Results;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;

namespace TcpDiag.Cli.Simulate;

/// <summary>An experiment of <c>lab run</c> in virtual time: the same cells, sides, seeds and folders.</summary>
/// <param name="Matrix">The experiment.</param>
/// <param name="Seed">Seed of the whole.</param>
/// <param name="Scale">Shortens flows, above 0 and at most 1.</param>
/// <param name="Out">The result directory.</param>
/// <param name="Sender">Who sends on every side; null for Linux with the side's setting.</param>
/// <param name="Receiver">Who receives on every side; null for Linux with the side's setting.</param>
sealed record SimulatedExperiment(LabMatrix Matrix, ulong Seed, double Scale, string Out, SenderTraits? Sender, ReceiverTraits? Receiver)
{
    /// <summary>When a cell needs no more iterations, and those of the matrix are a limit; null to run them all.</summary>
    public StoppingRule? Until { get; init; }

    /// <summary>The build of which the sender leaves an .etl; null for none.</summary>
    public int? SenderEtlBuild { get; init; }

    /// <summary>The build of which the receiver leaves an .etl; null for none.</summary>
    public int? ReceiverEtlBuild { get; init; }

    /// <summary>Runs what the result directory does not have yet.</summary>
    /// <returns>The experiment with its results, as it stands in <c>run.json</c>.</returns>
    /// <exception cref="LabException">The matrix asks for what is not simulated, or the directory holds another experiment.</exception>
    /// <exception cref="System.OperationCanceledException">It was interrupted.</exception>
    public LabRunDocument Run(CancellationToken interruption)
    {
        LabRunDocument header = new(LabRunDocument.CurrentSchema, Matrix, Seed, Scale, null, $"simulated {Sender?.Name ?? "Linux"}", false, []);
        IReadOnlyList<PlannedIteration> plan = PlannedIteration.Plan(Matrix, Seed);
        // a matrix that cannot be run fails before the first run
        SimulatedIteration[] runs = [.. plan.Select(planned => new SimulatedIteration(this, planned))];
        using ResultFolder folder = ResultFolder.Open(Out, header);
        IterationResult?[] results = new IterationResult?[plan.Count];
        CellDecisions decisions = new(Until, header, plan, results);
        try
        {
            for (int i = 0; i < runs.Length; i++)
            {
                interruption.ThrowIfCancellationRequested();
                results[i] = decisions.IsDecided(plan[i].Cell) ? null : RunOne(folder, runs[i], interruption);
            }
        }
        finally
        {
            folder.WriteRun(decisions.Summarize());
        }

        return decisions.Summarize();
    }

    static IterationResult RunOne(ResultFolder folder, SimulatedIteration run, CancellationToken interruption)
    {
        if (folder.TryRead(run.Plan) is { IsVoid: false } done)
        {
            return done;
        }

        IterationResult result = run.Run(folder.Prepare(run.Plan), interruption);
        folder.Write(run.Plan, result);
        return result;
    }
}
