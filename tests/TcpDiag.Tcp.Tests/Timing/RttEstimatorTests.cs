using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Tcp.Timing;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Timing;

public class RttEstimatorTests
{
    static readonly RtoLimits NoFloor = new(0, 60 * Second, 1 * Ms);

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6298 (2.1)
    public void Rto_NoSample_IsOneSecond() => Assert.Equal(1 * Second, default(RttEstimator).RtoNanos(RtoLimits.Rfc6298));

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6298 (2.2), (2.3); section 14 vector 9
    public void OnSample_HundredHundredThreeHundred_FollowsTheWorkedExample()
    {
        RttEstimator rtt = default;
        rtt.OnSample(100 * Ms);
        Assert.Equal((100 * Ms, 50 * Ms), (rtt.SrttNanos, rtt.RttVarNanos));

        // RTTVAR = 3/4 · 50 + 1/4 · 0
        rtt.OnSample(100 * Ms);
        Assert.Equal((100 * Ms, 37_500 * Us), (rtt.SrttNanos, rtt.RttVarNanos));

        // RTTVAR = 3/4 · 37.5 + 1/4 · |100 − 300| = 78.125; SRTT = 7/8 · 100 + 1/8 · 300 = 125; RTO = 125 + 4 · 78.125
        rtt.OnSample(300 * Ms);
        Assert.Equal((125 * Ms, 78_125 * Us), (rtt.SrttNanos, rtt.RttVarNanos));
        Assert.Equal(437_500 * Us, rtt.RtoNanos(NoFloor));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6298 (2.3): G counts once the variance has gone
    public void Rto_SteadyRtt_IsAboveSrttByTheGranularity()
    {
        RttEstimator rtt = default;
        for (int i = 0; i < 200; i++)
        {
            rtt.OnSample(100 * Ms);
        }

        Assert.Equal(101 * Ms, rtt.RtoNanos(NoFloor));
    }

    [Theory]
    [InlineData(1_000, 1_000)] // RFC 6298 (2.4)
    [InlineData(200, 200)]
    [InlineData(20, 60)] // 20 + 4 · 10, above this floor
    [Trait(Tier.Name, Tier.Conformance)]
    public void Rto_SmallRtt_IsHeldAtTheFloor(long floorMs, long expectedMs)
    {
        RttEstimator rtt = default;
        rtt.OnSample(20 * Ms);
        Assert.Equal(expectedMs * Ms, rtt.RtoNanos(new RtoLimits(floorMs * Ms, 60 * Second, 1 * Ms)));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6298 (5.5), (2.5), and the end of §5: a new sample ends the backoff
    public void OnTimeout_Repeated_DoublesUpToTheCapUntilTheNextSample()
    {
        RttEstimator rtt = default;
        rtt.OnSample(1 * Second); // RTO = 1 + 4 · 0.5 = 3 s
        long[] expected = [3, 6, 12, 24, 48, 60, 60];
        foreach (long seconds in expected)
        {
            Assert.Equal(seconds * Second, rtt.RtoNanos(RtoLimits.Rfc6298));
            rtt.OnTimeout();
        }

        // RTTVAR = 3/4 · 0.5 s; RTO = 1 + 4 · 0.375
        rtt.OnSample(1 * Second);
        Assert.Equal(2_500 * Ms, rtt.RtoNanos(RtoLimits.Rfc6298));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6298 (5.7)
    public void OnHandshakeDone_SynTimedOut_StartsDataWithThreeSeconds()
    {
        RttEstimator rtt = default;
        rtt.OnTimeout();
        Assert.Equal(2 * Second, rtt.RtoNanos(RtoLimits.Rfc6298));

        rtt.OnHandshakeDone(synTimedOut: true);
        Assert.Equal(3 * Second, rtt.RtoNanos(RtoLimits.Rfc6298));

        rtt.OnSample(400 * Ms); // 400 + 4 · 200
        Assert.Equal(1_200 * Ms, rtt.RtoNanos(RtoLimits.Rfc6298));
    }

    [Theory]
    [InlineData(false, false, true)]
    [InlineData(false, true, true)]
    [InlineData(true, false, false)]
    [InlineData(true, true, true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6298 §3
    public void MaySample_RetransmittedData_OnlyWithTimestamps(bool wasRetransmitted, bool hasTimestamp, bool expected) =>
        Assert.Equal(expected, RttEstimator.MaySample(wasRetransmitted, hasTimestamp));

    [Theory]
    [InlineData(0, 1)]
    [InlineData(1_460, 1)]
    [InlineData(2_920, 1)]
    [InlineData(2_921, 2)]
    [InlineData(29_200, 10)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 7323 appendix G: ceil(FlightSize / (2 · 1460))
    public void ExpectedSamples_Flight_IsHalfItsSegmentsRoundedUp(long flightBytes, int expected) =>
        Assert.Equal(expected, RttEstimator.ExpectedSamples(flightBytes, 1_460));

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 7323 appendix G
    public void OnSample_TenSamplesPerRound_MovesATenthAsFar()
    {
        RttEstimator rtt = default;
        rtt.OnSample(100 * Ms);
        rtt.OnSample(180 * Ms, samplesPerRound: 10);

        // RTTVAR = 50 + (80 − 50)/40 = 50.75; SRTT = 100 + 80/80 = 101
        Assert.Equal((101 * Ms, 50_750 * Us), (rtt.SrttNanos, rtt.RttVarNanos));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void Estimator_AnySamples_StaysBetweenThem() =>
        Prop.ForAll<long[]>(samples =>
        {
            RttEstimator rtt = default;
            long min = long.MaxValue, max = 0;
            foreach (long sample in samples)
            {
                rtt.OnSample(sample);
                long taken = long.Clamp(sample, 1, (1L << 60) - 1);
                (min, max) = (long.Min(min, taken), long.Max(max, taken));
                if (rtt.SrttNanos < min || rtt.SrttNanos > max || rtt.RttVarNanos < 0 || rtt.RtoNanos(RtoLimits.Linux) is < 200 * Ms or > 120 * Second)
                {
                    return false;
                }
            }

            return true;
        }).QuickCheckThrowOnFailure();

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void Rto_ManyTimeoutsAndHugeSamples_NeverOverflows()
    {
        RttEstimator rtt = default;
        rtt.OnSample(long.MaxValue);
        rtt.OnSample(long.MinValue);
        for (int i = 0; i < 200; i++)
        {
            rtt.OnTimeout();
            Assert.Equal(60 * Second, rtt.RtoNanos(RtoLimits.Rfc6298));
        }
    }
}
