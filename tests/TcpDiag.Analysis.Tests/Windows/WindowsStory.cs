using System;
using System.Collections.Generic;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>
/// Tells a connection that Linux recorded at its sender once more as a Windows build would have: each post, segment, acknowledgment and SACK block as
/// an event of the TCPIP provider in a layout of that build, with the congestion window its kernel had, the posts of the socket layer beside them, and the
/// packet itself as a record a moment later (sent) or earlier (received). Packets and events tell one story.
/// </summary>
sealed class WindowsStory
{
    public const long Tcb = unchecked((long)0xFFFF_A98D_43C0_6960);

    const int Connected = 1033, Rundown = 1300, SendPosted = 1159, SegmentSent = 1332, CumulativeAck = 1330, DuplicateAck = 1343, Timeout = 1351;
    const int SackBlockReceived = 1547, SackReceived = 1548, Summary = 1477, EarlierSummary = 1352, LimitingFactor = 1626, SendAcked = 1637;
    const int AfdSend = 1003;
    const int LookupStarted = 1000, LookupCompleted = 1001;
    const int DeafBuild = 22000; // its stack recognises no DSACK (tcp-conformance 11)
    const long TimerGap = 200_000_000; // ns; the least RTO of the kernel that recorded it

    readonly StoryOptions _options;
    StoryFile _file = new(0, default, 0);
    readonly KernelSamples _samples = new();
    ParsedPacket _packet;
    TraceTime _start;
    TraceTime _lastSent;
    Endpoint _local;
    Endpoint _remote;
    SequenceNumber _first;
    SequenceNumber _una;
    SequenceNumber _max;
    int _shift;
    long _posted;
    long _sent;
    long _resent;

    WindowsStory(StoryOptions options) => _options = options;

    delegate void RecordAction(in TraceRecord record);

    /// <summary>Segments with payload told by events, in their order.</summary>
    public List<SequenceNumber> Told { get; } = [];

    /// <summary>Layouts of events in it.</summary>
    public IReadOnlySet<(Guid Provider, int Id, int Version)> Written => _file.Written;

    /// <summary>The trace.</summary>
    public byte[] File { get; private set; } = [];

    /// <summary>Tells a recording.</summary>
    /// <param name="path">A capture with samples of its sender.</param>
    /// <param name="options">How.</param>
    public static WindowsStory Of(string path, StoryOptions options)
    {
        var story = new WindowsStory(options);
        Read(path, story.OnOpening);
        Read(path, story.OnSample);
        story.Begin();
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
            _first = _una = _max = _packet.Sequence;
        }
    }

    void OnSample(in TraceRecord record)
    {
        if (record.Event is { } told && told.Local == _local)
        {
            _samples.Add(told);
        }
        else if (TryParse(record) && new Endpoint(_packet.Source, _packet.SourcePort) == _remote && _packet.Acknowledgment > _una)
        {
            _samples.OnAcknowledged(_packet.Acknowledgment - _first);
            _una = _packet.Acknowledgment;
        }
    }

    void Begin()
    {
        _una = _first;
        _file = new StoryFile(_options.Build, _start, _options.Age);
        (_file.Values["Tcb"], _file.Values["RTO"]) = (Tcb, 300);
        (_file.Values["ProcessId"], _file.Values["Pid"]) = (StoryFile.ProcessId, StoryFile.ProcessId);
        if (_options.Packets == StoryPackets.PktMon)
        {
            _file.AddComponents(_start + -1000);
        }

        if (_options.NameWait > 0)
        {
            _file.Texts["NodeName"] = "files.example";
            _file.AddNameResolution(LookupStarted, _start + -_options.NameWait);
            _file.AddNameResolution(LookupCompleted, _start + -1000);
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
        else if (record.Event is { } told && told.Local == _local && told.TryGet(StackField.SendAvailable, out long unsent))
        {
            Post(_sent + unsent, told.Time);
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

        if (!(_options.IsOlder && isSyn))
        {
            AddPacket(record, isOut);
        }

        if (!isOut)
        {
            OnAcknowledgment(record, isSyn);
        }
    }

    void AddPacket(in TraceRecord record, bool isOut)
    {
        byte[] frame = record.LinkType == LinkType.Ethernet ? record.Data.ToArray() : [.. new byte[12], 8, 0, .. record.Data];
        if (_options.Packets == StoryPackets.Ndis)
        {
            _file.AddNdis(frame, isOut, record.Time);
        }
        else if (_options.Packets == StoryPackets.PktMon)
        {
            _file.AddPktMon(frame, record.OriginalLength + frame.Length - record.Data.Length, isOut, record.Time);
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

        bool isResent = _packet.Sequence < _max;
        Post(_sent + (isResent ? 0 : _packet.PayloadLength) + _samples.UnsentAt(time), time + -200);
        Told.Add(_packet.Sequence);
        _samples.Set(time, _una - _first, _file.Values);
        Add(SegmentSent, time + -100, ("SeqNo", _packet.Sequence.Value), ("BytesSent", _packet.PayloadLength), ("SndUna", _una.Value), ("SndMax", _max.Value));
        _sent += isResent ? 0 : _packet.PayloadLength;
        CountBytes();
        _resent += isResent ? _packet.PayloadLength : 0;
        SequenceNumber end = _packet.Sequence + _packet.PayloadLength;
        _max = end > _max ? end : _max;
        _lastSent = time;
    }

    // The application's call enters AFD, which hands the data on, and leaves it.
    void Post(long total, TraceTime time)
    {
        if (total <= _posted)
        {
            return;
        }

        (long bytes, _posted) = (total - _posted, total);
        (_file.Values["EnterExit"], _file.Values["BufferLength"]) = (0, bytes);
        _file.AddAfd(AfdSend, time + -100);
        Add(SendPosted, time, ("NumBytes", bytes), ("SndNxt", _max.Value), ("SendAvailable", total - _sent));
        _file.Values["EnterExit"] = 1;
        _file.AddAfd(AfdSend, time);
    }

    void OnAcknowledgment(in TraceRecord record, bool isSyn)
    {
        TraceTime time = record.Time;
        if (isSyn)
        {
            OnSynAck(time);
            return;
        }

        int acknowledged = Math.Min(_packet.Acknowledgment - _una, _max - _una);
        _file.Values["SndWnd"] = (long)_packet.Window << _shift;
        OnSack(record);
        if (acknowledged > 0)
        {
            _una += acknowledged;
            Add(CumulativeAck, time + 100, ("BytesAcked", acknowledged), ("SeqNo", _una.Value));
            AddIfKnown(SendAcked, time + 100, ("NumBytes", acknowledged), ("SndNxt", _max.Value));
        }
        else if (_una < _max)
        {
            Add(DuplicateAck, time + 100, ("SeqNo", _una.Value), ("DupAckCount", 1));
        }
    }

    void OnSynAck(TraceTime time)
    {
        _file.Values["SndWnd"] = _packet.Window; // never scaled in a SYN (RFC 7323 §2.2)
        _shift = _packet.Options.Has(TcpOptionKinds.WindowScale) ? _packet.Options.WindowScale : 0;
        if (!_options.IsOlder)
        {
            Add(Connected, time + 100);
        }
    }

    void OnSack(in TraceRecord record)
    {
        int blocks = _packet.Options.SackBlocks;
        if (blocks == 0)
        {
            return;
        }

        for (int i = 0; i < blocks; i++)
        {
            SackBlock block = SackBlock.Read(record.Data, _packet.Options, i);
            AddIfKnown(SackBlockReceived, record.Time + 100, ("Ack", _packet.Acknowledgment.Value), ("SLE", block.Left.Value), ("SRE", block.Right.Value));
        }

        SackBlock first = SackBlock.Read(record.Data, _packet.Options, 0);
        DsackForm form = blocks < 2
            ? DsackDetector.Classify(_packet.Acknowledgment, first)
            : DsackDetector.Classify(_packet.Acknowledgment, first, SackBlock.Read(record.Data, _packet.Options, 1));
        bool isCounted = form != DsackForm.None && _options.Build != DeafBuild;
        AddIfKnown(SackReceived, record.Time + 100, ("NumSackBlocks", blocks), ("DSackCount", isCounted ? 1 : 0));
    }

    void Finish()
    {
        TraceTime end = _file.Latest;
        AddIfKnown(LimitingFactor, end);
        if (_options.HasSummary)
        {
            (_file.Values["SndLimTimeRwin"], _file.Values["SndLimTimeCwnd"], _file.Values["SndLimTimeRSnd"]) = _options.Counted;
            Add(_file.Has(Summary) ? Summary : EarlierSummary, end, ("DataBytesOut", _sent), ("BytesRetrans", _resent));
        }

        Add(Rundown, end, ("State", 4));
        File = _file.Finish(_options);
    }

    // Each event names them in its own way.
    void CountBytes()
    {
        (long window, long congestion, long sender) = _options.Counted;
        long most = Math.Max(window, Math.Max(congestion, sender));
        string[] names = most == 0 ? []
            : most == window ? ["SndLimBytesRwin", "ReceiverLimitedBytes"]
            : most == congestion ? ["SndLimBytesCwnd", "CongestionLimitedBytes"]
            : ["SndLimBytesSnd", "SndLimBytesRSnd", "SenderLimitedBytes"];
        foreach (string name in names)
        {
            _file.Values[name] = _sent;
        }
    }

    void AddIfKnown(int id, TraceTime time, params (string Name, long Value)[] fields)
    {
        if (_file.Has(id))
        {
            Add(id, time, fields);
        }
    }

    void Add(int id, TraceTime time, params (string Name, long Value)[] fields)
    {
        foreach ((string name, long value) in fields)
        {
            _file.Values[name] = value;
        }

        _file.Add(id, time, _local, _remote);
    }
}
