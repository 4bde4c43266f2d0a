using System;
using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Simulator.Tests;

/// <summary>What holds on every path: random ones that lose, reorder, duplicate, delay and corrupt, for stacks of every kind.</summary>
public sealed class SimulationProperties
{
    [Fact]
    public void Property_EveryTransferCompletes() => Prop.ForAll<int>(seed =>
    {
        Case drawn = new(seed);
        Watcher watcher = new();
        Simulation simulation = new(drawn.Flow, SimulatedRun.Settings(drawn.Path), [watcher]);
        watcher.Sender = () => simulation.Sender;
        SimulationResult result = simulation.Run();
        string about = $"seed {seed}: {string.Join(", ", drawn.Path)}; {drawn.Flow}";
        Assert.True(result.IsComplete, about);
        Assert.True(result.Bytes == drawn.Flow.Bytes, $"{result.Bytes} read, {about}");
        Assert.True(result.Truth.Sum() == result.DurationNanos, $"states {string.Join(' ', result.Truth)} of {result.DurationNanos}, {about}");
        Assert.True(watcher.Faults.Count == 0, $"{watcher.Faults.FirstOrDefault()}, {about}");
    }).QuickCheckThrowOnFailure();

    // Looks at the sender whenever a segment passes.
    sealed class Watcher : ISegmentCapture
    {
        public Func<Sender?> Sender { get; set; } = () => null;

        public List<string> Faults { get; } = [];

        public SegmentPoint Point => SegmentPoint.Sender;

        public void OnSegment(in SimulatedPacket packet, TraceTime time)
        {
            if (Sender() is { } tcp)
            {
                Check(tcp.Cwnd >= 1 || tcp.Phase == RecoveryPhase.Fast, $"cwnd {tcp.Cwnd}");
                Check(tcp.PipeBytes >= 0 && tcp.PipeBytes <= tcp.FlightBytes, $"pipe {tcp.PipeBytes} of {tcp.FlightBytes}");
                Check(tcp.FlightBytes == tcp.SndNxt - tcp.SndUna, "flight is not SND.NXT − SND.UNA");
                Check(tcp.FlightBytes == 0 || tcp.NextTimer < TraceTime.Latest, "no timer runs with data outstanding");
                CheckSums(tcp.Board);
            }
        }

        void CheckSums(Scoreboard board)
        {
            long flight = 0;
            long sacked = 0;
            long lost = 0;
            for (int i = 0; i < board.Count; i++)
            {
                flight += board[i].Bytes;
                sacked += board[i].IsSacked ? board[i].Bytes : 0;
                lost += board[i].Rack.IsLost ? board[i].Bytes : 0;
            }

            Check((flight, sacked, lost) == (board.FlightBytes, board.SackedBytes, board.LostBytes), "the scoreboard's sums are wrong");
        }

        void Check(bool holds, string fault)
        {
            if (!holds)
            {
                Faults.Add(fault);
            }
        }
    }

    // A flow and a path from a seed.
    sealed class Case
    {
        readonly Random _random;

        public Case(int seed)
        {
            _random = new Random(seed);
            Path =
            [
                $"rtt {Pick("1ms", "10ms", "40ms", "150ms")}",
                $"rate {Pick("2mbit", "20mbit", "1gbit")}",
                $"buffer {Pick("5pkt", "50pkt", "1000pkt")}",
                $"loss {Pick("0pct", "0.5pct", "3pct", "15pct")}",
                .. Maybe($"reorder {Pick("1pct", "10pct")}:add:{Pick("1ms", "30ms")}"),
                .. Maybe($"duplicate {Pick("1pct", "10pct")}"),
                .. Maybe($"jitter {Pick("1ms", "20ms")}:uniform{Pick(string.Empty, ":reorder")}"),
                .. Maybe("corrupt 1pct"),
                $"seed {(uint)seed}",
            ];
            Flow = DrawFlow();
        }

        public string[] Path { get; }

        public SimulatedFlow Flow { get; }

        SimulatedFlow DrawFlow() => new()
        {
            Bytes = _random.Next(1, 300_000),
            WriteBytes = Pick(1_000, 65_536),
            SendBufferBytes = Pick(20_000, int.MaxValue / 2),
            PacingBitsPerSecond = Pick(0L, 0L, 3_000_000L),
            ReadBitsPerSecond = Pick(0L, 0L, 4_000_000L),
            PauseAfterBytes = Pick(0L, 50_000L),
            PauseNanos = 700_000_000,
            BurstBytes = Pick(0L, 0L, 40_000L),
            BurstNanos = 100_000_000,
            IsDownload = Pick(false, true),
            IsEcn = Pick(false, true),
            IsIpv6 = Pick(false, true),
            LimitNanos = 3_600_000_000_000,
            Sender = DrawSender(),
            Receiver = new ReceiverTraits
            {
                SegmentsPerAck = Pick(1, 2, 8),
                HasSack = Pick(true, true, false),
                HasDsack = Pick(true, false),
                BufferBytes = Pick(8_000, 60_000, 4_000_000),
                ReassemblyBytes = Pick(10_000, int.MaxValue),
                WindowScale = Pick<byte>(0, 3, 11),
                QuickAcks = Pick(0, 16),
            },
        };

        SenderTraits DrawSender() => new()
        {
            Detection = Pick(LossDetection.Rack, LossDetection.Rack, LossDetection.DuplicateAcks, LossDetection.NewReno),
            FindsLostRetransmissions = Pick(true, false),
            HasTailLossProbe = Pick(true, false),
            HasPrr = Pick(true, false),
            Undoes = Pick(true, false),
            HasTimestamps = Pick(true, false),
            ReducesFromCwnd = Pick(true, false),
            Adaptation = Pick(WindowAdaptation.Adaptive, WindowAdaptation.Fixed),
            Congestion = Pick(CongestionTraits.Rfc, CongestionTraits.Linux, Senders.Timeline.Reno),
        };

        T Pick<T>(params T[] values) => values[_random.Next(values.Length)];

        string[] Maybe(string option) => _random.Next(2) == 0 ? [] : [option];
    }
}
