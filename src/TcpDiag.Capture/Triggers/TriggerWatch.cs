using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Capture.Triggers;

/// <summary>
/// Waits for the first of several conditions: events may arrive on any thread, and four times a second it checks the clock
/// and the processes. The same on every system; only the source of events differs. The first condition to come true stays.
/// </summary>
sealed class TriggerWatch : IStackEventSink, IDisposable
{
    const long NanosecondsPerTick = 100;

    const int MaxConnections = 1 << 16;

    static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);

    readonly Lock _gate = new();
    readonly List<(TriggerCondition Condition, TriggerProbe Probe)> _probes;
    readonly MatchRule _match;
    readonly TimeProvider _time;
    readonly Dictionary<ulong, ConnectionEnds> _endsByTcb = [];
    readonly bool _needsProcesses;
    readonly ITimer _timer;

    /// <summary>Begins to wait.</summary>
    /// <param name="settings">What for, and which connections count.</param>
    /// <param name="time">The clock.</param>
    public TriggerWatch(CaptureSettings settings, TimeProvider time)
    {
        _probes = [.. settings.Until.Select(condition => (condition, condition.Watch()))];
        _match = settings.Match.ForAnyProcess();
        _time = time;
        _needsProcesses = _probes.Any(one => one.Probe.NeedsProcesses);

        // What is running now has not just started.
        Tick();
        _timer = time.CreateTimer(_ => TickAndGoOn(), state: null, Interval, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Whether a condition is about events of the TCP stack.</summary>
    public bool NeedsEvents => _probes.Exists(one => !one.Probe.NeedsProcesses);

    /// <summary>What has come true; null while nothing has.</summary>
    public TriggerFiring? Firing { get; private set; }

    /// <summary>A watch, if something is waited for.</summary>
    /// <param name="settings">The recording.</param>
    /// <param name="time">The clock.</param>
    /// <returns>The watch; null when nothing is waited for.</returns>
    public static TriggerWatch? For(CaptureSettings settings, TimeProvider time) => settings.Until.Count == 0 ? null : new(settings, time);

    /// <summary>Whether a condition has come true and the time to record afterwards has passed.</summary>
    public bool HasEnded(TimeSpan after) => Firing is { } firing && Now().Nanoseconds - firing.Time.Nanoseconds >= after.Ticks * NanosecondsPerTick;

    public void Add(StackEvent stackEvent)
    {
        ArgumentNullException.ThrowIfNull(stackEvent);
        lock (_gate)
        {
            ConnectionEnds? ends = EndsOf(stackEvent);
            if (Firing is not null || !IsAskedFor(ends))
            {
                return;
            }

            foreach ((TriggerCondition condition, TriggerProbe probe) in _probes)
            {
                Fire(condition, stackEvent.Time, probe.OnEvent(stackEvent, ends));
            }

            if (stackEvent.Kind == StackEventKind.Closed)
            {
                _endsByTcb.Remove(stackEvent.Tcb);
            }
        }
    }

    /// <summary>Checks the clock, and the processes where a condition needs them.</summary>
    public void Tick()
    {
        Dictionary<int, string> processes = _needsProcesses ? ProcessList.Read() : [];
        lock (_gate)
        {
            foreach ((TriggerCondition condition, TriggerProbe probe) in _probes)
            {
                Fire(condition, Now(), probe.OnTick(Now(), processes));
            }
        }
    }

    public void Dispose() => _timer.Dispose();

    void TickAndGoOn()
    {
        Tick();
        _timer.Change(Interval, Timeout.InfiniteTimeSpan);
    }

    TraceTime Now() => new((_time.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks * NanosecondsPerTick);

    void Fire(TriggerCondition condition, TraceTime at, string? what)
    {
        if (what is not null)
        {
            Firing ??= new(condition.ToString(), at, what);
        }
    }

    // Many Windows events name their connection by its TCB alone; others map that TCB to addresses.
    ConnectionEnds? EndsOf(StackEvent stackEvent)
    {
        if (stackEvent is { Local: { } local, Remote: { } remote })
        {
            var ends = new ConnectionEnds(local, remote);
            if (stackEvent.Tcb != 0 && _endsByTcb.Count < MaxConnections)
            {
                _endsByTcb[stackEvent.Tcb] = ends;
            }

            return ends;
        }

        return _endsByTcb.TryGetValue(stackEvent.Tcb, out ConnectionEnds known) ? known : null;
    }

    bool IsAskedFor(ConnectionEnds? connection) => connection is not { } ends
        ? _match is MatchAll
        : _match.Matches(new PacketFacts(IpProtocol.Tcp, ends.Local, ends.Remote, IsOut: true))
            || _match.Matches(new PacketFacts(IpProtocol.Tcp, ends.Remote, ends.Local, IsOut: false));
}

/// <summary>A condition that came true.</summary>
/// <param name="Condition">The condition, as on the command line.</param>
/// <param name="Time">When: of an event its own time, else when it was noticed.</param>
/// <param name="What">What has happened, a clause.</param>
public sealed record TriggerFiring(string Condition, TraceTime Time, string What);

/// <summary>An event that ends a recording (<c>--until</c>, docs/capture.md). <c>ToString</c> returns it as written on the command line.</summary>
public abstract record TriggerCondition
{
    private protected TriggerCondition()
    {
    }

    private protected abstract TriggerProbe CreateProbe();

    internal TriggerProbe Watch() => CreateProbe();
}

/// <summary>Waits for one condition. Not safe for several threads.</summary>
abstract class TriggerProbe
{
    /// <summary>Whether it wants to know the processes of the machine.</summary>
    public virtual bool NeedsProcesses => false;

    /// <summary>Handles an event of a matching connection.</summary>
    /// <param name="stackEvent">The event.</param>
    /// <param name="connection">Its connection; null when that is not known.</param>
    /// <returns>What has happened, a clause; null when nothing has.</returns>
    public virtual string? OnEvent(StackEvent stackEvent, ConnectionEnds? connection) => null;

    /// <summary>Checks the clock and the processes.</summary>
    /// <param name="now">What time it is.</param>
    /// <param name="processes">Processes by id; empty when no probe needs them.</param>
    /// <returns>What has happened, a clause; null when nothing has.</returns>
    public virtual string? OnTick(TraceTime now, IReadOnlyDictionary<int, string> processes) => null;
}

/// <summary>Both ends of a connection.</summary>
readonly record struct ConnectionEnds(Endpoint Local, Endpoint Remote)
{
    public override string ToString() => $"{Local} → {Remote}";
}
