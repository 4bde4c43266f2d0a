using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Limits;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Acknowledgments on their way to the sender: what time expects, and what echoed timestamps tell (RFC 7323 §4.3).</summary>
public sealed class AckDelayLineTests
{
    const long Lag = 10;

    AckDelayLine _line;

    [Fact]
    public void TryTake_WithoutEcho_GoesByTime()
    {
        Add(expected: 20, tsVal: 5);
        Assert.Null(Take(19, echo: 0));
        Assert.Equal(20, Take(20, echo: 0));
    }

    // Expected at 20, but data of 12 echoes a later timestamp: it had arrived, by 12 at the latest.
    [Fact]
    public void TryTake_OlderThanTheEcho_HasArrivedAlready()
    {
        Add(expected: 20, tsVal: 5);
        Assert.Equal(12, Take(12, echo: 6));
    }

    // Expected at 20, but data of 30 still echoes an earlier timestamp.
    [Fact]
    public void TryTake_NewerThanTheEcho_IsOnItsWayYet()
    {
        Add(expected: 20, tsVal: 5);
        Assert.Null(Take(30, echo: 4));
        Assert.Equal(20, Take(31, echo: 5));
    }

    // Three share a timestamp: one of them was echoed, time tells about the others.
    [Fact]
    public void TryTake_SeveralWithTheEcho_TakesTheFirstAndGoesByTime()
    {
        Add(expected: 20, tsVal: 5);
        Add(expected: 21, tsVal: 5);
        Add(expected: 40, tsVal: 5);
        Assert.Equal(15, Take(15, echo: 5));
        Assert.Null(Take(15, echo: 5));
        Assert.Equal(21, Take(30, echo: 5));
        Assert.Null(Take(30, echo: 5));
    }

    // What passed when the way was thought to be 20 long arrives sooner once it shows to be 10.
    [Fact]
    public void TryTake_OverAWayThatShowsToBeShorter_CountsFromThePassing()
    {
        _line.Add(new ArrivedAck { Time = new TraceTime(5) });
        Assert.False(_line.TryTake(new TraceTime(20), 20, echo: 0, out _));
        Assert.True(_line.TryTake(new TraceTime(20), 10, echo: 0, out ArrivedAck ack));
        Assert.Equal(15, ack.Time.Nanoseconds);
    }

    // 2 follows 2³²−1.
    [Fact]
    public void TryTake_AcrossTheWrap_KnowsTheOlder()
    {
        Add(expected: 20, tsVal: uint.MaxValue);
        Assert.Equal(12, Take(12, echo: 2));
    }

    // Eighty with one timestamp and two with the next, of which data echoes the first: that one stays, and the latest before it.
    [Fact]
    public void Add_MoreThanFit_KeepsTheFirstOfEachTimestamp()
    {
        for (uint i = 0; i < 80; i++)
        {
            Add(expected: 20, tsVal: 5, una: i);
        }

        Add(expected: 60, tsVal: 6, una: 80);
        Add(expected: 60, tsVal: 6, una: 81);
        List<uint> taken = [];
        while (_line.TryTake(new TraceTime(50), Lag, echo: 6, out ArrivedAck ack))
        {
            taken.Add(ack.Una.Value);
        }

        Assert.Equal(0u, taken[0]);
        Assert.Equal([79u, 80u], taken[^2..]);
        Assert.Equal(taken.Order(), taken);
    }

    // What one says that is left out, the next says.
    [Fact]
    public void Add_MoreThanFit_LosesNoNews()
    {
        for (uint i = 0; i < 65; i++)
        {
            _line.Add(new ArrivedAck { Time = new TraceTime(20 - Lag), TsVal = 5, HasNews = i == 1, Una = new SequenceNumber(i) });
        }

        Assert.True(_line.TryTake(new TraceTime(20), Lag, echo: 6, out ArrivedAck first));
        Assert.True(_line.TryTake(new TraceTime(20), Lag, echo: 6, out ArrivedAck second));
        Assert.Equal((false, 2u, true), (first.HasNews, second.Una.Value, second.HasNews));
    }

    void Add(long expected, uint tsVal, uint una) =>
        _line.Add(new ArrivedAck { Time = new TraceTime(expected - Lag), TsVal = tsVal, Una = new SequenceNumber(una) });

    void Add(long expected, uint tsVal) => _line.Add(new ArrivedAck { Time = new TraceTime(expected - Lag), TsVal = tsVal });

    long? Take(long now, uint echo) => _line.TryTake(new TraceTime(now), Lag, echo, out ArrivedAck arrived) ? arrived.Time.Nanoseconds : null;
}
