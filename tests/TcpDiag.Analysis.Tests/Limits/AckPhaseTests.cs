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

    // Writes in the beat of the round trip come just after acknowledgments wherever that is seen, but seldom as soon as a stack answers: within 100 us.
    [Theory]
    [InlineData(4, true)]
    [InlineData(3, false)]
    public void Answers_OfWhichFewComeAtOnce_ShowNothing(int atOnceInTen, bool isAtSender)
    {
        AckPhase phase = default;
        for (int i = 0; i <= 100; i++)
        {
            phase.OnAck(At(20_000 * i));
            phase.OnData(At((20_000 * i) + (i % 10 < atOnceInTen ? 100 : 700)));
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

    // Silences of 80 ms that end with an acknowledgment, round trips of as much. Answers within 50 us leave chance 1 in 1024 each; within 2 ms, the way lies
    // between the two.
    [Theory]
    [InlineData(50, 1, 80_000_000, true)]
    [InlineData(2000, 20, 80_000_000, false)]
    [InlineData(50, 20, 0, false)] // no round trip is known
    [InlineData(50, 20, 100_000, false)] // at the receiver: it acknowledges at once
    public void Answers_ThatEndASilence_AreTheSenders(int microseconds, int silences, uint minRttNanos, bool isAtSender)
    {
        QuietAnswers quiet = default;
        for (int i = 1; i <= silences; i++)
        {
            quiet.OnAck(At(80_000 * i), At((80_000 * i) - 79_000));
            quiet.OnData(At((80_000 * i) + microseconds), minRttNanos);
        }

        Assert.Equal(isAtSender, quiet.IsAtSender);
    }

    // Both in one rhythm: that they are close, 400 us of 79 ms, is one chance of 128 for all of them. Where silences differ by more, each has its own.
    [Theory]
    [InlineData(0, false)]
    [InlineData(700, false)]
    [InlineData(3000, true)]
    public void Answers_ThatEndSilencesInOneRhythm_AreOneChance(int unlikeMicroseconds, bool isAtSender)
    {
        QuietAnswers quiet = default;
        for (int i = 1; i <= 20; i++)
        {
            quiet.OnAck(At(80_000 * i), At((80_000 * i) - 79_000 + (i % 2 * unlikeMicroseconds)));
            quiet.OnData(At((80_000 * i) + 400), 80_000_000);
        }

        Assert.Equal(isAtSender, quiet.IsAtSender);
    }

    // Of a rhythm the answer that is furthest shows how close they are: 50 us, and once nothing.
    [Fact]
    public void Answers_InOneRhythm_OfWhichOneIsLate_ShowNothing()
    {
        QuietAnswers quiet = default;
        for (int i = 1; i <= 20; i++)
        {
            quiet.OnAck(At(80_000 * i), At((80_000 * i) - 79_000));
            quiet.OnData(At((80_000 * i) + (i == 10 ? 5000 : 50)), 80_000_000);
        }

        Assert.False(quiet.IsAtSender);
    }

    // Data with a rhythm of its own meets an acknowledgment now and then: one in ten answers at once.
    [Fact]
    public void Answers_ThatEndASilenceAnywhere_ShowNothing()
    {
        QuietAnswers quiet = default;
        for (int i = 1; i <= 100; i++)
        {
            quiet.OnAck(At(80_000 * i), At((80_000 * i) - 79_000));
            quiet.OnData(At((80_000 * i) + (i % 10 * 7000)), 80_000_000);
        }

        Assert.False(quiet.IsAtSender);
    }

    // Acknowledgments that come in rows end no silence, however closely data follows them.
    [Fact]
    public void Answers_InARow_EndNoSilence()
    {
        QuietAnswers quiet = default;
        for (int i = 1; i <= 100; i++)
        {
            quiet.OnAck(At(2000 * i), At((2000 * i) - 1900));
            quiet.OnData(At(2000 * i), 80_000_000);
        }

        Assert.False(quiet.IsAtSender);
    }

    static TraceTime At(long microseconds) => new(1 + (microseconds * 1000));
}
