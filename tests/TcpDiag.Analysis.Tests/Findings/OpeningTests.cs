using System;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What is concluded from the SYNs: how late they are answered, and which options they carry.</summary>
public sealed class OpeningTests
{
    // Round trips of the data: median 40 ms. At least 200 ms more than the slow ones and three times as long; neither 1 s more, which is 21 ms less and
    // 101 ms more as round trips vary by 1 ms, nor 3 s.
    [Theory]
    [InlineData(41, 241, 0.201)]
    [InlineData(41, 240, null)]
    [InlineData(150, 450, 0.41)]
    [InlineData(150, 449, null)]
    [InlineData(41, 1018, 0.978)]
    [InlineData(41, 1019, null)]
    [InlineData(41, 1141, null)]
    [InlineData(41, 1142, 1.102)]
    [InlineData(41, 2999, 2.959)]
    [InlineData(41, 3000, null)]
    public void SynAck_LaterThanRoundTrips_CostsTheRest(long slowRtt, long delay, double? seconds)
    {
        Connection connection = Upload(up => up with { Rtt = new RttSummary(40 * Millisecond, 40 * Millisecond, slowRtt * Millisecond, 1000) });
        Finding? finding = Judge(connection with { SynAckDelay = delay * Millisecond }).SingleOrDefault();
        Assert.Equal((seconds is null ? null : FindingIds.LateSynAck, seconds), (finding?.Id, finding?.SecondsLost));
    }

    [Theory]
    [InlineData(8, 0.8)]
    [InlineData(7, 0.6)]
    public void SynAck_LateBesideFewRoundTrips_IsLessSure(long samples, double confidence)
    {
        Connection connection = Upload(up => up with { Rtt = new RttSummary(40 * Millisecond, 40 * Millisecond, 41 * Millisecond, samples) });
        Finding finding = Single(connection with { SynAckDelay = 540 * Millisecond });
        Assert.Equal(("The server's SYN-ACK took 540 ms; later round trips took 40.0 ms.", confidence), (finding.Title, finding.Confidence));
        Assert.Equal((FindingSeverity.Note, null), (finding.Severity, finding.IsFromClient)); // 0.5 s of 10 s
    }

    [Fact]
    public void SynAck_WithoutRoundTripsToCompare_IsNotJudged() =>
        Assert.Empty(Judge(Upload(up => up with { Rtt = default }) with { SynAckDelay = 540 * Millisecond }));

    [Fact]
    public void WindowScaling_AnswerLacksIt_IsFound()
    {
        Finding finding = Single(Of(up => up, down => down with { HasWindowScale = false }));
        Assert.Equal((FindingIds.WindowScalingOff, FindingSeverity.Warning), (finding.Id, finding.Severity));
        Assert.Contains("the answer lacks it", finding.Title, StringComparison.Ordinal);
    }

    [Fact]
    public void Sack_OffWithoutLoss_IsNotWorthAWord()
    {
        static ConnectionDirection NoSack(ConnectionDirection down) => down with { SynOptions = AllOptions & ~TcpOptionKinds.SackPermitted };
        Assert.Empty(Judge(Of(up => up, NoSack)));
        Assert.Equal(FindingIds.SackOff, Single(Of(up => up with { Retransmissions = 1 }, NoSack)).Id);
    }

    [Fact]
    public void Timestamps_NotAnswered_IsANote()
    {
        Finding finding = Single(Of(up => up with { Mss = 1460 }, down => down with { SynOptions = AllOptions & ~TcpOptionKinds.Timestamps }));
        Assert.Equal(FindingIds.TimestampsStripped, finding.Id);
        Assert.Equal("window scale, SACK permitted", finding.Evidence.Single().Value);
    }

    [Fact]
    public void SegmentSize_BelowEthernetAndCommonTunnels_IsANote()
    {
        Assert.Equal(FindingIds.MssClamped, Single(Upload(up => up with { Mss = 1300 })).Id);
        Assert.Equal(FindingIds.MssClamped, Single(Upload(up => up with { Mss = 1340 })).Id);
        Assert.Empty(Judge(Upload(up => up with { Mss = 1448 }))); // and 12 of timestamps, 40 of headers
    }

    // A snap length cuts other options than the first.
    [Theory]
    [InlineData(1360, true)]
    [InlineData(1460, false)]
    public void SegmentSize_OfCutSyns_IsThatOfTheirMss(int mss, bool isFound)
    {
        Connection connection = Of(
            up => up with { SynOptions = null, HasWindowScale = null, MssOption = 1460, Mss = mss - 12 },
            down => down with { SynOptions = null, HasWindowScale = null, MssOption = mss });
        Assert.Equal(isFound ? [FindingIds.MssClamped] : [], Judge(connection).Select(finding => finding.Id));
    }
}
