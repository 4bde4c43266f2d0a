using System.Collections.Generic;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// The calls to a machine's resolver that its events tell (docs/formats/stack-events.md), and which connection waited for which: the first one the same process opens
/// behind a call. How the name was sought, and whether from a cache, the events do not tell; that the process waited, they do.
/// </summary>
sealed class ResolverCalls
{
    const int Capacity = 1 << 16; // a bound against a trace of made-up events

    readonly Dictionary<(uint Process, string Name), ResolverCall> _latest = [];
    readonly Dictionary<uint, List<ResolverCall>> _byProcess = [];

    /// <summary>Takes in an event.</summary>
    /// <param name="told">The event.</param>
    /// <param name="record">Number of its record, from 1.</param>
    public void OnEvent(StackEvent told, long record)
    {
        bool isStart = told.Kind == StackEventKind.NameLookupStarted;
        if ((!isStart && told.Kind != StackEventKind.NameLookupCompleted) || told is not { ProcessId: { } process, Text.Length: > 0 })
        {
            return;
        }

        (uint, string) key = (process, told.Text);
        bool isKnown = _latest.TryGetValue(key, out ResolverCall? call);
        if (!isStart && isKnown)
        {
            call!.Completed = told.Time; // of calls inside each other the outermost returns last
            call.IsFound = told.TryGet(StackField.Reason, out long status) && status == 0;
        }
        else if (isStart && (isKnown ? call!.Completed is not null : _latest.Count < Capacity))
        {
            _latest[key] = call = new ResolverCall { Name = told.Text, Started = told.Time, Record = record };
            ListOf(process).Add(call);
        }
    }

    /// <summary>Finds what the connections that this machine opened waited for.</summary>
    /// <param name="connections">What the events tell of connections, in the order of their first events.</param>
    public void Attribute(IReadOnlyList<StackConnection> connections)
    {
        var used = new HashSet<ResolverCall>();
        foreach (StackConnection told in connections)
        {
            bool isOpener = told.Joined is { } joined && told.IsOpenedHere == true && told.Local == joined.Client;
            if (isOpener && told.Joined!.ProcessId is { } process && _byProcess.TryGetValue(process, out List<ResolverCall>? calls)
                && calls.FindLast(call => IsWaitedFor(call, told.Joined)) is { } last && used.Add(last))
            {
                told.Joined.Lookup = Delay(last, told.Joined);
            }
        }
    }

    static bool IsWaitedFor(ResolverCall call, Connection connection) =>
        call.Completed is { } completed && completed <= connection.Start && connection.Start - completed <= NameLookups.AnswerUse;

    static LookupDelay Delay(ResolverCall call, Connection connection)
    {
        long after = connection.Start - call.Completed!.Value;
        long rest = after > NameLookup.AtOnce ? after : 0;
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
