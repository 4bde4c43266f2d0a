using TcpDiag.Analysis.Limits;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Which fill of a send buffer is the usual one.</summary>
public sealed class UsualFillTests
{
    // Portions of two writes: the second one leaves 6000 as often as the first one fills the buffer, and may have been seen once more.
    [Theory]
    [InlineData(8000, 6000, 8000, 6000, 8000, 6000)]
    [InlineData(6000, 8000, 6000, 8000, 6000, 8000, 6000)]
    public void Fills_AsFrequent_TheFullerIsUsual(params int[] fills) => Assert.Equal((8000, 8000), Of(fills));

    // Two of six.
    [Fact]
    public void FullerFill_HalfAsFrequent_IsNotUsual() => Assert.Equal((6000, 6000), Of(8000, 6000, 6000, 8000, 6000, 6000));

    [Fact]
    public void Fills_ThatDiffer_AreNoHabit() => Assert.Equal(0, Of(1000, 2000, 3000, 4000, 5000, 6000, 1000, 2000).Known);

    // Others, once each, take one place after the other, and not that of what recurs.
    [Fact]
    public void OtherFills_Often_DoNotReplaceWhatRecurs() => Assert.Equal((8000, 8000), Of(8000, 8000, 1, 2, 3, 4, 5, 6, 8000));

    // All places are taken as often, and the usual one is the first.
    [Fact]
    public void OtherFill_OfManyAsFrequent_DoesNotReplaceTheUsualOne() => Assert.Equal((8000, 8000), Of(8000, 4000, 5000, 6000, 8000, 4000, 5000, 6000, 8000, 4000, 5000, 6000, 1));

    // Seventeen times leave eight, and a fuller one is as frequent with seven, since a portion may have ended once more than that was seen.
    [Fact]
    public void UsualFill_OfLongAgo_Fades()
    {
        var usual = default(UsualFill);
        Add(ref usual, 6000, 17);
        Add(ref usual, 8000, 6);
        Assert.Equal(6000, usual.Known);
        Add(ref usual, 8000, 1);
        Assert.Equal(8000, usual.Known);
    }

    static (int Foremost, int Known) Of(params int[] fills)
    {
        var usual = default(UsualFill);
        foreach (int fill in fills)
        {
            usual.Add(fill);
        }

        return (usual.Foremost, usual.Known);
    }

    static void Add(ref UsualFill usual, int fill, int times)
    {
        for (int i = 0; i < times; i++)
        {
            usual.Add(fill);
        }
    }
}
