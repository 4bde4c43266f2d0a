using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Tcp.Tests.Spurious;

public class DsackDetectorTests
{
    public static TheoryData<uint> Starts => Bases.All;

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 2883 §4.1
    public void Classify_BlockBelowTheAck_IsDsack(uint start) =>
        Assert.Equal(DsackForm.BelowAck, DsackDetector.Classify(At(start, 4_000), Block(start, 3_000, 3_500)));

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 2883 §4.1, example 1: the duplicate ends where the acknowledgment stands
    public void Classify_RightEdgeEqualToTheAck_IsDsack(uint start) =>
        Assert.Equal(DsackForm.BelowAck, DsackDetector.Classify(At(start, 4_000), Block(start, 3_500, 4_000)));

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 2883 §4.1: the second block holds the duplicate
    public void Classify_InsideTheSecondBlock_IsDsack(uint start)
    {
        SequenceNumber ack = At(start, 4_000);
        Assert.Equal(DsackForm.InsideSecondBlock, DsackDetector.Classify(ack, Block(start, 5_000, 5_500), Block(start, 4_500, 5_500)));
        Assert.Equal(DsackForm.InsideSecondBlock, DsackDetector.Classify(ack, Block(start, 4_500, 5_500), Block(start, 4_500, 5_500)));
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 2883 §4.2: a partial duplicate is reported by its duplicate part alone
    public void Classify_PartOfASegment_IsDsack(uint start)
    {
        Assert.Equal(DsackForm.BelowAck, DsackDetector.Classify(At(start, 4_000), Block(start, 3_999, 4_000)));
        Assert.Equal(DsackForm.InsideSecondBlock, DsackDetector.Classify(At(start, 1_500), Block(start, 2_000, 2_500), Block(start, 1_700, 3_000)));
    }

    [Theory]
    [MemberData(nameof(Starts), DisableDiscoveryEnumeration = true)]
    [Trait(Tier.Name, Tier.Conformance)] // RFC 2018 §4: new data above the acknowledgment
    public void Classify_NewData_IsNone(uint start)
    {
        SequenceNumber ack = At(start, 4_000);
        Assert.Equal(DsackForm.None, DsackDetector.Classify(ack, Block(start, 4_500, 5_000)));
        Assert.Equal(DsackForm.None, DsackDetector.Classify(ack, Block(start, 5_000, 5_500), Block(start, 4_200, 4_500)));

        // The other way round: the second block inside the first is no report.
        Assert.Equal(DsackForm.None, DsackDetector.Classify(ack, Block(start, 4_500, 6_000), Block(start, 5_000, 5_500)));
    }

    [Theory]
    [InlineData(3_500, 4_001)] // astride the acknowledgment: no receiver holds that
    [InlineData(3_500, 3_500)]
    [InlineData(3_500, 3_000)]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void Classify_ImpossibleBlock_IsNone(int left, int right)
    {
        Assert.Equal(DsackForm.None, DsackDetector.Classify(At(0, 4_000), Block(0, left, right)));
        Assert.Equal(DsackForm.None, DsackDetector.Classify(At(0, 4_000), Block(0, left, right), Block(0, 5_000, 6_000)));
    }

    static SequenceNumber At(uint start, int bytes) => new SequenceNumber(start) + bytes;

    static SackBlock Block(uint start, int left, int right) => new(At(start, left), At(start, right));
}
