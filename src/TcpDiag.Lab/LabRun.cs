using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Capture.Sessions;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Peers;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;
using TcpDiag.Lab.Topology;
using TcpDiag.Shim;

namespace TcpDiag.Lab;

/// <summary>Runs an experiment: every side of every cell, several times, one after the other or a few at once.</summary>
public sealed class LabRun
{
    readonly LabRunSettings _settings;
    readonly ProgressMeter _progress;
    readonly ResultFolder _folder;
    readonly IReadOnlyList<PlannedIteration> _plan;
    readonly IterationResult?[] _results;
    readonly CellDecisions _decisions;
    readonly string _system;
    int _next = -1;

    LabRun(LabRunSettings settings, string system, ResultFolder folder, Action<LabProgress> progress)
    {
        _settings = settings;
        _folder = folder;
        _system = system;
        _plan = PlannedIteration.Plan(folder.Header.Matrix, settings.Seed);
        _results = [.. _plan.Select(folder.TryRead)];
        _decisions = new CellDecisions(settings.Until, folder.Header, _plan, _results);
        int others = _plan.Where((planned, index) => _results[index] is not { IsVoid: false } && !Resumption.IsOf(planned.Side, system)).Count();
        _progress = new ProgressMeter(progress, TimeProvider.System, _plan.Count - others, _results.Count(result => result is { IsVoid: false }));
    }

    /// <summary>Runs what the result directory does not have yet, and again what is void in it.</summary>
    /// <param name="settings">What to run.</param>
    /// <param name="progress">Called before each run and while its path works, on one thread at a time.</param>
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
            LabRunDocument.CurrentSchema,
            settings.Matrix,
            settings.Seed,
            settings.Scale,
            settings.Ends?.ToString() ?? settings.Peer?.Address.ToString(),
            OperatingSystem.IsLinux() ? EndFacts.KernelRelease() : EndFacts.SystemName(),
            false,
            []);
        using ResultFolder folder = ResultFolder.Open(settings.Out, header, settings.IsResumed);
        LabRun run = new(settings, header.Kernel, folder, progress);
        folder.WriteRun(run._decisions.Summarize());
        try
        {
            run.RunAll(interruption);
        }
        finally
        {
            folder.WriteRun(run._decisions.Summarize());
        }

        return run._decisions.Summarize();
    }

    // The first that fails ends the others.
    void RunAll(CancellationToken interruption)
    {
        using CancellationTokenSource stop = CancellationTokenSource.CreateLinkedTokenSource(interruption);
        Task[] workers = new Task[_settings.Jobs];
        for (int i = 0; i < workers.Length; i++)
        {
            workers[i] = Task.Factory.StartNew(() => Work(stop), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        }

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
                if (_results[index] is { IsVoid: false } || !Resumption.IsOf(_plan[index].Side, _system))
                {
                    continue;
                }

                if (_decisions.IsDecided(_plan[index].Cell))
                {
                    _progress.LeaveOut();
                }
                else
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
            _progress.Report(planned);
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
                : OperatingSystem.IsLinux() ? new LabIteration(setup, figures => _progress.Report(setup.Plan, figures)).Run(interruption)
                : throw new LabException("Only Linux has namespaces to send between; here a peer receives.");
        }
        catch (LabPartException failed)
        {
            return setup.Failed(failed.Message);
        }
    }
}

/// <summary>What to run and where to leave it.</summary>
/// <param name="Matrix">The experiment.</param>
/// <param name="Seed">Seed of the whole.</param>
/// <param name="Scale">Shortens flows, above 0 and at most 1.</param>
/// <param name="Retries">How often a void run is repeated at most.</param>
/// <param name="Jobs">How many runs there are at once, each in namespaces of its own; 1 where figures are to be compared.</param>
/// <param name="Out">The result directory.</param>
/// <param name="Peer">The machine that receives; null for two namespaces of this one.</param>
/// <param name="Program">How this program is started again.</param>
/// <param name="Ends">Between which addresses of this machine, where <paramref name="Peer"/> is this machine too; else null.</param>
public sealed record LabRunSettings(
    LabMatrix Matrix, ulong Seed, double Scale, int Retries, int Jobs, string Out, PeerEndpoint? Peer, LabProgram Program, OwnEnds? Ends = null)
{
    /// <summary>Where programs of Windows are asked what this machine is like; null does not ask.</summary>
    public Func<ICaptureMachine>? OpenMachine { get; init; }

    /// <summary>The machine between this one and the peer that emulates the path; null where the peer does.</summary>
    public PeerEndpoint? Middle { get; init; }

    /// <summary>Whether the result directory may hold runs of another build of this machine, which are kept beside those made now.</summary>
    public bool IsResumed { get; init; }

    /// <summary>When a cell needs no more iterations, and those of the matrix are a limit; null to run them all.</summary>
    public StoppingRule? Until { get; init; }
}

/// <summary>How an experiment stands.</summary>
/// <param name="Current">The run that begins, or is under way.</param>
/// <param name="Done">Runs that are finished.</param>
/// <param name="Count">Runs in all.</param>
/// <param name="Left">About how long the rest takes; null until a run has been made.</param>
/// <param name="Path">How the emulated path of the run stands; null when the run begins, and between two machines.</param>
public sealed record LabProgress(PlannedIteration Current, int Done, int Count, TimeSpan? Left, ShimFigures? Path);

/// <summary>Counts the runs of an experiment and estimates how long the rest takes: as long each as those made since its start, several at once.</summary>
/// <param name="report">Called with how it stands, on one thread at a time.</param>
/// <param name="time">The clock.</param>
/// <param name="count">Runs in all.</param>
/// <param name="finished">Runs that are finished already.</param>
sealed class ProgressMeter(Action<LabProgress> report, TimeProvider time, int count, int finished)
{
    readonly Lock _reporting = new();
    readonly long _start = time.GetTimestamp();
    int _made;
    int _leftOut;

    /// <summary>A run begins, or goes on.</summary>
    /// <param name="current">The run.</param>
    /// <param name="path">How its path stands; null when it begins.</param>
    public void Report(PlannedIteration current, ShimFigures? path = null)
    {
        lock (_reporting)
        {
            report(new LabProgress(current, finished + _made, count - _leftOut, Left(), path));
        }
    }

    /// <summary>A run is finished.</summary>
    public void Finish()
    {
        lock (_reporting)
        {
            _made++;
        }
    }

    /// <summary>A run is not needed.</summary>
    public void LeaveOut()
    {
        lock (_reporting)
        {
            _leftOut++;
        }
    }

    TimeSpan? Left() => _made == 0 ? null : time.GetElapsedTime(_start) / _made * (count - _leftOut - finished - _made);
}

/// <summary>An experiment that cannot be made: what was tried, what came of it, and what helps.</summary>
/// <param name="message">One or two sentences.</param>
public class LabException(string message) : Exception(message);

/// <summary>A process of a run that failed while it worked: the run is void, the experiment goes on.</summary>
/// <param name="message">Which part it was and what became of it, as a sentence.</param>
sealed class LabPartException(string message) : LabException(message);
