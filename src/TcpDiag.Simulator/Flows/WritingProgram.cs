using System;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Flows;

/// <summary>The program that sends: it has data at once or by bursts, and a write waits until the send buffer has room.</summary>
/// <param name="flow">The flow.</param>
/// <param name="start">When its first data is there.</param>
sealed class WritingProgram(SimulatedFlow flow, TraceTime start)
{
    long _available = flow.BurstBytes > 0 ? 0 : flow.Bytes;
    long _burstsDue;
    long _written;
    bool _mustWaitForThird; // a writer that waits is woken when a third of the buffer is free (Linux: sk_stream_min_wspace)

    /// <summary>Whether all has been written.</summary>
    public bool IsDone => _written == flow.Bytes;

    /// <summary>Whether it waits for room in the send buffer.</summary>
    public bool IsBlocked { get; private set; }

    /// <summary>When it has data again by itself; <see cref="TraceTime.Latest"/> when it always has or never again.</summary>
    public TraceTime NextTimer => flow.BurstBytes > 0 && _available < flow.Bytes ? start + (_burstsDue * flow.BurstNanos) : TraceTime.Latest;

    /// <summary>Writes what may be written.</summary>
    public void Write(Sender sender, TraceTime now)
    {
        while (NextTimer <= now)
        {
            _available = Math.Min(_available + flow.BurstBytes, flow.Bytes);
            _burstsDue++;
        }

        IsBlocked = false;
        while (_written < _available)
        {
            if (!HasRoom(sender.BufferedBytes))
            {
                IsBlocked = true;
                return;
            }

            int bytes = (int)Math.Min(flow.WriteBytes, _available - _written);
            sender.OnWritten(bytes);
            _written += bytes;
        }
    }

    bool HasRoom(int buffered)
    {
        bool isFull = buffered >= flow.SendBufferBytes;
        bool waits = isFull || (_mustWaitForThird && 3L * buffered > 2L * flow.SendBufferBytes);
        _mustWaitForThird = waits;
        return !waits;
    }
}
