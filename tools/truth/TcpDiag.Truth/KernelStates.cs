using System.Collections.Generic;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>The congestion states of the sending kernel over time, as its events in the capture tell (docs/capture-linux.md).</summary>
sealed class KernelStates
{
    const int Recovery = 3, Loss = 4; // enum tcp_ca_state

    readonly List<(TraceTime Time, long State)> _changes = [];

    /// <summary>Reads the states of one connection.</summary>
    /// <param name="path">The capture.</param>
    /// <param name="sender">The sending end.</param>
    /// <returns>The states.</returns>
    public static KernelStates Read(string path, Endpoint sender)
    {
        var states = new KernelStates();
        using TraceReader reader = TraceFile.Open([path]);
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            bool isChange = record.Kind == TraceRecordKind.StackEvent && record.Event?.Kind == StackEventKind.CongestionStateChanged;
            if (isChange && record.Event!.Local == sender && record.Event.TryGet(StackField.CongestionState, out long state))
            {
                states._changes.Add((record.Time, state));
            }
        }

        return states;
    }

    /// <summary>Why the kernel sent something again.</summary>
    /// <param name="time">When the segment passed the capture point, right behind the kernel.</param>
    /// <returns>0 in recovery: by evidence; 1 outside: a probe; 2 in loss: by the timer.</returns>
    public int CauseAt(TraceTime time)
    {
        int last = _changes.FindLastIndex(change => change.Time <= time);
        return last < 0 ? 1 : _changes[last].State switch
        {
            Recovery => 0,
            Loss => 2,
            _ => 1,
        };
    }
}
