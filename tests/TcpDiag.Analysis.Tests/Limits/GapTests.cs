using System.Linq;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Limits.SenderScript;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// What the recorder missed is not judged, and what is around it is. Eight segments a round trip of 20.1 ms: a send buffer, below an initial window.
/// </summary>
public sealed class GapTests
{
    // Round 10 is missing with its acknowledgments. Round 9 ends at no known instant; round 11 is sent with an unknown amount in flight; round 12 follows its
    // acknowledgment.
    [Fact]
    public void MissedRound_LeavesThreeRoundsWithoutAVerdict()
    {
        ConnectionDirection direction = Rounds(20, missed: 10).Direction();
        Assert.Equal(3 * 20.1, Ms(direction, LimitState.NotJudged), 3);
        Assert.Equal((17 * 20.1) - 0.1, Ms(direction, LimitState.SendBuffer), 3); // the last one ends with its acknowledgment
        Assert.Equal(8 * Mss, direction.MaxInFlightBytes);
        Assert.Equal(8 * Mss, direction.UnseenBytes);
    }

    // Only the data is missing: an acknowledgment of it comes, and the next round is in flight alone.
    [Fact]
    public void AcknowledgmentOfMissedData_BeginsAGap()
    {
        var script = new SenderScript();
        for (int i = 0; i < 20; i++)
        {
            _ = i == 10 ? script.Miss(8) : script.Send(i * 20.1, 8, push: true);
            script.AckAll((i * 20.1) + 20);
        }

        ConnectionDirection direction = script.Direction();
        Assert.Equal(3 * 20.1, Ms(direction, LimitState.NotJudged), 3);
        Assert.Equal(8 * Mss, direction.MaxInFlightBytes);
    }

    [Fact]
    public void TimesOfStates_WithGaps_AddUpToTheActiveTime()
    {
        ConnectionDirection direction = Rounds(30, missed: 7).Miss(20).Send(1000, 3).AckAll(1020).Direction();
        Assert.Equal(direction.ActiveTime, direction.Limits?.Times.Total);
    }

    [Fact]
    public void GapToTheEnd_IsNotJudged()
    {
        ConnectionDirection direction = Rounds(10, missed: -1).Miss(8).Send(300, 2).AckAll(320).Direction();
        Assert.Equal(320 - (9 * 20.1), Ms(direction, LimitState.NotJudged), 3);
    }

    // At the receiver a hole is a loss as long as it may be filled: here it is not, and yet acknowledged.
    [Fact]
    public void HoleAtTheReceiver_AcknowledgedWithoutBeingFilled_IsAGap()
    {
        var script = new SenderScript(sender: 20);
        for (int i = 0; i < 20; i++)
        {
            _ = i == 10 ? script.Send(i * 20.1, 3).Miss(2, isAcknowledged: false).Send((i * 20.1) + 0.05, 3, push: true) : script.Send(i * 20.1, 8, push: true);
            script.AckAll((i * 20.1) + 0.1);
        }

        ConnectionDirection direction = script.Direction();
        Assert.InRange(Ms(direction, LimitState.NotJudged), 20, 3 * 20.1);
        Assert.Equal(2 * Mss, direction.UnseenBytes);
    }

    // What lies behind a hole that is filled was in flight.
    [Fact]
    public void HoleThatIsFilled_CountsAsInFlight()
    {
        MemoryTrace trace = Opened()
            .Packet(30_000, FromClient(1, 1, 1000).Ip("10.0.0.1", "10.0.0.2", id: 1))
            .Packet(30_100, FromClient(2001, 1, 1000).Ip("10.0.0.1", "10.0.0.2", id: 3))
            .Packet(30_200, FromClient(1001, 1, 1000).Ip("10.0.0.1", "10.0.0.2", id: 2))
            .Packet(50_000, FromServer(1, 3001));
        Assert.Equal(3000, trace.Analyze().Connections.Single().FromClient.MaxInFlightBytes);
    }

    static SenderScript Rounds(int rounds, int missed)
    {
        var script = new SenderScript();
        for (int i = 0; i < rounds; i++)
        {
            _ = i == missed ? script.Miss(8) : script.Send(i * 20.1, 8, push: true).AckAll((i * 20.1) + 20);
        }

        return script;
    }
}
