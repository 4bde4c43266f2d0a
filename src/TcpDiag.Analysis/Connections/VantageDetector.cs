using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// Finds out where a capture was taken. What is sent at the capture point is answered there a whole round trip later, what
/// arrives there is answered at once. The handshake shows both parts of the round trip; without it, data of both directions does, the timestamps that data of
/// one echoes, or how that follows acknowledgments.
/// </summary>
static class VantageDetector
{
    const long Unknown = -1;

    /// <summary>Finds the vantage of a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="client">Direction of its client.</param>
    /// <param name="observer">Knows how data follows acknowledgments.</param>
    /// <returns>The vantage; Unknown when the trace does not show it.</returns>
    public static Vantage Detect(ref readonly ConnectionState connection, int client, IDirectionObserver observer)
    {
        Vantage vantage = DetectByTimes(in connection, client, observer);
        return vantage != Vantage.Unknown ? vantage
            : IsAt(in connection, client, observer) ? Vantage.Client
            : IsAt(in connection, client ^ 1, observer) ? Vantage.Server
            : Vantage.Unknown;
    }

    // Without the handshake and with data in one direction only: the way to the receiver is long, and none to the sender.
    static bool IsAt(ref readonly ConnectionState connection, int end, IDirectionObserver observer) =>
        FlightPool.MinRtt(connection.Ends[end].Send) >= Thresholds.MinVantageRttNanos && observer.IsAtSender(in connection, end);

    static Vantage DetectByTimes(ref readonly ConnectionState connection, int client, IDirectionObserver observer)
    {
        // Where the clock is coarse, or a machine fast, the nearer part takes no time at all.
        bool hasHandshake = connection.Handshake is { IsEstablished: true, RttNanos: > 0 };
        long toServer = hasHandshake ? connection.Handshake.SynAckDelayNanos : Learned(in connection, client ^ 1, observer);
        long toClient = hasHandshake ? connection.Handshake.RttNanos - connection.Handshake.SynAckDelayNanos : Learned(in connection, client, observer);
        toServer = MinKnown(toServer, FlightPool.MinRtt(connection.Ends[client].Send));
        toClient = MinKnown(toClient, FlightPool.MinRtt(connection.Ends[client ^ 1].Send));
        long whole = toServer + toClient;
        if (toServer < 0 || toClient < 0 || whole < Thresholds.MinVantageRttNanos)
        {
            return Vantage.Unknown;
        }

        if (toClient * 100 <= whole * Thresholds.EndsSharePercent)
        {
            return Vantage.Client;
        }

        return toServer * 100 <= whole * Thresholds.EndsSharePercent ? Vantage.Server : Vantage.Middle;
    }

    /// <summary>The vantage seen from one direction.</summary>
    /// <param name="vantage">The vantage.</param>
    /// <param name="isClient">Whether the direction is that of the client's data.</param>
    /// <returns>The same, from there.</returns>
    public static DirectionVantage SeenFrom(Vantage vantage, bool isClient) => vantage switch
    {
        Vantage.Client => isClient ? DirectionVantage.Sender : DirectionVantage.Receiver,
        Vantage.Server => isClient ? DirectionVantage.Receiver : DirectionVantage.Sender,
        Vantage.Middle => DirectionVantage.Middle,
        _ => DirectionVantage.Unknown,
    };

    // Where echoes show the way to the other end, which answers data, all without a sample: then it answers at once.
    static long Learned(ref readonly ConnectionState connection, int end, IDirectionObserver observer) =>
        observer.SenderDelay(in connection, end)
            ?? (observer.SenderDelay(in connection, end ^ 1) is not null && FlightPool.MinRtt(connection.Ends[end ^ 1].Send) == 0 ? 0 : Unknown);

    // A sample of data of 0 is none.
    static long MinKnown(long ofHandshake, long ofData)
    {
        long data = ofData > 0 ? ofData : Unknown;
        return ofHandshake < 0 || data < 0 ? Math.Max(ofHandshake, data) : Math.Min(ofHandshake, data);
    }
}
