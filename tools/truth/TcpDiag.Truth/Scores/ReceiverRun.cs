using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Truth.Scores;

/// <summary>
/// What the receiver of a run of the lab saw and answered, though it was captured at the sender: the path's log says when each packet left it. The log numbers
/// packets from 1 in each direction, as the sender's capture shows them, once what was offloaded is cut into packets.
/// </summary>
sealed class ReceiverRun
{
    const long NanosPerMs = 1_000_000;

    readonly Dictionary<(LinkDirection Direction, long Packet), ImpairmentDecision> _left = [];
    readonly Dictionary<long, int> _order = [];
    readonly List<(DataArrival Arrival, long Packet)> _sent = [];
    long _packetsOut;
    long _packetsIn;
    uint _clock; // what its timestamps are ahead of milliseconds of the log's clock

    /// <summary>Data as it arrived, in order.</summary>
    public IReadOnlyList<DataArrival> Arrivals { get; private set; } = [];

    /// <summary>What it answered, in order.</summary>
    public List<Reply> Replies { get; } = [];

    /// <summary>The first byte of data.</summary>
    public SequenceNumber FirstByte { get; private set; }

    /// <summary>The TSval of the handshake; 0 without timestamps.</summary>
    public uint SynTsVal { get; private set; }

    /// <summary>Payload of a full segment, bytes.</summary>
    public int Smss { get; private set; }

    /// <summary>Its window scale.</summary>
    public byte WindowScale { get; private set; }

    /// <summary>When it was established.</summary>
    public TraceTime Established { get; private set; }

    /// <summary>The round trip of its handshake, ns.</summary>
    public long RttNanos { get; private set; }

    /// <summary>Reads a run.</summary>
    /// <param name="folder">Its folder.</param>
    public static ReceiverRun Read(string folder)
    {
        ReceiverRun run = new();
        run.ReadLog(Path.Combine(folder, "decisions.tdil"));
        run.ReadCapture(Path.Combine(folder, "sender.pcapng"));
        run.Arrivals = [.. run.Arrived()];
        return run;
    }

    void ReadLog(string path)
    {
        using FileStream stream = File.OpenRead(path);
        DecisionLogReader reader = new(stream);
        for (int order = 0; reader.TryRead(out ImpairmentDecision decision); order++)
        {
            if (decision.Action == ImpairmentAction.Forward)
            {
                _left[(decision.Direction, decision.PacketId)] = decision;
                if (decision.Direction == LinkDirection.Out)
                {
                    _order[decision.PacketId] = order;
                }
            }
        }
    }

    void ReadCapture(string path)
    {
        using TraceReader reader = TraceFile.Open([path]);
        TraceRecord record = default;
        ParsedPacket packet = default;
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet && PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref packet) && packet.IsTcp)
            {
                OnPacket(packet, record.Data);
            }
        }
    }

    void OnPacket(in ParsedPacket packet, ReadOnlySpan<byte> frame)
    {
        bool isSyn = (packet.Flags & TcpFlags.Syn) != 0;
        bool isAnswer = packet.SourcePort < packet.DestinationPort; // the server of an upload listens on a low port
        if (isAnswer)
        {
            OnReply(packet, frame, isSyn);
        }
        else if (isSyn)
        {
            (FirstByte, SynTsVal) = (packet.Sequence + 1, packet.Options.TsVal);
            _packetsOut++;
        }
        else
        {
            OnData(packet);
        }
    }

    void OnData(in ParsedPacket packet)
    {
        bool hasTimestamps = packet.Options.Has(TcpOptionKinds.Timestamps);
        for (int offset = 0; offset == 0 || offset < packet.PayloadLength; offset += Smss)
        {
            _packetsOut++;
            int length = Math.Min(Smss, packet.PayloadLength - offset);
            bool isLast = offset + Smss >= packet.PayloadLength;
            _sent.Add((
                new DataArrival(packet.Sequence + offset, length, default)
                {
                    TsVal = packet.Options.TsVal,
                    TsEcr = hasTimestamps ? packet.Options.TsEcr - _clock : null,
                    IsPushed = isLast && (packet.Flags & TcpFlags.Psh) != 0,
                },
                _packetsOut));
        }
    }

    void OnReply(in ParsedPacket packet, ReadOnlySpan<byte> frame, bool isSyn)
    {
        if (!_left.TryGetValue((LinkDirection.In, ++_packetsIn), out ImpairmentDecision decision))
        {
            return;
        }

        TraceTime time = new(decision.Time.Nanoseconds - decision.DelayErrorNanos - decision.DelayAskedNanos);
        if (isSyn)
        {
            bool hasTimestamps = packet.Options.Has(TcpOptionKinds.Timestamps);
            (Smss, WindowScale) = (packet.Options.Mss - (hasTimestamps ? 12 : 0), packet.Options.WindowScale);
            _clock = packet.Options.TsVal - (uint)(time.Nanoseconds / NanosPerMs);
            Established = time;
            return;
        }

        AckArrival ack = new() { Una = packet.Acknowledgment, Window = packet.Window << WindowScale, TsEcr = packet.Options.TsEcr };
        for (int i = 0; i < packet.Options.SackBlocks; i++)
        {
            ack.Add(SackBlock.Read(frame, packet.Options, i));
        }

        Replies.Add(new Reply(time, ack));
    }

    IEnumerable<DataArrival> Arrived()
    {
        List<(DataArrival Arrival, long Packet)> arrived = [];
        foreach ((DataArrival arrival, long packet) in _sent)
        {
            if (_left.TryGetValue((LinkDirection.Out, packet), out ImpairmentDecision decision))
            {
                arrived.Add((arrival with { Now = decision.Time }, packet));
            }
        }

        if (arrived.Count > 0)
        {
            RttNanos = arrived[0].Arrival.Now - Established;
            Established = arrived[0].Arrival.Now;
        }

        arrived.Sort((one, other) => _order[one.Packet].CompareTo(_order[other.Packet]));
        foreach ((DataArrival arrival, long _) in arrived)
        {
            if (arrival.Length > 0)
            {
                yield return arrival;
            }
        }
    }

    /// <summary>An acknowledgment, when it was handed to the path.</summary>
    public readonly record struct Reply(TraceTime Time, AckArrival Ack);
}
