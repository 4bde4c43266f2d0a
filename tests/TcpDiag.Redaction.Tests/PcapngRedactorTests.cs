using System;
using System.Collections.Generic;
using System.Text;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.Pcapng;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Redaction.Tests;

public sealed class PcapngRedactorTests : IDisposable
{
    readonly Pseudonyms _names = new(TestKeys.First);

    public void Dispose() => _names.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Redact_Interface_LosesNameAddressesAndFilter(bool bigEndian)
    {
        var bytes = new PcapngBytes(bigEndian);
        bytes.Section(bytes.Option(4, "tcpdiag"u8.ToArray())).Interface(
            1,
            96,
            [
                .. bytes.Option(PcapngOption.IfName, "bobs-lan"u8.ToArray()),
                .. bytes.Option(PcapngOption.IfIpv4Addr, 198, 51, 100, 7, 255, 255, 255, 0),
                .. bytes.Option(PcapngOption.IfMacAddr, 0, 0x50, 0x56, 1, 2, 3),
                .. bytes.Option(11, [0, .. "host 198.51.100.7"u8]),
                .. bytes.Option(PcapngOption.IfTsResol, 9),
                .. bytes.Option(PcapngOption.CustomText, [1, 2, 3, 4, .. "whoever"u8]),
            ]);
        using PcapngReader reader = Read(Redact(bytes));
        Assert.Empty(Records(reader));
        TraceInterface place = Assert.Single(reader.Interfaces);
        Assert.Equal(_names.ReplaceText("bobs-lan"), place.Name);
        Assert.Equal(_names.Map(Address("198.51.100.7")), Assert.Single(place.Addresses));
        Assert.Equal(96, place.SnapLength);
        Assert.NotEqual(new byte[] { 0, 0x50, 0x56, 1, 2, 3 }, place.MacAddress);
        Assert.Equal(1, _names.Counts[RedactionKind.Options]);
    }

    [Fact]
    public void Redact_Packet_IsCutBehindItsHeadersAndKeepsItsLength()
    {
        byte[] frame = new FrameBuilder().Ip("192.0.2.1", "198.51.100.7").Tcp(1, 2).Payload("secret"u8.ToArray()).Build();
        var bytes = new PcapngBytes(bigEndian: false);
        byte[] hash = bytes.Option(PcapngOption.EpbHash, 2, 9, 9, 9, 9);
        byte[] comment = bytes.Option(1, "by Bob"u8.ToArray());
        bytes.Section().Interface(1, 0).Packet(0, 77, frame, 1000, [.. bytes.Option(PcapngOption.EpbFlags, 1, 0, 0, 0), .. hash, .. comment]);
        byte[] redacted = Redact(bytes);
        using PcapngReader reader = Read(redacted);
        var record = default(TraceRecord);
        Assert.True(reader.TryRead(ref record));
        Assert.Equal(frame.Length - 6, record.Data.Length);
        Assert.Equal(1000, record.OriginalLength);
        Assert.Equal(PacketDirection.Inbound, record.Direction);
        Assert.True(redacted.AsSpan().IndexOf("secret"u8) < 0 && redacted.AsSpan().IndexOf("Bob"u8) < 0);
        Assert.Empty(reader.Problems);
    }

    [Fact]
    public void Redact_BlocksThatNobodyUnderstands_AreLeftOut()
    {
        var bytes = new PcapngBytes(bigEndian: false);
        bytes.Section().Interface(1, 0)
            .Block((uint)PcapngBlockType.DecryptionSecrets, [.. bytes.U32(0x544C534B), .. bytes.U32(6), .. "CLIENT"u8, 0, 0])
            .Block((uint)PcapngBlockType.Custom, 1, 2, 3, 4)
            .Block((uint)PcapngBlockType.Journal, [.. "MESSAGE=Bob logged in\n\n"u8])
            .Block(0x1234, "whatever"u8.ToArray());
        using PcapngReader reader = Read(Redact(bytes));
        Assert.Empty(Records(reader));
        Assert.Equal(4, _names.Counts[RedactionKind.Blocks]);
    }

    [Fact]
    public void Redact_NameResolution_NamesPseudonyms()
    {
        var bytes = new PcapngBytes(bigEndian: false);
        byte[] record = [198, 51, 100, 7, .. "www.example.com"u8, 0];
        bytes.Section().Block((uint)PcapngBlockType.NameResolution, [.. bytes.Option(1, record), .. PcapngBytes.EndOfOptions()]);
        byte[] redacted = Redact(bytes);
        Span<byte> address = stackalloc byte[16];
        byte[] name = Encoding.UTF8.GetBytes(_names.ReplaceText("www.example.com"));
        byte[] expected = [.. address[.._names.Map(Address("198.51.100.7")).Write(address)], .. name, 0];
        Assert.True(redacted.AsSpan().IndexOf(expected) > 0);
    }

    [Fact]
    public void Redact_StackEvent_KeepsItsFields()
    {
        var before = new StackEvent();
        before.Reset(StackEventKind.SegmentSent, new TraceTime(5), "tcp:tcp_probe");
        before.Local = new Endpoint(Address("192.0.2.1"), 80);
        before.Text = "notes";
        before.Set(StackField.Cwnd, 14_480);
        byte[] entry = new byte[JournalEncoder.MaxLength(before)];
        var bytes = new PcapngBytes(bigEndian: false);
        bytes.Section().Block((uint)PcapngBlockType.Journal, entry[..JournalEncoder.Encode(before, entry)]);
        using PcapngReader reader = Read(Redact(bytes));
        var record = default(TraceRecord);
        Assert.True(reader.TryRead(ref record));
        Assert.Equal(
            (StackEventKind.SegmentSent, new Endpoint(_names.Map(Address("192.0.2.1")), 80), _names.ReplaceText("notes")),
            (record.Event!.Kind, record.Event.Local!.Value, record.Event.Text));
        Assert.True(record.Event.TryGet(StackField.Cwnd, out long cwnd) && cwnd == 14_480);
    }

    static PcapngReader Read(byte[] bytes) => PcapngReader.Open(new MemoryTraceInput(bytes));

    static List<TraceRecordKind> Records(PcapngReader reader)
    {
        var kinds = new List<TraceRecordKind>();
        var record = default(TraceRecord);
        while (reader.TryRead(ref record))
        {
            kinds.Add(record.Kind);
        }

        return kinds;
    }

    static IpAddress Address(string text) => IpAddress.TryParse(text, out IpAddress address) ? address : throw new FormatException(text);

    byte[] Redact(PcapngBytes bytes) => RedactedFiles.Redact(_names, bytes.ToArray(), TraceFormat.Pcapng);
}
