using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>A cost stands at the finding that is its cause, and notes that name a cause stand before those that describe.</summary>
public sealed class CostTests
{
    static readonly NeedCounts TenNeeded = new(10, 0, 0, 0);

    // 2 s until the probe, and 3 s of repair; the two segments it found are all that was sent again.
    [Fact]
    public void EndOfABurst_NothingElseLost_HasTheCost()
    {
        Connection connection = Upload(up => up with
        {
            Retransmissions = 2,
            Repairs = RetransmissionCounts.Of(new(1, 1, 0, 0, 0), new(2, 0, 0, 0)),
            Limits = Spent((LimitState.Recovery, 3 * Second), (LimitState.CongestionWindow, 7 * Second)),
            Patterns = new DirectionPatterns { Tails = new(1, 2, 2 * Second) },
        });
        Assert.Equal(5.0, Single(connection, FindingIds.TailLoss).SecondsLost);
        Assert.Equal(0.0, Single(connection, FindingIds.PathLoss).SecondsLost);
    }

    // One of ten segments sent again was the end of a burst: the path has the cost.
    [Fact]
    public void EndOfABurst_AmongOtherLosses_HasNone()
    {
        Connection connection = Upload(up => up with
        {
            Retransmissions = 10,
            Repairs = RetransmissionCounts.Of(new(9, 1, 0, 0, 0), TenNeeded),
            Limits = Spent((LimitState.Recovery, 3 * Second), (LimitState.CongestionWindow, 7 * Second)),
            Patterns = new DirectionPatterns { Tails = new(1, 1, 2 * Second) },
        });
        Assert.Equal(0.0, Single(connection, FindingIds.TailLoss).SecondsLost);
        Assert.True(Single(connection, FindingIds.PathLoss).SecondsLost > 0);
    }

    // The first loss comes after 8 s of 10: of 9 s of congestion window, at most the last 2 s are a matter of it.
    [Fact]
    public void WindowBeforeTheFirstLoss_IsNoCostOfIt()
    {
        Connection connection = Upload(up => up with
        {
            FirstData = new TraceTime(0),
            Retransmissions = 10,
            Repairs = RetransmissionCounts.Of(new(10, 0, 0, 0, 0), TenNeeded),
            Limits = Spent((LimitState.Recovery, Second), (LimitState.CongestionWindow, 9 * Second)),
            Patterns = new DirectionPatterns { Retransmission = new TracePosition(900, new TraceTime(8 * Second)) },
        });
        Assert.InRange(Single(connection, FindingIds.PathLoss).SecondsLost!.Value, 0.1, 2.0);
    }

    // 60 lost in four bunches, 8 Mbit/s from one to the next, trains at 100 Mbit/s, the same round trip throughout.
    [Theory]
    [InlineData(0.1, 100e6, 0, true)]
    [InlineData(0.2, 100e6, 0, false)] // three intervals that uneven are chance
    [InlineData(0.1, 11e6, 0, false)] // a link that slow spaces them
    [InlineData(0.1, 13e6, 0, true)] // a faster line: the acknowledgments' clock keeps them together
    [InlineData(0.1, 100e6, 3, false)] // 3 s of 10 in timeouts: the path was dead
    public void Bunches_AtOneRate_AreAPolicer(double variation, double trains, int timeoutSeconds, bool isPolicer)
    {
        Connection connection = Upload(up => up with
        {
            Retransmissions = 60,
            MaxInFlightBytes = 100_000, // 20 Mbit/s over 40 ms
            Repairs = RetransmissionCounts.Of(new(60, 0, 0, 0, 0), new(60, 0, 0, 0)),
            Delivery = new DeliverySummary { BurstBitsPerSecond = trains, BestBitsPerSecond = 10e6 },
            Limits = Spent((LimitState.Timeout, timeoutSeconds * Second), (LimitState.CongestionWindow, (10 - timeoutSeconds) * Second)),
            Patterns = new DirectionPatterns { LossPace = new(3, 8e6, variation, 0.4, 0) },
        });
        Assert.Equal(isPolicer, Judge(connection).Any(finding => finding.Id is FindingIds.Policer));
    }

    // The same, at uneven rates: the token bucket that fits decides, by a twentieth for each interval beyond two, and a tenth at most. Three intervals are of
    // losses in bunches, of five packets each, or, begun late, even.
    [Theory]
    [InlineData(3, 0.05, 60, 0.5, false, true)]
    [InlineData(3, 0.051, 60, 0.02, false, false)]
    [InlineData(3, 0.05, 20, 0.5, false, true)]
    [InlineData(3, 0.05, 19, 0.02, false, false)]
    [InlineData(12, 0.1, 60, 0.5, false, true)]
    [InlineData(12, 0.11, 60, 0.02, false, false)]
    [InlineData(4, 0.1, 19, 0.5, true, true)]
    [InlineData(3, 0.05, 60, 0.5, true, false)]
    [InlineData(3, 0.05, 19, 0.02, true, true)]
    public void Bucket_EmptyAtTheLosses_IsAPolicer(int intervals, double mismatch, int lost, double variation, bool isLate, bool isPolicer)
    {
        Connection connection = Upload(up => up with
        {
            Retransmissions = lost,
            MaxInFlightBytes = 100_000,
            Repairs = RetransmissionCounts.Of(new(lost, 0, 0, 0, 0), new(lost, 0, 0, 0)),
            Delivery = new DeliverySummary { BurstBitsPerSecond = 100e6, BestBitsPerSecond = 10e6, Bucket = new(intervals, 9e6, 60_000, mismatch) },
            Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
            Patterns = new DirectionPatterns { LossPace = new(intervals, 8e6, variation, variation, 0) },
        });
        Finding? policer = Judge(isLate ? connection with { HandshakeRtt = null, Vantage = Vantage.Client } : connection)
            .SingleOrDefault(finding => finding.Id is FindingIds.Policer);
        Assert.Equal(isPolicer ? "Something on the path drops what exceeds 9.00 Mbit/s of the upload: a policer." : null, policer?.Title);
    }

    // 8 Mbit/s over 40 ms, 40 kB a round trip; 60 segments, 87 kB, were lost.
    [Theory]
    [InlineData(200_000, 61_000, true)]
    [InlineData(200_000, 50_000, false)] // once no more in flight than a sawtooth has without a queue
    [InlineData(1_000_000, 61_000, false)] // few of what slow start had sent
    public void Overflow_OfAQueue_IsANote(int first, int least, bool isNote)
    {
        Connection connection = Upload(up => up with
        {
            Retransmissions = 60,
            MaxInFlightBytes = first,
            Repairs = RetransmissionCounts.Of(new(60, 0, 0, 0, 0), new(60, 0, 0, 0)),
            Delivery = new DeliverySummary { BurstBitsPerSecond = 20e6, BestBitsPerSecond = 16e6 },
            Limits = Spent((LimitState.Recovery, 2 * Second), (LimitState.CongestionWindow, 8 * Second)),
            Patterns = new DirectionPatterns { Onset = new(first, least) },
        });
        Finding finding = Judge(connection with { Vantage = Vantage.Client }).Single(found => found.Id is FindingIds.PathLoss);
        Assert.Equal(isNote, finding.Severity == FindingSeverity.Note);
    }

    // No SYN was captured, no queue shows, and acknowledgments come little faster than the rate.
    [Theory]
    [InlineData(3, 0.02, 0.06, true)]
    [InlineData(3, 0.02, 0.3, false)] // the same rate, but more and less of it: chance
    [InlineData(3, 0.04, 0.06, false)]
    [InlineData(2, 0.02, 0.02, true)]
    [InlineData(2, 0.02, 0.06, false)] // two alone have to be more alike
    public void Sawtooth_ThatRepeatsItself_IsAPolicer(int intervals, double variation, double spread, bool isPolicer)
    {
        Connection connection = Upload(up => up with
        {
            Retransmissions = 12,
            MaxInFlightBytes = 100_000, // 20 Mbit/s over 40 ms
            Repairs = RetransmissionCounts.Of(new(12, 0, 0, 0, 0), new(12, 0, 0, 0)),
            Delivery = new DeliverySummary { BurstBitsPerSecond = 12e6, BestBitsPerSecond = 10e6 },
            Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
            Patterns = new DirectionPatterns { LossPace = new(intervals, 8e6, variation, spread, 0) },
        });
        Assert.Equal(isPolicer, Judge(connection with { HandshakeRtt = null, Vantage = Vantage.Client }).Any(finding => finding.Id is FindingIds.Policer));
        Assert.DoesNotContain(FindingIds.Policer, Judge(connection).Select(finding => finding.Id)); // from the beginning on, its bucket would show
    }

    [Fact]
    public void Notes_ThatNameACause_StandFirst()
    {
        string[] ids = [.. Judge(Upload(up => up with { Mss = 1000,
            Limits = Spent((LimitState.Application, 9 * Second), (LimitState.CongestionWindow, Second)) }))
            .Select(finding => finding.Id)];
        Assert.Equal([FindingIds.MssClamped, FindingIds.AppLimited], ids);
    }

    // As iperf3 ends: the control connection opens 100 ms before and ends 1 s after.
    [Theory]
    [InlineData(0.1, 11, 3_000, FindingSeverity.Note)]
    [InlineData(5, 11, 3_000, FindingSeverity.Critical)] // opened long before
    [InlineData(0.1, 20, 3_000, FindingSeverity.Critical)] // and goes on
    [InlineData(0.1, 11, 900_000, FindingSeverity.Critical)] // and carries data
    public void EndOfAMeasurement_IsANote(double before, int last, int bytes, FindingSeverity severity)
    {
        TraceTime begin = new(10 * Second);
        TraceTime end = begin + ((10 * Second) + (60 * Millisecond));
        Connection transfer = Of(
            up => up with { Patterns = new DirectionPatterns { Reset = new TracePosition(501, end), Resets = 4 } },
            down => down with { PayloadBytes = 9_000_000, UniqueBytes = 9_000_000, ActiveTime = 10 * Second }) with
        { Index = 1, Start = begin, Last = end };
        TraceTime early = new((long)((10 - before) * Second));
        Connection control = Of(up => up with { PayloadBytes = bytes, UniqueBytes = bytes, FirstData = early + Millisecond }, down => down) with
        { Start = early, Last = begin + (last * Second) };
        Assert.Equal(severity, FindingRules.Judge([control, transfer], default).Single(finding => finding.Id is FindingIds.ApplicationTimeout).Severity);
    }
}
