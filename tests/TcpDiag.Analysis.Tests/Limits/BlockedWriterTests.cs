using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// A blocked writer or a program with nothing to write, by what follows bursts with which all that was written had been sent: 1 ms of each is booked.
/// </summary>
public sealed class BlockedWriterTests
{
    const long Waiting = 1_000_000;

    LimitTimeline _timeline;
    BlockedWriter _writer;
    long _now;

    // Two at once count twice each, and make four.
    [Fact]
    public void TwoImmediateAnswers_AreABlockedWriter()
    {
        Follow(Answer.Immediate, 1);
        Assert.False(_writer.IsKnown);
        Follow(Answer.Immediate, 1);
        Assert.True(_writer.IsKnown);
        Assert.Equal((0, 2), Settled());
    }

    // A program whose rhythm is that of the round trip answers soon each time, and never at once.
    [Fact]
    public void AnswersNeverAtOnce_AreChance()
    {
        Follow(Answer.Prompt, 20);
        Assert.Equal((20, 0), Settled());
    }

    // The pause before the first answer waits too: that the writer was blocked shows only later.
    [Fact]
    public void Pauses_AtTheFill_AreOfABlockedWriter()
    {
        Follow(Answer.Belated, 1);
        Follow(Answer.Immediate, 4);
        Follow(Answer.Late, 1);
        Follow(Answer.Belated, 1);
        Assert.Equal((0, 7), Settled());
        Assert.Equal(3 * Waiting, _writer.LateNanos);
    }

    // Writes block at 8000 bytes, and at 7999 they do not.
    [Fact]
    public void Pauses_BelowTheFill_AreOfTheProgram()
    {
        Follow(Answer.Immediate, 4);
        Follow(Answer.Belated, 2, fill: 7999);
        Assert.Equal((2, 4), Settled());
    }

    // 9000 bytes fill the buffer, so at less than two thirds it was not full.
    [Theory]
    [InlineData(5999, 1, 4)]
    [InlineData(6000, 0, 5)]
    public void Pauses_BeforeAnyAnswer_AtMuchLess_AreOfTheProgram(int fill, long application, long sendBuffer)
    {
        Follow(Answer.Belated, 1, fill);
        Follow(Answer.Immediate, 4, fill: 9000);
        Assert.Equal((application, sendBuffer), Settled());
    }

    // The first pause, before any answer, waits; two of the program's own that are as long, to an eighth of theirs, tell whose it was.
    [Theory]
    [InlineData(100, 3, 4)]
    [InlineData(121, 2, 5)]
    public void Pause_AsLongAsThoseOfTheProgram_IsOneOfThem(long gap, long application, long sendBuffer)
    {
        Follow(Answer.Belated, 1, gap: 105 * Waiting);
        Follow(Answer.Immediate, 4);
        Follow(Answer.Belated, 2, fill: 7000, gap: gap * Waiting);
        Assert.Equal((application, sendBuffer), Settled());
    }

    // A burst that ended full says nothing of the fill.
    [Fact]
    public void UnknownFill_IsAsFullAsAny()
    {
        Follow(Answer.Immediate, 2, fill: 0);
        Follow(Answer.Immediate, 2);
        Follow(Answer.Belated, 1, fill: 0);
        Assert.Equal((0, 5), Settled());
    }

    [Fact]
    public void Pauses_NowAndThen_AreOfABlockedWriter()
    {
        foreach (int answers in (int[])[3, 5, 2, 9])
        {
            Follow(Answer.Immediate, answers);
            Follow(Answer.Belated, 1);
        }

        Assert.Equal((0, 23), Settled());
    }

    // Four answers make a score of eight; twelve pauses bring it to minus four, and what they waited for is told then.
    [Fact]
    public void MorePausesThanAnswers_AreOfTheProgram()
    {
        Follow(Answer.Immediate, 4);
        Follow(Answer.Belated, 11);
        Assert.True(_writer.IsKnown);
        Follow(Answer.Belated, 1);
        Assert.False(_writer.IsKnown);
        Assert.Equal((12, 4), Times());
        Follow(Answer.Belated, 1);
        Assert.Equal((13, 4), Times());
    }

    // Nothing tells of an acknowledgment: the program's own time, and no pause that waits.
    [Fact]
    public void DataByItself_IsOfTheProgram()
    {
        Follow(Answer.Immediate, 4);
        Follow(Answer.None, 1);
        Assert.Equal((1, 4), Times());
    }

    // Late ones at even distances: the program's own clock.
    [Theory]
    [InlineData(Waiting, 14, 0)]
    [InlineData(0, 0, 14)]
    public void LateAnswers_CountAsPauses_AtEvenDistances(long gap, long application, long sendBuffer)
    {
        Follow(Answer.Late, 10, gap: gap);
        Follow(Answer.Immediate, 2);
        Follow(Answer.Late, 2, gap: gap);
        Assert.Equal((application, sendBuffer), Settled());
    }

    // 80 and 90 ms differ by 10, an eighth of the shorter: one distance. 80 and 92 ms differ by more than an eighth of either.
    [Theory]
    [InlineData(90, 14, 0)]
    [InlineData(92, 0, 14)]
    public void LateAnswers_AtDistancesThatDiffer_AreEvenToAnEighth(long other, long application, long sendBuffer)
    {
        for (int i = 0; i < 5; i++)
        {
            Follow(Answer.Late, 1, gap: 80 * Waiting);
            Follow(Answer.Late, 1, gap: other * Waiting);
        }

        Follow(Answer.Immediate, 2);
        Follow(Answer.Late, 1, gap: 80 * Waiting);
        Follow(Answer.Late, 1, gap: other * Waiting);
        Assert.Equal((application, sendBuffer), Settled());
    }

    void Follow(Answer answer, int times, int fill = 8000, long gap = 0)
    {
        for (int i = 0; i < times; i++, _now += Waiting)
        {
            _timeline.Add(_writer.StateOf(fill, answer), new TraceTime(_now), new TraceTime(_now + Waiting));
            _writer.OnBurst(fill, answer, gap == 0 ? (1 + (i & 1)) * Waiting : gap, ref _timeline);
        }
    }

    (long Application, long SendBuffer) Settled()
    {
        _writer.Settle(ref _timeline);
        return Times();
    }

    (long Application, long SendBuffer) Times() => (_timeline.In(OpenState.Application) / Waiting, _timeline.In(OpenState.SendBuffer) / Waiting);
}
