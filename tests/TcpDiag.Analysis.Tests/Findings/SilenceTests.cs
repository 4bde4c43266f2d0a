using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Findings.ConstructedConnection;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>What a silence came of: a timeout of a queue, or of a sender without SACK, is one; a path that is dead for a while is silent for longer.</summary>
public sealed class SilenceTests
{
    // Round trips of up to 280 ms in a queue: a timeout of it takes 840 ms and at least a second at most.
    [Theory]
    [InlineData(3000, FindingIds.RtoStalls)]
    [InlineData(800, FindingIds.Bufferbloat)]
    public void Silence_BesideAQueue_IsThePathsWhereItIsLong(int silence, string first)
    {
        Connection connection = Upload(up => Stalled(up, silence) with
        {
            Rtt = new RttSummary(30 * Millisecond, 150 * Millisecond, 280 * Millisecond, 1000),
            RttLoad = 0.9,
        });
        Assert.Equal(first, Judge(connection)[0].Id);
    }

    [Theory]
    [InlineData(3000, 0.0)]
    [InlineData(800, 3.2)]
    public void Timeouts_WithoutSack_AreItsCost(int silence, double seconds)
    {
        Connection connection = Of(up => Stalled(up, silence), down => down with { SynOptions = TcpOptionKinds.WindowScale });
        Assert.Equal(seconds, Single(connection, FindingIds.SackOff).SecondsLost);
        Assert.Equal(seconds == 0, Single(connection, FindingIds.RtoStalls).SecondsLost > 0);
    }

    // The timer sent all of it again: the small window behind a silence is the silence's doing.
    [Fact]
    public void Losses_OfASilence_CostNothingThemselves()
    {
        Connection connection = Upload(up => Stalled(up, 3000));
        Assert.Equal(0.0, Single(connection, FindingIds.PathLoss).SecondsLost);
        Assert.InRange(Single(connection, FindingIds.RtoStalls).SecondsLost!.Value, 3.2, 10);
    }

    // What passes a capture at the receiver and is not acknowledged was lost in its machine.
    [Theory]
    [InlineData(0, 30, "The server itself lost 30 packets of the upload (0.429 %): they arrived, and its TCP did not get them.")]
    [InlineData(20, 10, "The path lost 30 packets of the upload (0.429 %).")]
    public void Losses_BehindTheCapture_AreTheReceiversOwn(int lost, int behind, string title)
    {
        Connection connection = Upload(
            up => up with { Loss = new LossSummary(lost, Evidence.Packets, 7000) { Behind = behind } }) with
        { Vantage = Vantage.Server };
        Assert.Equal(title, Single(connection, FindingIds.PathLoss).Title);
    }

    // 10 MB in 10 s; another connection between the same hosts held 80 Mbit/s, and one that goes elsewhere says nothing.
    [Theory]
    [InlineData(0x0A00_0002, 8, 10)]
    [InlineData(0x0A00_0003, 0, 1)]
    public void TimeLost_IsByTheFastestConnectionOfTheSameHosts(uint server, double min, double max)
    {
        Connection slow = Upload(up => up with
        {
            Limits = Spent((LimitState.ReceiveWindow, 10 * Second)),
            Delivery = new DeliverySummary { BestBitsPerSecond = 8e6, BurstBitsPerSecond = 8.5e6 },
        });
        Connection fast = Upload(up => up with { Delivery = new DeliverySummary { BestBitsPerSecond = 80e6 } }) with
        { Index = 1, Server = new Endpoint(IpAddress.FromIpv4(server), 443) };
        Finding finding = FindingRules.Judge([slow, fast], default).Single(found => found.Id is FindingIds.ReceiveWindowLimited);
        Assert.InRange(finding.SecondsLost!.Value, min, max);
    }

    // 8 Mbit/s over 40 ms are 40 kB: a buffer of 10 kB cannot have held the sender back.
    [Theory]
    [InlineData(10_000, false)]
    [InlineData(30_000, true)]
    public void SendBuffer_GivesNoMoreThanItHoldsEachRoundTrip(int buffer, bool isFound)
    {
        LimitSummary limits = Spent((LimitState.SendBuffer, 10 * Second)) with { SendBufferBytes = buffer };
        Assert.Equal(isFound, Judge(Upload(up => up with { Limits = limits })).Any(finding => finding.Id is FindingIds.SendBufferLimited));
    }

    static ConnectionDirection Stalled(ConnectionDirection up, int silence)
    {
        long longest = silence * Millisecond;
        return up with
        {
            Retransmissions = 20,
            Repairs = RetransmissionCounts.Of(new(0, 0, 20, 0, 0), new(20, 0, 0, 0)),
            Limits = Spent((LimitState.Timeout, 3200 * Millisecond), (LimitState.Recovery, Second), (LimitState.CongestionWindow, 5800 * Millisecond)) with
            {
                Spans = [new LimitSpan(LimitState.Timeout, new TraceTime(Second), new TraceTime(Second + longest), 100)],
            },
        };
    }
}
