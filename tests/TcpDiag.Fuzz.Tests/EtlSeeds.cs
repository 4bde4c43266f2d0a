using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.Tests.Etl;
using TcpDiag.Traces.Tests.EtlPackets;
using TcpDiag.Traces.Tests.Schemas;

namespace TcpDiag.Fuzz.Tests;

/// <summary>
/// Small .etl files that every checkout can make: packets as NDIS, PktMon and NdisWan log them, events of the TCP stack,
/// kernel records and records of every other family, of both pointer sizes, on three processors; plain and compressed.
/// </summary>
static class EtlSeeds
{
    const int Build = 26100;
    const int OtherRecords = 40;
    const int GeneratedRecords = 150;

    // Keywords of NDIS-PacketCapture: the first and the last event of a packet, and where it goes.
    const ulong PacketStart = 0x4000_0000;
    const ulong PacketEnd = 0x8000_0000;
    const ulong Send = 0x1_0000_0000;
    const ulong Receive = 0x2_0000_0000;

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");

    // Opening, closing, segments, congestion, recovery, timers, buffers, limits: one or two events of each kind.
    static readonly int[] StackEvents =
        [1002, 1017, 1031, 1033, 1038, 1051, 1070, 1159, 1183, 1184, 1200, 1300, 1330, 1332, 1341, 1343, 1351, 1385, 1387, 1548, 1577];

    static readonly byte[] Frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1000, 443).Seq(77_000).PayloadLength(40).Build();

    /// <summary>Makes the files.</summary>
    /// <returns>Closed files of 5 to 50 kB.</returns>
    public static List<byte[]> Make() =>
    [
        EtlFixtures.Write(Header(is64Bit: true), Records(is64Bit: true), compress: false),
        EtlFixtures.Write(Header(is64Bit: true), Records(is64Bit: true), compress: true),
        EtlFixtures.Write(Header(is64Bit: false), Records(is64Bit: false), compress: false),
        Generated(),
    ];

    static EtlFileHeader Header(bool is64Bit) => EtlFixtures.Header with { Build = Build, Is64Bit = is64Bit };

    static byte[] Generated()
    {
        using var stream = new MemoryStream();
        new EtlTraceGenerator().Write(stream, GeneratedRecords, compress: true);
        return stream.ToArray();
    }

    static List<byte[]> Records(bool is64Bit) =>
    [
        .. Ndis().Concat(PktMon()).Concat(Wan()).Select((made, index) => Bytes(made.At(EtlFixtures.Header.StartTicks + index), is64Bit)),
        .. Stack(is64Bit),
        .. EtlFixtures.Records(OtherRecords, is64Bit),
    ];

    static byte[] Bytes(EventBytes made, bool is64Bit) => (is64Bit ? made : made.As32Bit()).Build();

    // Records go to three processors in turn: the second half of a packet stands three behind the first.
    static EventBytes[] Ndis() =>
    [
        EventBytes.Ndis(1001, PacketStart | PacketEnd | Send).U32(7, 7, (uint)Frame.Length).Bytes(Frame).U64(1, 2),
        EventBytes.Ndis(1001, PacketStart | Receive).U32(7, 7, 30).Bytes(Frame.AsSpan(0, 30)),
        EventBytes.Ndis(1003, PacketStart | PacketEnd | Receive)
            .U32(8, 9, 3).Text("Port A").Text("Nic A").Text("Synthetic").U32(1).U32(11).Text("Port B").U32((uint)Frame.Length).Bytes(Frame).U32(0),
        EventBytes.Ndis(1001, PacketStart | PacketEnd | Send).U32(7, 9, (uint)Frame.Length).Bytes(Frame),
        EventBytes.Ndis(1001, PacketEnd | Receive).U32(7, 7, (uint)Frame.Length - 30).Bytes(Frame.AsSpan(30)),
    ];

    static EventBytes[] PktMon() =>
    [
        PktMonPacket(160, appearance: 1, component: 21, reason: 0),
        PktMonPacket(160, appearance: 2, component: 7, reason: 0),
        PktMonPacket(170, appearance: 3, component: 21, reason: 8),
        EventBytes.PktMon(20).U16(7, 2).Text("Ethernet").Text("Ethernet adapter"),
        EventBytes.PktMon(65).U16(7, 13).Bytes([10, 0, 0, 1]),
        EventBytes.PktMon(70).U16(7, 6).U32(6).Bytes([2, 0, 0, 0, 0, 1]),
        EventBytes.PktMon(80).U16(7, 3).U64(4, 400).U16(4).U64(5, 500),
    ];

    static EventBytes PktMonPacket(ushort id, ushort appearance, ushort component, uint reason) => EventBytes.PktMon(id)
        .U64(5).U16(1, appearance, 2, 1, component, 1, 0).U32(reason, reason << 16).U16((ushort)Frame.Length, (ushort)Frame.Length).Bytes(Frame);

    static EventBytes[] Wan() => [EventBytes.NdisWan(5001).Text("{domain}").Text("alice").U32((uint)Frame.Length).Bytes(Frame)];

    // Every version that the build logs, over IPv4 and IPv6.
    static IEnumerable<byte[]> Stack(bool is64Bit)
    {
        int build = SchemaCatalog.Bundled.IndexOfBuild(Build);
        var builder = new EtlRecordBuilder();
        long ticks = EtlFixtures.Header.StartTicks;
        foreach (EventVariant variant in SchemaCatalog.Bundled.Provider(Tcpip)!.Variants.Where(variant => variant.IsIn(build)
            && StackEvents.Contains(variant.Id)))
        {
            var header = new EtlRecordHeader
            {
                Provider = Tcpip,
                Id = (ushort)variant.Id,
                Version = (byte)variant.Version,
                Is64Bit = is64Bit,
                ProcessId = 4,
                Ticks = ++ticks,
            };
            yield return builder.Build(header, PayloadBuilder.Build(variant.Schema, is64Bit, isIpv6: variant.Id % 2 == 0).Bytes).ToArray();
        }
    }
}
