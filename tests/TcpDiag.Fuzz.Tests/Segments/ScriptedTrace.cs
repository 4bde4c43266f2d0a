using System;
using System.Collections.Generic;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>A trace whose packets a script tells: see <see cref="ScriptedSegment"/>. Sequence numbers begin just below 2³².</summary>
/// <param name="script">The script; bytes left over at its end are ignored.</param>
sealed class ScriptedTrace(byte[] script) : TraceReader
{
    const int HeaderBytes = 94; // Ethernet, IPv4, TCP with all its options
    const int BlockBytes = 1_000;

    readonly End[] _ends = new End[2 * ScriptedSegment.Connections];
    TraceTime _now = new(1_700_000_000_000_000_000);
    int _position;

    public override string Path => "script";

    public override TraceFormat Format => TraceFormat.Pcapng;

    public override IReadOnlyList<TraceInterface> Interfaces { get; } =
        [new TraceInterface { Index = 0, LinkType = LinkType.Ethernet }, new TraceInterface { Index = 1, LinkType = LinkType.Ethernet }];

    public override SystemFacts System { get; } = new();

    public override IReadOnlyList<TraceProblem> Problems => [];

    public override long RecordsRead => _position / ScriptedSegment.Size;

    public override bool TryRead(ref TraceRecord record)
    {
        if (script.Length - _position < ScriptedSegment.Size)
        {
            return false;
        }

        ScriptedSegment segment = ScriptedSegment.Read(script.AsSpan(_position));
        _position += ScriptedSegment.Size;
        _now += segment.DelayNs;
        byte[] frame = Build(segment);
        record = default;
        record.Kind = TraceRecordKind.Packet;
        record.Time = _now;
        record.LinkType = LinkType.Ethernet;
        record.InterfaceIndex = segment.IsAtSecondInterface ? 1 : 0;
        record.OriginalLength = frame.Length;
        record.Data = segment.IsCut ? frame.AsSpan(0, Math.Min(frame.Length, HeaderBytes)) : frame;
        return true;
    }

    protected override void Dispose(bool disposing)
    {
    }

    byte[] Build(in ScriptedSegment segment)
    {
        int index = 2 * segment.Connection;
        ref End from = ref _ends[segment.IsFromServer ? index + 1 : index];
        ref End to = ref _ends[segment.IsFromServer ? index : index + 1];
        SequenceNumber start = from.Next + segment.SequenceDelta;
        SequenceNumber acknowledgment = to.Next + segment.AcknowledgmentDelta;
        FrameBuilder frame = Addressed(segment).Seq(start.Value).AckNumber(acknowledgment.Value).Flags(segment.Flags)
            .Window((ushort)(segment.Window * 257)).PayloadLength(segment.Payload);
        AddOptions(frame, segment, acknowledgment, to.LastTimestamp);
        from.LastTimestamp = Milliseconds();
        from.Next = start + segment.Length > from.Next ? start + segment.Length : from.Next;
        byte[] bytes = frame.Build();
        if (segment.HasWrongChecksum)
        {
            bytes[50] ^= 0x55; // the checksum of a TCP header behind Ethernet and IPv4 headers
        }

        return bytes;
    }

    static FrameBuilder Addressed(in ScriptedSegment segment)
    {
        ushort client = (ushort)(50_000 + segment.Connection);
        return segment.IsFromServer
            ? new FrameBuilder().Ip("10.0.0.2", "10.0.0.1").Tcp(443, client)
            : new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(client, 443);
    }

    void AddOptions(FrameBuilder frame, in ScriptedSegment segment, SequenceNumber acknowledgment, uint echo)
    {
        ScriptedOptions options = segment.Options;
        _ = options.HasFlag(ScriptedOptions.Mss) ? frame.Mss((ushort)(segment.Window * 16)) : frame;
        _ = options.HasFlag(ScriptedOptions.WindowScale) ? frame.WindowScale(segment.Window) : frame;
        _ = options.HasFlag(ScriptedOptions.SackPermitted) ? frame.SackPermitted() : frame;
        _ = options.HasFlag(ScriptedOptions.Timestamps) ? frame.Timestamps(Milliseconds(), echo) : frame;
        List<uint> edges = Edges(options, acknowledgment);
        _ = edges.Count > 0 && !options.HasFlag(ScriptedOptions.Mss) ? frame.Sack([.. edges]) : frame; // 40 bytes are all there are
        _ = options.HasFlag(ScriptedOptions.Garbage) && edges.Count == 0 ? frame.TcpOptionBytes(1, 1, 5, 0xF0) : frame;
    }

    static List<uint> Edges(ScriptedOptions options, SequenceNumber acknowledgment)
    {
        List<uint> edges = [];
        if (options.HasFlag(ScriptedOptions.Dsack))
        {
            edges.AddRange([(acknowledgment + -BlockBytes).Value, acknowledgment.Value]);
        }

        for (int block = (int)(options & ScriptedOptions.ThreeSackBlocks); block > 0; block--)
        {
            SequenceNumber left = acknowledgment + (2 * block * BlockBytes) + -BlockBytes;
            edges.AddRange([left.Value, (left + BlockBytes).Value]);
        }

        return edges;
    }

    uint Milliseconds() => unchecked((uint)(_now.Nanoseconds / 1_000_000));

    struct End
    {
        // From 2,000 below the wrap, so that the default value will do.
        int _used;

        public uint LastTimestamp;

        /// <summary>Behind the highest sequence number used.</summary>
        public SequenceNumber Next
        {
            readonly get => new SequenceNumber(uint.MaxValue - 2_000) + _used;
            set => _used = value - new SequenceNumber(uint.MaxValue - 2_000);
        }
    }
}
