using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>Which connection an event belongs to, where its TCB or its ends have been used before.</summary>
static class ConnectionIdentity
{
    // Values of StackField.State.
    const int Closed = 0;
    const int SynSent = 2;
    const int Established = 4;

    /// <summary>Whether a connection opens with an event: those already open at their first event may lack some that were lost before it.</summary>
    public static bool Opens(StackEvent stackEvent) => stackEvent.Kind == StackEventKind.StateChanged
        ? stackEvent.TryGet(StackField.State, out long state) && state is >= SynSent and <= Established
        : stackEvent.Kind is StackEventKind.ConnectRequested or StackEventKind.SynSent or StackEventKind.Connected or StackEventKind.Accepted;

    /// <summary>Whether a connection ends with an event.</summary>
    public static bool Ends(StackEvent stackEvent) => stackEvent.Kind == StackEventKind.StateChanged
        ? stackEvent.TryGet(StackField.State, out long state) && state == Closed
        : stackEvent.Kind is StackEventKind.Closed or StackEventKind.ConnectFailed or StackEventKind.ConnectionSummary;

    /// <summary>Whether an event is of another connection than the one known under its TCB or its ends.</summary>
    public static bool IsAnother(StackConnection known, StackEvent stackEvent) =>
        IsAnother(known.HasBegun, known.Local, known.Remote, stackEvent);

    /// <summary>Whether an event is of another connection than the one known by what was seen of it.</summary>
    public static bool IsAnother(bool hasBegun, Endpoint? local, Endpoint? remote, StackEvent stackEvent) =>
        (hasBegun && stackEvent.Kind is (StackEventKind.ConnectRequested or StackEventKind.Accepted))
        || Differ(local, stackEvent.Local)
        || Differ(remote, stackEvent.Remote);

    /// <summary>Whether hardly anything follows an event.</summary>
    public static bool IsLast(StackEvent stackEvent) => stackEvent.Kind == StackEventKind.Reset || Ends(stackEvent);

    /// <summary>The end of a connection, known before or seen now: one without address or port is not bound yet.</summary>
    public static Endpoint? Better(Endpoint? known, Endpoint? seen) => IsBound(known) ? known : seen ?? known;

    /// <summary>Whether an end is known with address and port: then it stays.</summary>
    public static bool IsBound(Endpoint? end) => end is { Port: not 0, Address.IsUnspecified: false };

    // The local end may not be bound yet when a connection is requested.
    static bool Differ(Endpoint? known, Endpoint? seen) =>
        known != seen && IsBound(known) && IsBound(seen);
}

/// <summary>A connection of another part, under its TCB: what tells its events from those of the next connection with that TCB.</summary>
/// <param name="Number">That of its first event.</param>
/// <param name="Local">This machine's end.</param>
/// <param name="Remote">The peer's end.</param>
/// <param name="HasBegun">Whether it was established, or has ended: what opens now is another.</param>
/// <param name="HasEnded">Whether it is among those to be forgotten.</param>
readonly record struct OtherConnection(long Number, Endpoint? Local, Endpoint? Remote, bool HasBegun, bool HasEnded)
{
    /// <summary>The identity of a connection.</summary>
    public static OtherConnection Of(StackConnection connection) =>
        new(connection.Number, connection.Local, connection.Remote, connection.HasBegun, connection.HasEnded);

    /// <summary>Whether an event is of another connection.</summary>
    public bool IsAnother(StackEvent stackEvent) => ConnectionIdentity.IsAnother(HasBegun, Local, Remote, stackEvent);

    /// <summary>Takes in an event of it, as <see cref="EventCounts"/> does.</summary>
    public OtherConnection With(StackEvent stackEvent) => this with
    {
        HasBegun = HasBegun
            || stackEvent.Kind is StackEventKind.Connected or StackEventKind.Accepted or StackEventKind.Closed or StackEventKind.Reset,
        HasEnded = HasEnded || ConnectionIdentity.IsLast(stackEvent),
    };
}
