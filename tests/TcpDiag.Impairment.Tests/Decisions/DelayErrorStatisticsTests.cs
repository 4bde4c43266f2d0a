using System;
using System.Linq;
using TcpDiag.Impairment.Decisions;
using Xunit;

namespace TcpDiag.Impairment.Tests.Decisions;

public class DelayErrorStatisticsTests
{
    static DelayErrorStatistics Of(params long[] errors)
    {
        DelayErrorStatistics statistics = new();
        foreach (long error in errors)
        {
            statistics.Add(error);
        }

        return statistics;
    }

    [Fact]
    public void QuantileNanos_Nothing_IsZero() => Assert.Equal((0, 0, 0), (Of().QuantileNanos(0.5), Of().MaxNanos, Of().Count));

    [Fact]
    public void QuantileNanos_SmallValues_AreExact()
    {
        DelayErrorStatistics statistics = Of([.. Enumerable.Range(1, 60).Select(i => (long)i)]);

        Assert.Equal((30, 60, 60), (statistics.QuantileNanos(0.5), statistics.QuantileNanos(0.99), statistics.QuantileNanos(1)));
    }

    [Fact]
    public void QuantileNanos_LargeValues_AreAtMostOneStepTooHigh()
    {
        DelayErrorStatistics statistics = Of([.. Enumerable.Range(1, 10_000).Select(i => i * 1_000L)]);

        Assert.InRange(statistics.QuantileNanos(0.5), 5_000_000, 5_000_000 * 33 / 32);
        Assert.InRange(statistics.QuantileNanos(0.99), 9_900_000, 10_000_000);
        Assert.Equal(10_000_000, statistics.MaxNanos);
    }

    [Fact]
    public void Add_Extremes_AreCounted() => Assert.Equal(long.MaxValue, Of(long.MaxValue, long.MinValue, -5).MaxNanos);

    [Fact]
    public void FindFault_WithinLimit_IsNull() => Assert.Null(RunValidity.FindFault(Of(10, 20, 30), 30, 0, default));

    [Fact]
    public void FindFault_TooLate_IsVoidAndSaysSo() => Assert.Equal(
        "The run is void: 1 % of the packets left more than 3.0 µs late, the limit is 1.0 µs. Lower the rate, or let the emulator run with real-time priority.",
        RunValidity.FindFault(Of(3000), 1000, 0, default));

    [Fact]
    public void FindFault_EmulatorFull_IsVoidAndSaysSo() => Assert.Equal(
        "The run is void: 2 packets were dropped because the emulator was full. Take a smaller buffer, rate or delay.",
        RunValidity.FindFault(Of(3000), 1000, 2, default));

    [Fact]
    public void FindFault_PacketsLostOutside_IsVoidAndSaysSo() => Assert.Equal(
        "The run is void: the system lost 5 packets before they could be emulated. Lower the load, or let the emulator run with real-time priority.",
        RunValidity.FindFault(Of(1), 1000, 0, new RunLosses(0, 5, 0)));

    [Fact]
    public void FindFault_PacketsPassedUnimpaired_IsVoidAndSaysSo() => Assert.Equal(
        "The run is void: 7 packets passed the full queue without being emulated. "
        + "Lower the load, narrow the match, or let the emulator run with real-time priority.",
        RunValidity.FindFault(Of(1), 1000, 0, new RunLosses(0, 0, 7)));

    [Fact]
    public void Record_OnlyPacketsThatLeft_Count()
    {
        DelayErrorStatistics statistics = new();
        foreach (ImpairmentAction action in Enum.GetValues<ImpairmentAction>())
        {
            statistics.Record(new ImpairmentDecision(default, 1, 1, 1, LinkDirection.Out, 0, action, 1, 1));
        }

        Assert.Equal(2, statistics.Count);
    }
}
