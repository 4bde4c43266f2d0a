using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// Calls to a machine's resolver, from its events (docs/formats/stack-events.md), and which connection waited for which: the first one that the same
/// process opens after a call. The events do not say how the name was resolved, or whether from a cache; that the process waited, they do.
/// </summary>
sealed class ResolverCalls
{
    const int Capacity = 1 << 18; // a bound against a trace of made-up events

    readonly Dictionary<(uint Process, string Name), ResolverCall> _latest = [];
    readonly Dictionary<uint, List<ResolverCall>> _byProcess = []; // in the order of their starts
    int _calls;
    long _longestNanos; // that any call took

    public void OnEvent(StackEvent stackEvent, long record)
    {
        bool isStart = stackEvent.Kind == StackEventKind.NameLookupStarted;
        if ((!isStart && stackEvent.Kind != StackEventKind.NameLookupCompleted) || stackEvent is not { ProcessId: { } process, Text.Length: > 0 })
        {
            return;
        }

        (uint, string) key = (process, stackEvent.Text);
        bool isKnown = _latest.TryGetValue(key, out ResolverCall? call);
        if (!isStart && isKnown)
        {
            call!.Completed = stackEvent.Time; // of nested calls the outermost returns last
            call.IsFound = stackEvent.TryGet(StackField.Reason, out long status) && status == 0;
            _longestNanos = Math.Max(_longestNanos, stackEvent.Time - call.Started);
        }
        else if (isStart && (!isKnown || call!.Completed is not null) && _calls < Capacity)
        {
            _calls++;
            _latest[key] = call = new ResolverCall { Name = stackEvent.Text, Started = stackEvent.Time, Record = record };
            ListOf(process).Add(call);
        }
    }

    /// <summary>Sets the lookup that each connection opened by this machine waited for; connections come in the order of their first events.</summary>
    public void Attribute(IReadOnlyList<StackConnection> known, List<Connection> connections)
    {
        var used = new HashSet<ResolverCall>();
        foreach (StackConnection stack in known)
        {
            if (OpenedHere(stack, connections) is { } joined && Claim(connections[joined].ProcessId, connections[joined].Start, used) is { } delay)
            {
                connections[joined] = connections[joined] with { Lookup = delay };
            }
        }
    }

    /// <summary>Which connection this machine opened, by its events; null where it opened none.</summary>
    public static int? OpenedHere(StackConnection stack, List<Connection> connections) =>
        stack is { Joined: { } joined, IsOpenedHere: true } && stack.Local == connections[joined].Client ? joined : null;

    /// <summary>The call that a connection waited for, where no connection before it has.</summary>
    /// <param name="process">Its process.</param>
    /// <param name="start">When it opened.</param>
    /// <param name="used">The calls that others waited for; this one is added.</param>
    /// <returns>The wait; null for none.</returns>
    public LookupDelay? Claim(uint? process, TraceTime start, HashSet<ResolverCall> used) =>
        Latest(process, start) is { } last && used.Add(last) ? Delay(last, start) : null;

    ResolverCall? Latest(uint? process, TraceTime start)
    {
        if (process is not { } id || !_byProcess.TryGetValue(id, out List<ResolverCall>? calls))
        {
            return null;
        }

        for (int i = CountUntil(calls, start) - 1; i >= 0 && start - calls[i].Started <= _longestNanos + NameLookups.MaxAnswerAgeNanos; i--)
        {
            if (calls[i].Completed is { } completed && completed <= start && start - completed <= NameLookups.MaxAnswerAgeNanos)
            {
                return calls[i];
            }
        }

        return null;
    }

    // How many of them had started by an instant.
    static int CountUntil(List<ResolverCall> calls, TraceTime time)
    {
        (int low, int high) = (0, calls.Count);
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = calls[middle].Started <= time ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    static LookupDelay Delay(ResolverCall call, TraceTime start)
    {
        long after = start - call.Completed!.Value;
        long rest = after > NameLookup.ConnectDelayNanos ? after : 0;
        return new LookupDelay(start - call.Started - rest, call.Name, 0, 1, call.IsFound, IsAboutServer: true, call.Record) { AfterTime = rest };
    }

    List<ResolverCall> ListOf(uint process)
    {
        if (!_byProcess.TryGetValue(process, out List<ResolverCall>? calls))
        {
            _byProcess[process] = calls = [];
        }

        return calls;
    }
}

/// <summary>One call of a program to its machine's resolver.</summary>
sealed class ResolverCall
{
    /// <summary>The name as the program passed it.</summary>
    public required string Name { get; init; }

    public required TraceTime Started { get; init; }

    /// <summary>Number of the record of the call's event, from 1.</summary>
    public required long Record { get; init; }

    /// <summary>When it returned; null while it has not.</summary>
    public TraceTime? Completed { get; set; }

    public bool IsFound { get; set; }
}
