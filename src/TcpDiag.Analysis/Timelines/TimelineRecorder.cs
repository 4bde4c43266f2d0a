using System.Collections.Generic;
using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Timelines;

/// <summary>
/// Records the timelines of a trace's connections in the one pass, in bounded memory. When more is held than allowed, the
/// connections that deserve charts least lose theirs; once only a few times as many are left as get charts, all series are
/// made coarser instead.
/// </summary>
sealed class TimelineRecorder : ILedgerFollower
{
    // How large a connection that is still open will grow nobody knows: more are kept than get charts.
    const int Reserve = 4;

    readonly TimelineOptions _options;
    readonly TimelineBudget _budget;
    readonly TimelineShelf<ConnectionTimeline> _connections;
    readonly TimelineShelf<StackTimeline> _stacks;
    readonly Dictionary<long, Undecided> _undecided = [];

    public TimelineRecorder(TimelineOptions options)
    {
        _options = options;
        _budget = new TimelineBudget { ItemsPerSeries = int.Max(options.ItemsPerSeries, TimelineOptions.LeastItemsPerSeries) };
        _connections = new(_budget);
        _stacks = new(_budget);
    }

    /// <inheritdoc/>
    public void OnStep(ref ConnectionState connection, int from, in LedgerStep step)
    {
        if (connection.Index >= _connections.Count)
        {
            _connections.Add(connection.Index, new ConnectionTimeline(_budget));
        }

        if (_connections[connection.Index] is { } timeline)
        {
            SegmentPlotter.Plot(timeline, ref connection, from, step);
            if (step.Resent > 0)
            {
                _undecided[step.PacketNumber] = new(connection.Index, from, SegmentPlotter.MarkOf(timeline.From(from), step.Time.Nanoseconds, step), step.Resent);
            }

            KeepWithinBudget();
        }
    }

    /// <inheritdoc/>
    public void OnVerdict(in Resend resend, RetransmissionNeed need)
    {
        if (!_undecided.TryGetValue(resend.Packet, out Undecided undecided))
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
            _undecided[resend.Packet] = undecided with { Verdicts = undecided.Verdicts - 1 };
        }
        else
        {
            _undecided.Remove(resend.Packet);
        }
    }

    /// <inheritdoc/>
    public void OnFold(ref ConnectionState connection, Connection result, TraceTime end) =>
        _connections[connection.Index]?.SetResult(result, isClientHigh: result.Client == connection.Key.High);

    /// <summary>A sender was in a limit state for a while; intervals of a direction come in order and without gaps.</summary>
    /// <param name="connection">Index of the connection while the trace is read.</param>
    /// <param name="from">Direction of the sender's data.</param>
    /// <param name="state">The state.</param>
    /// <param name="begin">Beginning of the interval.</param>
    /// <param name="end">Its end.</param>
    public void OnLimit(int connection, int from, LimitState state, TraceTime begin, TraceTime end)
    {
        if (end > begin)
        {
            _connections[connection]?.From(from).Limits.Add(new LimitInterval(begin.Nanoseconds, end - begin, state));
        }
    }

    /// <summary>An event of the stack.</summary>
    /// <param name="owner">The connection it is about.</param>
    /// <param name="told">The event.</param>
    public void OnEvent(StackConnection owner, StackEvent told)
    {
        if (owner.Timeline < 0)
        {
            owner.Timeline = _stacks.Count;
            _stacks.Add(owner.Timeline, new StackTimeline(_budget) { Owner = owner });
        }

        if (_stacks[owner.Timeline] is { } timeline)
        {
            timeline.OnEvent(told);
            KeepWithinBudget();
        }
    }

    /// <summary>Ends the trace: chooses who gets charts, and how fine.</summary>
    /// <param name="wanted">Connections that get charts before all others.</param>
    /// <returns>The timelines of the chosen.</returns>
    public IReadOnlyDictionary<Connection, ConnectionTimeline> Finish(IReadOnlyCollection<Connection> wanted)
    {
        Dictionary<Connection, ConnectionTimeline> all = [];
        foreach (ConnectionTimeline timeline in _connections.All())
        {
            if (timeline.Result is { } result)
            {
                all[result] = timeline;
            }
        }

        foreach (StackTimeline stack in _stacks.All())
        {
            Attach(stack, all);
        }

        return TimelineChoice.Of(all, wanted, _options);
    }

    void Attach(StackTimeline stack, Dictionary<Connection, ConnectionTimeline> all)
    {
        if (stack.Owner is not { Joined: { } connection, Local: { } local })
        {
            return;
        }

        if (!all.TryGetValue(connection, out ConnectionTimeline? timeline))
        {
            all[connection] = timeline = new ConnectionTimeline(_budget);
        }

        DirectionTimeline direction = local == connection.Client ? timeline.FromClient : timeline.FromServer;
        if (direction.Stack is null || direction.Stack.Weight < stack.Weight)
        {
            direction.Stack = stack;
            EventPlacer.Place(stack, direction);
        }
    }

    void KeepWithinBudget()
    {
        if (_budget.Held <= _options.ItemsHeld)
        {
            return;
        }

        // Down to half: what is new is small and would be given up at once if there were no room to grow.
        while (_budget.Held > _options.ItemsHeld / 2 && (TryGiveUpLeast() || TryMakeCoarser()))
        {
        }
    }

    bool TryGiveUpLeast()
    {
        int least = Reserve * _options.Connections;
        int before = _connections.Kept + _stacks.Kept;
        _connections.KeepMost(int.Max(_connections.Kept / 2, least));
        _stacks.KeepMost(int.Max(_stacks.Kept / 2, least));
        return _connections.Kept + _stacks.Kept < before;
    }

    bool TryMakeCoarser()
    {
        if (_budget.ItemsPerSeries <= TimelineOptions.LeastItemsPerSeries)
        {
            return false;
        }

        _budget.ItemsPerSeries = int.Max(_budget.ItemsPerSeries / 2, TimelineOptions.LeastItemsPerSeries);
        _connections.Reduce(_budget.ItemsPerSeries);
        _stacks.Reduce(_budget.ItemsPerSeries);
        return true;
    }

    // A retransmission that may turn out to have been needless, and the mark that stands for it or was merged since.
    readonly record struct Undecided(int Connection, int From, Mark Mark, int Verdicts);
}
