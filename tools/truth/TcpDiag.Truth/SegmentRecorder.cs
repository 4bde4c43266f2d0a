using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;

namespace TcpDiag.Truth;

/// <summary>Writes down what the analysis says about each segment of the direction with the most data.</summary>
sealed class SegmentRecorder : ISegmentObserver
{
    readonly Dictionary<(int Connection, int From), List<SentSegment>> _sent = [];
    readonly Dictionary<long, SentSegment> _byPacket = [];

    /// <summary>The segments of that direction, in the order of the capture.</summary>
    public IReadOnlyList<SentSegment> Segments => _sent.Count == 0 ? [] : _sent[Main];

    /// <summary>The segments of the other direction: what that sender heard.</summary>
    public IReadOnlyList<SentSegment> Replies =>
        _sent.Count > 0 && _sent.TryGetValue((Main.Connection, Main.From ^ 1), out List<SentSegment>? replies) ? replies : [];

    (int Connection, int From) Main => _sent.MaxBy(list => list.Value.Sum(segment => (long)segment.Length)).Key;

    /// <inheritdoc/>
    public void OnSegment(ref ConnectionState connection, int from, in Segment segment)
    {
        if (!_sent.TryGetValue((connection.Index, from), out List<SentSegment>? list))
        {
            _sent[(connection.Index, from)] = list = [];
        }

        // Flows of the lab are shorter than 2^31 bytes, so a distance from the initial number is unambiguous.
        ref readonly EndState sender = ref connection.Ends[from];
        long start = unchecked(segment.Start.Value - sender.Syn.Isn.Value);
        var sent = new SentSegment(
            segment.PacketNumber,
            segment.Time,
            start,
            segment.Length,
            segment.TsVal,
            sender.Send.Header.LastIpId,
            segment.Flags,
            segment.Sent.Kind,
            segment.Sent.Trigger);
        list.Add(sent);
        _byPacket[segment.PacketNumber] = sent;
    }

    /// <inheritdoc/>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need) => _byPacket[item.Packet].Need = need;

    /// <inheritdoc/>
    public void OnClosed(ref ConnectionState connection, Connection result)
    {
    }
}
