using System;
using System.Runtime.CompilerServices;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>
/// One record of a trace as a view on the reader's buffers: valid until the next <see cref="TraceReader.TryRead"/>.
/// The caller keeps one instance and passes it to every call, so that nothing is cleared or copied per packet; which
/// members are meaningful follows from <see cref="Kind"/>.
/// </summary>
public ref struct TraceRecord
{
    /// <summary>What the record holds.</summary>
    public TraceRecordKind Kind;

    /// <summary>When it happened.</summary>
    public TraceTime Time;

    /// <summary>
    /// Packet: the captured bytes, beginning with the link-layer header. Block, and a StackEvent read from pcapng: the whole pcapng
    /// block, little-endian.
    /// </summary>
    public ReadOnlySpan<byte> Data;

    /// <summary>Packet: what else its source says, as UTF-8 text for people (radio metadata, switch ports); mostly empty.</summary>
    public ReadOnlySpan<byte> Note
    {
        readonly get => _note;
        set
        {
            _note = value;
            HasDetails = true;
        }
    }

    /// <summary>Packet: the options of its pcapng block, undecoded, for writers that pass them on; empty for other formats.</summary>
    public ReadOnlySpan<byte> PcapngOptions
    {
        readonly get => _pcapngOptions;
        set
        {
            _pcapngOptions = value;
            HasDetails = true;
        }
    }

    /// <summary>StackEvent: the event; owned and reused by the reader.</summary>
    public StackEvent? Event;

    /// <summary>Offset in the (decompressed) file of the bytes this record came from.</summary>
    public long FileOffset;

    PacketCapture _capture;
    PacketSighting _sighting;
    ReadOnlySpan<byte> _note;
    ReadOnlySpan<byte> _pcapngOptions;

    /// <summary>How it was captured, for who keeps a copy.</summary>
    internal PacketCapture Capture
    {
        readonly get => _capture;
        set => Set(ref _capture, value);
    }

    /// <summary>Where it was seen, for who keeps a copy.</summary>
    internal PacketSighting Sighting
    {
        readonly get => _sighting;
        set => Set(ref _sighting, value);
    }

    /// <summary>Packet: whether anything is known of it that few sources tell: what of the members below was set since they were cleared.</summary>
    public bool HasDetails { get; private set; }

    /// <summary>Packet: where it was captured, an index into <see cref="TraceReader.Interfaces"/>. Block: the interface it is about, or -1.</summary>
    public int InterfaceIndex
    {
        readonly get => _capture.InterfaceIndex;
        set => _capture.InterfaceIndex = value;
    }

    /// <summary>Packet: what <see cref="Data"/> begins with.</summary>
    public LinkType LinkType
    {
        readonly get => _capture.LinkType;
        set => _capture.LinkType = value;
    }

    /// <summary>Packet: bytes on the wire (of an offloaded segment: before it was cut up); at least <c>Data.Length</c>.</summary>
    public int OriginalLength
    {
        readonly get => _capture.OriginalLength;
        set => _capture.OriginalLength = value;
    }

    /// <summary>Packet: whether <see cref="OriginalLength"/> was reconstructed because the capture had cut a segmentation-offload packet.</summary>
    public bool IsLengthReconstructed
    {
        readonly get => _capture.IsLengthReconstructed;
        set => Set(ref _capture.IsLengthReconstructed, value);
    }

    /// <summary>Packet: direction seen from the capturing machine.</summary>
    public PacketDirection Direction
    {
        readonly get => _capture.Direction;
        set => Set(ref _capture.Direction, value);
    }

    /// <summary>
    /// Packet: process in whose context it was logged, 0 when unknown. Often wrong: packets are handled in deferred procedure calls.
    /// </summary>
    public uint ProcessId
    {
        readonly get => _capture.ProcessId;
        set => Set(ref _capture.ProcessId, value);
    }

    /// <summary>Packet: thread in whose context it was logged, 0 when unknown.</summary>
    public uint ThreadId
    {
        readonly get => _capture.ThreadId;
        set => Set(ref _capture.ThreadId, value);
    }

    /// <summary>
    /// Packet: the number under which one packet, or a chain of them, appears at several components (PktMon group, pcapng
    /// epb_packetid); 0 when there is none.
    /// </summary>
    public ulong PacketId
    {
        readonly get => _sighting.PacketId;
        set => Set(ref _sighting.PacketId, value);
    }

    /// <summary>Packet: which packet of the chain <see cref="PacketId"/> names, counted from 1; 0 when there is no packet id.</summary>
    public ushort PacketNumber
    {
        readonly get => _sighting.PacketNumber;
        set => Set(ref _sighting.PacketNumber, value);
    }

    /// <summary>Packet: 1 for the first appearance of <see cref="PacketId"/>, then 2, 3 …; 0 when there is no packet id.</summary>
    public ushort Appearance
    {
        readonly get => _sighting.Appearance;
        set => Set(ref _sighting.Appearance, value);
    }

    /// <summary>
    /// Packet: whether the trace holds this packet at another capture point as well, and that one counts (the adapter, where it was
    /// seen there). Skip these to see each packet once.
    /// </summary>
    public bool IsRepeat
    {
        readonly get => _sighting.IsRepeat;
        set => Set(ref _sighting.IsRepeat, value);
    }

    /// <summary>Packet: whether this is the report of its drop.</summary>
    public bool IsDropped
    {
        readonly get => _sighting.IsDropped;
        set => Set(ref _sighting.IsDropped, value);
    }

    /// <summary>Packet: why and where it was dropped, as Windows numbers it; reason 0 is "unknown".</summary>
    public PacketDrop Drop
    {
        readonly get => _sighting.Drop;
        set => Set(ref _sighting.Drop, value);
    }

    /// <summary>
    /// For readers: sets everything a packet seldom has (length reconstruction, direction, process, packet id, drop, note, options)
    /// to "unknown". Kind, time, data, interface, link type, length and offset are left to the reader.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ClearPacketDetails()
    {
        if (HasDetails)
        {
            Clear();
        }
    }

    // A detail.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Set<T>(ref T detail, T value)
    {
        detail = value;
        HasDetails = true;
    }

    void Clear()
    {
        _capture.IsLengthReconstructed = false;
        _capture.Direction = PacketDirection.Unknown;
        _capture.ProcessId = 0;
        _capture.ThreadId = 0;
        _sighting = default;
        _note = default;
        _pcapngOptions = default;
        HasDetails = false;
    }
}

/// <summary>Where and how a packet was captured; members as in <see cref="TraceRecord"/>.</summary>
struct PacketCapture
{
    public int InterfaceIndex;
    public LinkType LinkType;
    public int OriginalLength;
    public bool IsLengthReconstructed;
    public PacketDirection Direction;
    public uint ProcessId;
    public uint ThreadId;
}

/// <summary>Which packet was seen, which appearance it is, and whether it was dropped there; members as in <see cref="TraceRecord"/>.</summary>
struct PacketSighting
{
    public ulong PacketId;
    public ushort PacketNumber;
    public ushort Appearance;
    public bool IsRepeat;
    public bool IsDropped;
    public PacketDrop Drop;
}

/// <summary>What a <see cref="TraceRecord"/> holds.</summary>
public enum TraceRecordKind
{
    /// <summary>A captured packet: <see cref="TraceRecord.Data"/> and the packet fields are valid.</summary>
    Packet,

    /// <summary>An event of the TCP stack, in the common vocabulary: <see cref="TraceRecord.Event"/> is valid.</summary>
    StackEvent,

    /// <summary>
    /// A pcapng block that is neither (names, secrets, statistics, custom, foreign journal entries): <see cref="TraceRecord.Data"/> is
    /// the whole block.
    /// </summary>
    Block,
}

/// <summary>Which way a packet passed the capture point, seen from the machine that captured it.</summary>
public enum PacketDirection
{
    /// <summary>The trace does not say.</summary>
    Unknown = 0,

    /// <summary>Received by this machine (pcapng epb_flags 1).</summary>
    Inbound = 1,

    /// <summary>Sent by this machine (pcapng epb_flags 2).</summary>
    Outbound = 2,
}

/// <summary>Why and where Windows dropped a packet, from PktMon event 170.</summary>
/// <param name="Reason">PKTMON_DROP_REASON; 0 when the packet was not dropped.</param>
/// <param name="Location">PKTMON_DROP_LOCATION, e.g. 0xE0004500 (TCP).</param>
public readonly record struct PacketDrop(uint Reason, uint Location);
