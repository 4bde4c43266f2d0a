using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Loss;

public class ReorderingWindowTests
{
    const int RoundBytes = 10_000;

    public static TheoryData<uint> Starts => Bases.All;

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985 §3.3.2; section 14 vector 1
    public void AdaptedNanos_EachDsackRound_GrowsByAQuarterOfMinRttUpToSrtt(uint start)
    {
        ReorderingWindow window = default;
        SequenceNumber una = new(start);
        long[] expected = [10, 20, 30, 40, 48, 48];
        foreach (long ms in expected)
        {
            Assert.Equal(ms * Ms, ReorderingWindow.AdaptedNanos(window.ReoWndMult, minRttNanos: 40 * Ms, srttNanos: 48 * Ms));
            una = DsackRound(ref window, una);
        }
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // section 14 vector 1
    public void AdaptedNanos_MinRttOf400Microseconds_Is100() =>
        Assert.Equal(100 * Us, ReorderingWindow.AdaptedNanos(default(ReorderingWindow).ReoWndMult, minRttNanos: 400 * Us, srttNanos: 500 * Us));

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985 §6.2 step 4; section 14 vector 2
    public void OnAckReceived_TwoDsacksInOneFlight_GrowOnce(uint start)
    {
        ReorderingWindow window = default;
        SequenceNumber una = new(start);
        window.OnAckReceived(una, una + RoundBytes, hasDsack: true, exitsRecovery: false);
        window.OnAckReceived(una + (RoundBytes - 1), una + (2 * RoundBytes), hasDsack: true, exitsRecovery: false);
        Assert.Equal(2, window.ReoWndMult);

        window.OnAckReceived(una + RoundBytes, una + (2 * RoundBytes), hasDsack: true, exitsRecovery: false);
        Assert.Equal(3, window.ReoWndMult);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // section 14 vector 2
    public void OnAckReceived_DsackAfterFifteenRecoveries_StartsThePersistenceAnew()
    {
        ReorderingWindow window = default;
        SequenceNumber una = DsackRound(ref window, new SequenceNumber(1));
        Recoveries(ref window, ref una, 15);
        Assert.Equal((2, 1), (window.ReoWndMult, window.ReoWndPersist));

        DsackRound(ref window, una);
        Assert.Equal((3, 16), (window.ReoWndMult, window.ReoWndPersist));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // section 14 vector 2
    public void OnAckReceived_SixteenRecoveriesWithoutDsack_NarrowsToTheStart()
    {
        ReorderingWindow window = default;
        SequenceNumber una = DsackRound(ref window, new SequenceNumber(1));
        Recoveries(ref window, ref una, 16);
        Assert.Equal((1, 0), (window.ReoWndMult, window.ReoWndPersist));

        // Still narrow, and still able to grow.
        Recoveries(ref window, ref una, 3);
        DsackRound(ref window, una);
        Assert.Equal((2, 16), (window.ReoWndMult, window.ReoWndPersist));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985 §6.2 step 4: "else if" – the acknowledgment that opens a round ends no count
    public void OnAckReceived_DsackOnTheLastAckOfARecovery_CountsAsDsackOnly()
    {
        ReorderingWindow window = default;
        window.OnAckReceived(new(1), new(2), hasDsack: true, exitsRecovery: true);
        Assert.Equal((2, 16), (window.ReoWndMult, window.ReoWndPersist));
    }

    [Theory]
    [InlineData(false, false, 2, 10)] // no evidence of loss yet
    [InlineData(false, false, 3, 0)] // DupThresh
    [InlineData(false, true, 0, 0)] // in recovery
    [InlineData(true, false, 3, 10)] // reordering seen: DupThresh no longer counts
    [InlineData(true, true, 9, 10)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 8985 §6.2 step 4
    public void ReoWndNanos_LossEvidence_ClosesTheWindowUnlessReorderingWasSeen(bool reorderingSeen, bool inRecovery, int sackedSegments, long expectedMs) =>
        Assert.Equal(expectedMs * Ms, ReorderingWindow.ReoWndNanos(1, 40 * Ms, 48 * Ms, reorderingSeen, inRecovery, sackedSegments));

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void ReoWnd_AnyHistory_StaysBetweenZeroAndSrtt() =>
        Prop.ForAll<(bool Dsack, bool Exit, ushort Advance)[], long, long>((acks, minRtt, srtt) =>
        {
            ReorderingWindow window = default;
            SequenceNumber una = new(uint.MaxValue - 100);
            (long min, long smoothed) = (minRtt & long.MaxValue, srtt & long.MaxValue);
            foreach ((bool dsack, bool exit, ushort advance) in acks)
            {
                una += advance;
                window.OnAckReceived(una, una + RoundBytes, dsack, exit);
                long nanos = ReorderingWindow.AdaptedNanos(window.ReoWndMult, min, smoothed);
                if (nanos < 0 || nanos > smoothed || window.ReoWndPersist is < 0 or > 16)
                {
                    return false;
                }
            }

            return true;
        }).QuickCheckThrowOnFailure();

    // One round trip with a DSACK; returns SND.UNA at its end.
    static SequenceNumber DsackRound(ref ReorderingWindow window, SequenceNumber una)
    {
        window.OnAckReceived(una, una + RoundBytes, hasDsack: true, exitsRecovery: false);
        return una + RoundBytes;
    }

    static void Recoveries(ref ReorderingWindow window, ref SequenceNumber una, int count)
    {
        for (int i = 0; i < count; i++)
        {
            una += RoundBytes;
            window.OnAckReceived(una, una + RoundBytes, hasDsack: false, exitsRecovery: true);
        }
    }
}
