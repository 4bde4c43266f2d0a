using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests.Receivers;

/// <summary>What a receiver acknowledges, reports and grants. Segments of 1000 bytes, counted from 0.</summary>
[Trait("Tier", "Conformance")]
public sealed class ReceiverTests
{
    const int Mss = 1_000;
    const long Ms = 1_000_000;

    static readonly SequenceNumber First = new(0xFFFF_FFFF - 2_500);

    // RFC 9293 §3.8.6.3.
    [Fact]
    public void InOrder_EverySecondSegmentIsAcknowledged()
    {
        Receiver tcp = New();
        Assert.Null(Take(tcp, 0));
        Assert.Equal(2, Take(tcp, 1)?.Una);
        Assert.Equal(TraceTime.Latest, tcp.NextTimer);
    }

    [Fact]
    public void InOrder_SingleSegment_IsAcknowledgedAfterTheDelay()
    {
        Receiver tcp = New();
        tcp.OnSegment(new DataArrival(Seq(0), Mss, new TraceTime(5 * Ms)));
        Assert.Equal(new TraceTime(45 * Ms), tcp.NextTimer);
        tcp.OnTimer(new TraceTime(44 * Ms));
        Assert.False(tcp.TryTakeAck(out _));
        tcp.OnTimer(new TraceTime(45 * Ms));
        Assert.True(tcp.TryTakeAck(out AckArrival ack));
        Assert.Equal(Seq(1), ack.Una);
    }

    // RFC 5681 §4.2, RFC 2018 §4: at once, with the block of the segment that caused it first.
    [Fact]
    public void OutOfOrder_LatestBlockComesFirst()
    {
        Receiver tcp = New();
        Assert.Equal("2-3", Take(tcp, 2)?.Blocks);
        Assert.Equal("4-5 2-3", Take(tcp, 4)?.Blocks);
        Assert.Equal("6-7 4-5 2-3", Take(tcp, 6)?.Blocks);
        Assert.Equal("8-9 6-7 4-5", Take(tcp, 8)?.Blocks); // three beside timestamps
        Assert.Equal("2-5 8-9 6-7", Take(tcp, 3)?.Blocks); // 3 joins two of them
    }

    // RFC 5681 §4.2: what fills a hole is acknowledged at once, with all that was behind it.
    [Fact]
    public void FilledHole_IsAcknowledgedAtOnce()
    {
        Receiver tcp = New();
        Take(tcp, 1);
        Assert.Equal((2, string.Empty), (Take(tcp, 0)?.Una, string.Empty));
        Assert.Equal(2_000, tcp.Unread);
    }

    // RFC 2883 §4.1: below the acknowledgment, once.
    [Fact]
    public void Duplicate_IsReportedOnce()
    {
        Receiver tcp = New();
        Take(tcp, 0);
        Take(tcp, 1);
        Assert.Equal((2, "0-1"), Take(tcp, 0));
        Assert.Null(Take(tcp, 2));
        Assert.Equal((4, string.Empty), Take(tcp, 3));
        Assert.Equal(1_000, tcp.DuplicateBytes);
    }

    // RFC 2883 §4.2: above it, followed by the block that holds it.
    [Fact]
    public void Duplicate_OutOfOrder_ComesBeforeItsBlock()
    {
        Receiver tcp = New();
        Take(tcp, 2);
        Take(tcp, 3);
        Assert.Equal((0, "3-4 2-4"), Take(tcp, 3));
    }

    [Fact]
    public void Duplicate_WithoutDsack_IsAcknowledgedOnly()
    {
        Receiver tcp = New(new ReceiverTraits { HasDsack = false });
        Take(tcp, 0);
        Take(tcp, 1);
        Assert.Equal((2, string.Empty), Take(tcp, 0));
    }

    [Fact]
    public void ReassemblyLimit_DropsWhatIsTooMuch()
    {
        Receiver tcp = New(new ReceiverTraits { ReassemblyBytes = 2_000 });
        Take(tcp, 1);
        Take(tcp, 2);
        Assert.Equal((0, "1-3"), Take(tcp, 3));
        Assert.Equal(3, Take(tcp, 0)?.Una);
    }

    // RFC 7323 §4.3: the timestamp of the segment at the edge of what was acknowledged; never an older one.
    [Fact]
    public void Timestamp_IsThatOfTheAcknowledgedEdge()
    {
        Receiver tcp = New();
        tcp.OnSyn(10);
        Assert.Null(Take(tcp, 0, tsVal: 20)); // delayed
        Take(tcp, 1, tsVal: 30);
        Assert.Equal(20u, tcp.TsRecent);
        Take(tcp, 0, tsVal: 15);
        Assert.Equal(20u, tcp.TsRecent);
        Take(tcp, 3, tsVal: 50);
        Assert.Equal(20u, tcp.TsRecent);
        Take(tcp, 2, tsVal: 60);
        Assert.Equal(60u, tcp.TsRecent);
    }

    // RFC 9293 §3.8.6.2.2: a buffer of four segments fills; it opens when a whole segment was read, not before.
    [Fact]
    public void Window_ClosesAndOpensByWholeSegments()
    {
        Receiver tcp = New(new ReceiverTraits { BufferBytes = 4_000, WindowScale = 0 });
        for (int i = 0; i < 4; i++)
        {
            Take(tcp, i);
        }

        Assert.Equal(0, tcp.Window);
        tcp.Read(900, default);
        Assert.False(tcp.TryTakeAck(out _));
        tcp.Read(100, default);
        Assert.True(tcp.TryTakeAck(out AckArrival update));
        Assert.Equal((Seq(4), 1_000), (update.Una, update.Window));
    }

    // RFC 9293 §3.10.7.4: one octet beyond a closed window is acknowledged, and not taken.
    [Fact]
    public void ClosedWindow_ProbeIsAnsweredAndDropped()
    {
        Receiver tcp = New(new ReceiverTraits { BufferBytes = 2_000, WindowScale = 0 });
        Take(tcp, 0);
        Take(tcp, 1);
        tcp.OnSegment(new DataArrival(Seq(2), 1, default));
        Assert.True(tcp.TryTakeAck(out AckArrival ack));
        Assert.Equal((Seq(2), 0, 2_000), (ack.Una, ack.Window, tcp.Unread));
    }

    [Fact]
    public void Window_TakesNoMoreThanItGranted()
    {
        Receiver tcp = New(new ReceiverTraits { BufferBytes = 1_500, WindowScale = 0 });
        Take(tcp, 0);
        Take(tcp, 1);
        Assert.Equal(1_500, tcp.Unread);
    }

    // RFC 3168 §6.1.3: echoed until the sender says that it has reduced.
    [Fact]
    public void CongestionExperienced_IsEchoedUntilCwr()
    {
        Receiver tcp = New();
        tcp.OnSegment(new DataArrival(Seq(0), Mss, default) { IsMarked = true });
        Assert.True(tcp.TakeAck().HasEcnEcho);
        Assert.True(tcp.TakeAck().HasEcnEcho);
        tcp.OnWindowReduced();
        Assert.False(tcp.TakeAck().HasEcnEcho);
    }

    // The buffer grows when half of it was read, up to its bound.
    [Fact]
    public void Buffer_GrowsAsDataIsRead()
    {
        Receiver tcp = New(new ReceiverTraits { BufferBytes = 4_000, MaxBufferBytes = 8_000, WindowScale = 0 });
        for (int i = 0; i < 8; i++)
        {
            Take(tcp, i);
            tcp.Read(int.MaxValue, default);
        }

        Assert.Equal(8_000, tcp.Window);
    }

    static Receiver New(ReceiverTraits? traits = null) => new(traits ?? new ReceiverTraits(), Mss, First);

    static SequenceNumber Seq(int segment) => First + (segment * Mss);

    // The acknowledgment that a segment makes due, null for none: its number and blocks in segments.
    static (int Una, string Blocks)? Take(Receiver tcp, int segment, uint tsVal = 0)
    {
        tcp.OnSegment(new DataArrival(Seq(segment), Mss, default) { TsVal = tsVal });
        if (!tcp.TryTakeAck(out AckArrival ack))
        {
            return null;
        }

        string[] blocks = new string[ack.BlockCount];
        for (int i = 0; i < blocks.Length; i++)
        {
            blocks[i] = $"{(ack[i].Left - First) / Mss}-{(ack[i].Right - First) / Mss}";
        }

        return ((ack.Una - First) / Mss, string.Join(' ', blocks));
    }
}
