using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;
using Xunit;

namespace TcpDiag.Report.Tests;

public sealed class NothingFoundTests
{
    const long Second = 1_000_000_000;

    [Theory]
    [InlineData(LimitState.Application, "was not held back: its program had nothing to send for 90 % of the time")]
    [InlineData(LimitState.CongestionWindow, "went as its congestion window grew (90 % of the time), and no time was lost that shows")]
    [InlineData(LimitState.Pacing, "lost no time that shows; for 90 % of it the limit was the sender's own pacing")]
    [InlineData(LimitState.NotJudged, "cannot be judged for 90 % of the time: part of the traffic is missing", 1)]
    public void Reason_LimitsKnown_NamesTheLargest(LimitState state, string expected, int unseen = 0)
    {
        var times = default(LimitTimes);
        times[(int)state] = 9 * Second;
        times[(int)LimitState.Recovery] = Second;
        ConnectionDirection upload = Upload(10 * Second) with { Limits = new(times, Evidence.Packets, 100), UnseenBytes = unseen };
        Assert.Equal($"Nothing was found: the upload of connection 0 {expected}.", Of(upload));
    }

    // Two round trips of 40 ms are 80 ms.
    [Fact]
    public void Reason_LessThanTwoRoundTrips_IsTooShort()
    {
        var times = default(LimitTimes);
        times[(int)LimitState.CongestionWindow] = Second / 20;
        ConnectionDirection upload = Upload(Second / 20) with { Limits = new(times, Evidence.Packets, 1) };
        Assert.Equal("Nothing was found: the upload of connection 0 (5.00 kB in 50.0 ms) is too short to judge: less than two round trips.", Of(upload));
    }

    [Fact]
    public void Reason_BegunLate_SaysWhatIsMissing() => Assert.Equal(
        "Nothing was found: the upload of connection 0 cannot be judged: way to the sender unknown (SYN not seen, or resent).", Of(Upload(10 * Second)));

    [Fact]
    public void Reason_NothingMissing_IsThatItShowedLater()
    {
        var times = default(LimitTimes);
        times[(int)LimitState.NotJudged] = 9 * Second;
        times[(int)LimitState.SendBuffer] = Second;
        ConnectionDirection upload = Upload(10 * Second) with { Limits = new(times, Evidence.Packets, 100) };
        Assert.Equal(
            "Nothing was found: the upload of connection 0 cannot be judged for 90 % of the time: where the capture was taken, or how large the window is, "
            + "showed later.",
            NothingFound.Reason(new TraceAnalysis { Connections = [Connection(upload)] }));
    }

    static ConnectionDirection Upload(long activeTime) => new()
    {
        Evidence = Evidence.Packets,
        Packets = 10,
        PayloadBytes = 5000,
        UniqueBytes = 5000,
        ActiveTime = activeTime,
        Rtt = new(40_000_000, 40_000_000, 40_000_000, 5),
    };

    static string? Of(ConnectionDirection upload) => NothingFound.Reason(new TraceAnalysis { Connections = [Connection(upload)] });

    static Connection Connection(ConnectionDirection upload) =>
        FindingsOf.Connection(0) with { FromClient = upload, FromServer = new ConnectionDirection { Evidence = Evidence.Packets, Packets = 5 } };
}
