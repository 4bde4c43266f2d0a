using System.Collections.Generic;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;

namespace TcpDiag.Peers;

/// <summary>Writes down what tcpdiag says of each packet.</summary>
sealed class MarkRecorder : ISegmentObserver
{
    readonly Dictionary<long, PacketMarks> _marks = [];

    /// <summary>The packets of which it says anything.</summary>
    public IReadOnlyDictionary<long, PacketMarks> Marks => _marks;

    /// <inheritdoc/>
    public void OnSegment(ref ConnectionState connection, int from, in Segment segment)
    {
        PacketMarks marks = segment.Sent.Kind switch
        {
            SentKind.Retransmission => PacketMarks.Retransmission,
            SentKind.Late => PacketMarks.OutOfOrder,
            _ => PacketMarks.None,
        };
        marks |= segment.Ack.IsDuplicate ? PacketMarks.DuplicateAck : PacketMarks.None;
        marks |= segment.Ack.IsDsack ? PacketMarks.Dsack : PacketMarks.None;
        marks |= segment.Ack.RttNanos > 0 ? PacketMarks.RttSample : PacketMarks.None;
        if (marks != PacketMarks.None)
        {
            _marks[segment.PacketNumber] = marks;
        }
    }

    /// <inheritdoc/>
    public void OnClosed(ref ConnectionState connection, Connection result)
    {
    }
}
