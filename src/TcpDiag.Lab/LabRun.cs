using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Lab.Peers;
using TcpDiag.Lab.Results;
using TcpDiag.Lab.Topology;

namespace TcpDiag.Lab;

/// <summary>Runs an experiment: every side of every cell, several times, one after the other or a few at once.</summary>
public sealed class LabRun
{
    readonly LabRunSettings _settings;
    readonly ProgressMeter _progress;
    readonly ResultFolder _folder;
    readonly IReadOnlyList<PlannedIteration> _plan;
    readonly IterationResult?[] _results;
    int _next = -1;

    LabRun(LabRunSettings settings, ResultFolder folder, Action<LabProgress> progress)
    {
        _settings = settings;
        _folder = folder;
        _plan = PlannedIteration.Plan(settings.Matrix, settings.Seed);
        _results = [.. _plan.Select(folder.TryRead)];
        _progress = new ProgressMeter(progress, TimeProvider.System, _plan.Count, _results.Count(result => result is { IsVoid: false }));
    }

    /// <summary>Runs what the result directory does not have yet, and again what is void in it.</summary>
    /// <param name="settings">What to run.</param>
    /// <param name="progress">Told before each run and while its path works, on one thread at a time.</param>
    /// <param name="interruption">Ends it; what is finished is kept.</param>
    /// <returns>The experiment with its results, as it stands in <c>run.json</c>.</returns>
    /// <exception cref="LabException">It cannot be run here, or the directory holds another experiment or one that is under way.</exception>
    /// <exception cref="OperationCanceledException">It was interrupted.</exception>
    public static LabRunDocument Run(LabRunSettings settings, Action<LabProgress> progress, CancellationToken interruption)
    {
        if (OperatingSystem.IsLinux())
        {
            LabLink.RemoveAbandoned();
        }

        if (settings.Peer is not null)
        {
            PeerIteration.Check(settings.Matrix);
        }

        LabRunDocument header = new(
            LabRunDocument.CurrentSchema, settings.Matrix, settings.Seed, settings.Scale, settings.Ends?.ToString() ?? settings.Peer?.Address.ToString(), ReadKernel(), false, []);
        using ResultFolder folder = ResultFolder.Open(settings.Out, header);
        LabRun run = new(settings, folder, progress);
        folder.WriteRun(run.Complete(header));
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
                if (_results[index] is not { IsVoid: false })
                {
                    int before = _results[index]?.Attempts ?? 0;
                    _results[index] = null;
                    _results[index] = RunOne(_plan[index], before, stop.Token);
                    _progress.Finish();
                }
            }
        }
        catch
        {
            stop.Cancel();
            throw;
        }
    }

    IterationResult RunOne(PlannedIteration planned, int before, CancellationToken interruption)
    {
        IterationResult? result = null;
        for (int attempt = 1; result is not { IsVoid: false } && attempt <= 1 + _settings.Retries; attempt++)
        {
            _progress.Tell(planned);
            IterationSetup setup = new(_settings, planned, _folder.Prepare(planned));
            result = Attempt(setup, interruption) with { Attempts = before + attempt };
        }

        _folder.Write(planned, result!);
        return result!;
    }

    IterationResult Attempt(IterationSetup setup, CancellationToken interruption)
    {
        try
        {
            return _settings.Peer is { } peer ? new PeerIteration(setup, _settings, peer).Run(interruption)
                : OperatingSystem.IsLinux() ? new LabIteration(setup, figures => _progress.Tell(setup.Plan, figures)).Run(interruption)
                : throw new LabException("Only Linux has namespaces to send between; here a peer receives.");
        }
        catch (LabPartException failed)
        {
            return setup.Failed(failed.Message);
        }
    }

    static string ReadKernel() => OperatingSystem.IsLinux()
        ? File.ReadAllText("/proc/sys/kernel/osrelease").Trim()
        : $"Windows {Environment.OSVersion.Version.ToString(3)}";
}
