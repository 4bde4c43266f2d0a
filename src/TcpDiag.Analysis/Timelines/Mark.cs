using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Analysis.Timelines;

/// <summary>Something worth a mark of its own in a graph; several of one kind close to each other when there are too many.</summary>
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
    public bool IsLike(in Mark other) => Kind == other.Kind && Event == other.Event;

    /// <inheritdoc/>
    public Mark With(in Mark later) => this with
    {
        From = long.Min(From, later.From),
        To = long.Max(To, later.To),
        Count = Count + later.Count,
        Needless = Needless + later.Needless,
    };
}
