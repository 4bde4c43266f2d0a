using System;
using System.Buffers;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Traces.Tests.StackEvents;

public class JournalTests
{
    static readonly TraceTime Noon = new(1_700_000_000_123_456_789);

    [Fact]
    public void Encode_SegmentSent_WritesTheDocumentedText()
    {
        var sent = new StackEvent();
        sent.Reset(StackEventKind.SegmentSent, Noon, "Microsoft-Windows-TCPIP/1332 v3");
        sent.Tcb = 0xFFFFA98D43C06960;
        sent.ProcessId = 6204;
        sent.Local = new Endpoint(IpAddress.FromIpv4(0x0A4D0102), 50620);
        sent.Remote = new Endpoint(new IpAddress(0x20010DB800000000, 1), 443);
        sent.Set(StackField.Cwnd, 14480);
        sent.Set(StackField.SndWnd, 65535);
        sent.Set(StackField.BytesToSend, -1);

        Assert.Equal(
            """
            __REALTIME_TIMESTAMP=1700000000123456
            MESSAGE=segment sent, 10.77.1.2:50620 to [2001:db8::1]:443, cwnd 14480, snd wnd 65535, bytes to send -1
            SYSLOG_IDENTIFIER=tcpdiag
            TCPDIAG_EVENT=segment-sent
            TCPDIAG_TIME_NS=1700000000123456789
            TCPDIAG_SOURCE=Microsoft-Windows-TCPIP/1332 v3
            TCPDIAG_TCB=0xffffa98d43c06960
            TCPDIAG_PID=6204
            TCPDIAG_LOCAL=10.77.1.2:50620
            TCPDIAG_REMOTE=[2001:db8::1]:443
            TCPDIAG_CWND=14480
            TCPDIAG_SND_WND=65535
            TCPDIAG_BYTES_TO_SEND=-1


            """.ReplaceLineEndings("\n"),
            EncodeToText(sent));
    }

    [Fact]
    public void Encode_TextWithLineFeed_UsesTheBinaryForm()
    {
        var named = new StackEvent();
        named.Reset(StackEventKind.ProcessNamed, new TraceTime(-1), string.Empty);
        named.Text = "a\nb\u001b";

        // -1 ns lies in microsecond -1; 4 bytes of text behind a 64-bit length; control characters leave the message only.
        Assert.Equal(
            "__REALTIME_TIMESTAMP=-1\nMESSAGE=process named a?b?\nSYSLOG_IDENTIFIER=tcpdiag\nTCPDIAG_EVENT=process-named\n"
            + "TCPDIAG_TIME_NS=-1\nTCPDIAG_TEXT\n\u0004\0\0\0\0\0\0\0a\nb\u001b\n\n",
            EncodeToText(named));
    }

    [Fact]
    public void TryDecode_WhatEncodeWrote_GivesTheSameEvent() =>
        Prop.ForAll(StackEventGenerator.Arbitrary, made =>
        {
            var buffer = new ArrayBufferWriter<byte>();
            JournalEncoder.Encode(made, buffer);
            var read = new StackEvent();
            Assert.True(JournalDecoder.TryDecode(buffer.WrittenSpan, read));
            StackEventComparer.AssertEqual(made, read);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void TryDecode_CutAnywhere_NeverThrows()
    {
        var named = new StackEvent();
        named.Reset(StackEventKind.ProcessNamed, Noon, "test");
        named.Text = "a\nb";
        named.Local = new Endpoint(IpAddress.FromIpv4(1), 2);
        named.Set(StackField.Cwnd, 1);
        byte[] entry = Encoding.UTF8.GetBytes(EncodeToText(named));
        int decoded = 0;
        for (int length = 0; length <= entry.Length; length++)
        {
            decoded += JournalDecoder.TryDecode(entry.AsSpan(0, length), new StackEvent()) ? 1 : 0;
        }

        Assert.InRange(decoded, 1, entry.Length - 1);
    }

    [Theory]
    [InlineData("")]
    [InlineData("\n")]
    [InlineData("__REALTIME_TIMESTAMP=1\nMESSAGE=hello\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\n\n")]
    [InlineData("TCPDIAG_EVENT=no-such-kind\nTCPDIAG_TIME_NS=1\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\nTCPDIAG_TIME_NS=1x\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\nTCPDIAG_TIME_NS=1\nTCPDIAG_CWND=\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\nTCPDIAG_TIME_NS=1\nTCPDIAG_LOCAL=1.2.3:4\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\nTCPDIAG_TIME_NS=1\nTCPDIAG_LOCAL=[::1%3]:4\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\nTCPDIAG_TIME_NS=1\nTCPDIAG_TCB=12\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\nTCPDIAG_TIME_NS=1\nTCPDIAG_PID=-1\n\n")]
    [InlineData("TCPDIAG_EVENT=segment-sent\nTCPDIAG_TIME_NS=1\nTCPDIAG_TEXT\n\xff\xff\xff\xff\xff\xff\xff\x7f" + "a\n\n")]
    public void TryDecode_NoStackEvent_IsRefused(string entry) =>
        Assert.False(JournalDecoder.TryDecode(Encoding.Latin1.GetBytes(entry), new StackEvent()));

    [Fact]
    public void TryDecode_UnknownFieldsAndPadding_ArePassedOver()
    {
        var read = new StackEvent();
        Assert.True(JournalDecoder.TryDecode("_PID=4\nTCPDIAG_NEW_THING=x\nTCPDIAG_TIME_NS=5\nTCPDIAG_EVENT=keep-alive\n\n\0\0"u8, read));
        Assert.Equal(StackEventKind.KeepAlive, read.Kind);
        Assert.Equal(new TraceTime(5), read.Time);
    }

    [Fact]
    public void TryDecode_KnownSource_AllocatesNothing()
    {
        var sent = new StackEvent();
        sent.Reset(StackEventKind.SegmentSent, Noon, "Microsoft-Windows-TCPIP/1332 v3");
        sent.Local = new Endpoint(IpAddress.FromIpv4(0x0A4D0102), 50620);
        sent.Set(StackField.Cwnd, 14480);
        byte[] buffer = new byte[JournalEncoder.MaxLength(sent)];
        int length = JournalEncoder.Encode(sent, buffer);
        var read = new StackEvent();
        JournalDecoder.TryDecode(buffer.AsSpan(0, length), read);

        long before = GC.GetAllocatedBytesForCurrentThread();
        bool decoded = true;
        for (int i = 0; i < 10_000; i++)
        {
            JournalEncoder.Encode(sent, buffer);
            decoded &= JournalDecoder.TryDecode(buffer.AsSpan(0, length), read);
        }

        // Whole bytes per event: now and then the runtime allocates a little for itself, while it recompiles.
        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / 10_000);
        Assert.True(decoded);
    }

    [Fact]
    public void Encode_DestinationTooShort_Throws()
    {
        var sent = new StackEvent();
        sent.Reset(StackEventKind.SegmentSent, Noon, "x");
        Assert.Throws<ArgumentException>(() => JournalEncoder.Encode(sent, new byte[16]));
    }

    static string EncodeToText(StackEvent stackEvent)
    {
        var buffer = new ArrayBufferWriter<byte>();
        JournalEncoder.Encode(stackEvent, buffer);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}

/// <summary>Compares stack events member by member.</summary>
static class StackEventComparer
{
    public static void AssertEqual(StackEvent expected, StackEvent actual)
    {
        Assert.Equal(expected.Kind, actual.Kind);
        Assert.Equal(expected.Time, actual.Time);
        Assert.Equal(expected.Source, actual.Source);
        Assert.Equal(expected.Tcb, actual.Tcb);
        Assert.Equal(expected.ProcessId, actual.ProcessId);
        Assert.Equal(expected.Local, actual.Local);
        Assert.Equal(expected.Remote, actual.Remote);
        Assert.Equal(expected.Text, actual.Text);
        for (int i = 0; i < StackEventNames.FieldCount; i++)
        {
            bool told = expected.TryGet((StackField)i, out long value);
            Assert.Equal(told, actual.TryGet((StackField)i, out long other));
            Assert.Equal(value, other);
        }
    }
}

/// <summary>Arbitrary stack events for property tests.</summary>
static class StackEventGenerator
{
    public static Arbitrary<StackEvent> Arbitrary => Create().ToArbitrary();

    static Gen<StackEvent> Create() =>
        from seed in ArbMap.Default.GeneratorFor<int>()
        from text in ArbMap.Default.GeneratorFor<string?>()
        from source in ArbMap.Default.GeneratorFor<NonNull<string>>()
        select Build(new Random(seed), Encodable(text), Encodable(source.Get)!);

    static StackEvent Build(Random random, string? text, string source)
    {
        var made = new StackEvent();
        made.Reset((StackEventKind)random.Next(StackEventNames.KindCount), new TraceTime(random.NextInt64(long.MinValue, long.MaxValue)), source);
        made.Text = text;
        made.Tcb = random.Next(2) == 0 ? 0 : unchecked((ulong)random.NextInt64(long.MinValue, long.MaxValue));
        made.ProcessId = random.Next(2) == 0 ? null : (uint)random.NextInt64(uint.MaxValue + 1L);
        made.Local = AnyEndpoint(random);
        made.Remote = AnyEndpoint(random);
        for (int i = random.Next(StackEventNames.FieldCount); i > 0; i--)
        {
            made.Set((StackField)random.Next(StackEventNames.FieldCount), random.NextInt64(long.MinValue, long.MaxValue));
        }

        return made;
    }

    static Endpoint? AnyEndpoint(Random random)
    {
        ushort port = (ushort)random.Next(65536);
        return random.Next(4) switch
        {
            0 => null,
            1 => new Endpoint(IpAddress.FromIpv4((uint)random.NextInt64(uint.MaxValue + 1L)), port),
            2 => new Endpoint(new IpAddress(unchecked((ulong)random.NextInt64(long.MinValue, long.MaxValue)), (ulong)random.Next(70000)), port),
            _ => new Endpoint(new IpAddress(0, (ulong)random.NextInt64(long.MaxValue)), port),
        };
    }

    // A lone surrogate has no UTF-8 form: such texts do not come out of a decoder.
    static string? Encodable(string? text) =>
        text is null ? null : System.Text.Encoding.UTF8.GetString(System.Text.Encoding.UTF8.GetBytes(text));
}
