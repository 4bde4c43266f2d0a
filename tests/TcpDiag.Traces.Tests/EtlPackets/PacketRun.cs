using System.Collections.Generic;
using System.Text;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Tests.EtlPackets;

/// <summary>A packet as the decoder told it, kept beyond the next read.</summary>
sealed record SeenPacket(
    byte[] Data, int OriginalLength, int InterfaceIndex, LinkType LinkType, PacketDirection Direction, long TimeNanos,
    bool IsRepeat, ulong PacketId, ushort Appearance, bool IsDropped, PacketDrop Drop, string Note, bool IsLengthMissing);

/// <summary>Runs both passes over events.</summary>
sealed class PacketRun
{
    // One tick is 100 ns, tick 0 is the Unix epoch.
    static readonly EtlClock Clock = new(EtlClockType.Qpc, 0, new TraceTime(0).ToFileTime(), 10_000_000);

    PacketRun(EtlCaptureScan scan, EtlCaptureMap map, EtlPacketDecoder decoder, List<SeenPacket> packets)
    {
        Scan = scan;
        Map = map;
        Decoder = decoder;
        Packets = packets;
    }

    public EtlCaptureScan Scan { get; }

    public EtlCaptureMap Map { get; }

    public EtlPacketDecoder Decoder { get; }

    public List<SeenPacket> Packets { get; }

    public static PacketRun Over(params EventBytes[] events)
    {
        var scan = new EtlCaptureScan();
        foreach (EventBytes bytes in events)
        {
            scan.Add(bytes.Parse());
        }

        EtlCaptureMap map = scan.ToMap();
        var decoder = new EtlPacketDecoder(map, Clock);
        var packets = new List<SeenPacket>();
        var packet = default(TraceRecord);
        foreach (EventBytes bytes in events)
        {
            if (decoder.TryDecode(bytes.Parse(), ref packet))
            {
                packets.Add(Keep(packet, decoder.IsLengthMissing));
            }
        }

        return new PacketRun(scan, map, decoder, packets);
    }

    static SeenPacket Keep(in TraceRecord packet, bool isLengthMissing) => new(
        packet.Data.ToArray(), packet.OriginalLength, packet.InterfaceIndex, packet.LinkType, packet.Direction, packet.Time.Nanoseconds,
        packet.IsRepeat, packet.PacketId, packet.Appearance, packet.IsDropped, packet.Drop, Encoding.UTF8.GetString(packet.Note), isLengthMissing);
}
