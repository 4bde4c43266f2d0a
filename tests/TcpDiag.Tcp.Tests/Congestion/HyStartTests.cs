using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Congestion;

/// <summary>
/// Transitions (RFC 9406 §4.2) and their tests: SlowStart → ConservativeSlowStart: <see cref="DelayGrows_AtTheThreshold_EntersCss"/>;
/// ConservativeSlowStart → SlowStart: <see cref="Css_RttFallsBelowTheBaseline_Resumes"/>; → Done: <see cref="Css_FiveRounds_EndSlowStart"/>,
/// <see cref="OnCongestion_AnyPhase_EndsSlowStart"/>.
/// </summary>
public class HyStartTests
{
    const int Smss = 1_000;

    public static TheoryData<uint> Starts => Bases.All;

    [Theory]
    [InlineData(40, 5)]
    [InlineData(20, 4)] // floor
    [InlineData(200, 16)] // cap
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2, §4.3; section 14 vector 12
    public void RttThresh_LastRound_IsAnEighthBetweenFourAndSixteen(long lastMs, long expectedMs) =>
        Assert.Equal(expectedMs * Ms, DelayIncrease.RttThreshNanos(lastMs * Ms));

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2, HS-2
    public void DelayGrows_AtTheThreshold_EntersCss(uint start)
    {
        Rounds just = new(start);
        just.Run(40 * Ms);
        just.Run((45 * Ms) - 1);
        Assert.Equal(HyStartPhase.SlowStart, just.HyStart.Phase);

        Rounds reached = new(start);
        reached.Run(40 * Ms);
        reached.Run(45 * Ms);
        Assert.Equal(HyStartPhase.ConservativeSlowStart, reached.HyStart.Phase);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2: N_RTT_SAMPLE = 8
    public void DelayGrows_SevenSamples_AreNotJudged()
    {
        Rounds rounds = new(1);
        rounds.Run(40 * Ms);
        rounds.Run(90 * Ms, samples: 7);
        Assert.Equal(HyStartPhase.SlowStart, rounds.HyStart.Phase);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2: the minimum of the round counts, not its last sample
    public void DelayGrows_OneSampleDoesNot_StaysInSlowStart()
    {
        Rounds rounds = new(1);
        rounds.Run(40 * Ms);
        rounds.Run(41 * Ms, samples: 1);
        rounds.Continue(90 * Ms, samples: 12);
        Assert.Equal(HyStartPhase.SlowStart, rounds.HyStart.Phase);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2, HS-4
    public void Css_RttFallsBelowTheBaseline_Resumes()
    {
        Rounds rounds = new(1);
        rounds.Run(40 * Ms);
        rounds.Run(50 * Ms);
        rounds.Run(50 * Ms);
        Assert.Equal(HyStartPhase.ConservativeSlowStart, rounds.HyStart.Phase);

        rounds.Run((50 * Ms) - 1);
        Assert.Equal(HyStartPhase.SlowStart, rounds.HyStart.Phase);
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2: five rounds, the one it began in included
    public void Css_FiveRounds_EndSlowStart(uint start)
    {
        Rounds rounds = new(start);
        rounds.Run(40 * Ms);
        rounds.Run(50 * Ms);
        for (int round = 0; round < 4; round++)
        {
            rounds.Run(50 * Ms);
            Assert.Equal(HyStartPhase.ConservativeSlowStart, rounds.HyStart.Phase);
        }

        rounds.Run(50 * Ms);
        Assert.Equal(HyStartPhase.Done, rounds.HyStart.Phase);
        Assert.Equal(0, rounds.HyStart.Growth(10_000, Smss));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2
    public void OnCongestion_AnyPhase_EndsSlowStart()
    {
        Rounds rounds = new(1);
        rounds.Run(40 * Ms);
        rounds.HyStart.OnCongestion();
        rounds.Run(90 * Ms);
        Assert.Equal(HyStartPhase.Done, rounds.HyStart.Phase);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 9406 §4.2, HS-3: L = 8 without pacing, a quarter in CSS
    public void Growth_ByPhase_IsBoundedAndDivided()
    {
        Rounds rounds = new(1);
        Assert.Equal(2_000, rounds.HyStart.Growth(2_000, Smss));
        Assert.Equal(8_000, rounds.HyStart.Growth(20_000, Smss));
        Assert.Equal(20_000, rounds.HyStart.Growth(20_000, Smss, l: int.MaxValue));

        rounds.Run(40 * Ms);
        rounds.Run(50 * Ms);
        Assert.Equal(500, rounds.HyStart.Growth(2_000, Smss));
        Assert.Equal(2_000, rounds.HyStart.Growth(20_000, Smss));
    }

    [Theory]
    [InlineData(15_999, false)]
    [InlineData(16_000, true)]
    [Trait(Tier.Name, Tier.Conformance)] // draft-balasubramanian-tcpm-hystartplusplus-00: LOW_CWND = 16
    public void LimitedSlowStart_DelayGrows_OnlyFromSixteenSegmentsOn(long cwnd, bool expected)
    {
        LimitedSlowStart slowStart = default;
        SequenceNumber una = new(1);
        foreach (long rtt in (long[])[40 * Ms, 50 * Ms])
        {
            for (int sample = 0; sample < 9; sample++)
            {
                una += Smss;
                slowStart.OnAckReceived(una, una + (9 * Smss), rtt, cwnd, Smss);
            }
        }

        Assert.Equal(expected, slowStart.IsLimited);
        Assert.Equal(expected ? cwnd : 0, slowStart.Ssthresh);

        // K = cwnd / (0.25 · ssthresh): 4 at the start, 8 once the window has doubled.
        Assert.Equal(expected ? 500 : 2_000, slowStart.Growth(2_000, cwnd, Smss));
        Assert.Equal(expected ? 250 : 2_000, slowStart.Growth(2_000, 2 * cwnd, Smss));
    }

    /// <summary>Round trips of one segment per acknowledgment.</summary>
    sealed class Rounds(uint start)
    {
        public HyStart HyStart;

        SequenceNumber _una = new(start);

        /// <summary>One round trip: its first acknowledgment covers what was SND.NXT before, so a new round begins with it.</summary>
        public void Run(long rttNanos, int samples = 9)
        {
            _una += 100 * Smss;
            Continue(rttNanos, samples);
        }

        public void Continue(long rttNanos, int samples)
        {
            for (int i = 0; i < samples; i++)
            {
                HyStart.OnAckReceived(_una + (i * Smss), _una + (100 * Smss), rttNanos);
            }
        }
    }
}
