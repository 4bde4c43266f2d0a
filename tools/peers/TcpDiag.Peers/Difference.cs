namespace TcpDiag.Peers;

/// <summary>A packet of which two programs say different things.</summary>
/// <param name="Packet">The packet.</param>
/// <param name="Measure">What they are asked.</param>
/// <param name="Own">What tcpdiag says.</param>
/// <param name="Peer">What the other one says.</param>
public sealed record Difference(PacketFacts Packet, PacketMarks Measure, PacketMarks Own, PacketMarks Peer)
{
    /// <summary>Whether tcpdiag says something of it.</summary>
    public bool IsOwn => Own != PacketMarks.None;
}
