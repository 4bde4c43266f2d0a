using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Flows;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Wire;

namespace TcpDiag.Truth;

/// <summary>Writes down what the ledger says about each segment of the direction with the most data.</summary>
sealed class SegmentRecorder : ILedgerFollower
{
    readonly Dictionary<(int Connection, int From), List<SentSegment>> _sent = [];
    readonly Dictionary<long, SentSegment> _byPacket = [];

    /// <summary>The segments of that direction, in the order of the capture.</summary>
    public IReadOnlyList<SentSegment> Segments => _sent.Count == 0 ? [] : _sent[Main];

    /// <summary>The segments of the other direction: what that sender heard.</summary>
    public IReadOnlyList<SentSegment> Replies => _sent.Count > 0 && _sent.TryGetValue((Main.Connection, Main.From ^ 1), out List<SentSegment>? replies) ? replies : [];

    (int Connection, int From) Main => _sent.MaxBy(list => list.Value.Sum(segment => (long)segment.Length)).Key;

    /// <inheritdoc/>
    public void OnStep(ref ConnectionState connection, int from, in LedgerStep step)
    {
        if (!_sent.TryGetValue((connection.Index, from), out List<SentSegment>? list))
        {
            _sent[(connection.Index, from)] = list = [];
        }

        // Flows of the lab are shorter than 2^31 bytes, so a distance from the initial number is unambiguous.
        ref readonly DirectionState sent = ref connection.Direction[from];
        long start = unchecked(step.Start.Value - sent.Isn.Value);
        var segment = new SentSegment(step.PacketNumber, step.Time, start, step.Length, step.TsVal, sent.LastIpId, step.Flags, step.Sent, step.Trigger);
        list.Add(segment);
        _byPacket[step.PacketNumber] = segment;
    }

    /// <inheritdoc/>
    public void OnVerdict(in Resend resend, RetransmissionNeed need) => _byPacket[resend.Packet].Need = need;

    /// <inheritdoc/>
    public void OnFold(ref ConnectionState connection, Connection result, TraceTime end)
    {
    }
}
