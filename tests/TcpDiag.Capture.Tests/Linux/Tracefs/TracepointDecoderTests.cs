using System;
using System.Buffers.Binary;
using System.Linq;
using TcpDiag.Capture.Linux.Tracefs;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Tracefs;

public sealed class TracepointDecoderTests
{
    static readonly SocketHandles Handles = new(1, 2);

    [Fact]
    public void Decode_Probe_GivesWindowsInSegments()
    {
        StackEvent decoded = Decode("tcp_probe", FormatFiles.Probe, Probe(ssthresh: 20));

        Assert.Equal(StackEventKind.CwndSample, decoded.Kind);
        Assert.Equal("tcp:tcp_probe", decoded.Source);
        Assert.Equal(ConnectionSelectorTests.End("10.0.0.1", 5201), decoded.Local);
        Assert.Equal(ConnectionSelectorTests.End("10.0.0.2", 40000), decoded.Remote);
        Assert.Equal((10L, 20L, 250L), (Field(decoded, StackField.CwndSegments), Field(decoded, StackField.SsthreshSegments), Field(decoded, StackField.Srtt)));
        Assert.False(decoded.Has(StackField.Cwnd));
        Assert.Equal(Handles.Translate(0xFFFF888012345678), decoded.Tcb);
    }

    [Fact]
    public void Decode_ThresholdNotSet_IsAbsent() =>
        Assert.False(Decode("tcp_probe", FormatFiles.Probe, Probe(ssthresh: int.MaxValue)).Has(StackField.SsthreshSegments));

    [Fact]
    public void Decode_SetState_UsesTheNumbersOfTheVocabulary()
    {
        StackEvent decoded = Decode("inet_sock_set_state", FormatFiles.SetState, SetState(protocol: 6));

        // SYN_SENT 2 → 2, ESTABLISHED 1 → 4
        Assert.Equal((2L, 4L), (Field(decoded, StackField.OldState), Field(decoded, StackField.State)));
        Assert.Equal(ConnectionSelectorTests.End("2001:db8::1", 1000), decoded.Local);
        Assert.Equal(ConnectionSelectorTests.End("2001:db8::2", 443), decoded.Remote);
    }

    [Fact]
    public void TryReadEnds_OtherProtocol_IsRefused()
    {
        var decoder = new TracepointDecoder(Find("inet_sock_set_state"), FormatFiles.Parse(FormatFiles.SetState));

        Assert.False(decoder.TryReadEnds(SetState(protocol: 132), out _, out _));
    }

    [Fact]
    public void TryReadEnds_CutAnywhere_IsRefusedOrRead()
    {
        var decoder = new TracepointDecoder(Find("tcp_probe"), FormatFiles.Parse(FormatFiles.Probe));
        byte[] data = Probe(20);

        // The ends are complete with the second address, 36 + 28 bytes; ports stand in it too.
        int firstComplete = Enumerable.Range(0, data.Length).First(length => decoder.TryReadEnds(data.AsSpan(0, length), out _, out Endpoint remote)
            && remote.Port == 40000);
        Assert.Equal(64, firstComplete);
    }

    [Theory]
    [InlineData(0, 4711)]
    [InlineData(0x08, 0)] // hard interrupt
    [InlineData(0x10, 0)] // soft interrupt
    [InlineData(0x40, 0)] // not maskable
    [InlineData(0x81, 4711)] // interrupts and soft interrupts are off, but none runs
    public void ReadCaller_Flags_ShowWhetherItWasACall(byte flags, int expected)
    {
        var decoder = new TracepointDecoder(Find("inet_sock_set_state"), FormatFiles.Parse(FormatFiles.SetState));
        byte[] data = SetState(protocol: 6);
        data[2] = flags;
        BinaryPrimitives.WriteInt32LittleEndian(data.AsSpan(4), 4711);

        Assert.Equal(expected, decoder.ReadCaller(data));
        Assert.Equal(0, decoder.ReadCaller(data.AsSpan(0, 7)));
    }

    [Fact]
    public void Translate_SameSocket_SameHandleThatIsNotTheAddress()
    {
        Assert.Equal(0UL, Handles.Translate(0));
        Assert.Equal(Handles.Translate(0xFFFF888000000001), Handles.Translate(0xFFFF888000000001));
        Assert.NotEqual(Handles.Translate(0xFFFF888000000001), Handles.Translate(0xFFFF888000000002));
    }

    [Fact]
    public void Translate_ReferenceVector_IsSipHash24()
    {
        // Aumasson and Bernstein's vectors: key 00 01 … 0f, message 00 01 … 07.
        var handles = new SocketHandles(0x0706050403020100, 0x0F0E0D0C0B0A0908);

        Assert.Equal(0x93F5F5799A932462UL, handles.Translate(0x0706050403020100));
    }

    [Theory]
    [InlineData("port 443", "sport == 443 || dport == 443")]
    [InlineData("tcp dst port 443 out", "sport == 443 || dport == 443")]
    [InlineData("port 1-2,9", "(sport >= 1 && sport <= 2) || (dport >= 1 && dport <= 2) || sport == 9 || dport == 9")]
    [InlineData("src port 1 and dst port 2", "(sport == 1 || dport == 1) && (sport == 2 || dport == 2)")]
    [InlineData("port 1 or host 10.0.0.1", null)]
    [InlineData("not port 1", null)]
    [InlineData("all", null)]
    public void KernelFilter_Ports_AreCompared(string match, string? expected) =>
        Assert.Equal(expected, TcpEventSource.KernelFilter(FormatFiles.Parse(FormatFiles.Probe), MatchParser.Parse(match)));

    [Fact]
    public void TryTranslate_States_AreThoseOfTheVocabulary()
    {
        long[] states = [.. Enumerable.Range(1, 12).Select(linux => TcpStates.TryTranslate(linux, out long state) ? state : -1)];

        Assert.Equal([4, 2, 3, 5, 6, 10, 0, 7, 9, 1, 8, 3], states);
        Assert.False(TcpStates.TryTranslate(0, out _));
        Assert.False(TcpStates.TryTranslate(13, out _));
    }

    static Tracepoint Find(string name) => Tracepoint.Recorded.Single(tracepoint => string.Equals(tracepoint.Name, name, StringComparison.Ordinal));

    static long Field(StackEvent decoded, StackField field) => decoded.TryGet(field, out long value) ? value : -1;

    static StackEvent Decode(string name, string format, byte[] data)
    {
        var decoder = new TracepointDecoder(Find(name), FormatFiles.Parse(format));
        var target = new StackEvent();
        Assert.True(decoder.TryReadEnds(data, out Endpoint local, out Endpoint remote));
        decoder.Decode(data, new(1), Handles, target);
        (target.Local, target.Remote) = (local, remote);
        return target;
    }

    static byte[] Probe(uint ssthresh)
    {
        byte[] data = new byte[136];
        byte[] source = [2, 0, 0x14, 0x51, 10, 0, 0, 1];
        byte[] destination = [2, 0, 0x9C, 0x40, 10, 0, 0, 2];
        source.CopyTo(data, 8);
        destination.CopyTo(data, 36);
        BinaryPrimitives.WriteUInt16LittleEndian(data.AsSpan(64), 5201);
        BinaryPrimitives.WriteUInt16LittleEndian(data.AsSpan(66), 40000);
        BinaryPrimitives.WriteUInt32LittleEndian(data.AsSpan(88), 10);
        BinaryPrimitives.WriteUInt32LittleEndian(data.AsSpan(92), ssthresh);
        BinaryPrimitives.WriteUInt32LittleEndian(data.AsSpan(100), 250);
        BinaryPrimitives.WriteUInt64LittleEndian(data.AsSpan(128), 0xFFFF888012345678);
        return data;
    }

    static byte[] SetState(ushort protocol)
    {
        byte[] data = new byte[72];
        data[16] = 2;
        data[20] = 1;
        BinaryPrimitives.WriteUInt16LittleEndian(data.AsSpan(24), 1000);
        BinaryPrimitives.WriteUInt16LittleEndian(data.AsSpan(26), 443);
        data[28] = 10;
        BinaryPrimitives.WriteUInt16LittleEndian(data.AsSpan(30), protocol);
        byte[] address = [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
        address.CopyTo(data, 40);
        address[15] = 2;
        address.CopyTo(data, 56);
        return data;
    }
}
