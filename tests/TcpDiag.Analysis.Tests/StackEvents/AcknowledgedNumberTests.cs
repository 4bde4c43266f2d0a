using TcpDiag.Analysis.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>SND.UNA by the numbers and bytes of acknowledgments, whichever of both ends of the bytes the number is.</summary>
public sealed class AcknowledgedNumberTests
{
    // 1000 to 4000, 4000 to 5000, 5000 to 6000: the numbers are behind the bytes.
    [Fact]
    public void Number_BehindItsBytes_IsSndUna()
    {
        AcknowledgedNumber acknowledged = default;
        Assert.Null(acknowledged.Take(new(4_000), 3_000));
        Assert.Equal(new SequenceNumber(5_000), acknowledged.Take(new(5_000), 1_000));
        Assert.Equal(new SequenceNumber(6_000), acknowledged.Take(new(6_000), 1_000));
    }

    // The same bytes, with the numbers of their first byte: with 1000 twice in a row both ends would do, and what was learnt holds.
    [Fact]
    public void Number_BeforeItsBytes_IsLearnt()
    {
        AcknowledgedNumber acknowledged = default;
        Assert.Null(acknowledged.Take(new(1_000), 3_000));
        Assert.Equal(new SequenceNumber(5_000), acknowledged.Take(new(4_000), 1_000));
        Assert.Equal(new SequenceNumber(6_000), acknowledged.Take(new(5_000), 1_000));
        Assert.Equal(new SequenceNumber(9_000), acknowledged.Take(new(6_000), 3_000));
    }

    // An event between them was lost, or the number is the peer's.
    [Fact]
    public void Numbers_ThatDoNotFollow_TellNothing()
    {
        AcknowledgedNumber acknowledged = default;
        Assert.Null(acknowledged.Take(new(4_000), 3_000));
        Assert.Null(acknowledged.Take(new(9_000), 1_000));
        Assert.Null(acknowledged.Take(new(9_000), 1_000));
        Assert.Equal(new SequenceNumber(10_000), acknowledged.Take(new(10_000), 1_000));
    }

    [Fact]
    public void Numbers_ThatWrap_Follow()
    {
        AcknowledgedNumber acknowledged = default;
        Assert.Null(acknowledged.Take(new(uint.MaxValue - 499), 1_000));
        Assert.Equal(new SequenceNumber(500), acknowledged.Take(new(500), 1_000));
    }
}
