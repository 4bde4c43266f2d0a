using System;
using System.Collections.Generic;

namespace TcpDiag.Capture.Sessions;

/// <summary>A way to record on Windows. It starts and stops an event tracing session and keeps no state of its own: what runs is asked of the machine.</summary>
public abstract class CaptureEngine
{
    const long MiB = 1 << 20;

    static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(1);

    /// <summary>What there is to say of a recording into several traces.</summary>
    protected const string Unbounded = "a new file begins when buffers are written at or above that size, so files may be larger; nothing but this process bounds their number: if it is killed, `tcpdiag capture recover` ends the recording";

    /// <summary>Its name on the command line and in journals.</summary>
    public abstract string Name { get; }

    /// <summary>The command that prints what runs, for when the machine does not tell its sessions; null when there is none.</summary>
    public abstract ProgramCall? Status { get; }

    /// <summary>Whether a trace without packets is not what was asked for.</summary>
    public virtual bool PromisesPackets => true;

    /// <summary>How long stopping may take: <c>netsh trace stop</c> writes and merges for minutes.</summary>
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

    /// <summary>Whether a session is of the kind of which the machine has room for one.</summary>
    /// <param name="sessionName">Its name.</param>
    /// <returns>True when it stands in our way, if it is not ours.</returns>
    public abstract bool Competes(string sessionName);

    /// <summary>Looks whether somebody else uses what the machine has one of, where no session tells of it. Changes nothing.</summary>
    /// <param name="machine">The machine.</param>
    /// <returns>What stands in our way; null when nothing does.</returns>
    public virtual OtherUse? FindOtherUse(ICaptureMachine machine) => null;

    /// <summary>Stops what runs, whoever started it.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="sessionName">The session that runs.</param>
    /// <param name="waiting">Called about once a second; null for nobody.</param>
    /// <returns>What the program said if it did not succeed; null when it did.</returns>
    public virtual string? Stop(ICaptureMachine machine, string sessionName, Action<TimeSpan>? waiting) => Run(machine, StopCommands, StopLimit, waiting);

    /// <summary>Takes back what starting changed besides the session, e.g. filters. Does no harm when there is nothing to take back.</summary>
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

    /// <summary>Looks whether the filters of a plan are in force, once its recording runs.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="plan">The plan; one that has filters.</param>
    /// <returns>What was found.</returns>
    public virtual FilterProof ProveFilters(ICaptureMachine machine, CapturePlan plan) => new(IsInForce: null, $"{Name} lists no filters: the packets will tell");

    /// <summary>Commands that stop whatever runs; the same for every recording, so that nothing on disk tells what to run.</summary>
    protected abstract IReadOnlyList<PlannedCommand> StopCommands { get; }

    /// <summary>Commands that take back what starting changed; none unless an engine says so.</summary>
    protected virtual IReadOnlyList<PlannedCommand> UndoCommands => [];

    /// <summary>Why sessions begin new files by size only, as <see cref="WhyNotSplit"/> says it; null where no time is asked for.</summary>
    /// <param name="isByTime">Whether one is.</param>
    protected static string? WhyNotByTime(bool isByTime) => !isByTime ? null : "begins a new file by size alone: give --split a size such as 100mb";

    /// <summary>The size at which a new file begins, mebibytes; null for one file.</summary>
    /// <param name="settings">What to record.</param>
    protected static int? PieceMebibytes(CaptureSettings settings) => settings?.SplitBytes is { } bytes ? (int)Math.Clamp((bytes + MiB - 1) / MiB, 1, int.MaxValue) : null;

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

    // A program that is not there has done nothing, as one that fails.
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
