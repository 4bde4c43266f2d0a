using System;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>What is known of the round trips of a connection when a segment passes, nanoseconds each.</summary>
/// <param name="Handshake">From the SYN to the acknowledgment that ended the handshake; 0 when not measured.</param>
/// <param name="ToReceiver">
/// Shortest way from the capture point to the receiver of the data and back, less an eighth for a sample that may yet be smaller; 0 when not known.
/// </param>
/// <param name="Whole">Shortest whole round trip, or a value to go by when none is known.</param>
readonly record struct RoundTrip(long Handshake, long ToReceiver, long Whole)
{
    // Without any RTT, a segment later than this is taken for a retransmission (the value tshark uses).
    const long DefaultReorderingDelay = 3_000_000;

    /// <summary>Puts together what the samples of both directions tell.</summary>
    /// <param name="handshake">RTT of the handshake; 0 when not measured.</param>
    /// <param name="part">The part of it between the capture point and the receiver; 0 when not measured.</param>
    /// <param name="minRtt">Smallest sample of the direction's data; 0 without samples.</param>
    /// <param name="otherMinRtt">Smallest sample of the other direction's data; 0 without samples.</param>
    /// <returns>The round trips.</returns>
    public static RoundTrip Of(long handshake, long part, long minRtt, long otherMinRtt)
    {
        long whole = handshake > 0 ? handshake : minRtt + otherMinRtt;
        return new(handshake, ToReceiverOf(part, minRtt), whole > 0 ? whole : DefaultReorderingDelay);
    }

    /// <summary>The part that leads to the receiver, alone.</summary>
    /// <param name="part">The part of the handshake between the capture point and the receiver, nanoseconds; 0 when not measured.</param>
    /// <param name="minRtt">Smallest sample of the direction's data, nanoseconds; 0 without samples.</param>
    /// <returns>As <see cref="ToReceiver"/>.</returns>
    public static long ToReceiverOf(long part, long minRtt)
    {
        long toReceiver = minRtt > 0 && part > 0 ? Math.Min(minRtt, part) : Math.Max(minRtt, part);
        return toReceiver - (toReceiver / 8);
    }
}
