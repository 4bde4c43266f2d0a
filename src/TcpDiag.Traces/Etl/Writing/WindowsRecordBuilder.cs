using System;
using System.Collections.Generic;
using TcpDiag.Traces.Schemas;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Etl.Writing;

/// <summary>
/// Records as a build of Windows logs them: events in the layouts of its manifests, packets as NDIS-PacketCapture has them. A build that the catalogue does not
/// know has the layouts of the nearest one before, as readers take it.
/// </summary>
public sealed class WindowsRecordBuilder
{
    /// <summary>The process that all of it belongs to.</summary>
    public const uint ProcessId = 4711;

    const long TicksPerSecond = 10_000_000;
    const int LongerPacketBuild = 17_763; // from here on two numbers follow a packet of NDIS
    const int EthernetFrame = 1; // keyword of the provider's manifest
    const ulong WholeFrame = 0xC000_0000; // its first and its last part
    const ulong Sent = 0x1_0000_0000;
    const ulong Received = 0x2_0000_0000;
    const int PacketFragment = 1001;
    const int FragmentHeadBytes = 12; // two interfaces, length
    const int FragmentTailBytes = 16;

    static readonly Guid Ndis = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    readonly EtlRecordBuilder _builder = new();
    readonly EventPayloadWriter _payload = new();
    readonly Dictionary<(Guid Provider, int Id), EventVariant?> _layouts = [];
    readonly byte[] _fragment = new byte[ushort.MaxValue];
    readonly int _build;
    readonly int _age;
    readonly TraceTime _start;

    /// <summary>Prepares records of one trace.</summary>
    /// <param name="build">The Windows build.</param>
    /// <param name="start">The trace begins a second before this instant.</param>
    /// <param name="age">Layouts of events: 0 the latest version that the build has, 1 the one before, and so on; the first where there are fewer.</param>
    public WindowsRecordBuilder(int build, TraceTime start, int age = 0)
    {
        _build = build;
        _start = start;
        _age = age;
    }

    /// <summary>Numbers that fields of events have, by their names in the manifest.</summary>
    public Dictionary<string, long> Values { get; } = new(StringComparer.Ordinal);

    /// <summary>Texts that fields of events have, by their names.</summary>
    public Dictionary<string, string> Texts { get; } = new(StringComparer.Ordinal);

    /// <summary>The header of a trace with these records.</summary>
    /// <param name="session">Name of the session that recorded it.</param>
    public EtlFileHeader Header(string session)
    {
        long began = _start.ToFileTime() - TicksPerSecond;
        return new EtlFileHeader
        {
            BufferSize = 65_536,
            OsMajorVersion = 10,
            Build = (uint)_build,
            Processors = 1,
            TimerResolution = 156_250,
            CpuSpeedMegahertz = 2_500,
            BootFileTime = began,
            PerformanceFrequency = TicksPerSecond,
            StartFileTime = began,
            StartTicks = 0,
            ClockType = EtlClockType.Qpc,
            LogFileMode = EtlLogFileModes.Sequential,
            SessionName = session,
        };
    }

    /// <summary>The time stamp of an instant.</summary>
    public long TicksAt(TraceTime time) => ((time - _start) / 100) + TicksPerSecond;

    /// <summary>The layout that an event has; null where the build has no such event.</summary>
    public EventVariant? Layout(Guid provider, int id)
    {
        if (!_layouts.TryGetValue((provider, id), out EventVariant? layout))
        {
            layout = FindLayout(provider, id);
            _layouts.Add((provider, id), layout);
        }

        return layout;
    }

    /// <summary>Builds an event of <see cref="Values"/> and <see cref="Texts"/>.</summary>
    /// <param name="provider">Its provider.</param>
    /// <param name="id">Its id; the build has to have it.</param>
    /// <param name="time">When.</param>
    /// <param name="local">This machine's end of the connection.</param>
    /// <param name="remote">The peer's end.</param>
    /// <returns>The record; valid until the next one.</returns>
    /// <exception cref="ArgumentException">The build has no such event.</exception>
    public ReadOnlySpan<byte> Event(Guid provider, int id, TraceTime time, Endpoint local, Endpoint remote)
    {
        EventVariant layout = Layout(provider, id) ?? throw new ArgumentException($"Build {_build} has no event {id} of this provider.", nameof(id));
        var header = new EtlRecordHeader
        {
            Provider = provider,
            Id = (ushort)id,
            Version = (byte)layout.Version,
            Level = layout.Schema.Level,
            ProcessId = ProcessId,
            Ticks = TicksAt(time),
        };
        return _builder.Build(header, _payload.Write(layout.Schema, Values, Texts, local, remote));
    }

    /// <summary>Builds a packet as NDIS-PacketCapture logs it.</summary>
    /// <param name="frame">What was recorded of the frame.</param>
    /// <param name="isOut">Whether this machine sent it.</param>
    /// <param name="time">When.</param>
    /// <returns>The record; valid until the next one.</returns>
    public ReadOnlySpan<byte> Packet(ReadOnlySpan<byte> frame, bool isOut, TraceTime time)
    {
        int tail = _build >= LongerPacketBuild ? FragmentTailBytes : 0;
        Span<byte> payload = _fragment.AsSpan(0, FragmentHeadBytes + frame.Length + tail);
        payload.Clear();
        payload[0] = payload[4] = 1; // interfaces
        System.Buffers.Binary.BinaryPrimitives.WriteInt32LittleEndian(payload[8..], frame.Length);
        frame.CopyTo(payload[FragmentHeadBytes..]);
        return Other(new EtlRecordHeader { Provider = Ndis, Id = PacketFragment, Keywords = WholeFrame | EthernetFrame | (isOut ? Sent : Received), Level = 4 },
            payload, time);
    }

    /// <summary>Builds a record of any other provider.</summary>
    /// <param name="header">Its header, without the time.</param>
    /// <param name="payload">Its payload.</param>
    /// <param name="time">When.</param>
    /// <returns>The record; valid until the next one.</returns>
    public ReadOnlySpan<byte> Other(EtlRecordHeader header, ReadOnlySpan<byte> payload, TraceTime time)
    {
        header.Ticks = TicksAt(time);
        return _builder.Build(header, payload);
    }

    EventVariant? FindLayout(Guid provider, int id)
    {
        int build = IndexOfBuild();
        List<EventVariant> layouts = [];
        foreach (EventVariant variant in SchemaCatalog.Bundled.Provider(provider)!.WithId(id))
        {
            if (variant.IsIn(build))
            {
                layouts.Add(variant);
            }
        }

        layouts.Sort((one, other) => other.Version.CompareTo(one.Version));
        return layouts.Count == 0 ? null : layouts[Math.Min(_age, layouts.Count - 1)];
    }

    int IndexOfBuild()
    {
        int index = 0;
        for (int i = 0; i < SchemaCatalog.Bundled.Builds.Count; i++)
        {
            index = SchemaCatalog.Bundled.Builds[i].Number <= _build ? i : index;
        }

        return index;
    }
}
