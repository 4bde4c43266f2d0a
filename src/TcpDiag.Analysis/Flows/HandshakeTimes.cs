using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Flows;

/// <summary>What the handshake told about round trips, seen from one direction. Nanoseconds; 0 when not measured.</summary>
/// <param name="Whole">From the SYN to the acknowledgment that ended the handshake.</param>
/// <param name="ToReceiver">The part between the capture point and the receiver of the direction's data.</param>
readonly record struct HandshakeTimes(long Whole, long ToReceiver)
{
    /// <summary>The times of a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The direction.</param>
    /// <returns>Its times.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static HandshakeTimes Of(in ConnectionState connection, int from)
    {
        long whole = connection.HandshakeRtt;
        long toServer = connection.SynAckDelay;
        long toClient = toServer > 0 && whole > toServer ? whole - toServer : 0;
        return new(whole, from == connection.Client ? toServer : toClient);
    }
}
