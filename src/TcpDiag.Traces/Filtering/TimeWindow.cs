using TcpDiag.Wire;

namespace TcpDiag.Traces.Filtering;

/// <summary>A part of a trace by time. The first record it is asked about is where the trace begins.</summary>
/// <param name="from">The earliest time in it; null for the beginning.</param>
/// <param name="to">The latest time in it; null for the end.</param>
public sealed class TimeWindow(TimeBound? from, TimeBound? to)
{
    /// <summary>Time of the first record; null before it.</summary>
    public TraceTime? Start { get; private set; }

    /// <summary>Latest time of a record, in it or not; null before the first.</summary>
    public TraceTime? End { get; private set; }

    /// <summary>Whether a record lies in it.</summary>
    /// <param name="time">The record's time; records come in the order of the trace.</param>
    /// <returns>True from the one bound to the other, both included.</returns>
    public bool Contains(TraceTime time)
    {
        TraceTime start = Start ??= time;
        End = time > End ? time : End ?? time;
        return (from is not { } earliest || time >= earliest.At(start)) && (to is not { } latest || time <= latest.At(start));
    }
}
