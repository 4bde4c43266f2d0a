using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// A program that writes portions through a send buffer of 16,384 bytes: it fills that, and sends the rest of the portion a round trip later. A millisecond
/// behind each fill is booked.
/// </summary>
public sealed class WriterPortionsTests
{
    const long Wait = 120_000_000;

    LimitTimeline _timeline;
    WriterPortions _portions;
    SequenceNumber _end;
    long _now;

    public WriterPortionsTests() => _portions.OnFill(_end, Wait, ref _timeline); // from its end on

    // Three more as large as the first: all four were portions.
    [Theory]
    [InlineData(3, 0, 6)]
    [InlineData(4, 4, 4)]
    public void RoundPortions_AreTheProgramsOwn(int portions, long application, long other)
    {
        Write(portions, 16384, 13616);
        Assert.Equal((application, other), Settled());
    }

    // 30,001 bytes are no round number: only waits that are longer than all others, by more than a quarter, show portions of so many.
    [Theory]
    [InlineData(Wait, 0, 12)]
    [InlineData(Wait * 5 / 4, 0, 12)]
    [InlineData((Wait * 5 / 4) + 1, 6, 6)]
    public void OtherPortions_ShowByWhatIsWaitedBehindThem(long pause, long application, long other)
    {
        Write(6, 16384, 13617, pause);
        Assert.Equal((application, other), Settled());
    }

    // Writes of a thousand bytes, of which now nine fill the buffer and now eight, always end at a round number.
    [Fact]
    public void RoundWrites_OfABlockedWriter_AreNoPortions()
    {
        Write(6, 9000, 8000);
        Assert.Equal((0, 12), Settled());
    }

    // A blocked writer whose buffer takes 8,192 bytes and sometimes a part of the next write.
    [Fact]
    public void FillsOfABlockedWriter_AreNoPortions()
    {
        foreach (int fill in (int[])[8192, 10592, 8192, 8192, 10592, 10592, 8192, 10592, 8192, 8192, 8192, 10592])
        {
            Fill(fill, Wait);
        }

        Assert.Equal((0, 12), Settled());
    }

    // The fourth portion went at once, so that its end is hidden: sixty thousand bytes are two of thirty.
    [Fact]
    public void PortionOfWhichTheEndIsHidden_EndsNoSeries()
    {
        Write(3, 16384, 13616);
        Fill(30000, Wait);
        Write(1, 16384, 13616);
        Assert.Equal((4, 5), Settled());
    }

    // What the program waits for behind the first portion is not known when it is booked; what had been taken for its own already stays that.
    [Fact]
    public void StateOf_WhatIsTheProgramsOwn_Stays()
    {
        Write(1, 16384, 13616);
        Assert.True(_portions.IsAtEnd);
        Assert.Equal(OpenState.Application, _portions.StateOf(OpenState.Application));
        Assert.Equal(OpenState.LateWriter, _portions.StateOf(OpenState.LateWriter));
        Assert.Equal(OpenState.AfterPortion, _portions.StateOf(OpenState.SendBuffer));
    }

    void Write(int portions, int full, int rest, long pause = Wait)
    {
        for (int i = 0; i < portions; i++)
        {
            Fill(full, Wait);
            Fill(rest, pause);
        }
    }

    void Fill(int bytes, long wait)
    {
        _end += bytes;
        _portions.OnFill(_end, wait, ref _timeline);
        _timeline.Add(_portions.StateOf(OpenState.SendBuffer), new(_now), new(_now += 1_000_000));
    }

    // Milliseconds of the application, and of the send buffer or what waits to be told from chance.
    (long Application, long Other) Settled()
    {
        _portions.Settle(ref _timeline);
        long other = _timeline.In(OpenState.SendBuffer) + _timeline.In(OpenState.WriterOrChance);
        return (_timeline.In(OpenState.Application) / 1_000_000, other / 1_000_000);
    }
}
