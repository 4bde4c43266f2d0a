using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// Send buffer or congestion window, by what is in flight per round trip: segments of 1000 bytes, rounds of 20 ms; 1 ms of each waits for the
/// verdict.
/// </summary>
public sealed class SendBufferDetectorTests
{
    const int Mss = 1000;
    const long Round = 20_000_000;
    const long Waiting = 1_000_000;

    LimitTimeline _timeline;
    SendBufferDetector _level;
    SequenceNumber _una = new(uint.MaxValue - 5000); // across the wrap
    long _now;

    // Below the initial window of ten segments: the level and three rounds that hold it.
    [Fact]
    public void Level_BelowTheInitialWindow_IsASendBufferAfterThreeRounds()
    {
        Rounds(8, 3);
        Assert.False(_level.IsSendBuffer);
        Rounds(8, 1);
        Assert.True(_level.IsSendBuffer);
        _level.Settle(ref _timeline);
        Assert.Equal((4 * Waiting, 0), Times());
        Assert.Equal(0, _level.Samples);
    }

    // 30 segments: tolerance two, so that growth by three would show; three rounds each make nine.
    [Fact]
    public void Level_AboveTheInitialWindow_NeedsNineRounds()
    {
        Rounds(30, 9);
        Assert.False(_level.IsSendBuffer);
        Rounds(30, 1);
        Assert.True(_level.IsSendBuffer);
    }

    // Away from the sender 64 segments are equal to four, so that growth by five would show, after 15 rounds; rounds that differ by less show less growth sooner.
    [Theory]
    [InlineData(0, 9)]
    [InlineData(1, 9)]
    [InlineData(2, 15)]
    [InlineData(4, 15)]
    public void Level_SeenFromAfar_IsAsSharpAsItsRoundsAreEqual(int unlike, int rounds)
    {
        _level.Begin(isAway: true);
        for (int i = 0; i < rounds; i++)
        {
            Rounds(64 - (i % 2 * unlike), 1);
        }

        Assert.False(_level.IsSendBuffer);
        Rounds(64, 1);
        Assert.True(_level.IsSendBuffer);
    }

    // Each round is three segments higher: every level is a congestion window of its own.
    [Fact]
    public void Growth_IsACongestionWindowWithItsSizes()
    {
        foreach (int segments in (int[])[10, 13, 16, 19])
        {
            Rounds(segments, 1);
        }

        _level.Settle(ref _timeline);
        Assert.Equal((0, 4 * Waiting), Times());
        Assert.Equal((10 * Mss, 19 * Mss), (_level.MinCwnd, _level.MaxCwnd));
    }

    // Around W_max CUBIC is within three segments for 2·cbrt(3 / 0.4) = 3.91 s: after a loss at 30 segments the level must hold for 196 rounds and the first.
    [Fact]
    public void Level_AfterALoss_NeedsThePlateauOfCubic()
    {
        Rounds(30, 1);
        _level.OnLoss(30 * Mss, ref _timeline);
        Rounds(30, 196);
        Assert.False(_level.IsSendBuffer);
        Rounds(30, 1);
        Assert.True(_level.IsSendBuffer);
    }

    // Levels of 30 segments are equal to two segments: a loss at 28 was at this one, and the plateau counts; of one below, the level has held beyond it.
    [Theory]
    [InlineData(28 * Mss, false)]
    [InlineData((28 * Mss) - 1, true)]
    public void Level_AfterALossBelowIt_NeedsNineRounds(int lossLevel, bool expected)
    {
        _level.OnLoss(lossLevel, ref _timeline);
        Rounds(30, 9);
        Assert.False(_level.IsSendBuffer);
        Rounds(30, 1);
        Assert.Equal(expected, _level.IsSendBuffer);
    }

    // Nine segments are three quarters of a receive window of twelve: what holds them may be the window.
    [Theory]
    [InlineData(12_000, false)]
    [InlineData(12_001, true)]
    public void Level_NearTheReceiveWindow_IsNotASendBuffer(int window, bool expected)
    {
        _level.OnWindow(window);
        Rounds(9, 4);
        Assert.Equal(expected, _level.IsSendBuffer);
    }

    // Fifty segments, then 20: nothing was lost, so the congestion window is as large as ever, and three rounds suffice.
    [Fact]
    public void Level_BelowWhatWasInFlightBefore_IsASendBufferAfterThreeRounds()
    {
        Rounds(50, 1);
        Rounds(20, 3);
        Assert.False(_level.IsSendBuffer);
        Rounds(20, 1);
        Assert.True(_level.IsSendBuffer);
    }

    // Seen from afar, what was in flight before may have been a longer delay: 20 segments, equal to two, need nine rounds there.
    [Fact]
    public void Level_BelowWhatSeemedToBeInFlightBefore_NeedsNineRoundsFromAfar()
    {
        _level.Begin(isAway: true);
        Rounds(50, 1);
        Rounds(20, 9);
        Assert.False(_level.IsSendBuffer);
        Rounds(20, 1);
        Assert.True(_level.IsSendBuffer);
    }

    // Behind a pause a stack may begin with the initial window again (RFC 5681 §4.1), however much was in flight before: each of these is one of its own.
    [Fact]
    public void Level_BetweenRestarts_IsNotASendBuffer()
    {
        Rounds(50, 1);
        for (int i = 0; i < 10; i++)
        {
            _level.OnRestart(ref _timeline);
            Rounds(10, 3);
        }

        Assert.False(_level.IsSendBuffer);
    }

    // A level that holds where the receive window is full now and then is that one's.
    [Fact]
    public void Level_BetweenFullReceiveWindows_IsNotASendBuffer()
    {
        for (int i = 0; i < 5; i++)
        {
            Rounds(8, 2);
            _level.OnWindowFull();
        }

        Assert.False(_level.IsSendBuffer);
    }

    // 46 segments in flight in one round of slow start, and later a buffer is known that holds as much, to a segment: it was full then already. One of 44 was
    // not.
    [Theory]
    [InlineData(45_000, 1, 2)]
    [InlineData(44_999, 0, 3)]
    public void HighestLevel_OfABufferFoundLater_IsThatBuffers(int fill, long sendBuffer, long congestionWindow)
    {
        SlowStartThenFullBuffer(fill);
        Assert.Equal((sendBuffer * Waiting, congestionWindow * Waiting), Times());
    }

    // Away from the sender levels are less sharp: what is equal among rounds (two segments, or a sixteenth of the level: 46,000 / 16) is equal here.
    [Theory]
    [InlineData(43_125, 1, 2)]
    [InlineData(43_124, 0, 3)]
    public void HighestLevel_SeenFromAfar_IsComparedAsLevelsAre(int fill, long sendBuffer, long congestionWindow)
    {
        _level.Begin(isAway: true);
        SlowStartThenFullBuffer(fill);
        Assert.Equal((sendBuffer * Waiting, congestionWindow * Waiting), Times());
    }

    // The first level is that of the initial window, whatever a buffer holds.
    [Fact]
    public void FirstLevel_IsACongestionWindow()
    {
        Rounds(10, 1);
        _level.OnPause(ref _timeline);
        _level.OnFullBuffer(10 * Mss, Mss, ref _timeline);
        Assert.Equal((0, Waiting), Times());
    }

    // Rounds that no acknowledgment was answered in say nothing: the application had nothing to send.
    [Fact]
    public void Rounds_WithoutAnswers_DoNotCount()
    {
        for (int i = 0; i < 10; i++)
        {
            Send(8);
        }

        Assert.False(_level.IsSendBuffer);
    }

    // Windows of 10 and 20 segments double; a buffer that holds 33, then 37, then 46 small ones ends that. The one that shows holds 40.
    [Theory]
    [InlineData(40, 3, 2)]
    [InlineData(90, 0, 5)] // slow start would have filled it
    [InlineData(20, 0, 5)] // and this one was never so small
    public void RoundsBehindSlowStart_WithoutLoss_AreTheBuffersThatEndedIt(int fill, long sendBuffer, long congestionWindow)
    {
        Rounds(10, 1);
        Rounds(20, 1);
        Rounds(33, 1);
        Rounds(37, 1);
        Rounds(46, 1);
        _level.OnPause(ref _timeline);
        _level.OnFullBuffer(fill * Mss, Mss, ref _timeline);
        _level.Settle(ref _timeline);
        Assert.Equal((sendBuffer * Waiting, congestionWindow * Waiting), Times());
    }

    // Seen from afar, the round after the initial window of ten seems to hold nine: slow start has not ended there, so the buffer ended it, as above.
    [Fact]
    public void RoundSmallerThanTheInitialWindow_IsNoEndOfSlowStart()
    {
        _level.Begin(isAway: true);
        Send(10);
        foreach (int segments in (int[])[9, 19, 33, 37, 46])
        {
            Rounds(segments, 1);
        }

        _level.OnPause(ref _timeline);
        _level.OnFullBuffer(40 * Mss, Mss, ref _timeline);
        _level.Settle(ref _timeline);
        Assert.Equal((3 * Waiting, 2 * Waiting), Times());
    }

    // Small steps up to 30 segments may be CUBIC on its way to the window at a loss before the capture: 2·cbrt(3 / 0.4) s, 196 rounds, are flat.
    [Theory]
    [InlineData(false, 12, true)]
    [InlineData(true, 12, false)]
    [InlineData(true, 200, true)]
    public void Level_OfSmallSteps_NeedsThePlateauWhereTheCaptureBeganLate(bool isLate, int rounds, bool expected)
    {
        if (isLate)
        {
            _level.BeginLate();
        }

        Rounds(24, 1);
        Rounds(27, 1);
        Rounds(30, rounds);
        Assert.Equal(expected, _level.IsSendBuffer);
    }

    void SlowStartThenFullBuffer(int fill)
    {
        Rounds(10, 1);
        Rounds(20, 1);
        Rounds(46, 1);
        _level.OnPause(ref _timeline);
        _level.OnFullBuffer(fill, Mss, ref _timeline);
        _level.Settle(ref _timeline);
    }

    void Rounds(int segments, int count)
    {
        for (int i = 0; i < count; i++)
        {
            _level.OnAnswer();
            Send(segments);
            _timeline.Add(OpenState.FullFlight, new TraceTime(_now), new TraceTime(_now + Waiting));
        }
    }

    // A round: so many segments in flight, all acknowledged at its end.
    void Send(int segments)
    {
        _level.OnFlight(segments * Mss);
        _una += segments * Mss;
        _now += Round;
        _level.OnAcknowledged(_una, _una, Mss, new TraceTime(_now), ref _timeline);
    }

    (long SendBuffer, long CongestionWindow) Times() => (_timeline.In(OpenState.SendBuffer), _timeline.In(OpenState.CongestionWindow));
}
