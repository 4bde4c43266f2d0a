using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Where a capture was taken, by how data follows acknowledgments that come each millisecond.</summary>
public sealed class AckPhaseTests
{
    // Answers 100 us after each of 10 are those of the sender; 600 us after it, data has come a way.
    [Theory]
    [InlineData(100, 11, true)]
    [InlineData(100, 10, false)] // 9 with an end
    [InlineData(600, 100, false)]
    public void Answers_CloseToAcknowledgments_AreTheSenders(int microseconds, int acknowledgments, bool isAtSender)
    {
        AckPhase phase = default;
        for (int i = 0; i < acknowledgments; i++)
        {
            phase.OnAck(At(1000 * i));
            phase.OnData(At((1000 * i) + microseconds));
            phase.OnData(At((1000 * i) + 900)); // what follows in the same burst does not count
        }

        Assert.Equal(isAtSender, phase.IsAtSender);
    }

    // Behind a path that varies, data comes at any time between two acknowledgments: one of eight is as close by chance.
    [Fact]
    public void Answers_Anywhere_ShowNothing()
    {
        AckPhase phase = default;
        for (int i = 0; i < 1000; i++)
        {
            phase.OnAck(At(1000 * i));
            phase.OnData(At((1000 * i) + (i * 377 % 1000)));
        }

        Assert.False(phase.IsAtSender);
    }

    static TraceTime At(long microseconds) => new(1 + (microseconds * 1000));
}
