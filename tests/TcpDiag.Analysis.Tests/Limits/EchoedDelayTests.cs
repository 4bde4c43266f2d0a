using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>How far the sender is from the capture point, by the timestamps its data echoes (RFC 7323 §4.3), where the handshake was not captured.</summary>
public sealed class EchoedDelayTests
{
    const int SegmentBytes = 1000;
    const long MaxMs = 4_000;

    // Acknowledgments a millisecond apart act 10 ms later, and the data that echoes each follows that which echoes the one before by a millisecond.
    [Fact]
    public void EchoesInARow_ShowTheWay()
    {
        CapturePath path = default;
        path.BeginLearning();
        int? delay = Feed(ref path, count: 200, delayMicroseconds: 10_000, dataGapMicroseconds: 1_000);
        Assert.Equal(10_000_000, delay);
        Assert.False(path.IsLearning);
    }

    // A program that writes each 100 ms echoes what came since its last write: the acknowledgment may have waited there.
    [Fact]
    public void EchoesAfterSilence_ShowOnlyABound()
    {
        CapturePath path = default;
        path.BeginLearning();
        Assert.Null(Feed(ref path, count: 200, delayMicroseconds: 60_000, dataGapMicroseconds: 100_000));
    }

    [Fact]
    public void EchoesAtOnce_AreThoseOfTheSenderItself()
    {
        CapturePath path = default;
        path.BeginLearning();
        Assert.Equal(0, Feed(ref path, count: 200, delayMicroseconds: 40, dataGapMicroseconds: 1_000));
    }

    // Data that had no room is sent for the acknowledgment that gives some, however long the reader took.
    [Fact]
    public void DataThatAFullWindowHeldBack_ShowsTheWay()
    {
        CapturePath path = default;
        path.BeginLearning();
        Assert.Null(path.LearnFromWindow(At(100_000), At(121_300), 0));
        Assert.Null(path.LearnFromWindow(At(400_000), At(421_100), 0));
        Assert.Null(path.LearnFromWindow(At(450_000), At(471_200), 0));
        Assert.Equal(21_100_000, path.LearnFromWindow(At(900_000), At(921_900), 0));
        Assert.False(path.IsLearning);
    }

    // A program reads in portions and makes room for two sizes in turn; the sender fills each to the byte, 21 ms away from the receiver's capture.
    [Fact]
    public void SlowReader_BegunLate_IsJudgedOnceTheWayIsKnown()
    {
        Connection connection = ReadInPortions(delayMs: 21).Analyze().Connections.Single();
        LimitSummary limits = connection.FromClient.Limits!;

        Assert.InRange(connection.FromClient.SenderDelay!.Value, 20_000_000, 22_000_000);
        Assert.InRange(limits.TimeIn(LimitState.ReceiveWindow), limits.Times.Total * 8 / 10, limits.Times.Total);
    }

    // Segments 700 µs apart as the sender paces them, acknowledgments 300 µs before some of them: in no time a packet would take to it and back.
    [Fact]
    public void PacedSender_BegunLate_StandsAtTheCapturePoint() =>
        Assert.Equal(Vantage.Client, Paced(roundTripMicroseconds: 40_300).Analyze().Connections.Single().Vantage);

    // A writer that has to be woken takes longer than a stack: beside 81 ms, 740 µs are no way.
    [Theory]
    [InlineData(740, 81_000, 0)]
    [InlineData(740, 40_000, 740_000)]
    [InlineData(2_100, 200_000, null)]
    public void EchoesOfAWokenWriter_AreThoseOfTheSenderItself(long delay, long toReceiver, int? expected)
    {
        CapturePath path = default;
        path.BeginLearning();
        Assert.Equal(expected, Feed(ref path, count: 200, delay, dataGapMicroseconds: 90, toReceiver));
    }

    // It is woken by the third acknowledgment: what its data echoes is the newest, not the first that it had not answered.
    [Fact]
    public void EchoOfTheNewest_IsWhatTheSenderAnswers()
    {
        CapturePath path = default;
        path.BeginLearning();
        int? delay = null;
        for (int i = 1; i <= 10; i++)
        {
            long ack = 100_000L * i;
            uint tsVal = (uint)(100 * i);
            path.AwaitEcho(tsVal, At(ack), At(ack - 50));
            path.AwaitEcho(tsVal + 1, At(ack + 2_500), At(ack));
            path.AwaitEcho(tsVal + 1, At(ack + 2_700), At(ack + 2_500));
            delay = path.Learn(tsVal + 1, At(ack + 2_900), At(ack - 90_000), toReceiverNanos: 0);
        }

        Assert.Equal(0, delay);
    }

    // A window of 20 segments, 10 ms on each side of the capture point: begun during the transfer, without a SYN.
    [Fact]
    public void MiddleCapture_BegunLate_IsJudgedOnceTheWayIsKnown()
    {
        Connection connection = WindowOf(20, delayMs: 10, roundTripMs: 10).Analyze().Connections.Single();
        LimitSummary limits = connection.FromClient.Limits!;

        Assert.Equal(Vantage.Middle, connection.Vantage);
        Assert.InRange(connection.FromClient.SenderDelay!.Value, 9_500_000, 11_000_000);
        Assert.InRange(RoundTrip.PathOf(connection)!.Value, 19_500_000, 21_000_000);
        Assert.InRange(limits.TimeIn(LimitState.NotJudged), 1, limits.Times.Total / 10);
        Assert.InRange(limits.TimeIn(LimitState.SendBuffer), limits.Times.Total * 8 / 10, limits.Times.Total);
        Assert.Equal(0, connection.FromClient.Delivery?.PathFullTime ?? 0); // both parts are the path: the farther one is no queue
    }

    // The delay once it is known; the awaited acknowledgment and the data before its echo lie as far apart as in the stream that is imitated.
    static int? Feed(ref CapturePath path, int count, long delayMicroseconds, long dataGapMicroseconds, long toReceiverMicroseconds = 0)
    {
        int? delay = null;
        for (int i = 1; i <= count && delay is null; i++)
        {
            long ack = 1_000_000L * i;
            path.AwaitEcho((uint)(1000 * i), At(ack), At(ack - 1_000));
            delay = path.Learn((uint)(1000 * i), At(ack + delayMicroseconds), At(ack + delayMicroseconds - dataGapMicroseconds), (uint)(1000 * toReceiverMicroseconds));
        }

        return delay;
    }

    // Data in flight never exceeds the window; the receiver acknowledges each second segment, and each acknowledgment lets two go.
    static MemoryTrace WindowOf(int segments, long delayMs, long roundTripMs)
    {
        PriorityQueue<(bool IsData, int Segment, uint Echo), long> events = new();
        for (int i = 0; i < segments; i++)
        {
            events.Enqueue((true, i, 1), 100 * i);
        }

        MemoryTrace trace = new();
        while (events.TryDequeue(out (bool IsData, int Segment, uint Echo) next, out long time) && time < MaxMs * 1000)
        {
            uint now = (uint)(5_000 + (time / 1000));
            if (next.IsData)
            {
                trace.Packet(time, Segments.FromClient(1 + ((uint)next.Segment * SegmentBytes), 1, SegmentBytes).Timestamps(now, next.Echo));
                if (next.Segment % 2 == 1)
                {
                    events.Enqueue((false, next.Segment, now), time + (roundTripMs * 1000));
                }
            }
            else
            {
                trace.Packet(time, Segments.FromServer(1, 1 + ((uint)(next.Segment + 1) * SegmentBytes)).Timestamps(now, next.Echo));
                events.Enqueue((true, next.Segment - 1 + segments, now), time + (delayMs * 1000));
                events.Enqueue((true, next.Segment + segments, now), time + (delayMs * 1000) + 20);
            }
        }

        return trace;
    }

    // The SYNs are missing: the windows are 15,680 and 17,120 bytes by a scale of 1.
    static MemoryTrace ReadInPortions(long delayMs)
    {
        MemoryTrace trace = new();
        uint next = 1;
        long time = 0;
        for (int round = 0; round < 60; round++)
        {
            ushort window = round % 2 == 0 ? (ushort)7840 : (ushort)8560;
            trace.Packet(time, Segments.FromServer(1, next).Window(window).Timestamps((uint)(5_000 + (time / 1000)), 1));
            uint echo = (uint)(5_000 + (time / 1000));
            time += delayMs * 1000;
            for (int left = 2 * window; left > 0; left -= SegmentBytes, time += 500)
            {
                int bytes = left < SegmentBytes ? left : SegmentBytes;
                trace.Packet(time, Segments.FromClient(next, 1, bytes).Timestamps((uint)(9_000 + (time / 1000)), echo));
                next += (uint)bytes;
            }

            time += 30_000 + (1_000 * (round % 7)); // until the program reads
        }

        return trace;
    }

    // Each second segment is acknowledged.
    static MemoryTrace Paced(long roundTripMicroseconds)
    {
        PriorityQueue<(int Segment, bool IsData), long> events = new();
        for (int i = 0; i < 2_000; i++)
        {
            events.Enqueue((i, true), 700 * i);
            if (i % 2 == 1)
            {
                events.Enqueue((i, false), (700 * i) + roundTripMicroseconds);
            }
        }

        MemoryTrace trace = new();
        uint echo = 1;
        while (events.TryDequeue(out (int Segment, bool IsData) next, out long time))
        {
            uint now = (uint)(5_000 + (time / 1000));
            if (next.IsData)
            {
                trace.Packet(time, Segments.FromClient(1 + ((uint)next.Segment * SegmentBytes), 1, SegmentBytes).Timestamps(now, echo));
            }
            else
            {
                echo = now;
                trace.Packet(time, Segments.FromServer(1, 1 + ((uint)(next.Segment + 1) * SegmentBytes)).Timestamps(now, now));
            }
        }

        return trace;
    }

    static TraceTime At(long microseconds) => new(1 + (microseconds * 1000));
}
