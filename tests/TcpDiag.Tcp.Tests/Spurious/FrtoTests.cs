using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Tcp.Tests.Spurious;

/// <summary>
/// Ten segments of 1,000 bytes are out when the timer fires; the first is resent. Transitions and their tests: first acknowledgment → second:
/// <see cref="Basic_TwoAdvances_AreSpurious"/>; first → Genuine: <see cref="Basic_FirstAckTellsNothing_IsGenuine"/>; second → Genuine:
/// <see cref="Basic_DuplicateAfterAdvance_IsGenuine"/>; with SACK: the tests named so.
/// </summary>
public class FrtoTests
{
    public static TheoryData<uint> Starts => Bases.All;

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5682 §2.1
    public void Basic_TwoAdvances_AreSpurious(uint start)
    {
        Frto frto = AfterTimeout(start, out SequenceNumber una);
        Assert.Equal(FrtoVerdict.SendNewData, frto.OnAckReceived(una + 1_000, isDuplicate: false));
        Assert.Equal(FrtoVerdict.Spurious, frto.OnAckReceived(una + 2_000, isDuplicate: false));
        Assert.False(frto.IsTesting);
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5682 §2.1 step 3a
    public void Basic_DuplicateAfterAdvance_IsGenuine(uint start)
    {
        Frto frto = AfterTimeout(start, out SequenceNumber una);
        frto.OnAckReceived(una + 1_000, isDuplicate: false);
        Assert.Equal(FrtoVerdict.Genuine, frto.OnAckReceived(una + 1_000, isDuplicate: true));
    }

    [Theory]
    [InlineData(0, true)] // duplicate
    [InlineData(500, false)] // covers only a part of what was resent
    [InlineData(10_000, false)] // covers everything sent before: nothing is left to judge by
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5682 §2.1 step 2a
    public void Basic_FirstAckTellsNothing_IsGenuine(int advance, bool isDuplicate)
    {
        Frto frto = AfterTimeout(1_000, out SequenceNumber una);
        Assert.Equal(FrtoVerdict.Genuine, frto.OnAckReceived(una + advance, isDuplicate));
        Assert.Equal(FrtoVerdict.Undecided, frto.OnAckReceived(una + 2_000, isDuplicate: false));
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5682 §2.1 step 1, SP-3
    public void OnTimeout_EarlierRecoveryNotPassed_StartsNoTest(uint start)
    {
        Frto frto = AfterTimeout(start, out SequenceNumber una);
        frto.OnAckReceived(una + 1_000, isDuplicate: true);
        Assert.False(frto.OnTimeout(una + 9_999, una + 20_000, una + 11_000));
        Assert.True(frto.OnTimeout(una + 20_000, una + 30_000, una + 21_000));
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5682 §3.1
    public void Sack_OriginalDelivered_IsSpurious(uint start)
    {
        Frto frto = AfterTimeout(start, out SequenceNumber una);
        Assert.Equal(FrtoVerdict.Undecided, frto.OnSackReceived(una, isDuplicate: true, una + 5_000, deliversOriginal: true));
        Assert.Equal(FrtoVerdict.SendNewData, frto.OnSackReceived(una + 1_000, isDuplicate: false, una + 5_000, deliversOriginal: false));
        Assert.Equal(FrtoVerdict.Undecided, frto.OnSackReceived(una + 1_000, isDuplicate: true, una + 5_000, deliversOriginal: false));
        Assert.Equal(FrtoVerdict.Spurious, frto.OnSackReceived(una + 1_000, isDuplicate: true, una + 6_000, deliversOriginal: true));
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5682 §3.1 step 3: new data arrives, the old does not
    public void Sack_NewDataDelivered_IsGenuine(uint start)
    {
        Frto frto = AfterTimeout(start, out SequenceNumber una);
        frto.OnSackReceived(una + 1_000, isDuplicate: false, una + 1_000, deliversOriginal: false);
        Assert.Equal(FrtoVerdict.Genuine, frto.OnSackReceived(una + 1_000, isDuplicate: true, una + 11_000, deliversOriginal: true));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5682 §3.1 step 2
    public void Sack_FirstAdvanceCoversEverything_IsGenuine()
    {
        Frto frto = AfterTimeout(1_000, out SequenceNumber una);
        Assert.Equal(FrtoVerdict.Genuine, frto.OnSackReceived(una + 10_000, isDuplicate: false, una + 10_000, deliversOriginal: true));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void NoTimeout_AnyAck_IsUndecided()
    {
        Frto frto = default;
        Assert.Equal(FrtoVerdict.Undecided, frto.OnAckReceived(new SequenceNumber(1), isDuplicate: false));
        Assert.Equal(FrtoVerdict.Undecided, frto.OnSackReceived(new SequenceNumber(1), isDuplicate: false, new SequenceNumber(1), deliversOriginal: true));
    }

    static Frto AfterTimeout(uint start, out SequenceNumber una)
    {
        Frto frto = default;
        una = new SequenceNumber(start);
        Assert.True(frto.OnTimeout(una, una + 10_000, una + 1_000));
        return frto;
    }
}
