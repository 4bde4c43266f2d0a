using System;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>A window or buffer that is full, but would allow far more than goes through, is emptied late.</summary>
public sealed class HostLimitedTests
{
    // 10 MB in 10 s are 8 Mbit/s. 100 kB in flight at 40 ms allow 20 Mbit/s; 39 kB allow 7.8.
    [Theory]
    [InlineData(20e6, 8e6, FindingIds.HostLimited)]
    [InlineData(16e6, 8e6, FindingIds.HostLimited)]
    [InlineData(15.9e6, 8e6, FindingIds.ReceiveWindowLimited)]
    public void FullWindow_AllowsTwiceWhatGotThrough_IsTheHosts(double ceiling, double rate, string expected)
    {
        LimitSummary limits = Spent((LimitState.ReceiveWindow, 10 * Second)) with { FullWindow = new(100_000, ceiling, rate) };
        string[] found = [.. Judge(Upload(up => up with { Limits = limits })).Select(finding => finding.Id)];
        Assert.Contains(expected, found);
        Assert.DoesNotContain(expected is FindingIds.HostLimited ? FindingIds.ReceiveWindowLimited : FindingIds.HostLimited, found);
    }

    [Fact]
    public void FullWindow_AtMoreThanAGigabit_IsANote()
    {
        LimitSummary limits = Spent((LimitState.ReceiveWindow, 10 * Second)) with { FullWindow = new(262_144, 50e9, 8e9) };
        Finding finding = Single(Upload(up => up with { Limits = limits, UniqueBytes = 10_000_000_000 }), FindingIds.HostLimited);
        Assert.Equal(FindingSeverity.Note, finding.Severity);
        Assert.Contains("50.0 Gbit/s", finding.Cause, StringComparison.Ordinal);
    }

    // The window that was full had shrunk to 100 kB of 1 MB: the ceiling told is that of 100 kB.
    [Fact]
    public void ReceiveWindow_FullWhenItHadShrunk_IsThatOfTheTime()
    {
        LimitSummary limits = Spent((LimitState.ReceiveWindow, 10 * Second)) with { FullWindow = new(100_000, 9e6, 8e6) };
        Finding finding = Single(Upload(up => up with { Limits = limits }), FindingIds.ReceiveWindowLimited);
        Assert.Equal("The server's receive window of 100 kB holds the upload back (at most 9.00 Mbit/s).", finding.Title);
        Assert.StartsWith("Application on the server: read sooner what has arrived", finding.Advice[0], StringComparison.Ordinal);
    }

    // Full at its largest, it is its size that matters.
    [Fact]
    public void ReceiveWindow_FullAtItsLargest_IsAdvisedToBeLarger()
    {
        LimitSummary limits = Spent((LimitState.ReceiveWindow, 10 * Second)) with { FullWindow = new(600_000, 9e6, 8e6) };
        Finding finding = Single(Upload(up => up with { Limits = limits }), FindingIds.ReceiveWindowLimited);
        Assert.StartsWith("Application on the server: do not set SO_RCVBUF", finding.Advice[0], StringComparison.Ordinal);
    }

    // The longer round trips take 41 ms: 82 kB each are 16 Mbit/s, twice the 8 Mbit/s that go through; 81 kB are not. A writer that follows acknowledgments at
    // once is not late.
    [Theory]
    [InlineData(82_000, 5, FindingIds.HostLimited)]
    [InlineData(82_000, 4, FindingIds.SendBufferLimited)]
    [InlineData(81_000, 5, FindingIds.SendBufferLimited)]
    public void FullBuffer_AllowsTwiceWhatGotThroughAndWritesCameLate_IsTheHosts(int buffer, int late, string expected)
    {
        LimitSummary limits = Spent((LimitState.SendBuffer, 10 * Second)) with { SendBufferBytes = buffer, UncertainSendBuffer = late * Second };
        Assert.Contains(expected, Judge(Upload(up => up with { Limits = limits })).Select(finding => finding.Id));
    }
}
