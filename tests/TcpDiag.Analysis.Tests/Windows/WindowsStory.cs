using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>
/// Tells a connection that Linux recorded at its sender once more as a Windows build would have: each segment and acknowledgment as
/// an event of the TCPIP provider in that build's layout, with the congestion window its kernel had, and the packet itself as a record of
/// the NDIS provider a moment later (sent) or earlier (received). Packets and events tell one story.
/// </summary>
sealed class WindowsStory
{
    public const long Tcb = unchecked((long)0xFFFF_A98D_43C0_6960);

    const int Connected = 1033, Rundown = 1300, SendPosted = 1159, SegmentSent = 1332, CumulativeAck = 1330, DuplicateAck = 1343, Timeout = 1351;
    const int LongerPacketBuild = 17763; // from here on two numbers follow a packet
    const uint ProcessId = 4711;
    const long TicksPerSecond = 10_000_000;
    const long TimerGap = 200_000_000; // ns; the least RTO of the kernel that recorded it

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid Ndis = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    readonly int _build;
    readonly bool _isOlder;
    readonly bool _hasPackets;
    readonly List<(long Ticks, byte[] Record)> _records = [];
    readonly EtlRecordBuilder _builder = new();
    readonly Dictionary<string, long> _values = new(StringComparer.Ordinal) { ["Tcb"] = Tcb, ["RTO"] = 300 };
    ParsedPacket _packet;
    TraceTime _start;
    TraceTime _lastSent;
    Endpoint _local;
    Endpoint _remote;
    SequenceNumber _una;
    SequenceNumber _max;
    int _shift;
    long _posted;
    long _sent;

    WindowsStory(int build, bool isOlder, bool hasPackets) => (_build, _isOlder, _hasPackets) = (build, isOlder, hasPackets);

    delegate void RecordAction(in TraceRecord record);

    /// <summary>Segments with payload told by events, in their order.</summary>
    public List<SequenceNumber> Told { get; } = [];

    /// <summary>The trace.</summary>
    public byte[] File { get; private set; } = [];

    /// <summary>Tells a recording.</summary>
    /// <param name="path">A capture with samples of its sender.</param>
    /// <param name="build">The Windows build.</param>
    /// <param name="isOlder">Whether the connection is older than the trace: without opening, named by a rundown at the end.</param>
    /// <param name="hasPackets">Whether packets are in the trace too.</param>
    public static WindowsStory Of(string path, int build, bool isOlder = false, bool hasPackets = true)
    {
        var story = new WindowsStory(build, isOlder, hasPackets);
        Read(path, story.OnOpening);
        Read(path, story.OnRecord);
        story.Finish();
        return story;
    }

    static void Read(string path, RecordAction take)
    {
        using TraceReader reader = TraceFile.Open(path);
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            take(record);
        }
    }

    // The first segment with payload shows which end is this machine's.
    void OnOpening(in TraceRecord record)
    {
        if (!TryParse(record))
        {
            return;
        }

        _start = _start.Nanoseconds == 0 ? record.Time : _start;
        if (_packet.PayloadLength > 0 && _local.Port == 0)
        {
            (_local, _remote) = (new(_packet.Source, _packet.SourcePort), new(_packet.Destination, _packet.DestinationPort));
            _una = _max = _packet.Sequence;
        }
    }

    bool TryParse(in TraceRecord record) => record.Kind == TraceRecordKind.Packet
        && PacketParser.TryParse(record.Data, record.LinkType, record.OriginalLength, ref _packet) && _packet.IsTcp;

    void OnRecord(in TraceRecord record)
    {
        if (TryParse(record))
        {
            OnPacket(record);
        }
        else if (record.Event is { } told && told.Local == _local)
        {
            OnSample(told);
        }
    }

    void OnSample(StackEvent told)
    {
        Remember(told, StackField.Cwnd, "Cwnd");
        Remember(told, StackField.Srtt, "SRtt");
        if (told.TryGet(StackField.SendAvailable, out long unsent))
        {
            Post(_sent + unsent, told.Time);
        }
    }

    void Remember(StackEvent told, StackField field, string name)
    {
        if (told.TryGet(field, out long value) && value > 0)
        {
            _values[name] = value;
            _values[name.ToUpperInvariant()] = value;
            _values["CWnd"] = _values.GetValueOrDefault("Cwnd");
        }
    }

    void OnPacket(in TraceRecord record)
    {
        bool isOut = new Endpoint(_packet.Source, _packet.SourcePort) == _local;
        bool isSyn = (_packet.Flags & TcpFlags.Syn) != 0;
        if (isOut)
        {
            OnSegment(record.Time, isSyn);
        }

        bool isTold = _hasPackets && !(_isOlder && isSyn);
        if (isTold)
        {
            AddPacket(record, isOut);
        }

        if (!isOut)
        {
            OnAcknowledgment(record.Time, isSyn);
        }
    }

    void OnSegment(TraceTime time, bool isSyn)
    {
        if (isSyn || _packet.PayloadLength == 0)
        {
            return;
        }

        if (_packet.Sequence < _max && time - _lastSent > TimerGap)
        {
            Add(Timeout, time + -300, ("SndUna", _una.Value));
        }

        Post(_sent + _packet.PayloadLength, time + -200);
        Told.Add(_packet.Sequence);
        Add(SegmentSent, time + -100, ("SeqNo", _packet.Sequence.Value), ("BytesSent", _packet.PayloadLength), ("SndUna", _una.Value), ("SndMax", _max.Value));
        _sent += _packet.Sequence >= _max ? _packet.PayloadLength : 0;
        SequenceNumber end = _packet.Sequence + _packet.PayloadLength;
        _max = end > _max ? end : _max;
        _lastSent = time;
    }

    void Post(long total, TraceTime time)
    {
        if (total > _posted)
        {
            Add(SendPosted, time, ("NumBytes", total - _posted), ("SndNxt", _max.Value));
            _posted = total;
        }
    }

    void OnAcknowledgment(TraceTime time, bool isSyn)
    {
        if (isSyn)
        {
            _values["SndWnd"] = _packet.Window; // never scaled in a SYN (RFC 7323 §2.2)
            _shift = _packet.Options.Has(TcpOptionKinds.WindowScale) ? _packet.Options.WindowScale : 0;
            if (!_isOlder)
            {
                Add(Connected, time + 100);
            }

            return;
        }

        int acknowledged = Math.Min(_packet.Acknowledgment - _una, _max - _una);
        _values["SndWnd"] = (long)_packet.Window << _shift;
        if (acknowledged > 0)
        {
            _una += acknowledged;
            Add(CumulativeAck, time + 100, ("BytesAcked", acknowledged), ("SeqNo", _una.Value));
        }
        else if (_una < _max)
        {
            Add(DuplicateAck, time + 100, ("SeqNo", _una.Value), ("DupAckCount", 1));
        }
    }

    void Finish()
    {
        TraceTime end = _start + ((_records.Max(record => record.Ticks) - TicksPerSecond) * 100);
        Add(Rundown, end, ("State", 4));
        var header = new EtlFileHeader
        {
            BufferSize = 65536,
            OsMajorVersion = 10,
            Build = (uint)_build,
            Processors = 1,
            TimerResolution = 156250,
            CpuSpeedMegahertz = 2500,
            BootFileTime = _start.ToFileTime() - TicksPerSecond,
            PerformanceFrequency = TicksPerSecond,
            StartFileTime = _start.ToFileTime() - TicksPerSecond,
            StartTicks = 0,
            ClockType = EtlClockType.Qpc,
            LogFileMode = EtlLogFileModes.Sequential,
        };
        using var stream = new MemoryStream();
        using var writer = new EtlWriter(stream, header);
        foreach ((_, byte[] record) in _records.OrderBy(record => record.Ticks))
        {
            writer.Write(record, 0);
        }

        writer.Complete(end.ToFileTime());
        File = stream.ToArray();
    }

    // The latest layout of the event in the build.
    void Add(int id, TraceTime time, params (string Name, long Value)[] fields)
    {
        foreach ((string name, long value) in fields)
        {
            _values[name] = value;
        }

        int build = SchemaCatalog.Bundled.IndexOfBuild(_build);
        EventVariant variant = SchemaCatalog.Bundled.Provider(Tcpip)!.WithId(id).ToArray().Where(one => one.IsIn(build)).MaxBy(one => one.Version)!;
        AddRecord(new EtlRecordHeader { Provider = Tcpip, Id = (ushort)id, Version = (byte)variant.Version, ProcessId = ProcessId }, EventPayload.Write(variant.Schema, _values, _local, _remote), time);
    }

    // 0x1 Ethernet, 0xC0000000 first and last part of the frame, 0x100000000 sent, 0x200000000 received.
    void AddPacket(in TraceRecord record, bool isOut)
    {
        byte[] frame = record.LinkType == LinkType.Ethernet ? record.Data.ToArray() : [.. new byte[12], 8, 0, .. record.Data];
        byte[] payload = [1, 0, 0, 0, 1, 0, 0, 0, .. BitConverter.GetBytes(frame.Length), .. frame, .. new byte[_build >= LongerPacketBuild ? 16 : 0]];
        ulong keywords = 0xC000_0001UL | (isOut ? 0x1_0000_0000UL : 0x2_0000_0000UL);
        AddRecord(new EtlRecordHeader { Provider = Ndis, Id = 1001, Keywords = keywords, Level = 4 }, payload, record.Time);
    }

    // The file begins a second before the first packet.
    void AddRecord(EtlRecordHeader header, byte[] payload, TraceTime time)
    {
        long ticks = ((time - _start) / 100) + TicksPerSecond;
        header.Ticks = ticks;
        _records.Add((ticks, _builder.Build(header, payload).ToArray()));
    }
}
