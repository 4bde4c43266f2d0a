using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>The sums over what is outstanding (RFC 6675 §3, §4).</summary>
[Trait(Tier.Name, Tier.Detail)]
public sealed class ScoreboardTests
{
    [Fact]
    public void Pipe_IsWhatIsNeitherSackedNorLost()
    {
        Scoreboard board = Filled(10);
        board.BeginAck();
        Assert.Equal(3_000, board.Sack(Block(3, 6)));
        board.MarkLost(0);
        board.MarkLost(1);
        Assert.Equal((10_000, 3_000, 2_000, 5_000), (board.FlightBytes, board.SackedBytes, board.LostBytes, board.PipeBytes));
        board.OnRetransmitted(0, default, 0);
        Assert.Equal((1_000, 6_000), (board.LostBytes, board.PipeBytes));
    }

    [Fact]
    public void Acknowledgment_TakesWhatWasSackedOrLostAlong()
    {
        Scoreboard board = Filled(10);
        board.BeginAck();
        board.Sack(Block(3, 6));
        board.MarkLost(0);
        Assert.Equal(4_000, board.AcknowledgeTo(Timeline.SeqOf(7))); // 0, 1, 2 and 6; 3 to 5 were delivered before
        Assert.Equal((3_000, 0, 0, 3), (board.FlightBytes, board.SackedBytes, board.LostBytes, board.Count));
    }

    [Fact]
    public void Acknowledgment_InsideASegment_KeepsTheRest()
    {
        Scoreboard board = Filled(2);
        board.MarkLost(0);
        board.BeginAck();
        Assert.Equal(400, board.AcknowledgeTo(Timeline.SeqOf(0) + 400));
        Assert.Equal((1_600, 600), (board.FlightBytes, board.LostBytes));
        Assert.Equal(600, board[0].Bytes);
    }

    [Fact]
    public void Sack_OfPartOfASegment_CountsWholeSegmentsOnly()
    {
        Scoreboard board = Filled(4);
        board.BeginAck();
        Assert.Equal(1_000, board.Sack(new SackBlock(Timeline.SeqOf(1) + 500, Timeline.SeqOf(3) + 500)));
        Assert.True(board[2].IsSacked);
        Assert.False(board[1].IsSacked || board[3].IsSacked);
    }

    [Fact]
    public void Sack_OfLostSegment_TakesTheMarkAway()
    {
        Scoreboard board = Filled(4);
        board.MarkLost(1);
        board.BeginAck();
        board.Sack(Block(1, 2));
        Assert.Equal((0, 3_000), (board.LostBytes, board.PipeBytes));
        board.MarkLost(1);
        Assert.Equal(0, board.LostBytes); // what arrived is not lost
    }

    [Fact]
    public void Delivered_IsAscendingAndWithoutRepetition()
    {
        Scoreboard board = Filled(6);
        board.BeginAck();
        board.Sack(Block(2, 4));
        board.BeginAck();
        board.AcknowledgeTo(Timeline.SeqOf(1));
        board.Sack(Block(2, 6));
        Assert.Equal(3, board.Delivered.Length); // 0, 4, 5
        Assert.Equal(Timeline.SeqOf(1), board.Delivered[0].EndSeq);
        Assert.Equal(Timeline.SeqOf(6), board.Delivered[2].EndSeq);
    }

    // Without SACK: the first of five is missing, so at most four have arrived (RFC 9937 §6.2).
    [Fact]
    public void Duplicates_CountForWhatCanHaveArrived()
    {
        Scoreboard board = Filled(5);
        for (int i = 0; i < 6; i++)
        {
            board.OnDuplicateAck(1_000);
        }

        Assert.Equal((4_000, 1_000), (board.ArrivedBytes, board.PipeBytes));
        board.BeginAck();
        Assert.Equal(1_000, board.AcknowledgeTo(Timeline.SeqOf(5))); // four of them were counted already
        Assert.Equal((0, 0), (board.ArrivedBytes, board.PipeBytes));
    }

    // The ring of 64 grows while it is wrapped.
    [Fact]
    public void Ring_GrowsAndKeepsOrder()
    {
        Scoreboard board = Filled(60);
        board.BeginAck();
        board.AcknowledgeTo(Timeline.SeqOf(50));
        for (int i = 60; i < 200; i++)
        {
            Append(board, i);
        }

        Assert.Equal(150, board.Count);
        Assert.Equal(Timeline.SeqOf(199), board[149].Rack.Seq);
        Assert.Equal(100, board.Find(Timeline.SeqOf(150)));
    }

    static Scoreboard Filled(int segments)
    {
        Scoreboard board = new();
        for (int i = 0; i < segments; i++)
        {
            Append(board, i);
        }

        return board;
    }

    static void Append(Scoreboard board, int segment) => board.Append(new RackSegment { Seq = Timeline.SeqOf(segment), EndSeq = Timeline.SeqOf(segment + 1) });

    static SackBlock Block(int from, int to) => new(Timeline.SeqOf(from), Timeline.SeqOf(to));
}
