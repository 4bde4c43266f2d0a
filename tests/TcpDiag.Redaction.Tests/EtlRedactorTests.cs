using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using TcpDiag.Redaction.Events;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.EtlPackets;
using TcpDiag.Traces.Schemas;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.Etl;
using TcpDiag.Traces.Tests.EtlPackets;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Redaction.Tests;

public sealed class EtlRedactorTests : IDisposable
{
    const ulong WholePacket = NdisKeywords.PacketStart | NdisKeywords.PacketEnd;

    readonly Pseudonyms _names = new(TestKeys.First);

    public static TheoryData<string> RealTraces => EtlSamples.Real;

    public void Dispose() => _names.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Redact_TcpipEvent_MapsBothEndsAndKeepsTheRest(bool compress)
    {
        // TcpRequestConnect, build 26100: Tcb, two SOCKADDRs behind their lengths, state, retransmissions; eight bytes that no schema tells.
        byte[] connect = new EventBytes(StackEventTable.Tcpip, 1002).At(5)
            .U64(0xFFFF_8000_1234).U32(16).Bytes([2, 0, 0xC3, 0x50, 192, 168, 1, 10, 1, 2, 3, 4, 5, 6, 7, 8])
            .U32(16).Bytes([2, 0, 1, 187, 198, 51, 100, 7, 0, 0, 0, 0, 0, 0, 0, 0]).U32(2, 0).Text("Bob").Build();
        EtlRecord record = Assert1(Redact(Write(compress, connect)), out byte[] payload);
        Assert.Equal(5, record.Ticks);
        Assert.Equal(56, payload.Length);
        Assert.True(SocketAddress.TryRead(payload.AsSpan(12, 16), out Endpoint local));
        Assert.True(SocketAddress.TryRead(payload.AsSpan(32, 16), out Endpoint remote));
        Assert.Equal((new Endpoint(_names.Map(Address("192.168.1.10")), 50_000), new Endpoint(_names.Map(Address("198.51.100.7")), 443)), (local, remote));
        Assert.False(payload.AsSpan(20, 8).ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Redact_UnknownEvent_KeepsItsHeaderAlone()
    {
        byte[] secret = new EventBytes(new Guid("11111111-2222-3333-4444-555555555555"), 7).Process(4, 8).Text("Bob's secret").Build();
        EtlRecord record = Assert1(Redact(Write(compress: false, secret)), out byte[] payload);
        Assert.Equal((7, 4u, 8u), (record.Id, record.ProcessId, record.ThreadId));
        Assert.Empty(payload);
        Assert.Equal(1, _names.Counts[RedactionKind.UnknownEvents]);
    }

    [Fact]
    public void Redact_UserOfAnEvent_IsReplaced()
    {
        var builder = new EtlRecordBuilder();
        byte[] sid = [1, 5, 0, 0, 0, 0, 0, 5, 21, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xE9, 3, 0, 0];
        builder.AddExtendedItem(EtlExtendedItemType.Sid, sid);
        builder.AddExtendedItem(EtlExtendedItemType.PsmKey, "Bob.App"u8);
        byte[] bytes = Redact(Write(compress: false, builder.Build(new EtlRecordHeader { ActivityId = new Guid(sid.AsSpan(0, 16)) }, []).ToArray()));
        Assert.True(bytes.AsSpan().IndexOf(sid.AsSpan(12)) < 0 && bytes.AsSpan().IndexOf("Bob"u8) < 0);
        EtlRecord record = Assert1(bytes, out _);
        Assert.NotEqual(Guid.Empty, record.ActivityId);
        Assert.Equal(1, _names.Counts[RedactionKind.SecurityIds]);
    }

    [Fact]
    public void Redact_ProcessStart_KeepsNumbersAndReplacesNames()
    {
        // Kernel process event, version 4 of MOF: key, four numbers, table, flags, no user, image, command line, package, application.
        var payload = new List<byte>(new byte[8 + 16 + 8 + 4 + 4]);
        payload[8] = 77;
        payload.AddRange([.. "notes.exe\0"u8, .. Encoding.Unicode.GetBytes("notes.exe D:\\Homes\\Bob\0\0\0"), .. "tail of Bob"u8]);
        var kernelHeader = new EtlRecordHeader { HeaderType = EtlHeaderType.System, Group = 3, Opcode = 1, Version = 4 };
        byte[] start = new EtlRecordBuilder().Build(kernelHeader, payload.ToArray()).ToArray();
        Assert1(Redact(Write(compress: false, start)), out byte[] redacted);
        Assert.Equal(77, redacted[8]);
        Assert.Equal(_names.ReplaceText("notes.exe"), Encoding.ASCII.GetString(redacted, 40, 9));
        Assert.True(redacted.AsSpan().IndexOf("tail"u8) < 0 && redacted.AsSpan().IndexOf("B\0o\0b\0"u8) < 0);
    }

    [Fact]
    public void Redact_NdisPacket_KeepsItsLength()
    {
        byte[] frame = new FrameBuilder().Ip("192.0.2.1", "198.51.100.7").Tcp(1, 2).Payload("secret"u8.ToArray()).Build();
        byte[] packet = EventBytes.Ndis(1001, WholePacket).U32(3, 3, (uint)frame.Length).Bytes(frame).U64(1, 2).Build();
        Assert1(Redact(Write(compress: false, packet)), out byte[] payload);
        Assert.Equal(12 + frame.Length + 16, payload.Length);
        Assert.False(payload.AsSpan(12 + frame.Length - 6, 6).ContainsAnyExcept((byte)0));
        Assert.Equal(_names.Map(Address("192.0.2.1")), IpAddress.Read(payload.AsSpan(12 + 26, 4)));
    }

    [Fact]
    public void Redact_PacketInTwoEvents_IsRedactedAsOne()
    {
        byte[] frame = new FrameBuilder().Ip("192.0.2.1", "198.51.100.7").Tcp(1, 2).Payload("secret"u8.ToArray()).Build();
        byte[] first = EventBytes.Ndis(1001, NdisKeywords.PacketStart).U32(3, 3, 14).Bytes(frame.AsSpan(0, 14)).Build();
        byte[] second = EventBytes.Ndis(1001, NdisKeywords.PacketEnd).U32(3, 3, (uint)frame.Length - 14).Bytes(frame.AsSpan(14)).Build();
        byte[] bytes = Redact(Write(compress: false, first, second));
        byte[] rest = Payloads(bytes)[^1][12..];
        Assert.Equal(_names.Map(Address("192.0.2.1")), IpAddress.Read(rest.AsSpan(12, 4)));
        Assert.False(rest.AsSpan(40).ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Redact_SwitchPacket_LosesNamesAndDestinations()
    {
        byte[] frame = new FrameBuilder().Ip("192.0.2.1", "198.51.100.7").Tcp(1, 2).Payload("secret"u8.ToArray()).Build();
        byte[] slots = new byte[80];
        slots[32] = 0x50; // VLAN 5
        slots[40] = 9;
        byte[] packet = EventBytes.Ndis(1003, WholePacket).U32(1, 2, 3).Text("port").Text("Bob's machine").Text("Synthetic")
            .U32(1).Bytes("to Alice"u8).U32((uint)frame.Length).Bytes(frame).U32(80).Bytes(slots).Build();
        byte[] bytes = Redact(Write(compress: false, packet));
        Assert.True(bytes.AsSpan().IndexOf("secret"u8) < 0 && bytes.AsSpan().IndexOf("B\0o\0b\0"u8) < 0 && bytes.AsSpan().IndexOf("Alice"u8) < 0);
        EtlRecord record = Assert1(bytes, out _);
        Assert.True(VmSwitchPacket.TryRead(record, out VmSwitchPacket seen));
        Assert.Equal((5, frame.Length), (seen.VlanId, seen.Data.Length));
    }

    [SharedTheory]
    [MemberData(nameof(RealTraces))]
    [Trait("Needs", "time")]
    public void Redact_RealTrace_KeepsRecordsTimesAndHeaders(string name)
    {
        byte[] before = EtlSamples.ReadReal(name);
        byte[] after = Redact(before);
        Assert.Equal(Headers(before), Headers(after));
        using EtlFile file = EtlSamples.Open(after);
        Assert.Empty(file.Problems);
    }

    static List<(long, EtlHeaderType, Guid, int, int, uint)> Headers(byte[] bytes)
    {
        var headers = new List<(long, EtlHeaderType, Guid, int, int, uint)>();
        using EtlFile file = EtlSamples.Open(bytes);
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            headers.Add((record.Ticks, record.HeaderType, record.Provider, record.Id, record.Opcode, record.ProcessId));
        }

        return headers;
    }

    static byte[] Write(bool compress, params byte[][] records)
    {
        var stream = new MemoryStream();
        var header = new EtlFileHeader
        {
            BufferSize = 4096,
            Build = 26100,
            PerformanceFrequency = 10_000_000,
            StartFileTime = 133_000_000_000_000_000,
            Is64Bit = true,
            SessionName = "Bob",
            LogFileName = @"D:\Homes\Bob\a.etl",
        };
        using (var writer = new EtlWriter(stream, header, compress))
        {
            Array.ForEach(records, record => writer.Write(record, 0));
            writer.Complete(133_000_000_100_000_000);
        }

        return stream.ToArray();
    }

    static List<byte[]> Payloads(byte[] bytes)
    {
        var payloads = new List<byte[]>();
        using EtlFile file = EtlSamples.Open(bytes);
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        while (cursor.TryRead(ref record))
        {
            payloads.Add(record.Payload.ToArray());
        }

        return payloads;
    }

    // The one record behind the file's header.
    static EtlRecord Assert1(byte[] bytes, out byte[] payload)
    {
        using EtlFile file = EtlSamples.Open(bytes);
        Assert.NotEqual("Bob", file.Header.SessionName);
        Assert.DoesNotContain("Bob", file.Header.LogFileName, StringComparison.Ordinal);
        using EtlRecordCursor cursor = file.Read(EtlReadOrder.File);
        var record = default(EtlRecord);
        Assert.True(cursor.TryRead(ref record) && cursor.TryRead(ref record));
        byte[] copy = record.Bytes.ToArray();
        Assert.True(EtlRecord.TryParse(copy, ref record));
        payload = record.Payload.ToArray();
        return record;
    }

    static IpAddress Address(string text) => IpAddress.TryParse(text, out IpAddress address) ? address : throw new FormatException(text);

    byte[] Redact(byte[] bytes) => RedactedFiles.Redact(_names, bytes, TraceFormat.Etl);
}

/// <summary>Fields of events, told apart by the names and types that their schema gives them.</summary>
public sealed class FieldRedactorTests
{
    // The schema of Windows calls these plain numbers.
    [Theory]
    [InlineData("IPv4DestinationPrefix")]
    [InlineData("SrcAddress")]
    public void TryRedact_NumberNamedAsAnAddress_IsReplaced(string name)
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] value = [198, 51, 100, 0];
        byte[] expected = [.. value];
        names.ReplaceAddress(expected);
        Assert.True(new FieldRedactor(names).TryRedact(new FieldSchema(name, InType.UInt32), value, 1));
        Assert.Equal(expected, value);
    }

    [Theory]
    [InlineData("DestinationPrefixLength")]
    [InlineData("Metric")]
    public void TryRedact_OtherNumber_Stays(string name)
    {
        using var names = new Pseudonyms(TestKeys.First);
        byte[] value = [24, 0, 0, 0];
        Assert.True(new FieldRedactor(names).TryRedact(new FieldSchema(name, InType.UInt32), value, 1));
        Assert.Equal([24, 0, 0, 0], value);
    }
}
