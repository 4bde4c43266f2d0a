using System;

namespace TcpDiag.Analysis.Results;

/// <summary>
/// The round trip over the whole path of a connection: the one value that text, JSON, page and findings tell. (That of each direction's own samples is in
/// <see cref="ConnectionDirection.Rtt"/>: seen from the receiver, they are its own delay.)
/// </summary>
public static class RoundTrip
{
    /// <summary>
    /// The samples of whichever direction's data travels the path, else the handshake's. A handshake that the server answered late does not count
    /// (<see cref="PathOf(Connection)"/>).
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <returns>Minimum and quantiles, nanoseconds; without samples where nothing shows it.</returns>
    public static RttSummary Of(Connection connection)
    {
        RttSummary up = connection.FromClient.Rtt;
        RttSummary down = connection.FromServer.Rtt;
        bool isUp = down.Samples == 0 || (up.Samples > 0 && up.Min >= down.Min);
        RttSummary farther = isUp ? up : down;
        bool isAtReceiver = connection.Vantage == (isUp ? Vantage.Server : Vantage.Client);
        return PathOf(connection) is { } path && (farther.Samples == 0 || (isAtReceiver ? farther.Min : farther.Median) < path / 2)
            ? new RttSummary(path, path, path, 1)
            : farther;
    }

    /// <summary>
    /// The round trip by its two parts, from the capture point to the server and to the client: of each part the handshake's time, or the smallest sample of
    /// data that went the same way, where that is shorter, because an end answered the handshake late.
    /// </summary>
    /// <param name="connection">The connection.</param>
    /// <returns>Nanoseconds; null where neither a handshake nor echoed timestamps show it.</returns>
    public static long? PathOf(Connection connection) =>
        PathOf(connection.HandshakeRtt, connection.SynAckDelay, connection.FromClient.Rtt, connection.FromServer.Rtt)
            ?? ByEchoes(connection.FromClient) ?? ByEchoes(connection.FromServer);

    /// <summary>The same from the handshake alone.</summary>
    /// <param name="handshake">From the SYN to the end of the handshake, nanoseconds; null when not measured.</param>
    /// <param name="toServer">From the SYN to the SYN-ACK, nanoseconds; null when not measured.</param>
    /// <param name="client">Samples of the client's data.</param>
    /// <param name="server">Those of the server's.</param>
    internal static long? PathOf(long? handshake, long? toServer, in RttSummary client, in RttSummary server) =>
        handshake is { } whole && toServer is { } near ? Shorter(near, client) + Shorter(whole - near, server) : handshake;

    static long? ByEchoes(ConnectionDirection direction) =>
        direction is { SenderDelay: { } toSender, Rtt: { Samples: > 0, Min: var toReceiver } } ? toSender + toReceiver : null;

    static long Shorter(long handshake, in RttSummary data) => data.Samples > 0 ? Math.Min(handshake, data.Min) : handshake;
}
