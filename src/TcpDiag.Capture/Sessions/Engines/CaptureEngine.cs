using System;
using System.Collections.Generic;
using TcpDiag.Capture.Windows;

namespace TcpDiag.Capture.Sessions.Engines;

/// <summary>A way to record on Windows. It starts and stops an event tracing session and keeps no state of its own: the machine knows what runs.</summary>
public abstract class CaptureEngine
{
    const long MiB = 1 << 20;

    static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(1);

    /// <summary>Remark on a recording into several traces.</summary>
    protected const string Unbounded = "a new file begins when buffers are written at or above that size, so files may be larger; nothing but this "
        + "process bounds their number: if it is killed, `tcpdiag capture recover` ends the recording";

    /// <summary>Its name on the command line and in journals.</summary>
    public abstract string Name { get; }

    /// <summary>The command that prints what runs, for a machine that does not list its sessions; null when there is none.</summary>
    public abstract ProgramCall? Status { get; }

    /// <summary>Whether it records packets by itself, so that a trace without any is incomplete.</summary>
    public virtual bool PromisesPackets => true;

    /// <summary>How long stopping may take: <c>netsh trace stop</c> may write and merge for minutes.</summary>
    public virtual TimeSpan StopLimit => TimeSpan.FromMinutes(15);

    /// <summary>What will be done.</summary>
    /// <param name="settings">What to record.</param>
    /// <param name="traceFile">Full path of the trace.</param>
    /// <param name="build">Build number of Windows.</param>
    /// <returns>The plan.</returns>
    public abstract CapturePlan Plan(CaptureSettings settings, string traceFile, int build);

    /// <summary>Whether it can record into several traces without a gap.</summary>
    /// <param name="isByTime">Whether a new one is to begin after a time, not at a size.</param>
    /// <param name="build">Build number of Windows.</param>
    /// <returns>Why not, a clause behind its name; null when it can.</returns>
    public abstract string? WhyNotSplit(bool isByTime, int build);

    /// <summary>Whether it records events of the TCP stack beside the packets.</summary>
    /// <param name="build">Build number of Windows.</param>
    /// <returns>Why it does not, a sentence; null when it does.</returns>
    public virtual string? WhyNoEvents(int build) => null;

    /// <summary>Whether a session is of the kind that can exist only once.</summary>
    /// <param name="sessionName">Its name.</param>
    /// <returns>True when it conflicts with ours, if it is not ours.</returns>
    public abstract bool Competes(string sessionName);

    /// <summary>Checks whether someone else uses the engine without a listed session. Changes nothing.</summary>
    /// <param name="machine">The machine.</param>
    /// <returns>The conflict; null for none.</returns>
    public virtual OtherUse? FindOtherUse(ICaptureMachine machine) => null;

    /// <summary>Stops the running session, whoever started it.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="sessionName">The session that runs.</param>
    /// <param name="waiting">Called about once a second; null for none.</param>
    /// <returns>What the program said if it did not succeed; null when it did.</returns>
    public virtual string? Stop(ICaptureMachine machine, string sessionName, Action<TimeSpan>? waiting) => Run(machine, StopCommands, StopLimit, waiting);

    /// <summary>Reverts what starting changed besides the session, e.g. filters. Harmless when there is nothing to revert.</summary>
    /// <param name="machine">The machine.</param>
    /// <returns>What the program said if it did not succeed; null when it did.</returns>
    public virtual string? Undo(ICaptureMachine machine) => Run(machine, UndoCommands, StartLimit, null);

    /// <summary>Runs the commands of a plan.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="plan">From <see cref="Plan"/>.</param>
    /// <returns>What the first program said that did not succeed; null when all did.</returns>
    public virtual string? Start(ICaptureMachine machine, CapturePlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return Run(machine, plan.Start, StartLimit, null);
    }

    /// <summary>Checks whether the filters of a plan are in force, once its recording runs.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="plan">The plan; one that has filters.</param>
    /// <returns>What was found.</returns>
    public virtual FilterProof ProveFilters(ICaptureMachine machine, CapturePlan plan) =>
        new(IsInForce: null, $"{Name} lists no filters: the packets will show");

    /// <summary>Commands that stop whatever runs; the same for every recording, so that no file decides what to run.</summary>
    protected abstract IReadOnlyList<PlannedCommand> StopCommands { get; }

    /// <summary>Commands that revert what starting changed; none by default.</summary>
    protected virtual IReadOnlyList<PlannedCommand> UndoCommands => [];

    /// <summary>Why sessions begin new files by size only, as <see cref="WhyNotSplit"/> says it; null where no time is requested.</summary>
    /// <param name="isByTime">Whether one is.</param>
    protected static string? WhyNotByTime(bool isByTime) => !isByTime ? null : "begins a new file by size alone: give --split a size such as 100mb";

    /// <summary>The size at which a new file begins, mebibytes; null for one file.</summary>
    /// <param name="settings">What to record.</param>
    protected static int? PieceMebibytes(CaptureSettings settings) => settings?.SplitBytes is { } bytes
        ? (int)Math.Clamp((bytes + MiB - 1) / MiB, 1, int.MaxValue)
        : null;

    // The first that does not succeed ends it.
    static string? Run(ICaptureMachine machine, IReadOnlyList<PlannedCommand> commands, TimeSpan limit, Action<TimeSpan>? waiting)
    {
        ArgumentNullException.ThrowIfNull(machine);
        foreach (PlannedCommand command in commands)
        {
            if (Run(machine, command.Call, limit, waiting) is { } failure)
            {
                return failure;
            }
        }

        return null;
    }

    // A missing program has done nothing, like one that fails.
    static string? Run(ICaptureMachine machine, ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting)
    {
        try
        {
            ProgramResult result = machine.Run(call, limit, waiting);
            return result.Succeeded ? null : $"`{call}` ended with {result.Describe()}";
        }
        catch (CaptureException exception)
        {
            return exception.Message;
        }
    }
}

/// <summary>Everything that a recording will do to the machine, and what it costs.</summary>
public sealed record CapturePlan
{
    /// <summary>What records, e.g. <c>netsh</c>.</summary>
    public required string Engine { get; init; }

    /// <summary>Full path of the trace while it is recorded.</summary>
    public required string TraceFile { get; init; }

    /// <summary>The session to begin, for an engine that needs no program; null for the others.</summary>
    public EtwSessionPlan? Session { get; init; }

    /// <summary>Commands, or calls of Windows, that start it, in order.</summary>
    public required IReadOnlyList<PlannedCommand> Start { get; init; }

    /// <summary>Commands that stop it and undo what the first ones changed, in order; each does no harm when there is nothing to do.</summary>
    public required IReadOnlyList<PlannedCommand> Stop { get; init; }

    /// <summary>Whether the commands that start it make filters.</summary>
    public bool HasFilters { get; init; }

    /// <summary>What it will cost: disk, processor, privacy, each one sentence.</summary>
    public required CaptureCosts Costs { get; init; }

    /// <summary>Where it records more or less than requested, one sentence each; the result repeats them.</summary>
    public IReadOnlyList<string> Departures { get; init; } = [];

    /// <summary>What else there is to know of such recordings, one sentence each.</summary>
    public required IReadOnlyList<string> Remarks { get; init; }
}

/// <summary>A command of a recording and what it is for.</summary>
/// <param name="Call">The command.</param>
/// <param name="Purpose">One clause for people.</param>
public sealed record PlannedCommand(ProgramCall Call, string Purpose);

/// <summary>What a recording costs.</summary>
/// <param name="DiskBytes">Peak disk space, bytes; in a plan that of the trace alone, without its copies.</param>
/// <param name="Processor">Its effect on the machine's speed.</param>
/// <param name="Privacy">Which personal data will be in the trace.</param>
/// <param name="MemoryBytes">Memory that is never paged out, bytes; null where the system decides.</param>
public sealed record CaptureCosts(long DiskBytes, string Processor, string Privacy, long? MemoryBytes = null);

/// <summary>How someone else uses the engine, where no session shows it.</summary>
/// <param name="What">A clause that names it.</param>
/// <param name="Runs">Whether it records; false for what is only set, such as filters.</param>
public sealed record OtherUse(string What, bool Runs)
{
    /// <summary>What is set, a line each as the program prints it, for people to set it again; none where unknown.</summary>
    public IReadOnlyList<string> Settings { get; init; } = [];
}

/// <summary>The result of checking the filters of a running recording.</summary>
/// <param name="IsInForce">Whether all are there; null where the engine lists none, so that only the packets show it.</param>
/// <param name="What">A sentence for the journal, and for people where a filter is missing.</param>
public sealed record FilterProof(bool? IsInForce, string What);
