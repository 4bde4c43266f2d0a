using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>
/// Records the timelines of a trace's connections in one pass and bounded memory. When they hold too much, those with the least weight are dropped; once
/// only a few times as many are left as get charts, all series are made coarser instead.
/// </summary>
sealed class TimelineRecorder : ISegmentObserver
{
    // Nobody knows how large an open connection will grow: more are kept than get charts.
    const int Reserve = 4;

    readonly TimelineOptions _options;
    readonly ConnectionFilter? _filter;
    readonly TimelineBudget _budget;
    readonly TimelineStore<ConnectionTimeline> _connections;
    readonly TimelineStore<StackTimeline> _stacks;
    readonly Dictionary<long, Undecided> _undecided = [];

    /// <summary>Makes a recorder.</summary>
    /// <param name="options">How much is kept.</param>
    /// <param name="filter">Which connections are drawn; null for all.</param>
    public TimelineRecorder(TimelineOptions options, ConnectionFilter? filter)
    {
        _options = options;
        _filter = filter;
        _budget = new TimelineBudget { ItemsPerSeries = int.Max(options.ItemsPerSeries, TimelineOptions.MinItemsPerSeries) };
        _connections = new(_budget);
        _stacks = new(_budget);
    }

    /// <inheritdoc/>
    public void OnSegment(ref ConnectionState connection, int from, in Segment segment)
    {
        if (connection.Index >= _connections.Count && _filter?.MaySelect(connection.Key) != false)
        {
            _connections.Add(connection.Index, new ConnectionTimeline(_budget));
        }

        if (_connections[connection.Index] is { } timeline)
        {
            SegmentPlotter.Plot(timeline, ref connection, from, segment);
            if (segment.Sent.Retransmitted > 0)
            {
                Mark mark = SegmentPlotter.MarkOf(timeline.From(from), segment.Time.Nanoseconds, segment);
                _undecided[segment.PacketNumber] = new(connection.Index, from, mark, segment.Sent.Retransmitted);
            }

            KeepWithinBudget();
        }
    }

    /// <inheritdoc/>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
        if (!_undecided.TryGetValue(item.Packet, out Undecided undecided))
        {
            return;
        }

        if (need is RetransmissionNeed.Spurious or RetransmissionNeed.LikelySpurious)
        {
            Mark late = undecided.Mark with { Count = 0, Needless = 1 };
            _connections[undecided.Connection]?.From(undecided.From).Marks.Complete(late);
        }

        if (undecided.Verdicts > 1)
        {
            _undecided[item.Packet] = undecided with { Verdicts = undecided.Verdicts - 1 };
        }
        else
        {
            _undecided.Remove(item.Packet);
        }
    }

    /// <inheritdoc/>
    public void OnClosed(ref ConnectionState connection, Connection result) =>
        _connections[connection.Index]?.SetClient(isHigh: result.Client == connection.Key.High);

    /// <summary>A sender was in a limit state for a while. Intervals of a direction come in order and without gaps.</summary>
    public void OnLimit(int connection, int from, LimitState state, TraceTime begin, TraceTime end)
    {
        if (end > begin)
        {
            _connections[connection]?.From(from).Limits.Add(new LimitInterval(begin.Nanoseconds, end - begin, state));
        }
    }

    /// <summary>Takes back what limited a sender so far: it was not judged.</summary>
    /// <param name="connection">Index of the connection while the trace is read.</param>
    /// <param name="from">The end that sends.</param>
    public void ForgetLimits(int connection, int from)
    {
        if (_connections[connection]?.From(from).Limits is { Items: [var first, ..] } limits)
        {
            LimitInterval last = limits.Items[^1];
            limits.Replace(new LimitInterval(first.Time, last.Time + last.Duration - first.Time, LimitState.NotJudged));
        }
    }

    public void OnEvent(ITimelineOwner owner, StackEvent stackEvent)
    {
        if (owner.Timeline < 0)
        {
            owner.Timeline = _stacks.Count;
            _stacks.Add(owner.Timeline, new StackTimeline(_budget) { Owner = owner });
        }

        if (_stacks[owner.Timeline] is { } timeline)
        {
            timeline.OnEvent(stackEvent);
            KeepWithinBudget();
        }
    }

    /// <summary>Ends the recording.</summary>
    /// <param name="connections">All connections.</param>
    /// <param name="numbers">Where in that list the connections of packets are, by their numbers while the trace was read.</param>
    /// <param name="wanted">Connections whose charts come first.</param>
    /// <returns>The timelines of the connections that get charts.</returns>
    public IReadOnlyDictionary<Connection, ConnectionTimeline> Finish(
        IReadOnlyList<Connection> connections, ReadOnlySpan<int> numbers, IReadOnlyCollection<Connection> wanted)
    {
        Dictionary<Connection, ConnectionTimeline> all = [];
        foreach ((int number, ConnectionTimeline timeline) in _connections.All())
        {
            all[connections[numbers[number]]] = timeline;
        }

        foreach ((_, StackTimeline stack) in _stacks.All())
        {
            Attach(stack, connections, all);
        }

        if (_filter is not null)
        {
            all = all.Where(entry => _filter.Selects(entry.Key)).ToDictionary();
        }

        return TimelineChoice.Of(all, wanted, _options);
    }

    void Attach(StackTimeline stack, IReadOnlyList<Connection> connections, Dictionary<Connection, ConnectionTimeline> all)
    {
        if (stack.Owner is not { Joined: { } joined, Local: { } local })
        {
            return;
        }

        Connection connection = connections[joined];
        if (!all.TryGetValue(connection, out ConnectionTimeline? timeline))
        {
            all[connection] = timeline = new ConnectionTimeline(_budget);
        }

        DirectionTimeline direction = local == connection.Client ? timeline.FromClient : timeline.FromServer;
        if (direction.Stack is null || direction.Stack.Weight < stack.Weight)
        {
            direction.Stack = stack;
            StackEventAligner.Align(stack, direction);
        }
    }

    void KeepWithinBudget()
    {
        if (_budget.Held <= _options.ItemsHeld)
        {
            return;
        }

        // Down to half: a new timeline is light and would be dropped at once if there were no room to grow.
        while (_budget.Held > _options.ItemsHeld / 2 && (TryDropLightest() || TryMakeCoarser()))
        {
        }
    }

    bool TryDropLightest()
    {
        int min = Reserve * _options.Connections;
        int before = _connections.Kept + _stacks.Kept;
        _connections.KeepHeaviest(int.Max(_connections.Kept / 2, min));
        _stacks.KeepHeaviest(int.Max(_stacks.Kept / 2, min));
        return _connections.Kept + _stacks.Kept < before;
    }

    bool TryMakeCoarser()
    {
        if (_budget.ItemsPerSeries <= TimelineOptions.MinItemsPerSeries)
        {
            return false;
        }

        _budget.ItemsPerSeries = int.Max(_budget.ItemsPerSeries / 2, TimelineOptions.MinItemsPerSeries);
        _connections.Reduce(_budget.ItemsPerSeries);
        _stacks.Reduce(_budget.ItemsPerSeries);
        return true;
    }

    // A retransmission that may turn out to have been needless, and its mark, which may have been merged since.
    readonly record struct Undecided(int Connection, int From, Mark Mark, int Verdicts);
}
