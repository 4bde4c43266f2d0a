using TcpDiag.Tcp.Spurious;
using Xunit;

namespace TcpDiag.Tcp.Tests.Spurious;

public class SpuriousProofTests
{
    [Theory]
    [InlineData(99, 100, true)]
    [InlineData(100, 100, false)] // the clock may not have ticked between the two sendings
    [InlineData(101, 100, false)]
    [InlineData(0xFFFF_FFF0, 5, true)] // across the wrap
    [InlineData(5, 0xFFFF_FFF0, false)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 3522 §3.2
    public void Eifel_EchoOlderThanTheRetransmission_IsSpurious(uint echoed, uint retransmit, bool expected) =>
        Assert.Equal(expected, Eifel.IsSpurious(echoed, retransmit));

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 3708 §3
    public void DsackUndo_EverySegmentReported_IsSpurious()
    {
        DsackUndo undo = default;
        undo.OnSegmentRetransmitted();
        undo.OnSegmentRetransmitted();
        undo.OnSegmentRetransmitted();
        undo.OnDsack(1);
        Assert.False(undo.IsSpurious);

        undo.OnDsack(2); // one block may cover several
        Assert.True(undo.IsSpurious);
    }

    [Fact]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 3708 §3: replication in the network
    public void DsackUndo_DuplicateNobodyRetransmitted_ProvesNothing()
    {
        DsackUndo undo = default;
        undo.OnSegmentRetransmitted();
        undo.OnDsack(1);
        Assert.True(undo.IsSpurious);

        undo.OnDsack(0);
        Assert.Equal((true, false), (undo.HasUnexplainedDuplicate, undo.IsSpurious));
    }

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void DsackUndo_NothingRetransmitted_ProvesNothing() => Assert.False(default(DsackUndo).IsSpurious);
}
