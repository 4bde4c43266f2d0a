using System;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What is in flight keeps one level: which window that is.</summary>
public sealed class LevelTests
{
    // Twenty rounds at 600 kB, in the middle of the path. A window that is known has room; one that grew by more than a segment is the congestion window.
    [Theory]
    [InlineData(600_000, null, FindingIds.WindowOrBuffer)]
    [InlineData(600_000, 2_000_000, FindingIds.CwndLimited)]
    [InlineData(590_000, null, FindingIds.CwndLimited)]
    public void CongestionWindow_ThatDoesNotGrow_MayBeAnother(long least, int? window, string expected)
    {
        Connection connection = Upload(up => up with
        {
            Cwnd = new CwndSummary(600_000, least, Evidence.Packets, 20),
            Limits = Spent((LimitState.CongestionWindow, 10 * Second)),
            MaxInFlightBytes = 300_000,
            MaxReceiveWindowBytes = window,
        });
        Finding finding = Single(connection with { HandshakeRtt = null }, expected);
        Assert.False(finding.IsSure);
        Assert.Equal(expected is FindingIds.WindowOrBuffer, finding.Title.Contains("send buffer or congestion window", StringComparison.Ordinal));
    }

    // 6 s at the level of a send buffer, of which the sender's own stack counted 5, or 1, as its program's and its buffer's.
    [Theory]
    [InlineData(5, true)]
    [InlineData(1, false)]
    public void SendBuffer_ThatTheSendersCountersContradict_IsNotSure(int counted, bool isSure)
    {
        Connection connection = Upload(up => up with
        {
            Limits = Spent((LimitState.SendBuffer, 6 * Second), (LimitState.CongestionWindow, 4 * Second)),
            MaxInFlightBytes = 8192,
            LimitCounters = new LimitCounters(new CountedLimits(0, (10 - counted) * Second, counted * Second), null, 10) { IsComparable = true },
        });
        Assert.Equal(isSure, Single(connection, FindingIds.SendBufferLimited).IsSure);
    }

    // 8,192 bytes each 40 ms are 1.64 Mbit/s, 2.05 MB in 10 s. Nothing is known of the first 7; their bytes and their time count alike.
    [Fact]
    public void Rate_CountsWhatWasNotJudged()
    {
        Connection connection = Upload(up => up with
        {
            UniqueBytes = 2_048_000,
            Limits = Spent((LimitState.NotJudged, 7 * Second), (LimitState.SendBuffer, 3 * Second)) with { SendBufferBytes = 8192 },
            MaxInFlightBytes = 8192,
        });
        Assert.InRange(Single(connection, FindingIds.SendBufferLimited).SecondsLost!.Value, 1, 3);
    }
}
