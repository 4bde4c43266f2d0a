using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Impairment.Tests;

/// <summary>An emulated path on a virtual clock that starts at 0: offer packets at instants, take all of them exactly when they are due.</summary>
sealed class VirtualLink : IDecisionSink, IPacketBuffers
{
    public const long Ms = 1_000_000;
    public const long Us = 1_000;

    readonly LinkEmulator _emulator;
    int _handle;

    public VirtualLink(EmulatorSettings settings, IPacketObserver? observer = null) =>
        _emulator = new LinkEmulator(settings, default, this, this, observer);

    public VirtualLink(params string[] options)
        : this(Settings(options))
    {
    }

    public List<ImpairmentDecision> Decisions { get; } = [];

    public List<LinkPacket> Arrivals { get; } = [];

    public List<long> ArrivalTimes { get; } = [];

    /// <summary>How many packets share each handle: 1 for one under way, 0 when its last copy is gone.</summary>
    public Dictionary<int, int> Holds { get; } = [];

    public LinkEmulator Emulator => _emulator;

    public static EmulatorSettings Settings(params string[] options) => Profile(options).Settings;

    /// <summary>Options as on the command line: "--loss 1pct" without the dashes.</summary>
    public static ImpairmentProfile Profile(params string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set($"--{parts[0]}", parts[0], parts[1]);
        }

        return parser.Build();
    }

    /// <summary>Offers a packet after taking everything that was due before.</summary>
    public void Offer(long atNanos, int length = 1500, uint flow = 1, LinkDirection direction = LinkDirection.Out, EcnCodepoint ecn = EcnCodepoint.NotEct)
    {
        TakeUntil(atNanos);
        Holds[_handle] = 1;
        LinkPacket packet = new() { Handle = _handle++, LengthBytes = length, FlowHash = flow, Direction = direction, Ecn = ecn };
        _emulator.Offer(packet, new TraceTime(atNanos));
    }

    /// <summary>Takes packets at the instants they are due, as far as these lie before one.</summary>
    public void TakeUntil(long endNanos)
    {
        while (_emulator.NextDue.Nanoseconds < endNanos)
        {
            TraceTime due = _emulator.NextDue;
            while (_emulator.TryTake(due, out LinkPacket packet))
            {
                Arrivals.Add(packet);
                ArrivalTimes.Add(due.Nanoseconds);
                Holds[packet.Handle]--;
            }
        }
    }

    public VirtualLink Drain()
    {
        TakeUntil(long.MaxValue);
        return this;
    }

    /// <summary>The numbers of the packets in the order they arrived.</summary>
    public long[] ArrivalOrder() => Arrivals.ConvertAll(packet => packet.Id).ToArray();

    public void Record(in ImpairmentDecision decision) => Decisions.Add(decision);

    public void Retain(int handle) => Holds[handle]++;

    public void Release(int handle) => Holds[handle]--;

    /// <summary>The decision log of the run, as bytes.</summary>
    public byte[] Log()
    {
        using MemoryStream stream = new();
        DecisionLogWriter writer = new(stream, new DecisionLogHeader(default, 0, 0, string.Empty));
        foreach (ImpairmentDecision decision in Decisions)
        {
            writer.Record(in decision);
        }

        writer.Complete(default);
        return stream.ToArray();
    }
}

/// <summary>The 99 % interval of a binomial count, by its normal approximation.</summary>
static class Binomial
{
    // Two-sided 99 % quantile of the standard normal distribution.
    const double Z99 = 2.5758;

    public static void AssertPlausible(long chosen, long of, double probability)
    {
        double mean = of * probability;
        double half = Z99 * Math.Sqrt(of * probability * (1 - probability));
        Assert.InRange(chosen, mean - half, mean + half);
    }
}
