using System;
using System.Runtime.CompilerServices;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces;

/// <summary>
/// One record of a trace as a view on the reader's buffers: valid until the next <see cref="TraceReader.TryRead"/>.
/// The caller keeps one instance and passes it to every call, so that nothing is cleared or copied per packet; which
/// fields are meaningful follows from <see cref="Kind"/>.
/// </summary>
public ref struct TraceRecord
{
    /// <summary>What the record holds.</summary>
    public TraceRecordKind Kind;

    /// <summary>When it happened.</summary>
    public TraceTime Time;

    /// <summary>Packet: the captured bytes, beginning with the link-layer header. Block, and a StackEvent read from pcapng: the whole pcapng block, little-endian.</summary>
    public ReadOnlySpan<byte> Data;

    /// <summary>Packet: where it was captured, an index into <see cref="TraceReader.Interfaces"/>. Block: the interface it is about, or -1.</summary>
    public int InterfaceIndex;

    /// <summary>Packet: what <see cref="Data"/> begins with.</summary>
    public LinkType LinkType;

    /// <summary>Packet: bytes on the wire (of an offloaded segment: before it was cut up); at least <c>Data.Length</c>.</summary>
    public int OriginalLength;

    /// <summary>Packet: whether <see cref="OriginalLength"/> was reconstructed because the capture had cut a segmentation-offload packet.</summary>
    public bool IsLengthReconstructed;

    /// <summary>Packet: direction seen from the capturing machine.</summary>
    public PacketDirection Direction;

    /// <summary>Packet: process in whose context it was logged, 0 when unknown. Often wrong: packets are handled in deferred procedure calls.</summary>
    public uint ProcessId;

    /// <summary>Packet: thread in whose context it was logged, 0 when unknown.</summary>
    public uint ThreadId;

    /// <summary>Packet: the number under which one packet, or a chain of them, appears at several components (PktMon group, pcapng epb_packetid); 0 when there is none.</summary>
    public ulong PacketId;

    /// <summary>Packet: which packet of the chain <see cref="PacketId"/> names, counted from 1; 0 when there is no packet id.</summary>
    public ushort PacketNumber;

    /// <summary>Packet: 1 for the first appearance of <see cref="PacketId"/>, then 2, 3 …; 0 when there is no packet id.</summary>
    public ushort Appearance;

    /// <summary>
    /// Packet: whether the trace tells this packet at another capture point as well, and that one counts (the adapter, where it was
    /// seen there). Who wants each packet once skips these.
    /// </summary>
    public bool IsRepeat;

    /// <summary>Packet: whether this is the report of its drop.</summary>
    public bool IsDropped;

    /// <summary>Packet: why and where it was dropped, as Windows numbers it; reason 0 is "unknown".</summary>
    public PacketDrop Drop;

    /// <summary>Packet: what else its source tells, as UTF-8 text for people (radio metadata, switch ports); mostly empty.</summary>
    public ReadOnlySpan<byte> Note;

    /// <summary>Packet: the options of its pcapng block, undecoded, for writers that pass them on; empty for other formats.</summary>
    public ReadOnlySpan<byte> PcapngOptions;

    /// <summary>StackEvent: the event; owned and reused by the reader.</summary>
    public StackEvent? Event;

    /// <summary>Offset in the (decompressed) file of the bytes this record came from.</summary>
    public long FileOffset;

    /// <summary>
    /// For readers: sets everything a packet seldom tells (length reconstruction, direction, process, packet id, drop, note, options)
    /// to "not told". Kind, time, data, interface, link type, length and offset are left to the reader.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ClearPacketDetails()
    {
        IsLengthReconstructed = false;
        Direction = PacketDirection.Unknown;
        ProcessId = 0;
        ThreadId = 0;
        PacketId = 0;
        PacketNumber = 0;
        Appearance = 0;
        IsRepeat = false;
        IsDropped = false;
        Drop = default;
        Note = default;
        PcapngOptions = default;
    }
}
