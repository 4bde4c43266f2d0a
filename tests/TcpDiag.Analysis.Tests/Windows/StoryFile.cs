using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Tests.Windows;

/// <summary>The trace a <see cref="WindowsStory"/> becomes: its events in the layouts of one build, its packets as one of both providers logs them.</summary>
/// <param name="build">The Windows build.</param>
/// <param name="start">The file begins a second before this instant.</param>
/// <param name="age">Layouts of events: 0 the latest version that the build has, 1 the one before, and so on; the first where there are fewer.</param>
sealed class StoryFile(int build, TraceTime start, int age)
{
    public const uint ProcessId = WindowsRecordBuilder.ProcessId;

    const long TicksPerSecond = 10_000_000;

    // Components of PktMon: the adapter, and a filter above it, which packets leave by and come to after it.
    const ushort Adapter = 7;
    const ushort Filter = 21;

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid PktMon = new("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
    static readonly Guid Afd = new("e53c6823-7bb8-44bb-90dc-3f86090d48a6");
    static readonly Guid NameResolution = new("55404e71-4db9-4deb-a5f5-8f86e46dde56");

    readonly List<(long Ticks, byte[] Record)> _records = [];
    readonly WindowsRecordBuilder _builder = new(build, start, age);
    ulong _groups;

    /// <summary>Numbers that fields of events have, by their names.</summary>
    public Dictionary<string, long> Values => _builder.Values;

    /// <summary>Texts that fields of events have, by their names.</summary>
    public Dictionary<string, string> Texts => _builder.Texts;

    /// <summary>Events written.</summary>
    public HashSet<(Guid Provider, int Id, int Version)> Written { get; } = [];

    /// <summary>Whether the build has an event of TCPIP.</summary>
    public bool Has(int id) => _builder.Layout(Tcpip, id) is not null;

    /// <summary>Adds an event of TCPIP.</summary>
    public void Add(int id, TraceTime time, Endpoint local, Endpoint remote) => Add(Tcpip, id, time, local, remote);

    /// <summary>Adds an event of AFD.</summary>
    public void AddAfd(int id, TraceTime time) => Add(Afd, id, time, default, default);

    /// <summary>Adds an event of the resolver.</summary>
    public void AddNameResolution(int id, TraceTime time) => Add(NameResolution, id, time, default, default);

    /// <summary>Adds a packet as NDIS-PacketCapture logs it.</summary>
    public void AddNdis(byte[] frame, bool isOut, TraceTime time) => Keep(_builder.Packet(frame, isOut, time), time);

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
            Keep(_builder.Other(new EtlRecordHeader { Provider = PktMon, Id = 160, Level = 4 }, payload, time), time);
        }
    }

    /// <summary>Ends the file.</summary>
    /// <param name="options">What its header tells as lost.</param>
    /// <returns>Its bytes.</returns>
    public byte[] Finish(StoryOptions options)
    {
        TraceTime end = Latest;
        using var stream = new MemoryStream();
        using var writer = new EtlWriter(stream, _builder.Header(string.Empty));
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
    public TraceTime Latest => start + ((_records.Max(record => record.Ticks) - TicksPerSecond) * 100);

    /// <summary>Tells which components PktMon has.</summary>
    public void AddComponents(TraceTime time)
    {
        foreach ((ushort id, ushort type, string name) in ((ushort, ushort, string)[])[(Adapter, 2, "Ethernet\0Adapter\0"), (Filter, 3, "Filter\0Filter\0")])
        {
            byte[] payload = [.. BitConverter.GetBytes(id), .. BitConverter.GetBytes(type), .. System.Text.Encoding.Unicode.GetBytes(name)];
            Keep(_builder.Other(new EtlRecordHeader { Provider = PktMon, Id = 20, Level = 4 }, payload, time), time);
        }
    }

    void Add(Guid provider, int id, TraceTime time, Endpoint local, Endpoint remote)
    {
        Written.Add((provider, id, _builder.Layout(provider, id)!.Version));
        Keep(_builder.Event(provider, id, time, local, remote), time);
    }

    void Keep(ReadOnlySpan<byte> record, TraceTime time) => _records.Add((_builder.TicksAt(time), record.ToArray()));
}
