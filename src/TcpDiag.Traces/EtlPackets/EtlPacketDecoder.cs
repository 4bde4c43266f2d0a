using System;
using System.Buffers;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Wire;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// The second pass: turns packet events, in time order, into packets (docs/formats/etl-packets.md). Whole packets are
/// views on the event; only joined fragments and protected 802.11 frames are copied. Nothing is allocated per packet.
/// </summary>
sealed class EtlPacketDecoder(EtlCaptureMap map, EtlClock clock)
{
    const byte ProtectedFrameBit = 0x40; // frame control, second byte (IEEE 802.11)
    const uint NoId = uint.MaxValue;

    readonly NdisFragmentAssembler _fragments = new();
    readonly EtlPacketNotes _notes = new();
    readonly ArrayBufferWriter<byte> _copy = new();

    /// <summary>Packets left out because a fragment is missing; complete after the last record.</summary>
    public long IncompletePackets => _fragments.Incomplete + _fragments.Open;

    /// <summary>Whether the last packet waits for segmentation offload and was cut, so that its length is not known.</summary>
    public bool IsLengthMissing { get; private set; }

    /// <summary>Reads a record.</summary>
    /// <param name="record">The next record in time order.</param>
    /// <param name="packet">Every packet field is set when the result is true; its spans live as long as the record's.</param>
    /// <returns>True when the record completes a packet.</returns>
    public bool TryDecode(in EtlRecord record, ref TraceRecord packet)
    {
        if (EtlPacketEvent.Read(record, out EtlPacketEvent found) != EtlPacketEventKind.Packet)
        {
            NoteMetadata(record);
            return false;
        }

        int index = map.IndexOf(found.Interface);
        if (index < 0 || !IsWhole(record, ref found))
        {
            return false;
        }

        if (found.Interface is { LinkType: LinkType.Ieee80211, Source: EtlCaptureSource.Ndis })
        {
            found.Data = Unprotect(found.Data);
        }

        Fill(record, found, index, ref packet);
        return true;
    }

    void NoteMetadata(in EtlRecord record)
    {
        if (record.Id == NdisPacketCapture.PacketMetadata && record.Provider == NdisPacketCapture.Provider)
        {
            _notes.OnMetadata(record);
        }
    }

    bool IsWhole(in EtlRecord record, ref EtlPacketEvent found)
    {
        if (found.IsStart && found.IsEnd)
        {
            return true;
        }

        bool isWhole = _fragments.TryComplete(record.Processor, found, out ReadOnlySpan<byte> whole);
        found.Data = whole;
        return isWhole;
    }

    // Windows logs frames after decryption but leaves the bit set, so a reader would try to decrypt them again.
    ReadOnlySpan<byte> Unprotect(ReadOnlySpan<byte> frame)
    {
        if (frame.Length < 2 || (frame[1] & ProtectedFrameBit) == 0)
        {
            return frame;
        }

        _copy.ResetWrittenCount();
        Span<byte> copy = _copy.GetSpan(frame.Length)[..frame.Length];
        frame.CopyTo(copy);
        copy[1] &= unchecked((byte)~ProtectedFrameBit);
        return copy;
    }

    void Fill(in EtlRecord record, in EtlPacketEvent found, int index, ref TraceRecord packet)
    {
        packet.Kind = TraceRecordKind.Packet;
        packet.Time = clock.ToTime(record.Ticks);
        packet.Data = found.Data;
        packet.InterfaceIndex = index;
        packet.LinkType = found.Interface.LinkType;
        packet.OriginalLength = LengthOf(record, found);
        packet.IsLengthReconstructed = false;
        packet.Direction = found.Direction;
        packet.ProcessId = record.ProcessId == NoId ? 0 : record.ProcessId;
        packet.ThreadId = record.ThreadId == NoId ? 0 : record.ThreadId;
        packet.Sighting = found.Sighting;
        packet.IsRepeat = map.IsRepeat(index, found);
        packet.Note = _notes.For(record, found);
        packet.PcapngOptions = default;
        packet.Event = null;
        packet.FileOffset = record.BufferOffset;
    }

    int LengthOf(in EtlRecord record, in EtlPacketEvent found)
    {
        IsLengthMissing = false;
        if (found.OriginalLength > 0)
        {
            return Math.Max(found.OriginalLength, found.Data.Length);
        }

        int length = FrameLength.OnWire(found.Data, found.Interface.LinkType, out bool isOffloaded);
        IsLengthMissing = isOffloaded && found.Direction == PacketDirection.Outbound && (record.Keywords & NdisKeywords.Truncated) != 0;
        return length;
    }
}
