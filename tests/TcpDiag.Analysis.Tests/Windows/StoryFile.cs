using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>The trace a <see cref="WindowsStory"/> becomes: its events in the layouts of one build, its packets as one of both providers logs them.</summary>
/// <param name="build">The Windows build.</param>
/// <param name="age">Layouts of events: 0 the latest version that the build has, 1 the one before, and so on; the first where there are fewer.</param>
sealed class StoryFile(int build, int age)
{
    public const uint ProcessId = 4711;

    const long TicksPerSecond = 10_000_000;
    const int LongerPacketBuild = 17763; // from here on two numbers follow a packet of NDIS

    // Components of PktMon: the adapter, and a filter above it, which packets leave by and come to after it.
    const ushort Adapter = 7;
    const ushort Filter = 21;

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid Ndis = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");
    static readonly Guid PktMon = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
    static readonly Guid Afd = new("e53c6823-7bb8-44bb-90dc-3f86090d48a6");
    static readonly Guid NameResolution = new("55404e71-4db9-4deb-a5f5-8f86e46dde56");

    readonly List<(long Ticks, byte[] Record)> _records = [];
    readonly EtlRecordBuilder _builder = new();
    TraceTime _start;
    ulong _groups;

    /// <summary>Numbers that fields of events have, by their names.</summary>
    public Dictionary<string, long> Values { get; } = new(StringComparer.Ordinal);

    /// <summary>Texts that fields of events have, by their names.</summary>
    public Dictionary<string, string> Texts { get; } = new(StringComparer.Ordinal);

    /// <summary>Events written.</summary>
    public HashSet<(Guid Provider, int Id, int Version)> Written { get; } = [];

    /// <summary>Begins the file a second before an instant.</summary>
    public void Begin(TraceTime start) => _start = start;

    /// <summary>Whether the build has an event of TCPIP.</summary>
    public bool Has(int id) => Layouts(Tcpip, id).Length > 0;

    /// <summary>Adds an event of TCPIP.</summary>
    public void Add(int id, TraceTime time, Endpoint local, Endpoint remote) => Add(Tcpip, id, time, local, remote);

    /// <summary>Adds an event of AFD.</summary>
    public void AddAfd(int id, TraceTime time) => Add(Afd, id, time, default, default);

    /// <summary>Adds an event of the resolver.</summary>
    public void AddNameResolution(int id, TraceTime time) => Add(NameResolution, id, time, default, default);

    /// <summary>Adds a packet as NDIS-PacketCapture logs it.</summary>
    public void AddNdis(byte[] frame, bool isOut, TraceTime time)
    {
        // 0x1 Ethernet, 0xC0000000 first and last part of the frame, 0x100000000 sent, 0x200000000 received.
        byte[] payload = [1, 0, 0, 0, 1, 0, 0, 0, .. BitConverter.GetBytes(frame.Length), .. frame, .. new byte[build >= LongerPacketBuild ? 16 : 0]];
        ulong keywords = 0xC000_0001UL | (isOut ? 0x1_0000_0000UL : 0x2_0000_0000UL);
        AddRecord(new EtlRecordHeader { Provider = Ndis, Id = 1001, Keywords = keywords, Level = 4 }, payload, time);
    }

    /// <summary>Adds a packet as PktMon logs it: once at each of two components.</summary>
    /// <param name="frame">What was recorded of it.</param>
    /// <param name="length">Its length.</param>
    /// <param name="isOut">Whether this machine sent it.</param>
    /// <param name="time">When.</param>
    public void AddPktMon(byte[] frame, int length, bool isOut, TraceTime time)
    {
        _groups++;
        for (ushort appearance = 1; appearance <= 2; appearance++)
        {
            ushort component = (appearance == 1) == isOut ? Filter : Adapter;
            ushort[] place = [1, appearance, (ushort)(isOut ? 2 : 1), 1, component, 1, 0];
            byte[] payload = [.. BitConverter.GetBytes(_groups), .. place.SelectMany(BitConverter.GetBytes), .. new byte[8],
                .. BitConverter.GetBytes((ushort)length), .. BitConverter.GetBytes((ushort)frame.Length), .. frame];
            AddRecord(new EtlRecordHeader { Provider = PktMon, Id = 160, Level = 4 }, payload, time);
        }
    }

    /// <summary>Ends the file.</summary>
    /// <param name="options">What its header tells as lost.</param>
    /// <returns>Its bytes.</returns>
    public byte[] Finish(StoryOptions options)
    {
        TraceTime end = Latest;
        long began = _start.ToFileTime() - TicksPerSecond;
        var header = new EtlFileHeader
        {
            BufferSize = 65536,
            OsMajorVersion = 10,
            Build = (uint)build,
            Processors = 1,
            TimerResolution = 156250,
            CpuSpeedMegahertz = 2500,
            BootFileTime = began,
            PerformanceFrequency = TicksPerSecond,
            StartFileTime = began,
            StartTicks = 0,
            ClockType = EtlClockType.Qpc,
            LogFileMode = EtlLogFileModes.Sequential,
        };
        using var stream = new MemoryStream();
        using var writer = new EtlWriter(stream, header);
        bool isLost = options.MissingBuffer is null;
        foreach ((_, byte[] record) in _records.OrderBy(record => record.Ticks))
        {
            writer.Write(record, 0);
            if (!isLost && writer.BufferCount == options.MissingBuffer)
            {
                writer.LoseBuffer(0); // with what is in it by now
                isLost = true;
            }
        }

        writer.Complete(end.ToFileTime(), options.LostEvents, options.LostBuffers);
        return stream.ToArray();
    }

    /// <summary>The latest record's instant.</summary>
    public TraceTime Latest => _start + ((_records.Max(record => record.Ticks) - TicksPerSecond) * 100);

    /// <summary>Tells which components PktMon has.</summary>
    public void AddComponents(TraceTime time)
    {
        foreach ((ushort id, ushort type, string name) in ((ushort, ushort, string)[])[(Adapter, 2, "Ethernet\0Adapter\0"), (Filter, 3, "Filter\0Filter\0")])
        {
            byte[] payload = [.. BitConverter.GetBytes(id), .. BitConverter.GetBytes(type), .. System.Text.Encoding.Unicode.GetBytes(name)];
            AddRecord(new EtlRecordHeader { Provider = PktMon, Id = 20, Level = 4 }, payload, time);
        }
    }

    void Add(Guid provider, int id, TraceTime time, Endpoint local, Endpoint remote)
    {
        EventVariant[] layouts = Layouts(provider, id);
        EventVariant layout = layouts[Math.Min(age, layouts.Length - 1)];
        Written.Add((provider, id, layout.Version));
        var header = new EtlRecordHeader { Provider = provider, Id = (ushort)id, Version = (byte)layout.Version, ProcessId = ProcessId };
        AddRecord(header, EventPayload.Write(layout.Schema, Values, local, remote, Texts), time);
    }

    EventVariant[] Layouts(Guid provider, int id)
    {
        int index = SchemaCatalog.Bundled.IndexOfBuild(build);
        return [.. SchemaCatalog.Bundled.Provider(provider)!.WithId(id).ToArray().Where(one => one.IsIn(index)).OrderByDescending(one => one.Version)];
    }

    void AddRecord(EtlRecordHeader header, byte[] payload, TraceTime time)
    {
        long ticks = ((time - _start) / 100) + TicksPerSecond;
        header.Ticks = ticks;
        _records.Add((ticks, _builder.Build(header, payload).ToArray()));
    }
}
