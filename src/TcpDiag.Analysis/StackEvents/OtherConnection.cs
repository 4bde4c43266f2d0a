using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

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
