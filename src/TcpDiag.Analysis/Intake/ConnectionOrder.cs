using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Names;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.Input;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// The order of all connections of a trace that is analysed in parts, by which they are numbered; and which of them waited for which name lookup, where the
/// first that could have waited did. It lies in temporary files: memory holds what is known of those that may have waited.
/// </summary>
sealed class ConnectionOrder : IDisposable
{
    const long AfterPackets = 1L << 62; // a connection of events alone stands behind those of packets that began in the same instant

    readonly SortedRuns<Key> _keys = new(Comparer<Key>.Create(Key.Compare)); // a run for each part
    readonly Dictionary<(int Part, int Place), Opening> _openings = [];
    readonly List<(long Event, int Part, int Place, uint? Process, TraceTime Start)> _calls = [];
    readonly Dictionary<(int Part, int Place), LookupDelay> _lookups = [];
    PartNumbers? _numbers;

    /// <summary>How many connections there are.</summary>
    public int Count => checked((int)_keys.Count);

    /// <summary>Adds the connections of the next part.</summary>
    /// <param name="analyzer">Who read them.</param>
    /// <param name="connections">The connections, in their order.</param>
    /// <exception cref="TemporaryFileException">There is no room for them.</exception>
    public void Add(TraceAnalyzer analyzer, List<Connection> connections)
    {
        int part = _keys.Runs;
        var keys = new Key[connections.Count];
        var lookups = new HashSet<NameLookup>();
        Dictionary<int, long> ofEvents = FirstEvents(analyzer.Stack);
        for (int place = 0; place < keys.Length; place++)
        {
            Connection connection = connections[place];
            long first = connection.Evidence == Evidence.Events ? AfterPackets + ofEvents[place] : connection.FirstPacket;
            keys[place] = new(analyzer.Stack.Count > 0 ? connection.Start : default, first);
            if (Opening.Of(connection) is { } opening && analyzer.Names.Lookups.MayHaveWaited(opening, lookups))
            {
                _openings[(part, place)] = opening;
            }
        }

        AddCalls(analyzer, connections, part);
        _keys.Add(keys);
    }

    /// <summary>Numbers them all, when the last part was added.</summary>
    /// <param name="analyzer">Who read the last part: names and calls are the same in all.</param>
    /// <exception cref="TemporaryFileException">There is no room for the numbers.</exception>
    public void Complete(TraceAnalyzer analyzer)
    {
        var numbers = new PartNumbers([.. Enumerable.Range(0, _keys.Runs).Select(_keys.CountOf)]);
        _numbers = numbers;
        var used = new HashSet<NameLookup>();
        int number = 0;
        foreach ((int part, _) in _keys.Merge())
        {
            int place = numbers.Add(part, number++);
            if (_openings.Remove((part, place), out Opening opening))
            {
                Set(part, place, analyzer.Names.Lookups.Claim(opening, used));
            }
        }

        ClaimCalls(analyzer);
    }

    /// <summary>Numbers the connections of a part that was read again, and sets the lookups that they waited for.</summary>
    /// <param name="part">Which, in the order in which they were added.</param>
    /// <param name="connections">The connections, in their order.</param>
    /// <returns>False where they are not those that were added.</returns>
    /// <exception cref="TemporaryFileException">The numbers cannot be read.</exception>
    public bool TryNumber(int part, List<Connection> connections)
    {
        int[] numbers = _numbers!.Of(part);
        if (connections.Count != numbers.Length)
        {
            return false;
        }

        for (int place = 0; place < numbers.Length; place++)
        {
            connections[place] = connections[place] with { Index = numbers[place], Lookup = _lookups.GetValueOrDefault((part, place)) };
        }

        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _keys.Dispose();
        _numbers?.Dispose();
    }

    void AddCalls(TraceAnalyzer analyzer, List<Connection> connections, int part)
    {
        var calls = new HashSet<ResolverCall>();
        foreach (StackConnection stack in analyzer.Stack)
        {
            if (ResolverCalls.OpenedHere(stack, connections) is { } joined && connections[joined] is var connection
                && analyzer.Resolver.Claim(connection.ProcessId, connection.Start, calls) is not null)
            {
                _calls.Add((stack.Number, part, joined, connection.ProcessId, connection.Start));
            }
        }
    }

    void ClaimCalls(TraceAnalyzer analyzer)
    {
        _calls.Sort(static (one, other) => one.Event.CompareTo(other.Event));
        var used = new HashSet<ResolverCall>();
        foreach ((_, int part, int place, uint? process, TraceTime start) in _calls)
        {
            Set(part, place, analyzer.Resolver.Claim(process, start, used));
        }

        _calls.Clear();
    }

    void Set(int part, int place, LookupDelay? delay)
    {
        if (delay is not null)
        {
            _lookups[(part, place)] = delay;
        }
    }

    // The connections of events alone, by the first of those that they are made of.
    static Dictionary<int, long> FirstEvents(IReadOnlyList<StackConnection> stack)
    {
        var first = new Dictionary<int, long>();
        foreach (StackConnection connection in stack)
        {
            if (connection.Joined is { } joined)
            {
                first.TryAdd(joined, connection.Number);
            }
        }

        return first;
    }

    // As EventJoiner orders them: where there are events by time, else by their first packets.
    readonly record struct Key(TraceTime Start, long First)
    {
        public static int Compare(Key one, Key other) => one.Start != other.Start ? one.Start.CompareTo(other.Start) : one.First.CompareTo(other.First);
    }
}
