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
    const int Capacity = 1 << 16; // a bound against a trace of made-up events

    readonly Dictionary<(uint Process, string Name), ResolverCall> _latest = [];
    readonly Dictionary<uint, List<ResolverCall>> _byProcess = [];

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
        }
        else if (isStart && (isKnown ? call!.Completed is not null : _latest.Count < Capacity))
        {
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
            if (stack is not { Joined: { } joined, IsOpenedHere: true } || stack.Local != connections[joined].Client)
            {
                continue;
            }

            Connection connection = connections[joined];
            if (connection.ProcessId is { } process && _byProcess.TryGetValue(process, out List<ResolverCall>? calls)
                && calls.FindLast(call => IsWaitedFor(call, connection)) is { } last && used.Add(last))
            {
                connections[joined] = connection with { Lookup = Delay(last, connection) };
            }
        }
    }

    static bool IsWaitedFor(ResolverCall call, Connection connection) =>
        call.Completed is { } completed && completed <= connection.Start && connection.Start - completed <= NameLookups.MaxAnswerAgeNanos;

    static LookupDelay Delay(ResolverCall call, Connection connection)
    {
        long after = connection.Start - call.Completed!.Value;
        long rest = after > NameLookup.ConnectDelayNanos ? after : 0;
        return new LookupDelay(connection.Start - call.Started - rest, call.Name, 0, 1, call.IsFound, IsAboutServer: true, call.Record) { AfterTime = rest };
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
