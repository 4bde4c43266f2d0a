using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.StackEvents;

/// <summary>Open connections from events as a session on Windows delivers them.</summary>
public sealed class LiveConnectionsTests
{
    const int Most = 1 << 16;

    static readonly long[] Extremes = [0, 1, -1, 1460, int.MaxValue, int.MinValue, uint.MaxValue, long.MaxValue, long.MinValue];

    readonly LiveScript _script = new();

    [Fact]
    public void Read_ConnectionOfARundown_HasItsOwner()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown);
        LiveScript.Reading reading = Assert.Single(_script.Read(1));
        Assert.Equal(((LiveScript.Local, LiveScript.Remote), (7u, "process-7")), (reading.Ends, reading.Process));
        Assert.Null(reading.InFlightBytes);
        Assert.Equal(0, reading.Times.Total);
    }

    // Across the wrap of the sequence number.
    [Fact]
    public void Read_SentAndAcknowledged_CountsNewBytesAndWhatIsInFlight()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown)
            .Send(10, uint.MaxValue - 999, 2000)
            .Acknowledge(30, 1200, cwnd: 15_000, window: 60_000)
            .Feed(35, StackEventKind.SegmentReceived, (StackField.Bytes, 300));
        LiveScript.Reading reading = Assert.Single(_script.Read(40));
        Assert.Equal((2000L, 300L, 800, 15_000, 60_000, 20_000_000L),
            (reading.BytesOut, reading.BytesIn, reading.InFlightBytes, reading.CwndBytes, reading.SendWindowBytes, reading.SrttNanos));
        Assert.Equal((30_000_000L, 0L), (reading.Times.Total, reading.Retransmissions)); // in flight from 10 to 40 ms
    }

    [Fact]
    public void Read_SegmentSentAgain_IsRepairedUntilAllSentThenIsAcknowledged()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(1, 1, 3000).Send(2, 1, 1000);
        LiveScript.Reading during = Assert.Single(_script.Read(3));
        Assert.Equal((RecoveryState.FastRecovery, 1L, 3000L, 1d), (during.Recovery, during.Retransmissions, during.BytesOut, during.Ms(LimitState.Recovery)));
        _script.Acknowledge(4, 3000);
        LiveScript.Reading after = Assert.Single(_script.Read(5));
        Assert.Equal((RecoveryState.None, 2d), (after.Recovery, after.Ms(LimitState.Recovery)));
    }

    // Silent from 1 ms until the timer expired at 300 ms; repaired until 320 ms.
    [Fact]
    public void Read_TimerExpired_IsTimeoutUntilThen()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(1, 1, 1000).Feed(300, StackEventKind.RetransmissionTimeout).Send(300, 1, 1000);
        LiveScript.Reading during = Assert.Single(_script.Read(310));
        Assert.Equal((RecoveryState.Timeout, 299d, 10d), (during.Recovery, during.Ms(LimitState.Timeout), during.Ms(LimitState.Recovery)));
        _script.Acknowledge(320, 1000);
        LiveScript.Reading after = Assert.Single(_script.Read(400));
        Assert.Equal((RecoveryState.None, 299d, 20d), (after.Recovery, after.Ms(LimitState.Timeout), after.Ms(LimitState.Recovery)));
    }

    // Sent up to 11,681 in segments of 1460. Again: 4380 bytes, three; 3000, three of which the last is short; and of 5840 from 8761 on two, for the
    // rest is new. A fast retransmission is logged twice.
    [Fact]
    public void Read_LargeSendsAgain_CountTheirSegments()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(1, 1, 11_680).Send(2, 1, 4380)
            .Feed(2, StackEventKind.SegmentRetransmitted, (StackField.SeqNo, 1), (StackField.Bytes, 4380));
        Assert.Equal(3, Assert.Single(_script.Read(3)).Retransmissions);
        _script.Send(4, 4381, 3000);
        Assert.Equal(6, Assert.Single(_script.Read(5)).Retransmissions);
        _script.Send(6, 8761, 5840);
        LiveScript.Reading reading = Assert.Single(_script.Read(7));
        Assert.Equal((8L, 14_600L), (reading.Retransmissions, reading.BytesOut)); // new from 11,681 to 14,601
    }

    [Fact]
    public void Read_ReorderingDetected_IsCounted()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Feed(1, StackEventKind.ReorderingDetected).Feed(2, StackEventKind.ReorderingDetected);
        Assert.Equal(2, Assert.Single(_script.Read(3)).Reorderings);
    }

    // What comes behind the end, and names no ends, begins nothing.
    [Fact]
    public void Read_HandleUsedAgain_IsAnotherConnection()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Send(1, 1, 3000).Feed(2, StackEventKind.Closed).Acknowledge(3, 3000);
        Assert.Empty(_script.Read(3));
        _script.Feed(4, StackEventKind.Accepted);
        Assert.Equal(0, Assert.Single(_script.Read(5)).BytesOut);
    }

    // The end of the connection before was not seen.
    [Fact]
    public void Read_HandleUsedAgainWithoutAnEnd_IsAnotherConnection()
    {
        _script.Feed(0, StackEventKind.Accepted).Send(1, 1, 3000).Feed(2, StackEventKind.Accepted);
        Assert.Equal(0, Assert.Single(_script.Read(3)).BytesOut);
    }

    // Windows gives the number of a process that has ended to another one: the older connection keeps its owner.
    [Fact]
    public void Read_NumberOfAProcessUsedAgain_EachConnectionHasItsOwnOwner()
    {
        _script.Feed(0, StackEventKind.ConnectionRundown);
        _script.Names[7] = "another";
        _script.Send(2, 1, 1000);
        Assert.Equal("process-7", Assert.Single(_script.Read(3)).Process.Name);
        _script.Feed(4, StackEventKind.Closed).Feed(5, StackEventKind.Accepted);
        Assert.Equal("another", Assert.Single(_script.Read(6)).Process.Name);
    }

    [Theory]
    [InlineData(StackEventKind.Closed, 0)]
    [InlineData(StackEventKind.ConnectFailed, 0)]
    [InlineData(StackEventKind.ConnectionSummary, 0)]
    [InlineData(StackEventKind.StateChanged, 0)]
    public void Read_ConnectionThatEnded_HasGone(StackEventKind end, long state)
    {
        _script.Feed(0, StackEventKind.ConnectionRundown).Feed(1, StackEventKind.StateChanged, (StackField.State, 4));
        Assert.Single(_script.Read(2));
        _script.Feed(3, end, (StackField.State, state));
        Assert.Empty(_script.Read(4));
    }

    // 65,536 are followed. Of three more one has two events, and one ends.
    [Fact]
    public void Read_MoreThanCanBeFollowed_CountsThoseLeftOut()
    {
        for (uint i = 0; i < Most + 3; i++)
        {
            _script.Begin(i);
        }

        _script.Begin(Most);
        Assert.Equal((Most, 3), Count());
        _script.End(Most + 2);
        Assert.Equal((Most, 2), Count());

        // There is room for one again, which is taken by its next event.
        _script.End(0);
        _script.Begin(Most);
        Assert.Equal((Most, 1), Count());
    }

    // Whatever fields and instants an event has: nothing is thrown, and what is reported adds up.
    [Fact]
    public void OnEvent_FieldsAtRandom_AreTakenIn()
    {
        var random = new Random(20_26);
        var hostile = new StackEvent();
        for (int i = 0; i < 200_000; i++)
        {
            Fill(hostile, random, i);
            _script.Connections.OnEvent(hostile);
            if (i % 16 == 0)
            {
                Assert.All(_script.Read(random.Next(1000)), reading => Assert.InRange(reading.Times.Total, 0, long.MaxValue));
            }
        }
    }

    // Most are of those that move data, and follow each other within 0.1 s.
    static void Fill(StackEvent hostile, Random random, int number)
    {
        StackEventKind[] kinds = Enum.GetValues<StackEventKind>();
        StackEventKind kind = random.Next(10) == 0 ? kinds[random.Next(kinds.Length)] : StackEventKind.SendPosted + random.Next(12);
        long nanos = random.Next(10) == 0 ? Extremes[random.Next(Extremes.Length)] : (number * 1000L) + random.Next(100_000_000);
        hostile.Reset(kind, new TraceTime(nanos), "test");
        (hostile.Tcb, hostile.ProcessId) = (1 + (ulong)random.Next(4), (uint)random.Next(3));
        bool hasEnds = random.Next(3) == 0;
        hostile.Local = hasEnds ? LiveScript.Local : null;
        hostile.Remote = hasEnds ? LiveScript.Remote : null;
        foreach (StackField field in (StackField[])[StackField.Bytes, StackField.SeqNo, StackField.Cwnd, StackField.SndWnd, StackField.Srtt])
        {
            hostile.Set(field, random.Next(4) == 0 ? Extremes[random.Next(Extremes.Length)] : random.NextInt64(100_000));
        }
    }

    (int Read, int LeftOut) Count()
    {
        int read = 0;
        int leftOut = _script.Connections.Read(new TraceTime(1_000_000), _ => read++);
        return (read, leftOut);
    }
}
