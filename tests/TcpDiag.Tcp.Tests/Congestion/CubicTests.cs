using System;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Congestion;

public class CubicTests
{
    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.2, §4.6; section 14 vector 11
    public void OnLoss_CwndHundred_LeavesSeventyAndTheCurveReturnsAtK()
    {
        Cubic cubic = AfterLossAt(100);
        Assert.Equal((70.0, 70.0, 100.0), (cubic.CwndSegments, cubic.SsthreshSegments, cubic.WMaxSegments));

        cubic.OnAvoidanceAck(At(0), 1, 50 * Ms, isCwndLimited: true);
        Assert.Equal(4.217, cubic.KSeconds, tolerance: 0.001); // cbrt(30 / 0.4)
        Assert.Equal(100, cubic.WCubic(cubic.KSeconds), tolerance: 1e-9);
        Assert.Equal(70, cubic.WCubic(0), tolerance: 1e-9);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.7; section 14 vector 11
    public void OnLoss_BelowTheLastMaximum_ConvergesFast()
    {
        Cubic cubic = AfterLossAt(100);
        GrowTo(ref cubic, 90);
        double before = cubic.CwndSegments;
        cubic.OnLoss(before);
        Assert.InRange(before, 90, 90.1);
        Assert.Equal(before * 0.85, cubic.WMaxSegments, tolerance: 1e-9); // 76.5 at exactly 90
    }

    [Theory]
    [InlineData(2.5, 2, 2, 2)] // loss: at least two segments; β · 2.5 = 1.75
    [InlineData(10, 7, 7, 7)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.6
    public void OnEcnEcho_SmallFlight_MayLeaveLessThanLoss(double flight, double afterLoss, double ssthresh, double ssthreshOfEcn)
    {
        Cubic lost = new(flight);
        lost.OnLoss(flight);
        Assert.Equal((afterLoss, ssthresh), (lost.CwndSegments, lost.SsthreshSegments));

        Cubic marked = new(flight);
        marked.OnEcnEcho(flight);
        Assert.Equal((Math.Max(0.7 * flight, 1), ssthreshOfEcn), (marked.CwndSegments, marked.SsthreshSegments));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.8
    public void OnTimeout_FirstStageAfterwards_IsFlatAtItsStart()
    {
        Cubic cubic = new(100);
        cubic.OnTimeout(100, isRepeated: false);
        Assert.Equal((1.0, 70.0), (cubic.CwndSegments, cubic.SsthreshSegments));

        cubic.OnTimeout(1, isRepeated: true);
        Assert.Equal((1.0, 70.0), (cubic.CwndSegments, cubic.SsthreshSegments));

        cubic.OnSlowStartAck(200, isCwndLimited: true);
        cubic.OnAvoidanceAck(At(0), 1, 0, isCwndLimited: true);
        Assert.Equal((0.0, 70.0), (cubic.KSeconds, cubic.WMaxSegments));
        Assert.InRange(cubic.WEstSegments, 70, 71);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.10, HS-5
    public void OnSlowStartExit_WithoutLoss_StartsConvexFromHere()
    {
        Cubic cubic = new(40);
        cubic.OnSlowStartExit();
        Assert.Equal(40, cubic.SsthreshSegments);

        cubic.OnAvoidanceAck(At(0), 1, 50 * Ms, isCwndLimited: true);
        Assert.Equal((0.0, 40.0), (cubic.KSeconds, cubic.WMaxSegments));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.4
    public void OnAvoidanceAck_ConcaveRegion_AddsTheShareOfTheDistance()
    {
        // W_max 1,000, K = cbrt(300 / 0.4) = 9.086 s; long round trips, so that Reno is slower.
        Cubic cubic = AfterLossAt(1_000);
        cubic.OnAvoidanceAck(At(0), 1, 100 * Ms, isCwndLimited: true);
        double cwnd = cubic.CwndSegments;
        double target = cubic.WCubic(1.1);
        cubic.OnAvoidanceAck(At(1 * Second), 1, 100 * Ms, isCwndLimited: true);
        Assert.Equal(cwnd + ((target - cwnd) / cwnd), cubic.CwndSegments, tolerance: 1e-9);
    }

    [Theory]
    [InlineData(CubicIncrement.PerAck, 1)]
    [InlineData(CubicIncrement.PerSegment, 2)]
    [Trait(Tier.Name, Tier.Behaviour)] // section 8: both are honest
    public void OnAvoidanceAck_OfTwoSegments_CountsByTheRuleChosen(CubicIncrement increment, int times)
    {
        Cubic cubic = new(1_000, increment);
        cubic.OnLoss(1_000);
        cubic.OnAvoidanceAck(At(0), 2, 0, isCwndLimited: true); // target = W_cubic(0) = cwnd: nothing
        double cwnd = cubic.CwndSegments;
        double target = cubic.WCubic(1.1);
        cubic.OnAvoidanceAck(At(1 * Second), 2, 100 * Ms, isCwndLimited: true);
        Assert.Equal(cwnd + (times * (target - cwnd) / cwnd), cubic.CwndSegments, tolerance: 1e-9);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.2: at most 1.5 · cwnd
    public void OnAvoidanceAck_FarBehindTheCurve_IsHeldAtHalfAWindowPerRoundTrip()
    {
        Cubic cubic = AfterLossAt(100);
        cubic.OnAvoidanceAck(At(0), 1, 0, isCwndLimited: true);
        double cwnd = cubic.CwndSegments;
        cubic.OnAvoidanceAck(At(60 * Second), 1, 0, isCwndLimited: true);
        Assert.Equal(cwnd + 0.5, cubic.CwndSegments, tolerance: 1e-9); // (1.5 · cwnd − cwnd) / cwnd
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.3: short round trips, where Reno is faster
    public void OnAvoidanceAck_ShortRoundTrip_FollowsReno()
    {
        Cubic cubic = AfterLossAt(10);
        TraceTime now = At(0);
        for (int round = 0; round < 5; round++)
        {
            for (int ack = (int)cubic.CwndSegments; ack > 0; ack--)
            {
                cubic.OnAvoidanceAck(now, 1, 1 * Ms, isCwndLimited: true);
            }

            now += 1 * Ms;
        }

        // α = 9/17 per round trip from 7, until 10 is reached again.
        Assert.Equal(cubic.WEstSegments, cubic.CwndSegments);
        Assert.InRange(cubic.CwndSegments, 7 + (5 * 0.45), 7 + (5 * 0.53));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.3: α becomes 1 past cwnd_prior
    public void OnAvoidanceAck_PastTheFormerWindow_GrowsLikeRenoByOne()
    {
        Cubic cubic = AfterLossAt(10);
        TraceTime now = At(0);
        while (cubic.WEstSegments < 10)
        {
            cubic.OnAvoidanceAck(now, 1, 0, isCwndLimited: true);
        }

        (double before, double cwnd) = (cubic.WEstSegments, cubic.CwndSegments);
        cubic.OnAvoidanceAck(now, 1, 0, isCwndLimited: true);
        Assert.Equal(before + (1 / cwnd), cubic.WEstSegments, tolerance: 1e-12);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.2, §5.8, CU-2
    public void OnAvoidanceAck_ApplicationLimitedTime_DoesNotCount()
    {
        Cubic cubic = AfterLossAt(1_000);
        cubic.OnAvoidanceAck(At(0), 1, 0, isCwndLimited: true);
        Cubic other = cubic;

        // One flow pauses for 10 s; both then see the same 2 s.
        cubic.OnAvoidanceAck(At(10 * Second), 1, 0, isCwndLimited: false);
        cubic.OnAvoidanceAck(At(12 * Second), 1, 0, isCwndLimited: true);
        other.OnAvoidanceAck(At(2 * Second), 1, 0, isCwndLimited: true);
        Assert.Equal(other.CwndSegments, cubic.CwndSegments, tolerance: 1e-9);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9438 §4.9
    public void Undo_SpuriousReduction_RestoresEverythingUnlessCwndGrewPast()
    {
        Cubic cubic = AfterLossAt(100);
        GrowTo(ref cubic, 80);
        Cubic saved = cubic;
        cubic.OnLoss(cubic.CwndSegments);
        Assert.True(cubic.Undo(saved));
        Assert.Equal(saved, cubic);

        cubic.OnLoss(cubic.CwndSegments);
        GrowTo(ref cubic, 85);
        Assert.False(cubic.Undo(saved));
        Assert.InRange(cubic.CwndSegments, 85, 86);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.1
    public void OnSlowStartAck_AtSsthresh_Stops()
    {
        Cubic cubic = new(10);
        cubic.OnTimeout(20, isRepeated: false); // ssthresh 14
        cubic.OnSlowStartAck(12, isCwndLimited: true);
        Assert.True(cubic.InSlowStart);
        cubic.OnSlowStartAck(12, isCwndLimited: true);
        Assert.Equal((14.0, false), (cubic.CwndSegments, cubic.InSlowStart));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)] // CC-4, CU-10
    public void Cwnd_ApplicationLimited_NeverGrows() =>
        Prop.ForAll<(byte Kind, ushort GapMs, byte Acked)[]>(events =>
        {
            Cubic cubic = new(10);
            TraceTime now = At(0);
            foreach ((byte kind, ushort gap, byte acked) in events)
            {
                now += gap * Ms;
                double before = cubic.CwndSegments;
                Step(ref cubic, kind, now, acked);
                if (!(cubic.CwndSegments >= 1) || (kind % 8 >= 6 && cubic.CwndSegments != before))
                {
                    return false;
                }
            }

            return true;
        }).QuickCheckThrowOnFailure();

    // Kinds 6 and 7 are acknowledgments while the application limits.
    static void Step(ref Cubic cubic, byte kind, TraceTime now, byte acked)
    {
        switch (kind % 8)
        {
            case 0: cubic.OnLoss(cubic.CwndSegments); break;
            case 1: cubic.OnTimeout(cubic.CwndSegments, isRepeated: acked > 128); break;
            case 2: cubic.OnEcnEcho(cubic.CwndSegments); break;
            case 3: cubic.OnSlowStartExit(); break;
            case 4: cubic.OnSlowStartAck(acked, isCwndLimited: true); break;
            case 5: cubic.OnAvoidanceAck(now, acked, 30 * Ms, isCwndLimited: true); break;
            case 6: cubic.OnSlowStartAck(acked, isCwndLimited: false); break;
            default: cubic.OnAvoidanceAck(now, acked, 30 * Ms, isCwndLimited: false); break;
        }
    }

    static Cubic AfterLossAt(double cwnd)
    {
        Cubic cubic = new(cwnd);
        cubic.OnLoss(cwnd);
        return cubic;
    }

    // Acknowledgments every 10 ms until the window is reached.
    static void GrowTo(ref Cubic cubic, double cwnd)
    {
        for (long ms = 0; cubic.CwndSegments < cwnd; ms += 10)
        {
            cubic.OnAvoidanceAck(At(ms * Ms), 1, 50 * Ms, isCwndLimited: true);
        }
    }

    static TraceTime At(long ns) => new(1_700_000_000 * Second + ns);
}
