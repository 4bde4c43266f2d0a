using TcpDiag.Impairment.Decisions;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

sealed class BlackoutStage(BlackoutWindow window, TraceTime start) : ILinkStage
{
    public ImpairmentAction Process(ref LinkPacket packet) =>
        window.Contains(packet.DueAt - start) ? ImpairmentAction.DropBlackout : ImpairmentAction.None;
}

/// <summary>A window of time in which every packet is dropped, once or periodically.</summary>
/// <param name="StartNanos">Nanoseconds from the start of the run to the first window.</param>
/// <param name="LengthNanos">Nanoseconds the window lasts.</param>
/// <param name="PeriodNanos">Nanoseconds from one window's start to the next one's; 0 for a single window.</param>
public readonly record struct BlackoutWindow(long StartNanos, long LengthNanos, long PeriodNanos = 0)
{
    /// <summary>Whether an instant lies in a window, its start included and its end excluded.</summary>
    /// <param name="sinceStartNanos">Nanoseconds since the start of the run.</param>
    /// <returns>True inside.</returns>
    public bool Contains(long sinceStartNanos)
    {
        long since = sinceStartNanos - StartNanos;
        if (since < 0)
        {
            return false;
        }

        return (PeriodNanos > 0 ? since % PeriodNanos : since) < LengthNanos;
    }
}
