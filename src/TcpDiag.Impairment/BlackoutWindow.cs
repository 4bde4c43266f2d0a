namespace TcpDiag.Impairment;

/// <summary>A time in which every packet is dropped, once or again and again.</summary>
/// <param name="StartNs">Nanoseconds from the start of the run to the first window.</param>
/// <param name="LengthNs">Nanoseconds the window lasts.</param>
/// <param name="PeriodNs">Nanoseconds from one window's start to the next one's; 0 for a single window.</param>
public readonly record struct BlackoutWindow(long StartNs, long LengthNs, long PeriodNs = 0)
{
    /// <summary>Whether an instant lies in a window; its first nanosecond does, the one after its last does not.</summary>
    /// <param name="sinceStartNs">Nanoseconds since the start of the run.</param>
    /// <returns>True inside.</returns>
    public bool Contains(long sinceStartNs)
    {
        long since = sinceStartNs - StartNs;
        if (since < 0)
        {
            return false;
        }

        return (PeriodNs > 0 ? since % PeriodNs : since) < LengthNs;
    }
}
