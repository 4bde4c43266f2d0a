using TcpDiag.Analysis.Results;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Analysis.Timelines;

/// <summary>An event in a graph: something with a symbol of its own; several of one kind close to each other when there are too many.</summary>
/// <param name="Time">Instant of the first, ns since the Unix epoch.</param>
/// <param name="Kind">What happened.</param>
/// <param name="Event">Which event of the stack; None for what packets show.</param>
/// <param name="From">First byte concerned, as an offset from the initial sequence number.</param>
/// <param name="To">Behind the last byte concerned.</param>
/// <param name="Packet">Number of the first packet in the trace, from 1; 0 for an event.</param>
/// <param name="Count">How many there are.</param>
public readonly record struct Mark(long Time, MarkKind Kind, StackEventKind Event, long From, long To, long Packet, int Count) : IMergeable<Mark>
{
    /// <summary>How many of them turned out to have been sent for nothing, proven or likely.</summary>
    public int Needless { get; init; }

    /// <inheritdoc/>
    public bool IsSameKind(in Mark other) => Kind == other.Kind && Event == other.Event;

    /// <inheritdoc/>
    public Mark Merge(in Mark later) => this with
    {
        From = long.Min(From, later.From),
        To = long.Max(To, later.To),
        Count = Count + later.Count,
        Needless = Needless + later.Needless,
    };
}

/// <summary>What a mark in a time-sequence graph means. The numbers are part of the HTML report's data.</summary>
public enum MarkKind
{
    /// <summary>Data sent again, for an unknown reason.</summary>
    Retransmission = 0,

    /// <summary>Data sent again on SACK or duplicate-ACK evidence.</summary>
    FastRetransmission = 1,

    /// <summary>A tail loss probe.</summary>
    TailLossProbe = 2,

    /// <summary>Data sent again by the retransmission timer.</summary>
    Timeout = 3,

    /// <summary>A retransmission sent again, without the timer.</summary>
    LostRetransmission = 4,

    /// <summary>An original that came late to the capture point.</summary>
    Late = 5,

    /// <summary>A probe of a closed window.</summary>
    WindowProbe = 6,

    /// <summary>A keep-alive.</summary>
    KeepAlive = 7,

    /// <summary>A range selectively acknowledged for the first time or again.</summary>
    Sack = 8,

    /// <summary>A range that arrived twice, as the receiver reports it (RFC 2883).</summary>
    Dsack = 9,

    /// <summary>A duplicate acknowledgment.</summary>
    DuplicateAck = 10,

    /// <summary>A receive window of 0.</summary>
    ZeroWindow = 11,

    /// <summary>A SYN.</summary>
    Syn = 12,

    /// <summary>A FIN.</summary>
    Fin = 13,

    /// <summary>A reset.</summary>
    Rst = 14,

    /// <summary>An event of the TCP stack.</summary>
    StackEvent = 15,
}

/// <summary>
/// What a value did in a stretch of time. A single sample has all four values equal, or <see cref="First"/> and
/// <see cref="Last"/> as the two ends of a range; merged samples keep first, lowest, highest and last, so that a chart
/// drawn from them shows every outlier (the M4 aggregation of Jugel et al., VLDB 2014).
/// </summary>
/// <param name="Time">Instant of the first sample, ns since the Unix epoch.</param>
/// <param name="Span">From the first sample to the last, ns.</param>
/// <param name="First">First value.</param>
/// <param name="Min">Lowest value.</param>
/// <param name="Max">Highest value.</param>
/// <param name="Last">Last value.</param>
public readonly record struct TrackPoint(long Time, long Span, long First, long Min, long Max, long Last) : IMergeable<TrackPoint>
{
    /// <summary>A single sample.</summary>
    /// <param name="time">When, ns since the Unix epoch.</param>
    /// <param name="value">The value.</param>
    /// <returns>The point.</returns>
    public static TrackPoint At(long time, long value) => new(time, 0, value, value, value, value);

    /// <inheritdoc/>
    public bool IsSameKind(in TrackPoint other) => true;

    /// <inheritdoc/>
    public TrackPoint Merge(in TrackPoint later) => new(
        Time,
        long.Max(later.Time + later.Span - Time, Span),
        First,
        long.Min(Min, later.Min),
        long.Max(Max, later.Max),
        later.Last);
}

/// <summary>
/// A stretch of time in one limit state. The intervals of a direction follow each other without gaps: each starts where the one before ends. Merged
/// intervals keep the time in each state exactly, not its order.
/// </summary>
/// <param name="Time">When it started as recorded, ns since the Unix epoch.</param>
/// <param name="Duration">How long it lasted, ns.</param>
/// <param name="State">What limited the sender.</param>
public readonly record struct LimitInterval(long Time, long Duration, LimitState State) : IMergeable<LimitInterval>
{
    /// <inheritdoc/>
    public bool IsSameKind(in LimitInterval other) => State == other.State;

    /// <inheritdoc/>
    public LimitInterval Merge(in LimitInterval later) => this with { Duration = Duration + later.Duration };
}
