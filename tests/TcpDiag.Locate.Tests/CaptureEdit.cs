using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Tests;

/// <summary>Does to a capture what clocks, recorders and middleboxes do. Frames are IPv4 and TCP, behind Ethernet or nothing.</summary>
sealed class CaptureEdit
{
    const int EthernetBytes = 14;
    const int IpBytes = 20;

    readonly List<Func<Frame, bool>> _edits = [];
    readonly TraceTime _start;

    CaptureEdit(TraceTime start) => _start = start;

    public long Dropped { get; private set; }

    public static CaptureEdit From(TraceTime start) => new(start);

    /// <summary>The clock is ahead by an offset, runs faster by so many ppm, and is set once.</summary>
    public CaptureEdit Clock(long offsetNanos, double skewPpm = 0, long stepNanos = 0, long stepAtNanos = 0) => With(frame =>
    {
        long since = frame.Time - _start;
        frame.Time += offsetNanos + (long)(since * skewPpm / 1e6) + (stepNanos != 0 && since >= stepAtNanos ? stepNanos : 0);
        return true;
    });

    /// <summary>The capture begins and ends then, ns from the beginning.</summary>
    public CaptureEdit Between(long fromNanos, long toNanos = long.MaxValue) =>
        With(frame => frame.Time - _start >= fromNanos && frame.Time - _start <= toNanos);

    /// <summary>The recorder loses a share.</summary>
    public CaptureEdit Lose(double share, int seed)
    {
        var random = new Random(seed);
        return With(frame =>
        {
            bool isKept = random.NextDouble() >= share;
            Dropped += isKept ? 0 : 1;
            return isKept;
        });
    }

    /// <summary>The client's address and port are others, and its hop limit is lower.</summary>
    public CaptureEdit Nat() => With(frame =>
    {
        bool isFromClient = frame.Port(0) == 50_000;
        frame.Data[frame.Ip + 8]--;
        BinaryPrimitives.WriteUInt32BigEndian(frame.Data.AsSpan(frame.Ip + (isFromClient ? 12 : 16)), 0xC000_0207); // 192.0.2.7
        BinaryPrimitives.WriteUInt16BigEndian(frame.Data.AsSpan(frame.Tcp + (isFromClient ? 0 : 2)), 61_234);
        return true;
    });

    /// <summary>Every sequence number of the client is moved, and what acknowledges it; SACK blocks too, or not.</summary>
    public CaptureEdit MoveSequence(uint by, bool withSack) => With(frame =>
    {
        bool isFromClient = frame.Port(0) is 50_000 or 61_234;
        int at = frame.Tcp + (isFromClient ? 4 : 8);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Data.AsSpan(at), unchecked(BinaryPrimitives.ReadUInt32BigEndian(frame.Data.AsSpan(at)) + by));
        if (!isFromClient && withSack)
        {
            frame.EachSackEdge(edge => unchecked(edge + by));
        }

        return true;
    });

    /// <summary>Packets of one port alone.</summary>
    public CaptureEdit Only(ushort port) => With(frame => frame.Port(0) == port || frame.Port(1) == port);

    /// <summary>Timestamps are taken out.</summary>
    public CaptureEdit StripTimestamps() => With(frame =>
    {
        frame.ReplaceOption(8, 10);
        return true;
    });

    /// <summary>The MSS offered is lower.</summary>
    public CaptureEdit ClampMss(ushort mss) => With(frame =>
    {
        frame.OnOption(2, option => BinaryPrimitives.WriteUInt16BigEndian(option[2..], mss));
        return true;
    });

    /// <summary>No identification, as in a host that sends none.</summary>
    public CaptureEdit NoIpId() => With(frame =>
    {
        (frame.Data[frame.Ip + 4], frame.Data[frame.Ip + 5]) = (0, 0);
        return true;
    });

    /// <summary>The beginning of the payload is captured: what each byte is follows from its place in the stream.</summary>
    public CaptureEdit Payload(uint origin) => With(frame =>
    {
        int header = frame.Data.Length;
        int payload = Math.Min(frame.Original - header, 96);
        if (payload > 0)
        {
            uint place = unchecked(BinaryPrimitives.ReadUInt32BigEndian(frame.Data.AsSpan(frame.Tcp + 4)) - origin);
            Array.Resize(ref frame.Data, header + payload);
            new Random((int)place).NextBytes(frame.Data.AsSpan(header));
        }

        return true;
    });

    /// <summary>Only so many bytes of a frame are kept.</summary>
    public CaptureEdit Cut(int snap) => With(frame =>
    {
        frame.Data = frame.Data[..Math.Min(snap, frame.Data.Length)];
        return true;
    });

    /// <summary>Applies everything to a capture.</summary>
    /// <param name="capture">The capture.</param>
    /// <param name="merged">How many segments in a row a receive offload puts together; 1 for none.</param>
    /// <param name="tells">Whether the recorder says how many packets it lost.</param>
    public byte[] Apply(byte[] capture, int merged = 1, bool tells = false)
    {
        using TraceReader reader = PcapngReader.Open(new MemoryTraceInput(capture), TraceOpenOptions.Default);
        return Apply(reader, LinkType.Ethernet, merged, tells);
    }

    /// <summary>Applies everything to a capture.</summary>
    /// <param name="reader">The capture.</param>
    /// <param name="link">What its frames begin with.</param>
    /// <param name="merged">How many segments in a row a receive offload puts together; 1 for none.</param>
    /// <param name="tells">Whether the recorder says how many packets it lost.</param>
    public byte[] Apply(TraceReader reader, LinkType link, int merged = 1, bool tells = false)
    {
        using var output = new MemoryStream();
        using (var writer = new PcapngWriter(output))
        {
            writer.WriteInterface(new TraceInterface { Index = 0, Name = "edited", LinkType = link });
            var record = default(TraceRecord);
            var merge = new Merge(writer, merged);
            while (reader.TryRead(ref record))
            {
                var frame = new Frame { Time = record.Time, Data = record.Data.ToArray(), Original = record.OriginalLength, LinkType = link };
                if (record.Kind == TraceRecordKind.Packet && _edits.TrueForAll(edit => edit(frame)))
                {
                    merge.Add(frame);
                }
            }

            merge.Flush();
            if (tells)
            {
                writer.WriteInterfaceStatistics(0, _start, received: null, Dropped);
            }
        }

        return output.ToArray();
    }

    CaptureEdit With(Func<Frame, bool> edit)
    {
        _edits.Add(edit);
        return this;
    }

    // As generic receive offload does: following segments of full size, the last may be shorter; stamped when it is handed on.
    sealed class Merge(PcapngWriter writer, int most)
    {
        Frame? _held;
        int _count;

        public void Add(Frame frame)
        {
            if (_held is not null && _count < most && frame.Follows(_held) && frame.Payload <= _held.Payload / _count && _held.Payload % _count == 0)
            {
                _held.Original += frame.Payload;
                BinaryPrimitives.WriteUInt16BigEndian(_held.Data.AsSpan(_held.Ip + 2), (ushort)(_held.Original - _held.Ip));
                _held.Time = frame.Time;
                bool isLast = frame.Payload < (_held.Payload - frame.Payload) / _count;
                _count++;
                if (isLast || _count == most)
                {
                    Flush();
                }

                return;
            }

            Flush();
            if (most > 1 && frame.Payload > 0 && !frame.IsControl)
            {
                (_held, _count) = (frame, 1);
            }
            else
            {
                Write(frame);
            }
        }

        public void Flush()
        {
            if (_held is not null)
            {
                Write(_held);
                _held = null;
            }
        }

        void Write(Frame frame) => writer.WritePacket(new TraceRecord
        {
            Kind = TraceRecordKind.Packet,
            Time = frame.Time,
            Data = frame.Data,
            LinkType = frame.LinkType,
            OriginalLength = frame.Original,
        });
    }

    sealed class Frame
    {
        public TraceTime Time;
        public byte[] Data = [];
        public int Original;
        public LinkType LinkType;

        public int Ip => LinkType == LinkType.Ethernet ? EthernetBytes : 0;

        public int Tcp => Ip + IpBytes;

        public int HeaderBytes => Tcp + (Data[Tcp + 12] >> 4 << 2);

        public int Payload => Original - HeaderBytes;

        public bool IsControl => (Data[Tcp + 13] & 7) != 0;

        public ushort Port(int which) => BinaryPrimitives.ReadUInt16BigEndian(Data.AsSpan(Tcp + (2 * which)));

        public bool Follows(Frame before) => Payload > 0 && !IsControl
            && Data.AsSpan(Ip + 12, 12).SequenceEqual(before.Data.AsSpan(Ip + 12, 12))
            && Seq == unchecked(before.Seq + (uint)before.Payload)
            && Data.AsSpan(Tcp + 8, 4).SequenceEqual(before.Data.AsSpan(Tcp + 8, 4));

        uint Seq => BinaryPrimitives.ReadUInt32BigEndian(Data.AsSpan(Tcp + 4));

        public void EachSackEdge(Func<uint, uint> change) => OnOption(5, option =>
        {
            for (int at = 2; at + 4 <= option.Length; at += 4)
            {
                BinaryPrimitives.WriteUInt32BigEndian(option[at..], change(BinaryPrimitives.ReadUInt32BigEndian(option[at..])));
            }
        });

        public void ReplaceOption(byte kind, int length) => OnOption(kind, option => option[..length].Fill(1));

        public void OnOption(byte kind, SpanAction change)
        {
            for (int at = Tcp + 20; at < HeaderBytes && Data[at] != 0;)
            {
                int length = Data[at] == 1 ? 1 : Data[at + 1];
                if (Data[at] == kind)
                {
                    change(Data.AsSpan(at, length));
                    return;
                }

                at += length;
            }
        }
    }

    delegate void SpanAction(Span<byte> bytes);
}
