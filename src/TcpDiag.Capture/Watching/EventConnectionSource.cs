using System;
using System.ComponentModel;
using System.Diagnostics;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Engines;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>
/// The connections of this machine from a real-time session with the TCP stack's events: what the analysis says of them, as the watch reads it.
/// </summary>
/// <param name="nameOf">The name of a process, null when it has gone.</param>
/// <param name="clock">Shows how long ago an event arrived.</param>
sealed class EventConnectionSource(Func<uint, string?> nameOf, TimeProvider clock) : IConnectionSource, IStackEventSink
{
    const long NanosecondsPerMicrosecond = 1000;

    readonly LiveConnections _connections = new(nameOf);
    readonly EventClock _clock = new(clock);
    readonly ConnectionReading _reading = new() { AreTimesJudged = true };
    IDisposable? _session;

    public bool HasEvents => true;

    public long LeftOut { get; private set; }

    /// <summary>Starts the session, and ends those whose process was killed: Windows has room for 64.</summary>
    /// <exception cref="CaptureException">Windows refuses the session.</exception>
    public static EventConnectionSource Open(ICaptureMachine machine)
    {
        OrphanSessions.Stop(machine);
        var source = new EventConnectionSource(NameOf, TimeProvider.System);
        source._session = machine.Listen(source);
        return source;
    }

    public void Add(StackEvent stackEvent)
    {
        ArgumentNullException.ThrowIfNull(stackEvent);
        _connections.OnEvent(stackEvent);
        _clock.OnEvent(stackEvent.Time);
    }

    public long Read(Action<ConnectionReading> take, Action<long> begin)
    {
        TraceTime now = _clock.Now();
        long microseconds = now.Nanoseconds / NanosecondsPerMicrosecond;
        begin(microseconds);
        LeftOut = _connections.Read(now, connection =>
        {
            Fill(connection);
            take(_reading);
        });
        return microseconds;
    }

    public void Dispose() => _session?.Dispose();

    void Fill(LiveConnection connection)
    {
        _reading.Local = connection.Local;
        _reading.Remote = connection.Remote;
        _reading.ProcessId = connection.ProcessId;
        _reading.Process = connection.Process;
        _reading.SrttUs = connection.SrttNanos / NanosecondsPerMicrosecond;
        _reading.CwndBytes = connection.CwndBytes;
        _reading.InFlightBytes = connection.InFlightBytes;
        _reading.SendWindowBytes = connection.SendWindowBytes;
        _reading.BytesOut = connection.BytesOut;
        _reading.BytesIn = connection.BytesIn;
        _reading.Retransmissions = connection.Retransmissions;
        _reading.Reorderings = connection.Reorderings;
        _reading.Recovery = connection.Recovery;
        FillTimes(connection.Times);
    }

    // While the application is the limit the sender is not busy, though something may be in flight. A full reassembly queue is part of a repair.
    void FillTimes(in LimitTimes times)
    {
        long notBusy = times.In(LimitState.Application) + times.In(LimitState.Idle) + times.In(LimitState.NotJudged);
        _reading.BusyUs = Microseconds(times.Total - notBusy);
        _reading.ReceiveWindowUs = Microseconds(times.In(LimitState.ReceiveWindow));
        _reading.SendBufferUs = Microseconds(times.In(LimitState.SendBuffer));
        _reading.FastRecoveryUs = Microseconds(times.In(LimitState.Recovery) + times.In(LimitState.Reassembly));
        _reading.TimeoutUs = Microseconds(times.In(LimitState.Timeout));
        _reading.NotJudgedUs = Microseconds(times.In(LimitState.NotJudged));
    }

    static long Microseconds(long nanos) => nanos / NanosecondsPerMicrosecond;

    static string? NameOf(uint processId)
    {
        try
        {
            using var process = Process.GetProcessById((int)processId);
            return process.ProcessName;
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException or Win32Exception)
        {
            // It has ended, or we may not query it.
            return null;
        }
    }
}
