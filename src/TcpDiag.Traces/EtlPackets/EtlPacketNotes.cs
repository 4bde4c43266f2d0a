using System;
using System.Buffers.Binary;
using System.Text.Unicode;
using TcpDiag.Traces.Etl.Records;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// What packet events say beside the packet, as one line for people in the words of etl2pcapng: what the radio said of
/// it, which switch port it came from. Written into one buffer that the next note overwrites.
/// </summary>
sealed class EtlPacketNotes
{
    const int MaxBytes = 512;

    readonly byte[] _text = new byte[MaxBytes];
    WifiReceiveContext _radio;
    uint _radioLayer;
    int _radioProcessor = -1;

    /// <summary>Keeps what 1002 says of the next packet of its layer and processor.</summary>
    /// <param name="record">A 1002 event.</param>
    public void OnMetadata(in EtlRecord record)
    {
        if (NdisFragment.TryRead(record.Payload, out NdisFragment metadata) && WifiReceiveContext.TryRead(metadata.Data, out _radio))
        {
            _radioLayer = metadata.LowerIfIndex;
            _radioProcessor = record.Processor;
        }
    }

    /// <summary>The note of a packet.</summary>
    /// <param name="record">The event that completes it.</param>
    /// <param name="packet">The packet event.</param>
    /// <returns>UTF-8 text, valid until the next call; mostly empty.</returns>
    public ReadOnlySpan<byte> For(scoped in EtlRecord record, scoped in EtlPacketEvent packet) => packet.Interface.Source switch
    {
        EtlCaptureSource.Ndis when _radioProcessor == record.Processor && _radioLayer == packet.Interface.Number => Radio(),
        EtlCaptureSource.VmSwitch => Port(record),
        _ => default,
    };

    ReadOnlySpan<byte> Radio()
    {
        _radioProcessor = -1;
        Utf8.TryWrite(
            _text,
            $"Packet Metadata: ReceiveFlags:0x{_radio.ReceiveFlags:x}, PhyId:{_radio.PhyId}, CenterCh:{_radio.CenterMegahertz}, "
            + $"NumMPDUsReceived:{_radio.MpdusReceived}, RSSI:{_radio.RssiDbm}, DataRate:{_radio.DataRate}",
            out int length);
        return _text.AsSpan(0, length);
    }

    // A name too long for the buffer leaves the note empty.
    ReadOnlySpan<byte> Port(scoped in EtlRecord record)
    {
        if (!VmSwitchPacket.TryRead(record, out VmSwitchPacket seen))
        {
            return default;
        }

        Utf8.TryWrite(
            _text,
            $"VlanId={seen.VlanId} SrcPortId={seen.SourcePortId} SrcNicType={seen.SourceNicType} SrcNicName={seen.SourceNicName} "
            + $"SrcPortName={seen.SourcePortName} DstNicCount={seen.DestinationCount} HashValue={seen.RssHash:x8}",
            out int length);
        return _text.AsSpan(0, length);
    }
}

/// <summary>
/// What the radio reported of a received frame: DOT11_EXTSTA_RECV_CONTEXT in NDIS-PacketCapture 1002. It belongs to the next
/// packet of the same layer.
/// </summary>
/// <param name="ReceiveFlags">uReceiveFlags.</param>
/// <param name="PhyId">uPhyId.</param>
/// <param name="CenterMegahertz">uChCenterFrequency.</param>
/// <param name="MpdusReceived">usNumberOfMPDUsReceived.</param>
/// <param name="RssiDbm">lRSSI.</param>
/// <param name="DataRate">ucDataRate, units of 500 kbit/s.</param>
readonly record struct WifiReceiveContext(uint ReceiveFlags, uint PhyId, uint CenterMegahertz, ushort MpdusReceived, int RssiDbm, byte DataRate)
{
    // Up to and including the data rate; the pointer and time after it differ between bitnesses and are not used.
    const int UsedBytes = 25;

    /// <summary>Reads the structure.</summary>
    /// <param name="metadata">The bytes of event 1002.</param>
    /// <param name="context">The structure.</param>
    /// <returns>False when there are too few bytes.</returns>
    public static bool TryRead(ReadOnlySpan<byte> metadata, out WifiReceiveContext context)
    {
        if (metadata.Length < UsedBytes)
        {
            context = default;
            return false;
        }

        context = new WifiReceiveContext(
            BinaryPrimitives.ReadUInt32LittleEndian(metadata[4..]),
            BinaryPrimitives.ReadUInt32LittleEndian(metadata[8..]),
            BinaryPrimitives.ReadUInt32LittleEndian(metadata[12..]),
            BinaryPrimitives.ReadUInt16LittleEndian(metadata[16..]),
            BinaryPrimitives.ReadInt32LittleEndian(metadata[20..]),
            metadata[24]);
        return true;
    }
}
