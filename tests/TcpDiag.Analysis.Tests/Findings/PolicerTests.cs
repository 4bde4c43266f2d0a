using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Findings;

/// <summary>
/// An upload of 40 s through a bottleneck of 10 Mbit/s, in rounds: a window is sent, what got through is acknowledged, what was lost is sent again. The window
/// doubles until the first loss, halves at each, and else grows by two segments. The round trip is 40 ms, the capture is taken at the client.
/// </summary>
public sealed class PolicerTests
{
    const int RoundTrip = 40_000; // microseconds
    const int Mss = 1460;
    const double Rate = 1.25; // bytes per microsecond

    [Fact]
    public void TokenBucket_LosingAtOneRate_IsAPolicer()
    {
        Finding finding = Upload(new TokenBucket(200_000), 150).Analyze().Findings.Single(found => found.Id is FindingIds.Policer);
        Assert.Matches("exceeds (9|10|11)[.0-9]* Mbit/s of the upload", finding.Title);
        Assert.NotNull(finding.Evidence[0].FirstPacket);
    }

    // Of a bucket that lasts for less than a round, so that whole rounds do not make the sawtooth uneven.
    [Fact]
    public void TokenBucket_CapturedLate_IsAPolicer() =>
        Assert.Contains(FindingIds.Policer, Ids(Upload(new TokenBucket(30_000), 400, from: 2_000_000)));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void RandomLoss_CapturedLate_IsNone(int seed) =>
        Assert.DoesNotContain(FindingIds.Policer, Ids(Upload(new RandomLoss(new Random(seed), 0.001), 150, from: 2_000_000)));

    // The queue drops as well when it is full, but then each round trip has waited in it.
    [Fact]
    public void Queue_ThatOverflows_IsNone() => Assert.DoesNotContain(FindingIds.Policer, Ids(Upload(new Queue(200_000), 150)));

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void RandomLoss_IsNone(int seed)
    {
        Assert.DoesNotContain(FindingIds.Policer, Ids(Upload(new RandomLoss(new Random(seed), 0.005), 150)));
        Assert.DoesNotContain(FindingIds.Policer, Ids(Upload(new RandomLoss(new Random(seed), 0.03), 150)));
    }

    // A stream of one rate, as of a video call, that loses a packet now and then: it never goes faster.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void RandomLoss_OfASteadyStream_IsNone(int seed) => Assert.DoesNotContain(
        FindingIds.Policer, Ids(Upload(new RandomLoss(new Random(seed), 0.01), 300, maxWindow: 8)));

    // What gets through from burst to burst, each of which overflows a queue, is what the program gives.
    [Fact]
    public void Bursts_OfAProgramThatPauses_AreNone() => Assert.DoesNotContain(
        FindingIds.Policer, Ids(Upload(new Queue(60_000), 12, pause: 1_000_000)));

    // Begun late in the middle of the path, where it does not show that the program pauses.
    [Fact]
    public void Bursts_CapturedLate_AreNone() => Assert.DoesNotContain(
        FindingIds.Policer, Ids(Upload(new Queue(60_000), 12, from: 2_000_000, pause: 1_000_000)));

    [Fact]
    public void FewLosses_AreNone() => Assert.DoesNotContain(FindingIds.Policer, Ids(Upload(new TokenBucket(200_000), 12)));

    // From a time on; with pauses, the program gives as much after each: microseconds.
    static MemoryTrace Upload(IBottleneck bottleneck, int rounds, int maxWindow = 1000, long from = 0, long pause = 0)
    {
        var trace = new MemoryTrace();
        var sender = new Sender(trace, bottleneck, maxWindow, from, pause);
        if (from == 0)
        {
            Open(trace);
        }

        for (int round = 0; round < rounds; round++)
        {
            sender.Round();
        }

        return trace;
    }

    static void Open(MemoryTrace trace) => trace
        .Packet(0, FromClient(0, 0, flags: FrameBuilder.Syn).AckNumber(0).Mss(Mss).SackPermitted().WindowScale(7))
        .Packet(RoundTrip, FromServer(0, 1, flags: FrameBuilder.Syn | FrameBuilder.Ack).Mss(Mss).SackPermitted().WindowScale(7))
        .Packet(RoundTrip + 10, FromClient(1, 1));

    static IEnumerable<string> Ids(MemoryTrace trace) => trace.Analyze().Findings.Select(found => found.Id);

    interface IBottleneck
    {
        /// <summary>Delay in microseconds; null when it is dropped.</summary>
        double? Pass(double time);
    }

    sealed class Sender(MemoryTrace trace, IBottleneck bottleneck, int maxWindow, long from, long pause)
    {
        readonly HashSet<uint> _arrived = [];
        double _time = 100_000;
        uint _next = 1;
        uint _whole = 1; // what the receiver acknowledges
        int _window = pause > 0 ? 80 : 10;
        bool _hasLost;

        public void Round()
        {
            List<uint> lost = Send([.. Enumerable.Range(0, _window).Select(i => _next + (uint)(i * Mss))]);
            _next += (uint)(_window * Mss);
            _window = pause > 0 ? _window : lost.Count == 0 ? Math.Min(_hasLost ? _window + 2 : _window * 2, maxWindow) : Math.Max(_window / 2, 2);
            _hasLost |= lost.Count > 0;
            while (lost.Count > 0)
            {
                lost = Send(lost);
            }

            _time += pause;
        }

        // Sends segments 20 µs apart, then takes in what the receiver says of those that arrived.
        List<uint> Send(List<uint> segments)
        {
            List<uint> lost = [];
            List<(double Time, uint Segment)> acknowledged = [];
            foreach (uint segment in segments)
            {
                Record(FromClient(segment, 1, Mss));
                if (bottleneck.Pass(_time) is { } delay)
                {
                    acknowledged.Add((_time + RoundTrip + delay, segment));
                }
                else
                {
                    lost.Add(segment);
                }

                _time += 20;
            }

            _time += acknowledged.Count == 0 ? 5 * RoundTrip : 0;
            foreach ((double time, uint segment) in acknowledged)
            {
                _time = Math.Max(time, _time);
                Acknowledge(segment);
            }

            _time += 10;
            return lost;
        }

        void Acknowledge(uint segment)
        {
            _arrived.Add(segment);
            while (_arrived.Remove(_whole))
            {
                _whole += Mss;
            }

            FrameBuilder ack = FromServer(1, _whole);
            Record(segment < _whole ? ack : ack.Sack(unchecked(ClientIsn + segment), unchecked(ClientIsn + segment + Mss)));
        }

        void Record(FrameBuilder frame)
        {
            if (_time >= from)
            {
                trace.Packet((long)_time, frame);
            }
        }
    }

    sealed class TokenBucket(double size) : IBottleneck
    {
        double _tokens = double.MaxValue; // full
        double _last;

        public double? Pass(double time)
        {
            _tokens = Math.Min(size, _tokens + ((time - _last) * Rate));
            _last = time;
            bool passes = _tokens >= Mss;
            _tokens -= passes ? Mss : 0;
            return passes ? 0 : null;
        }
    }

    sealed class Queue(double size) : IBottleneck
    {
        double _backlog;
        double _last;

        public double? Pass(double time)
        {
            _backlog = Math.Max(0, _backlog - ((time - _last) * Rate));
            _last = time;
            if (_backlog + Mss > size)
            {
                return null;
            }

            _backlog += Mss;
            return _backlog / Rate;
        }
    }

    sealed class RandomLoss(Random random, double share) : IBottleneck
    {
        public double? Pass(double time) => random.NextDouble() < share ? null : 0;
    }
}
