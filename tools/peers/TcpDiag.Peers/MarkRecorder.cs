using System.Collections.Generic;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Peers;

/// <summary>Writes down what tcpdiag's ledger says of each packet.</summary>
sealed class MarkRecorder : ILedgerFollower
{
    readonly Dictionary<long, PacketMarks> _marks = [];

    /// <summary>The packets of which it says anything.</summary>
    public IReadOnlyDictionary<long, PacketMarks> Marks => _marks;

    /// <inheritdoc/>
    public void OnStep(ref ConnectionState connection, int from, in LedgerStep step)
    {
        PacketMarks marks = step.Sent switch
        {
            SentKind.Retransmission => PacketMarks.Retransmission,
            SentKind.Late => PacketMarks.OutOfOrder,
            _ => PacketMarks.None,
        };
        marks |= step.IsDuplicateAck ? PacketMarks.DuplicateAck : PacketMarks.None;
        marks |= step.IsDsack ? PacketMarks.Dsack : PacketMarks.None;
        marks |= step.Rtt > 0 ? PacketMarks.RttSample : PacketMarks.None;
        if (marks != PacketMarks.None)
        {
            _marks[step.PacketNumber] = marks;
        }
    }

    /// <inheritdoc/>
    public void OnFold(ref ConnectionState connection, Connection result, TraceTime end)
    {
    }
}
