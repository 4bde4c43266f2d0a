using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>
/// Why the client sends again, by events of its stack that name the sequence number. Two segments of 1,000 go out at 21 ms, the first of them again 2 ms
/// later: packets alone, with an RTT of 20 ms, nothing acknowledged and no timer that could have expired, do not tell why.
/// </summary>
public sealed class NamedTriggerTests
{
    static readonly Endpoint Client = new(IpAddress.FromIpv4(0x0A000001), 50000);
    static readonly Endpoint Server = new(IpAddress.FromIpv4(0x0A000002), 443);

    [Fact]
    public void Nothing_Named_LeavesItToThePackets() => Assert.Equal((new(0, 0, 0, 0, 1), 0), Triggers(Resent(Sent())));

    [Fact]
    public void Timer_WithSndUna_IsATimeout() =>
        Assert.Equal((new(0, 0, 1, 0, 0), 1), Triggers(Resent(Named(Sent(), StackEventKind.RetransmissionTimeout, (StackField.SndUna, 1)))));

    [Fact]
    public void Probe_WithItsData_IsATailLossProbe() =>
        Assert.Equal((new(0, 1, 0, 0, 0), 1), Triggers(Resent(Named(Sent(), StackEventKind.TailLossProbe, (StackField.SeqNo, 1)))));

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(1, 0, 1)] // it had been sent again before: before the trace, as far as packets know
    public void Segment_FoundLost_IsFastOrLostAgain(int ever, int fast, int again) => Assert.Equal(
        (new(fast, 0, 0, again, 0), 1),
        Triggers(Resent(Named(Sent(), StackEventKind.SegmentLost, (StackField.SeqNo, 1), (StackField.EndSeq, 1001), (StackField.EverRetransmitted, ever)))));

    [Fact]
    public void Segment_MarkedForResending_NamesNoReason() =>
        Assert.Equal((new(0, 0, 0, 0, 1), 0), Triggers(Resent(Named(Sent(), StackEventKind.SegmentLost, (StackField.SeqNo, 1), (StackField.EndSeq, 1001)))));

    [Fact]
    public void Send_InLossRecovery_IsFast() =>
        Assert.Equal((new(1, 0, 0, 0, 0), 1), Triggers(Resent(Named(Sent(), StackEventKind.SegmentRetransmitted, (StackField.SndNxt, 1)))));

    // The first segment is sent again; what is named is the second, the probe of another connection's stack, or a probe that tells no data.
    [Theory]
    [InlineData(1001, 50000)]
    [InlineData(1, 50001)]
    [InlineData(-1, 50000)]
    public void Reason_OfOtherData_CountsForNothing(int seq, ushort port) => Assert.Equal(
        (new(0, 0, 0, 0, 1), 0),
        Triggers(Resent(Sent().Event(22_900, StackEventKind.TailLossProbe, told =>
        {
            (told.Tcb, told.Local, told.Remote) = (9, new Endpoint(Client.Address, port), Server);
            told.Set(seq < 0 ? StackField.Action : StackField.SeqNo, seq < 0 ? 2 : Absolute(seq));
        }))));

    // A probe, whose data the timer finds lost 300 ms later: the event of the probe is used up, and what follows the timer's segment before everything is
    // acknowledged is the timer's as well.
    [Fact]
    public void Reasons_InARow_AreEachOfTheirOwnSegment()
    {
        MemoryTrace trace = Named(Sent(), StackEventKind.TailLossProbe, (StackField.SeqNo, 1001)).Packet(23_000, FromClient(1001, 1, 1000));
        trace = Named(trace, StackEventKind.RetransmissionTimeout, (StackField.SndUna, 1)).Packet(323_000, FromClient(1, 1, 1000)).Packet(323_010,
            FromClient(1001, 1, 1000));
        Assert.Equal((new(0, 1, 2, 0, 0), 2), Triggers(trace));
    }

    // The event that something is lost names a send of two segments; the timer outdates what is left of it.
    [Fact]
    public void Take_OfALargeSend_LeavesTheRestUntilTheTimer()
    {
        SequenceNumber start = new(0xFFFF_FF00);
        var reasons = new RetransmissionReasons();
        reasons.Add(start, start + 3000, RetransmissionTrigger.Fast);
        Assert.Equal(RetransmissionTrigger.Fast, reasons.Take(start, start + 1000));
        Assert.Equal(RetransmissionTrigger.Unknown, reasons.Take(start, start + 1000));
        Assert.Equal(RetransmissionTrigger.Fast, reasons.Take(start + 1000, start + 2000));
        reasons.Add(start + 2500, start + 2501, RetransmissionTrigger.Rto);
        Assert.Equal(RetransmissionTrigger.Unknown, reasons.Take(start + 2000, start + 2500));
        Assert.Equal(RetransmissionTrigger.Rto, reasons.Take(start + 2500, start + 3000));
    }

    // A trace that begins 300 ms before the timer expires: the data it sends again was never captured before, and the silence was its own.
    [Theory]
    [InlineData(true, 1, 300_000_000)]
    [InlineData(false, 0, 0)]
    public void Data_NeverSeenBefore_IsResentWhereItsStackSaysSo(bool isNamed, int resent, long silence)
    {
        MemoryTrace trace = new MemoryTrace()
            .Event(20_500, StackEventKind.Connected, told => (told.Tcb, told.Local, told.Remote) = (1, Client, Server))
            .Packet(21_000, FromServer(1, 1));
        trace = isNamed ? Named(trace, StackEventKind.RetransmissionTimeout, (StackField.SndUna, 1)) : trace;
        trace = trace.Packet(321_000, FromClient(1, 1, 1000)).Packet(341_000, FromServer(1, 1001));
        ConnectionDirection up = trace.Analyze().Connections.Single(connection => connection.Client == Client).FromClient;
        Assert.Equal((resent, resent), (up.Retransmissions, up.Triggers?.Rto));
        Assert.Equal(silence + 20_000_000, up.ActiveTime);
    }

    static MemoryTrace Sent() => Opened()
        .Event(20_500, StackEventKind.Connected, told => (told.Tcb, told.Local, told.Remote) = (1, Client, Server))
        .Packet(21_000, FromClient(1, 1, 1000)).Packet(21_010, FromClient(1001, 1, 1000));

    static MemoryTrace Named(MemoryTrace trace, StackEventKind kind, params (StackField Field, int Value)[] fields) => trace.Event(22_900, kind, told =>
    {
        told.Tcb = 1;
        foreach ((StackField field, int value) in fields)
        {
            told.Set(field, field is StackField.EverRetransmitted ? value : Absolute(value));
        }
    });

    static MemoryTrace Resent(MemoryTrace trace) => trace.Packet(23_000, FromClient(1, 1, 1000)).Packet(45_000, FromServer(1, 2001));

    static long Absolute(int seq) => unchecked(ClientIsn + (uint)seq);

    static (TriggerCounts? By, long Named) Triggers(MemoryTrace trace)
    {
        ConnectionDirection up = trace.Analyze().Connections.Single(connection => connection.Client == Client).FromClient;
        return (up.Triggers, up.NamedTriggers);
    }
}
