using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>Where in a trace something shows.</summary>
/// <param name="FirstPacket">Number of the first frame that shows it, from 1.</param>
/// <param name="From">When it begins.</param>
/// <param name="To">When it ends.</param>
readonly record struct Place(long FirstPacket, TraceTime From, TraceTime To)
{
    /// <summary>The opening of a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <returns>From its first packet to the end of the handshake, else to its last packet; null for one known from events alone.</returns>
    public static Place? OfOpening(Connection connection) => connection.FirstPacket == 0
        ? null
        : new Place(connection.FirstPacket, connection.Start, connection.ConnectTime is { } time ? connection.Start + time : connection.Last);

    /// <summary>From one mark to another.</summary>
    /// <param name="from">The first.</param>
    /// <param name="to">The last; null when it lasts to the connection's end.</param>
    /// <param name="connection">The connection.</param>
    /// <returns>The place; null without a first mark.</returns>
    public static Place? Between(Mark? from, Mark? to, Connection connection) =>
        from is { } first ? new Place(first.Packet, first.Time, to?.Time ?? connection.Last) : null;

    /// <summary>A span of a limit.</summary>
    /// <param name="span">The span.</param>
    public static implicit operator Place(LimitSpan span) => new(span.FirstPacket, span.From, span.To);
}
