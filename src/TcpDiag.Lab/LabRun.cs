using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Lab.Peers;
using TcpDiag.Lab.Results;
using TcpDiag.Lab.Topology;

namespace TcpDiag.Lab;

/// <summary>Runs an experiment: every side of every cell, several times, one after the other or a few at once.</summary>
[SupportedOSPlatform("linux")]
public sealed class LabRun
{
    readonly LabRunSettings _settings;
    readonly Action<LabProgress> _progress;
    readonly ResultFolder _folder;
    readonly IReadOnlyList<PlannedIteration> _plan;
    readonly IterationResult?[] _results;
    readonly Lock _telling = new();
    int _next = -1;

    LabRun(LabRunSettings settings, ResultFolder folder, Action<LabProgress> progress)
    {
        _settings = settings;
        _progress = progress;
        _folder = folder;
        _plan = PlannedIteration.Plan(settings.Matrix, settings.Seed);
        _results = new IterationResult?[_plan.Count];
    }

    /// <summary>Runs what the result directory does not have yet.</summary>
    /// <param name="settings">What to run.</param>
    /// <param name="progress">Told before each run, on one thread at a time.</param>
    /// <param name="interruption">Ends it; what is finished is kept.</param>
    /// <returns>The experiment with its results, as it stands in <c>run.json</c>.</returns>
    /// <exception cref="LabException">A part of it failed, or the directory holds another experiment.</exception>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public static LabRunDocument Run(LabRunSettings settings, Action<LabProgress> progress, CancellationToken interruption)
    {
        LabLink.RemoveAbandoned();
        if (settings.Peer is not null)
        {
            PeerIteration.Check(settings.Matrix);
        }

        LabRunDocument header = new(
            LabRunDocument.CurrentSchema, settings.Matrix, settings.Seed, settings.Scale, settings.Peer?.Address.ToString(), ReadKernel(), false, []);
        ResultFolder folder = ResultFolder.Open(settings.Out, header);
        LabRun run = new(settings, folder, progress);
        try
        {
            run.RunAll(interruption);
        }
        finally
        {
            folder.WriteRun(run.Complete(header));
        }

        return run.Complete(header);
    }

    LabRunDocument Complete(LabRunDocument header)
    {
        IterationResult[] results = [.. _results.OfType<IterationResult>()];
        return header with { Results = results, IsComplete = results.Length == _plan.Count };
    }

    // The first that fails ends the others.
    void RunAll(CancellationToken interruption)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(interruption);
        Task[] workers = [.. Enumerable.Range(0, _settings.Jobs).Select(_ => Task.Factory.StartNew(() => Work(stop), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
        try
        {
            Task.WaitAll(workers, CancellationToken.None);
        }
        catch (AggregateException failures)
        {
            interruption.ThrowIfCancellationRequested();
            ExceptionDispatchInfo.Throw(failures.InnerExceptions.FirstOrDefault(failure => failure is not OperationCanceledException) ?? failures);
        }
    }

    void Work(CancellationTokenSource stop)
    {
        try
        {
            int index;
            while ((index = Interlocked.Increment(ref _next)) < _plan.Count)
            {
                stop.Token.ThrowIfCancellationRequested();
                lock (_telling)
                {
                    _progress(new LabProgress(_plan[index], index, _plan.Count));
                }

                _results[index] = _folder.TryRead(_plan[index]) ?? RunOne(_plan[index], stop.Token);
            }
        }
        catch
        {
            stop.Cancel();
            throw;
        }
    }

    IterationResult RunOne(PlannedIteration planned, CancellationToken interruption)
    {
        IterationResult? result = null;
        for (int attempt = 1; result is not { Fault: null } && attempt <= 1 + _settings.Retries; attempt++)
        {
            string folder = _folder.Prepare(planned);
            IterationSetup setup = new(_settings, planned, folder);
            result = _settings.Peer is { } peer ? new PeerIteration(setup, _settings.Scale, peer).Run(interruption) : new LabIteration(setup).Run(interruption);
            result = result with { Attempts = attempt };
        }

        _folder.Write(planned, result!);
        return result!;
    }

    static string ReadKernel() => File.ReadAllText("/proc/sys/kernel/osrelease").Trim();
}
