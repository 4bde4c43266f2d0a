using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Peers;

/// <summary>Two programs over one capture.</summary>
/// <param name="Name">Name of the capture.</param>
/// <param name="Peer">Name of the other program.</param>
/// <param name="Capture">The packets, and what tcpdiag says of them.</param>
/// <param name="Marks">What the other one says.</param>
/// <param name="Dsacks">DSACKs it counts, where it does not tell the packets; else null.</param>
sealed record Comparison(string Name, string Peer, Capture Capture, IReadOnlyDictionary<long, PacketMarks> Marks, int? Dsacks)
{
    /// <summary>What both are asked: retransmission and out of order are two answers to one question.</summary>
    public static readonly PacketMarks[] Measures = [PacketMarks.Retransmission | PacketMarks.OutOfOrder, PacketMarks.DuplicateAck, PacketMarks.Dsack,
        PacketMarks.RttSample];

    /// <summary>Packets of which they say different things.</summary>
    public IEnumerable<Difference> Differences()
    {
        foreach (PacketMarks measure in Measures.Where(IsAnswered))
        {
            foreach (PacketFacts packet in Capture.Packets.Values)
            {
                PacketMarks own = Capture.Own.GetValueOrDefault(packet.Number) & measure;
                PacketMarks peer = Marks.GetValueOrDefault(packet.Number) & measure;
                if (own != peer)
                {
                    yield return new(packet, measure, own, peer);
                }
            }
        }
    }

    /// <summary>How many packets tcpdiag says a thing of, and how many the other one does.</summary>
    /// <param name="mark">The thing.</param>
    public (int Own, int Peer) Counts(PacketMarks mark) => (Count(Capture.Own, mark), IsAnswered(mark) ? Count(Marks, mark) : Dsacks ?? 0);

    bool IsAnswered(PacketMarks measure) => measure != PacketMarks.Dsack || Dsacks is null;

    static int Count(IReadOnlyDictionary<long, PacketMarks> marks, PacketMarks mark) => marks.Values.Count(told => (told & mark) != 0);
}
