using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Tcp.Tests.Loss;

/// <summary>
/// Transitions and their tests: Open → Recovery: <see cref="OnDuplicateAck_Third_ResendsAfterLimitedTransmit"/>; Recovery → Recovery and → Open:
/// <see cref="OnNewAck_InRecovery_ResendsUntilEverythingIsCovered"/>; any → Open by timer: <see cref="OnTimeout_DuplicatesOfOldData_StartNoRecovery"/>.
/// </summary>
public class NewRenoTests
{
    public static TheoryData<uint> Starts => Bases.All;

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 5681 §3.2, RFC 3042 §2
    public void OnDuplicateAck_Third_ResendsAfterLimitedTransmit(uint start)
    {
        SequenceNumber una = new(start);
        NewReno loss = default;
        NewRenoAction[] actions = [Duplicate(ref loss, una), Duplicate(ref loss, una), Duplicate(ref loss, una), Duplicate(ref loss, una)];
        Assert.Equal([NewRenoAction.LimitedTransmit, NewRenoAction.LimitedTransmit, NewRenoAction.FastRetransmit, NewRenoAction.Inflate], actions);
        Assert.True(loss.InRecovery);
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6582 §3.2 step 3
    public void OnNewAck_InRecovery_ResendsUntilEverythingIsCovered(uint start)
    {
        SequenceNumber una = new(start);
        NewReno loss = InRecovery(una);
        Assert.Equal(NewRenoAction.RetransmitNext, loss.OnNewAck(una + 3_000));
        Assert.Equal(NewRenoAction.RetransmitNext, loss.OnNewAck(una + 9_999));
        Assert.Equal(NewRenoAction.Exit, loss.OnNewAck(una + 10_000));
        Assert.Equal(NewRenoAction.None, loss.OnNewAck(una + 11_000));
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6582 §3.2 steps 1 and 4
    public void OnTimeout_DuplicatesOfOldData_StartNoRecovery(uint start)
    {
        SequenceNumber una = new(start);
        NewReno loss = InRecovery(una);
        loss.OnTimeout(una + 10_000);
        Assert.False(loss.InRecovery);

        loss.OnNewAck(una + 2_000);
        Assert.Equal(NewRenoAction.LimitedTransmit, loss.OnDuplicateAck(una + 2_000, una + 10_000));
        Assert.Equal(NewRenoAction.LimitedTransmit, loss.OnDuplicateAck(una + 2_000, una + 10_000));
        Assert.Equal(NewRenoAction.None, loss.OnDuplicateAck(una + 2_000, una + 10_000));

        // Past "recover" duplicates count again.
        loss.OnNewAck(una + 12_000);
        for (int i = 0; i < 2; i++)
        {
            loss.OnDuplicateAck(una + 12_000, una + 20_000);
        }

        Assert.Equal(NewRenoAction.FastRetransmit, loss.OnDuplicateAck(una + 12_000, una + 20_000));
    }

    [Theory]
    [InlineData(2, 0, false)]
    [InlineData(3, 0, true)] // DupThresh discontiguous ranges
    [InlineData(1, 2_000, false)]
    [InlineData(1, 2_001, true)] // more than (3 − 1) · SMSS bytes
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6675 §4, IsLost
    public void IsLost_SackedAbove_CountsRangesOrBytes(int ranges, long bytes, bool expected) =>
        Assert.Equal(expected, SackLoss.IsLost(ranges, bytes, smss: 1_000));

    [Theory]
    [InlineData(false, false, 1)]
    [InlineData(true, false, 0)]
    [InlineData(true, true, 1)]
    [InlineData(false, true, 2)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 6675 §4, SetPipe
    public void PipePerOctet_LostAndRetransmitted_CountsWhatIsInTheNetwork(bool isLost, bool isRetransmitted, int expected) =>
        Assert.Equal(expected, SackLoss.PipePerOctet(isLost, isRetransmitted));

    static NewReno InRecovery(SequenceNumber una)
    {
        NewReno loss = default;
        for (int i = 0; i < ReorderingWindow.DupThresh; i++)
        {
            Duplicate(ref loss, una);
        }

        return loss;
    }

    static NewRenoAction Duplicate(ref NewReno loss, SequenceNumber una) => loss.OnDuplicateAck(una, una + 10_000);
}
