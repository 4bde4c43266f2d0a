using System.Collections.Generic;
using TcpDiag.Analysis.Names;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// The order of all connections of a trace that is analysed in parts, by which they are numbered; and which of them waited for which name lookup, where the
/// first that could have waited did. Twenty bytes are kept for each connection, four of them to the end.
/// </summary>
sealed class ConnectionOrder
{
    const long AfterPackets = 1L << 62; // a connection of events alone stands behind those of packets that began in the same instant

    readonly List<Key[]> _keys = [];
    readonly List<int[]> _numbers = [];
    readonly List<(int Part, int Place, Opening Opening)> _openings = [];
    readonly List<(int Event, int Part, int Place, uint? Process, TraceTime Start)> _calls = [];
    readonly Dictionary<int, LookupDelay> _lookups = [];

    /// <summary>How many connections there are.</summary>
    public int Count { get; private set; }

    /// <summary>Adds the connections of the next part.</summary>
    /// <param name="analyzer">Who read them.</param>
    /// <param name="connections">The connections, in their order.</param>
    public void Add(TraceAnalyzer analyzer, List<Connection> connections)
    {
        int part = _keys.Count;
        var keys = new Key[connections.Count];
        Dictionary<int, int> ofEvents = FirstEvents(analyzer.Stack);
        for (int place = 0; place < keys.Length; place++)
        {
            Connection connection = connections[place];
            long first = connection.Evidence == Evidence.Events ? AfterPackets + ofEvents[place] : connection.FirstPacket;
            keys[place] = new(analyzer.Stack.Count > 0 ? connection.Start : default, first);
            if (Opening.Of(connection) is { } opening && analyzer.Names.Lookups.MayHaveWaited(opening))
            {
                _openings.Add((part, place, opening));
            }
        }

        AddCalls(analyzer, connections, part);
        _keys.Add(keys);
        Count += keys.Length;
    }

    /// <summary>Numbers them all, when the last part was added.</summary>
    /// <param name="analyzer">Who read the last part: names and calls are the same in all.</param>
    public void Complete(TraceAnalyzer analyzer)
    {
        var next = new PriorityQueue<(int Part, int Place), Key>(Comparer<Key>.Create(Key.Compare));
        for (int part = 0; part < _keys.Count; part++)
        {
            _numbers.Add(new int[_keys[part].Length]);
            Wait(next, part, 0);
        }

        for (int number = 0; next.TryDequeue(out (int Part, int Place) first, out _); number++)
        {
            _numbers[first.Part][first.Place] = number;
            Wait(next, first.Part, first.Place + 1);
        }

        _keys.Clear();
        Claim(analyzer);
    }

    /// <summary>Numbers the connections of a part that was read again, and sets the lookups that they waited for.</summary>
    /// <param name="part">Which, in the order in which they were added.</param>
    /// <param name="connections">The connections, in their order.</param>
    /// <returns>False where they are not those that were added.</returns>
    public bool TryNumber(int part, List<Connection> connections)
    {
        int[] numbers = _numbers[part];
        if (connections.Count != numbers.Length)
        {
            return false;
        }

        for (int i = 0; i < numbers.Length; i++)
        {
            connections[i] = connections[i] with { Index = numbers[i], Lookup = _lookups.GetValueOrDefault(numbers[i]) };
        }

        return true;
    }

    void Wait(PriorityQueue<(int Part, int Place), Key> next, int part, int place)
    {
        if (place < _keys[part].Length)
        {
            next.Enqueue((part, place), _keys[part][place]);
        }
    }

    void AddCalls(TraceAnalyzer analyzer, List<Connection> connections, int part)
    {
        for (int i = 0; i < analyzer.Stack.Count; i++)
        {
            if (ResolverCalls.OpenedHere(analyzer.Stack[i], connections) is { } joined && connections[joined] is var connection
                && analyzer.Resolver.MayHaveWaited(connection.ProcessId, connection.Start))
            {
                _calls.Add((i, part, joined, connection.ProcessId, connection.Start));
            }
        }
    }

    void Claim(TraceAnalyzer analyzer)
    {
        _openings.Sort((one, other) => _numbers[one.Part][one.Place].CompareTo(_numbers[other.Part][other.Place]));
        var usedLookups = new HashSet<NameLookup>();
        foreach ((int part, int place, Opening opening) in _openings)
        {
            Set(part, place, analyzer.Names.Lookups.Claim(opening, usedLookups));
        }

        _calls.Sort(static (one, other) => one.Event.CompareTo(other.Event));
        var usedCalls = new HashSet<ResolverCall>();
        foreach ((_, int part, int place, uint? process, TraceTime start) in _calls)
        {
            Set(part, place, analyzer.Resolver.Claim(process, start, usedCalls));
        }

        _openings.Clear();
        _calls.Clear();
    }

    void Set(int part, int place, LookupDelay? delay)
    {
        if (delay is not null)
        {
            _lookups[_numbers[part][place]] = delay;
        }
    }

    // The connections of events alone, by the first of those that they are made of.
    static Dictionary<int, int> FirstEvents(IReadOnlyList<StackConnection> stack)
    {
        var first = new Dictionary<int, int>();
        for (int i = 0; i < stack.Count; i++)
        {
            if (stack[i].Joined is { } joined)
            {
                first.TryAdd(joined, i);
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
