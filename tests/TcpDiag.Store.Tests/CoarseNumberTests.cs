using System;
using System.Linq;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Tests.Servers;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>Numbers to within one percent, here and on a server.</summary>
public sealed class CoarseNumberTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(99, 99)]
    [InlineData(101, 102)]
    [InlineData(199, 200)]
    [InlineData(201, 200)]
    [InlineData(202, 204)]
    [InlineData(203, 204)]
    [InlineData(504, 500)]
    [InlineData(995, 1000)]
    [InlineData(40_123_456, 40_000_000)]
    [InlineData(10_000_000_000_001, 10_000_000_000_001)]
    public void Of_RoundsToSteps(long value, long expected) => Assert.Equal(expected, CoarseNumber.Of(value));

    [Fact]
    public void Of_IsWithinOnePercent_KeepsOrder_AndItself()
    {
        var random = new Random(3);
        long[] values = [.. Enumerable.Range(0, 20_000).Select(_ => (long)Math.Exp(random.NextDouble() * 42)).Order()];
        long[] coarse = [.. values.Select(CoarseNumber.Of)];
        Assert.Equal(coarse.Order(), coarse);
        Assert.All(values.Zip(coarse), pair => Assert.InRange(pair.Second, pair.First * 0.9899, pair.First * 1.0101));
        Assert.All(coarse, value => Assert.Equal(value, CoarseNumber.Of(value)));
    }

    /// <summary>A server rounds the same.</summary>
    [TcpDiag.Testing.ToolFact("clickhouse-server", "setpriv")]
    public void Server_RoundsTheSame()
    {
        var random = new Random(4);
        long[] values = [0, 99, 100, 101, 199, 995, 999, 9_999_999_999_999, .. Enumerable.Range(0, 500).Select(_ => (long)Math.Exp(random.NextDouble() * 42))];
        string given = string.Join(", ", values.Select(value => FormattableString.Invariant($"toInt64({value})")));
        string answer = SharedServer.Server.Ask($"SELECT {ClickHouse.ClickHouseSummary.Rounded("x")} FROM (SELECT arrayJoin([{given}]) AS x)");
        Assert.Equal(values.Select(value => FormattableString.Invariant($"{CoarseNumber.Of(value)}")), answer.Split('\n'));
    }
}
