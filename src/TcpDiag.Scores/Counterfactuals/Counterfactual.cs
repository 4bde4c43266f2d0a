using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Stages;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;

namespace TcpDiag.Scores.Counterfactuals;

/// <summary>
/// What a reference sender, a Linux with its default settings, would have reached on the path that a trace shows: simulated over the same delays, losses and
/// reorderings, a few times with these moved by some packets, since a sender that behaves otherwise meets them with others.
/// </summary>
/// <param name="BitsPerSecond">Goodput in the middle of the simulations.</param>
/// <param name="Low">Lower end of what is to be expected.</param>
/// <param name="High">Upper end.</param>
/// <param name="Seconds">How long the same data would have taken.</param>
/// <param name="Path">The path.</param>
/// <param name="RateBitsPerSecond">Of its slowest link, IP packets.</param>
public sealed record Counterfactual(double BitsPerSecond, double Low, double High, double Seconds, PathEstimate Path, double RateBitsPerSecond)
{
    const string Reference = "adaptive";
    const int HandshakePackets = 2; // SYN and the acknowledgment of its answer
    const int HeaderBytes = 52; // IPv4, TCP, timestamps
    const long NanosPerSecond = 1_000_000_000;
    const long BitsPerByte = 8;
    const double MaxHeldByOthers = 0.1; // of the active time
    const long MaxBytes = 1 << 25; // of a longer transfer this much is simulated
    const long MaxRate = 1_000_000_000_000; // bit/s, as the emulator has it

    // By how much the simulations together miss a real sender at most, nine times of ten (docs/verification/scores.md).
    const double ModelError = 0.15;

    // By how many packets what the path does is moved, and how many bandwidth-delay products its queue holds where that was not seen.
    static readonly (int Shift, double Bdps)[] Draws = [(0, 1), (1, 1), (-1, 1), (3, 0.7), (-3, 1.4), (7, 1), (-7, 1), (15, 0.7), (-15, 1.4)];

    /// <summary>Simulates it.</summary>
    /// <param name="path">The path.</param>
    /// <param name="direction">What the sender reached.</param>
    /// <returns>Null where its program or the receiver held it, where too little was sent, or the rate of the path is not known.</returns>
    internal static Counterfactual? Of(PathEstimate path, ConnectionDirection direction)
    {
        bool isHeld = direction.Limits is { } limits && HeldByOthers(limits) > MaxHeldByOthers * limits.Times.Total;
        if (isHeld || path.SegmentsPerNano == 0 || direction.Mss is not { } mss)
        {
            return null;
        }

        double rate = Math.Clamp(path.SegmentsPerNano * NanosPerSecond * BitsPerByte * (mss + HeaderBytes), 1, MaxRate);
        double[] goodputs = [.. Draws.Select(draw => Simulate(path, rate, Math.Min(direction.UniqueBytes, MaxBytes), draw.Shift, draw.Bdps)).Order()];
        double middle = goodputs[goodputs.Length / 2];
        if (middle <= 0)
        {
            return null;
        }

        double full = path.SegmentsPerNano * NanosPerSecond * BitsPerByte * mss;
        return new(middle, goodputs[0] * (1 - ModelError), Math.Max(Math.Min(goodputs[^1] * (1 + ModelError), full), middle),
            direction.UniqueBytes * BitsPerByte / middle, path, rate);
    }

    static long HeldByOthers(LimitSummary limits) => limits.Times.In(LimitState.Application) + limits.Times.In(LimitState.Idle)
        + limits.Times.In(LimitState.SendBuffer) + limits.Times.In(LimitState.ReceiveWindow) + limits.Times.In(LimitState.Reassembly);

    static double Simulate(PathEstimate path, double rate, long bytes, int shift, double bdps)
    {
        double queueNanos = path.IsQueueKnown ? path.QueueNanos : Math.Max(path.QueueNanos, bdps * path.RttNanos);
        LinkSettings there = new()
        {
            RateBitsPerSecond = (long)rate,
            Queue = new QueueDepth(queueNanos * rate / BitsPerByte / NanosPerSecond, QueueUnit.Bytes),
            DelayNanos = path.RttNanos / 2,
            Losses = [new ListedLoss([.. Moved(path.Lost, path.Segments, shift).Order().Select(id => new PacketRange(id, id))])],
            Reorderings = [new ListedReordering(Moved(path.Displaced, path.Segments, shift))],
        };
        SimulatedFlow flow = new() { Sender = SenderVariants.Find(Reference)!, Receiver = ReceiverVariants.Linux(Reference), Bytes = bytes };
        EmulatorSettings settings = new() { Out = new(there), In = new(new LinkSettings { DelayNanos = path.RttNanos / 2 }) };
        return new Simulation(flow, settings, []).Run().GoodputBitsPerSecond;
    }

    static IEnumerable<long> Moved(IReadOnlyList<int> numbers, int segments, int shift) => numbers.Select(number => Id(number, segments, shift));

    static Dictionary<long, long> Moved(IReadOnlyDictionary<int, long> displaced, int segments, int shift) =>
        displaced.ToDictionary(one => Id(one.Key, segments, shift), one => one.Value);

    // What is moved out at one end comes in at the other.
    static long Id(int number, int segments, int shift) => 1 + HandshakePackets + ((number + shift + segments) % segments);
}
