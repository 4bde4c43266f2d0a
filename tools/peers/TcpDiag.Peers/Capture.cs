using System.Collections.Generic;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Peers;

/// <summary>The TCP packets of a capture, and what tcpdiag says of each.</summary>
sealed class Capture
{
    readonly Dictionary<(Endpoint From, Endpoint To), DirectionHistory> _directions = [];
    readonly SortedDictionary<long, PacketFacts> _packets = [];

    Capture(string path) => Path = path;

    /// <summary>Where it is.</summary>
    public string Path { get; }

    /// <summary>The packets by the numbers of their frames.</summary>
    public IReadOnlyDictionary<long, PacketFacts> Packets => _packets;

    /// <summary>What tcpdiag says.</summary>
    public IReadOnlyDictionary<long, PacketMarks> Own { get; private set; } = new Dictionary<long, PacketMarks>();

    /// <summary>Reads a capture.</summary>
    /// <param name="path">A pcap or pcapng file.</param>
    /// <returns>The capture.</returns>
    public static Capture Read(string path)
    {
        var capture = new Capture(path);
        capture.ReadPackets();
        var recorder = new MarkRecorder();
        using TraceReader reader = TraceFile.Open(path);
        _ = TraceAnalyzer.Analyze(reader, new AnalysisOptions { Follower = recorder });
        capture.Own = recorder.Marks;
        return capture;
    }

    // Numbered as Wireshark does: events stored in the file count.
    void ReadPackets()
    {
        using TraceReader reader = TraceFile.Open(Path);
        var record = default(TraceRecord);
        var packet = default(ParsedPacket);
        long number = 0;
        while (reader.TryRead(ref record))
        {
            bool isPacket = record.Kind == TraceRecordKind.Packet;
            number += isPacket || record.Event is not null ? 1 : 0;
            if (isPacket && PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref packet) && packet.IsTcp)
            {
                var from = new Endpoint(packet.Source, packet.SourcePort);
                var to = new Endpoint(packet.Destination, packet.DestinationPort);
                _packets[number] = Take(new PacketFacts(number, record.Time, packet.Flags, from, to, packet.Sequence, packet.PayloadLength), packet);
            }
        }
    }

    PacketFacts Take(PacketFacts facts, in ParsedPacket packet)
    {
        bool opens = (packet.Flags & (TcpFlags.Syn | TcpFlags.Ack)) == TcpFlags.Syn;
        DirectionHistory own = Of(facts.From, facts.To, opens, packet.Sequence);
        DirectionHistory other = Of(facts.To, facts.From, false, packet.Acknowledgment);
        PacketFacts sent = own.OnSent(facts, packet);
        return (packet.Flags & TcpFlags.Ack) != 0 ? other.OnAcknowledged(sent, packet) : sent;
    }

    DirectionHistory Of(Endpoint from, Endpoint to, bool opens, SequenceNumber first)
    {
        if (!_directions.TryGetValue((from, to), out DirectionHistory? history) || (opens && history.Origin != first))
        {
            _directions[(from, to)] = history = new DirectionHistory();
            if (opens)
            {
                _directions.Remove((to, from));
            }
        }

        return history;
    }
}
