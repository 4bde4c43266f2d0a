using System;
using System.Text.Unicode;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// What packet events tell beside the packet, as one line for people in the words of etl2pcapng: what the radio told of
/// it, which switch port it came from. Written into one buffer that the next note overwrites.
/// </summary>
sealed class EtlPacketNotes
{
    const int MostBytes = 512;

    readonly byte[] _text = new byte[MostBytes];
    WifiReceiveContext _radio;
    uint _radioLayer;
    int _radioProcessor = -1;

    /// <summary>Keeps what 1002 tells of the next packet of its layer and processor.</summary>
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
            $"Packet Metadata: ReceiveFlags:0x{_radio.ReceiveFlags:x}, PhyId:{_radio.PhyId}, CenterCh:{_radio.CenterMegahertz}, NumMPDUsReceived:{_radio.MpdusReceived}, RSSI:{_radio.RssiDbm}, DataRate:{_radio.DataRate}",
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
            $"VlanId={seen.VlanId} SrcPortId={seen.SourcePortId} SrcNicType={seen.SourceNicType} SrcNicName={seen.SourceNicName} SrcPortName={seen.SourcePortName} DstNicCount={seen.DestinationCount} HashValue={seen.RssHash:x8}",
            out int length);
        return _text.AsSpan(0, length);
    }
}
