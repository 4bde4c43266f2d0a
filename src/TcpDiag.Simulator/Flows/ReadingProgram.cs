using System;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>The program that receives: it reads at once, at a rate, or not for a while.</summary>
/// <param name="flow">The flow.</param>
sealed class ReadingProgram(SimulatedFlow flow)
{
    const long ReadIntervalNanos = 5_000_000;

    TraceTime _next = TraceTime.Earliest;
    TraceTime _pauseEnd = TraceTime.Earliest;
    bool _hasPaused;

    /// <summary>Bytes read so far.</summary>
    public long Read { get; private set; }

    /// <summary>How often it read.</summary>
    public long Reads { get; private set; }

    /// <summary>When it read last; <see cref="TraceTime.Earliest"/> when it never did.</summary>
    public TraceTime LastRead { get; private set; } = TraceTime.Earliest;

    /// <summary>When it reads again by itself; <see cref="TraceTime.Latest"/> when data wakes it.</summary>
    public TraceTime NextTimer { get; private set; } = TraceTime.Latest;

    /// <summary>Reads what may be read.</summary>
    public void OnData(Receiver receiver, TraceTime now)
    {
        BeginPause(now);
        NextTimer = TraceTime.Latest;
        if (receiver.Unread == 0)
        {
            return;
        }

        TraceTime wake = _pauseEnd > _next ? _pauseEnd : _next;
        if (wake > now)
        {
            NextTimer = wake;
            return;
        }

        Reads++;
        LastRead = now;
        Read += receiver.Read(Allowance(now), now);
        NextTimer = receiver.Unread > 0 ? _next : TraceTime.Latest;
    }

    int Allowance(TraceTime now)
    {
        if (flow.ReadBitsPerSecond == 0)
        {
            return int.MaxValue;
        }

        _next = now + ReadIntervalNanos;
        return (int)Math.Max(flow.ReadBitsPerSecond / 8 * ReadIntervalNanos / 1_000_000_000, 1);
    }

    void BeginPause(TraceTime now)
    {
        if (!_hasPaused && flow.PauseAfterBytes > 0 && Read >= flow.PauseAfterBytes)
        {
            _hasPaused = true;
            _pauseEnd = now + flow.PauseNanos;
        }
    }
}
