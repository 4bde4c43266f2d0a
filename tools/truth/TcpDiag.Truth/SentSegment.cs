using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>One segment of the sender, as its own capture shows it and the analysis judged it.</summary>
/// <param name="Packet">Number of the packet in the capture.</param>
/// <param name="Time">When it passed.</param>
/// <param name="Start">First sequence number, relative to the first of the connection.</param>
/// <param name="Length">Payload bytes, and one for a FIN.</param>
/// <param name="TsVal">Its TSval; 0 without timestamps.</param>
/// <param name="IpId">Its IPv4 identification; 0 where the stack does not number what it sends.</param>
/// <param name="Flags">Its flags.</param>
/// <param name="Kind">What the analysis took it for.</param>
/// <param name="Trigger">The trigger the analysis gave it.</param>
sealed record SentSegment(
    long Packet, TraceTime Time, long Start, int Length, uint TsVal, ushort IpId, TcpFlags Flags, SentKind Kind, RetransmissionTrigger Trigger)
{
    /// <summary>Behind its last number.</summary>
    public long End => Start + Length;

    /// <summary>Payload bytes.</summary>
    public int Payload => Length - ((int)Flags & (int)TcpFlags.Fin);

    /// <summary>The verdict of the analysis; meaningful for retransmissions.</summary>
    public RetransmissionNeed Need { get; set; }
}
