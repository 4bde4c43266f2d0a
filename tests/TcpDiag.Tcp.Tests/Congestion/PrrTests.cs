using System;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Tcp.Congestion;
using Xunit;

namespace TcpDiag.Tcp.Tests.Congestion;

public class PrrTests
{
    const int Smss = 1_000;

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9937 §6.2; section 14 vector 10
    public void OnAckReceived_AboveSsthresh_SendsInProportion()
    {
        Prr prr = new(ssthresh: 70_000, recoverFs: 100_000);
        long sent = 0;
        for (int delivered = 1_000; delivered <= 10_000; delivered += 1_000)
        {
            sent += Send(ref prr, prr.OnAckReceived(1_000, 100_000 - delivered, isSafeAck: false, Smss));
        }

        Assert.Equal(7_000, sent); // 10,000 · 70/100
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9937 §6.2: integer division, rounding up
    public void OnAckReceived_Fraction_RoundsUp() =>
        Assert.Equal(701, new Prr(70_000, 100_000).OnAckReceived(1_001, 99_000, isSafeAck: false, Smss)); // 700.7

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9937 §6.2, PR-4
    public void OnAckReceived_NothingSentAndNothingDue_LetsTheFastRetransmitOut()
    {
        Prr prr = new(ssthresh: 10_000, recoverFs: 20_000);

        // 10,000 in flight are the target already: min(10,000 − 10,000, 1,000) = 0, but the first segment goes out.
        Assert.Equal(Smss, prr.OnAckReceived(1_000, 10_000, isSafeAck: false, Smss));
        prr.OnSegmentSent(Smss);
        Assert.Equal(0, prr.OnAckReceived(1_000, 10_000, isSafeAck: false, Smss));
    }

    [Theory]
    [InlineData(false, 2_000)] // max(prr_delivered − prr_out, DeliveredData) = max(1,000 + 2,000 − 1,000, 2,000)
    [InlineData(true, 3_000)] // + SMSS
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9937 §6.2, PR-2, PR-3
    public void OnAckReceived_BelowSsthresh_CatchesUpBySafeAcksOnly(bool isSafeAck, long expected)
    {
        Prr prr = new(ssthresh: 70_000, recoverFs: 100_000);
        prr.OnAckReceived(1_000, 60_000, isSafeAck: false, Smss);
        prr.OnSegmentSent(1_000);
        Assert.Equal(expected, prr.OnAckReceived(2_000, 60_000, isSafeAck, Smss));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9937 §6.2, PR-5
    public void OnAckReceived_JustBelowSsthresh_StopsAtIt()
    {
        Prr prr = new(ssthresh: 70_000, recoverFs: 100_000);
        Assert.Equal(500, prr.OnAckReceived(5_000, 69_500, isSafeAck: true, Smss));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9937 §6.2, PR-6
    public void OnAckReceived_NothingDelivered_ReleasesNothing() =>
        Assert.Equal(0, new Prr(70_000, 100_000).OnAckReceived(0, 50_000, isSafeAck: true, Smss));

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9937 §6.1
    public void ComputeRecoverFs_SackedBefore_IsNotCounted()
    {
        // 20 segments out, 3 SACKed, one of them by the acknowledgment that starts recovery: 20 − 3 + 1.
        Assert.Equal(18_000, Prr.ComputeRecoverFs(20_000, sackedBytes: 3_000, newlyDeliveredBytes: 1_000));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)] // PR-5: with enough to send, recovery ends with ssthresh in flight
    public void Recovery_OneLossInTwenty_EndsAtSsthresh()
    {
        Prr prr = new(ssthresh: 14_000, recoverFs: 20_000);
        long inFlight = 20_000 - 1_000; // the lost segment is no longer in the network
        for (int i = 0; i < 19; i++)
        {
            inFlight -= 1_000;
            inFlight += Send(ref prr, prr.OnAckReceived(1_000, inFlight, isSafeAck: false, Smss));
        }

        Assert.InRange(inFlight, 13_000, 14_000);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)] // PR-2
    public void SndCnt_AnyAcks_NeverBurstsBelowSsthresh() =>
        Prop.ForAll<(ushort Delivered, ushort InFlight, bool Safe, byte Share)[]>(acks =>
        {
            Prr prr = new(30_000, 60_000);
            foreach ((ushort delivered, ushort inFlight, bool safe, byte share) in acks)
            {
                long bound = Math.Max(prr.PrrDelivered + delivered - prr.PrrOut, delivered) + Smss;
                long sndCnt = prr.OnAckReceived(delivered, inFlight, safe, Smss);
                if (sndCnt < 0 || (inFlight <= prr.Ssthresh && sndCnt > bound))
                {
                    return false;
                }

                prr.OnSegmentSent(sndCnt * share / byte.MaxValue);
            }

            return true;
        }).QuickCheckThrowOnFailure();

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void OnAckReceived_HugeWindows_DoNotOverflow()
    {
        Prr prr = new(long.MaxValue / 4, long.MaxValue / 2);
        long sndCnt = prr.OnAckReceived(long.MaxValue / 4, long.MaxValue / 2, isSafeAck: false, Smss);
        Assert.InRange(sndCnt, (long.MaxValue / 8) - 1, (long.MaxValue / 8) + 2); // half of what was delivered
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void Constructor_NothingInFlight_IsRefused() => Assert.Throws<ArgumentOutOfRangeException>(() => new Prr(1_000, 0));

    static long Send(ref Prr prr, long bytes)
    {
        prr.OnSegmentSent(bytes);
        return bytes;
    }
}
