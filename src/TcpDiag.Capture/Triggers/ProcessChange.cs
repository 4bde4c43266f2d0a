using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Triggers;

/// <summary>
/// <c>process start curl</c>, <c>process exit curl</c> or <c>process exit 1234</c>; polled four times a second, so a shorter-lived one may be missed.
/// </summary>
/// <param name="IsStart">Whether it starts; else it exits.</param>
/// <param name="Name">The name without path or <c>.exe</c>, compared without regard to case; empty goes by the id.</param>
/// <param name="Id">The process id; 0 goes by the name.</param>
public sealed record ProcessChange(bool IsStart, string Name, int Id) : TriggerCondition
{
    /// <inheritdoc/>
    public override string ToString() => $"process {(IsStart ? "start" : "exit")} {(Id != 0 ? Id.ToString(CultureInfo.InvariantCulture) : Name)}";

    /// <summary>Whether such a process runs on this machine now.</summary>
    /// <returns>True if so.</returns>
    public bool IsRunning() => ProcessList.Read().Any(process => IsMeant(process.Key, process.Value));

    /// <summary>Whether it can come true: an id that no process has is not waited for.</summary>
    /// <returns>Why it cannot, a sentence; null when it can.</returns>
    public string? WhyNever() => Id == 0 || IsRunning() ? null : $"--until {this}: no process of this id runs.";

    internal bool IsMeant(int id, string name) => Id != 0 ? id == Id : string.Equals(name, Name, StringComparison.OrdinalIgnoreCase);

    private protected override TriggerProbe CreateProbe() => new ProcessProbe(this);
}

/// <summary>Waits for a process to start or to exit. Processes already running at the first look count as neither.</summary>
sealed class ProcessProbe(ProcessChange condition) : TriggerProbe
{
    readonly Dictionary<int, string> _running = [];
    bool _hasLooked;

    public override bool NeedsProcesses => true;

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

/// <summary>The processes of this machine.</summary>
static class ProcessList
{
    /// <summary>Lists them.</summary>
    /// <returns>Name without path or <c>.exe</c> by id.</returns>
    public static Dictionary<int, string> Read()
    {
        var processes = new Dictionary<int, string>();
        foreach (Process process in Process.GetProcesses())
        {
            using (process)
            {
                try
                {
                    processes.Add(process.Id, process.ProcessName);
                }
                catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
                {
                    // It has ended meanwhile.
                }
            }
        }

        return processes;
    }
}
