using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>A blocked writer or a program with nothing to write, by what follows bursts with which all that was written had been sent: 1 ms of each is booked.</summary>
public sealed class BlockedWriterTests
{
    const long Waiting = 1_000_000;

    LimitBook _book;
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
        Assert.Equal(3 * Waiting, _writer.LateTime);
    }

    // Writes block at 8000 bytes, and at 7999 they do not.
    [Fact]
    public void Pauses_BelowTheFill_AreOfTheProgram()
    {
        Follow(Answer.Immediate, 4);
        Follow(Answer.Belated, 2, fill: 7999);
        Assert.Equal((2, 4), Settled());
    }

    // 8000 bytes fill the buffer, so at 5333, less than two thirds, it was not full.
    [Fact]
    public void Pauses_BeforeAnyAnswer_AtMuchLess_AreOfTheProgram()
    {
        Follow(Answer.Belated, 1, fill: 5333);
        Follow(Answer.Immediate, 4);
        Assert.Equal((1, 4), Settled());
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

    // Portions of four bursts each, 32 kB through a buffer of 8: the first pause is as far from the begin as the others from each other.
    [Fact]
    public void Pauses_AfterAsManyBurstsEachTime_AreOfTheProgram()
    {
        for (int i = 0; i < 4; i++)
        {
            Follow(Answer.Immediate, 3);
            Follow(Answer.Belated, 1);
        }

        Assert.Equal((4, 12), Settled());
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

    // Writes block at 8000 bytes; at 6000 one answer comes by chance, and four pauses tell whose that is.
    [Fact]
    public void LesserFill_AnsweredOnce_IsOfTheProgram()
    {
        Follow(Answer.Immediate, 4);
        Follow(Answer.Immediate, 1, fill: 6000);
        Follow(Answer.Belated, 4, fill: 6000);
        Assert.Equal(8000, _writer.Level);
        Assert.Equal((5, 4), Settled());
    }

    // Three answers at once count six, two pauses less two: writes of another size, or so it seems.
    [Fact]
    public void LesserFill_AnsweredMostly_IsOfABlockedWriter()
    {
        Follow(Answer.Immediate, 8);
        Follow(Answer.Immediate, 3, fill: 6000);
        Follow(Answer.Belated, 2, fill: 6000);
        Assert.Equal((0, 13), Settled());
        Assert.Equal(5 * Waiting, _writer.LateTime);
    }

    // Answers to an acknowledgment behind the one that made room come by chance, unless writers are never woken sooner.
    [Theory]
    [InlineData(true, 4, 8)]
    [InlineData(false, 0, 12)]
    public void LesserFill_AnsweredBehindTheRoom_IsAsOthersAre(bool isRoomAnswered, long application, long sendBuffer)
    {
        Follow(Answer.Immediate, 8, toRoom: isRoomAnswered ? Answer.Immediate : Answer.Late);
        Follow(Answer.Immediate, 4, fill: 6000, toRoom: Answer.Late);
        Assert.Equal((application, sendBuffer), Settled());
    }

    // Usual fills are answered after 0.2 ms, the deviation from which, 0.05 ms at first, is 6.675 µs after the eighth: up to 200 + 4 · 6.675 + 100 µs is no later behind others: the same writer is woken.
    [Theory]
    [InlineData(326_700, 0, 12)]
    [InlineData(326_701, 4, 8)]
    public void LesserFill_AnsweredLaterThanOthers_IsOfTheProgram(long delay, long application, long sendBuffer)
    {
        Follow(Answer.Immediate, 8, delay: 200_000);
        Follow(Answer.Immediate, 4, fill: 6000, delay: delay);
        Assert.Equal((application, sendBuffer), Settled());
    }

    // The first burst was larger than the buffer holds later: pauses behind what is usual from then on are the buffer's, but for those that came before an answer showed it.
    [Fact]
    public void UsualFill_ThatWasLessThanTheFirst_IsOfABlockedWriter()
    {
        Follow(Answer.Immediate, 2, fill: 16000);
        Follow(Answer.Belated, 3);
        Follow(Answer.Immediate, 6);
        Follow(Answer.Belated, 1);
        Assert.Equal((3, 9), Settled());
    }

    // As often as each other: behind the lesser one a portion may have ended each time. Four answers there count eight, two pauses less two.
    [Fact]
    public void LesserFill_AsFrequentAsTheUsual_IsUncertain()
    {
        for (int i = 0; i < 4; i++)
        {
            Follow(Answer.Immediate, 1, fill: 8000);
            Follow(Answer.Immediate, 1, fill: 6000);
        }

        Follow(Answer.Belated, 2, fill: 6000);
        Assert.Equal((0, 10), Settled());
        Assert.Equal(6 * Waiting, _writer.LateTime);
    }

    // Usual answers take 0.2 ms. One after 2 ms may hide a pause where the capture does not show how full the buffer was.
    [Theory]
    [InlineData(true, Waiting)]
    [InlineData(false, 0)]
    public void AnswerLaterThanUsual_IsUncertainFromAfar(bool isAway, long uncertain)
    {
        Follow(Answer.Immediate, 8, delay: 200_000, isAway: isAway);
        Follow(Answer.Immediate, 1, delay: 2_000_000, isAway: isAway);
        Assert.Equal((0, 9), Settled());
        Assert.Equal(uncertain, _writer.LateTime);
    }

    // The second answer at 8000 bytes shows that these, not 9000, are usual; what waited until then, behind 6000 and twice 8000, is not told apart any more, and with pauses of the program's behind 6000 may be one.
    [Fact]
    public void LesserFill_BeforeTheUsualOneWasKnown_IsUncertain()
    {
        Follow(Answer.Immediate, 1, fill: 9000);
        Follow(Answer.Immediate, 1, fill: 6000);
        Follow(Answer.Immediate, 3, fill: 8000);
        Follow(Answer.Late, 3, fill: 6000);
        Assert.Equal((3, 5), Settled());
        Assert.Equal(3 * Waiting, _writer.LateTime);
    }

    void Follow(Answer answer, int times, int fill = 8000, long gap = 0, Answer? toRoom = null, long delay = 0, bool isAway = false)
    {
        for (int i = 0; i < times; i++, _now += Waiting)
        {
            _book.Add(_writer.PlaceOf(fill, answer, isAway && _writer.IsLater(delay)), new TraceTime(_now), new TraceTime(_now + Waiting));
            _writer.Learn(fill, answer, toRoom ?? answer, delay, gap == 0 ? (1 + (i & 1)) * Waiting : gap, ref _book);
        }
    }

    (long Application, long SendBuffer) Settled()
    {
        _writer.Settle(ref _book);
        return Times();
    }

    (long Application, long SendBuffer) Times() => (_book.At(LimitPlace.Application) / Waiting, _book.At(LimitPlace.SendBuffer) / Waiting);
}
