using System;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Doctor.Answers;
using Xunit;

namespace TcpDiag.Doctor.Tests;

public sealed class EnoughSeenTests
{
    static readonly Diagnosis Clear = Of(FindingIds.PathLoss, 0.8);

    [Theory]
    [InlineData("1 4", true)]
    [InlineData("1 3.9", false)]
    [InlineData("1 2 3 4", true)]
    [InlineData("1 2 -3 4 5 6", false)] // gone at one look: it begins anew
    [InlineData("1 2 -3 4 5 6 7", true)]
    [InlineData("-1 -9", false)] // that nothing is wrong is never enough
    public void Look_SameCause_IsEnoughAfterThreeSeconds(string seconds, bool expected)
    {
        var seen = new EnoughSeen();
        bool[] looks = [.. seconds.Split(' ').Select(text => double.Parse(text, null))
            .Select(time => seen.Look(time < 0 ? new(Side.Nothing, null) : Clear, TimeSpan.FromSeconds(Math.Abs(time))))];
        Assert.Equal(expected, looks[^1]);
        Assert.DoesNotContain(true, looks[..^1]);
    }

    [Fact]
    public void Look_AnotherCauseOrSide_BeginsAnew()
    {
        foreach (Diagnosis other in (Diagnosis[])[Of(FindingIds.TailLoss, 0.9), Clear with { Side = Side.FarEnd }])
        {
            var seen = new EnoughSeen();
            Assert.False(seen.Look(Clear, TimeSpan.FromSeconds(1)));
            Assert.False(seen.Look(other, TimeSpan.FromSeconds(9)));
            Assert.True(seen.Look(other, TimeSpan.FromSeconds(12)));
        }
    }

    public static TheoryData<Diagnosis> Unclear => new()
    {
        Of(FindingIds.PathLoss, 0.79),
        Clear with { Side = Side.Unclear },
        Clear with { Bytes = 99_999 },
        Clear with { SecondsLost = 0.99 },
        Clear with { SecondsLost = null },
        Clear with { SecondsOf = 20.1 }, // less than a tenth
        Clear with { Cause = null },
    };

    [Theory]
    [MemberData(nameof(Unclear), DisableDiscoveryEnumeration = true)]
    public void Look_LittleOrUnsure_IsNotEnough(Diagnosis diagnosis)
    {
        var seen = new EnoughSeen();
        Assert.False(seen.Look(diagnosis, TimeSpan.FromSeconds(1)));
        Assert.False(seen.Look(diagnosis, TimeSpan.FromSeconds(60)));
    }

    static Diagnosis Of(string id, double confidence) =>
        new(Side.Network, new Finding(id, null, null, FindingSeverity.Warning, 2, confidence, () => throw new InvalidOperationException()))
        {
            SecondsLost = 2,
            SecondsOf = 20,
            Bytes = 100_000,
        };
}
