using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>What is known of the round trips of a connection when a segment passes, nanoseconds each.</summary>
/// <param name="HandshakeNanos">From the SYN to the acknowledgment that ended the handshake; 0 when not measured.</param>
/// <param name="ToReceiverNanos">
/// Shortest time from the capture point to the receiver of the data and back, less an eighth for a sample that may yet be smaller; 0 when not known.
/// </param>
/// <param name="WholeNanos">Shortest whole round trip, or a value to go by when none is known.</param>
readonly record struct PathRtt(long HandshakeNanos, long ToReceiverNanos, long WholeNanos)
{
    /// <summary>Puts together what handshake and samples of both directions show.</summary>
    /// <param name="sent">The end whose data it is about.</param>
    /// <param name="other">The other end.</param>
    /// <returns>The round trips.</returns>
    public static PathRtt Of(in SendState sent, in SendState other)
    {
        long handshake = sent.Rtt.Handshake.WholeNanos;
        long minRtt = FlightPool.MinRtt(sent);
        long whole = handshake > 0 ? handshake : minRtt + FlightPool.MinRtt(other);
        return new(handshake, ToReceiverOf(sent.Rtt.Handshake.ToReceiverNanos, minRtt), whole > 0 ? whole : Thresholds.DefaultReorderingNanos);
    }

    /// <summary>The part that leads to the receiver, alone.</summary>
    /// <param name="handshakePart">The part of the handshake between the capture point and the receiver, nanoseconds; 0 when not measured.</param>
    /// <param name="minRtt">Smallest sample of the data, nanoseconds; 0 without samples.</param>
    /// <returns>As <see cref="ToReceiverNanos"/>.</returns>
    public static long ToReceiverOf(long handshakePart, long minRtt)
    {
        long toReceiver = minRtt > 0 && handshakePart > 0 ? Math.Min(minRtt, handshakePart) : Math.Max(minRtt, handshakePart);
        return toReceiver - (toReceiver / 8);
    }
}

/// <summary>When an acknowledgment passed, and what is known by then about the time a round trip takes.</summary>
/// <param name="Time">When.</param>
/// <param name="MinRttNanos">Shortest round trip between the capture point and the receiver so far, nanoseconds; 0 when none is known.</param>
readonly record struct AckInstant(TraceTime Time, long MinRttNanos)
{
    /// <summary>Whether it came sooner after a segment than any round trip takes. A clock that was set back says nothing.</summary>
    public bool IsTooSoonAfter(TraceTime sent) => Time >= sent && Time - sent < MinRttNanos;
}
