using System;
using System.Collections.Generic;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux;

/// <summary>
/// Passes stack events on to the file: windows in segments are also given in bytes where the connection's
/// MSS is known, and a connection that has just been opened is sampled from then on.
/// </summary>
/// <param name="order">Receives the entries.</param>
/// <param name="samplers">One for each network namespace.</param>
/// <param name="watch">Sees each event; null for none.</param>
sealed class EventRecorder(TimeOrder order, IReadOnlyList<SocketSampler> samplers, IStackEventSink? watch) : IStackEventSink
{
    /// <summary>Events taken in, samples not counted.</summary>
    public long Events { get; private set; }

    public long Samples { get; private set; }

    public void Add(StackEvent stackEvent)
    {
        Events++;
        Complete(stackEvent);
        watch?.Add(stackEvent);
        int room = JournalEncoder.MaxLength(stackEvent);
        int length = JournalEncoder.Encode(stackEvent, order.Reserve(room));
        order.Commit(stackEvent.Time, new(0, 0, PendingRecord.NoInterface, 0, default), length);
    }

    /// <summary>Adds an entry that was encoded elsewhere.</summary>
    public void AddEncoded(TraceTime time, ReadOnlySpan<byte> entry, bool isSample)
    {
        Samples += isSample ? 1 : 0;
        Events += isSample ? 0 : 1;
        order.Add(time, new(0, 0, PendingRecord.NoInterface, 0, default), entry);
    }

    void Complete(StackEvent stackEvent)
    {
        if (stackEvent is not { Local: { } local, Remote: { } remote })
        {
            return;
        }

        if (stackEvent.Kind == StackEventKind.StateChanged && stackEvent.TryGet(StackField.State, out long state) && state == TcpStates.Established)
        {
            foreach (SocketSampler sampler in samplers)
            {
                sampler.Add(local, remote);
            }
        }
        else if (stackEvent.Has(StackField.CwndSegments))
        {
            SegmentWindows.Scale(stackEvent, FindMss(local, remote));
        }
    }

    uint FindMss(Endpoint local, Endpoint remote)
    {
        foreach (SocketSampler sampler in samplers)
        {
            uint mss = sampler.FindMss(local, remote);
            if (mss > 0)
            {
                return mss;
            }
        }

        return 0;
    }
}
