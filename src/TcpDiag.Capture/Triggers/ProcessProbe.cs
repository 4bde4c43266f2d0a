using System;
using System.Collections.Generic;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>Waits for a process to start or to exit. Those that run when it looks first are neither.</summary>
/// <param name="condition">Which process.</param>
sealed class ProcessProbe(ProcessChange condition) : TriggerProbe
{
    readonly Dictionary<int, string> _running = [];
    bool _hasLooked;

    /// <inheritdoc/>
    public override bool NeedsProcesses => true;

    /// <inheritdoc/>
    public override string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes)
    {
        string? started = null;
        foreach ((int id, string name) in processes)
        {
            if (condition.IsMeant(id, name) && _running.TryAdd(id, name) && _hasLooked)
            {
                started = FormattableString.Invariant($"process {name} ({id}) started");
            }
        }

        _hasLooked = true;
        string? exited = RemoveExited(processes);
        return condition.IsStart ? started : exited;
    }

    string? RemoveExited(IReadOnlyDictionary<int, string> processes)
    {
        string? exited = null;
        foreach ((int id, string name) in _running)
        {
            // An id can have a new owner by now.
            if (!processes.TryGetValue(id, out string? now) || !condition.IsMeant(id, now))
            {
                _running.Remove(id);
                exited = FormattableString.Invariant($"process {name} ({id}) exited");
            }
        }

        return exited;
    }
}
