using System;
using System.Linq;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Losses;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Impairment.Reordering;
using TcpDiag.Impairment.Stages;
using TcpDiag.Locate.Results;
using TcpDiag.Simulator.Flows;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;
using Xunit;

namespace TcpDiag.Locate.Tests;

/// <summary>Runs and locates.</summary>
static class LocateCase
{
    public const long Ms = 1_000_000;
    public const long Second = 1000 * Ms;
    public const long Hour = 3600 * Second;

    public static SimulatedFlow Flow(bool isDownload = false) => new() { Bytes = 4_000_000, IsDownload = isDownload };

    /// <summary>5 ms and 20 ms each way, 50 Mbit/s in the second segment.</summary>
    public static EmulatorSettings Path(ulong seed, bool isDownload = false, LinkSettings? before = null, LinkSettings? behind = null)
    {
        LinkSettings first = (before ?? new LinkSettings()) with { DelayNanos = 5 * Ms };
        LinkSettings second = (behind ?? new LinkSettings()) with
        { DelayNanos = 20 * Ms, RateBitsPerSecond = 50_000_000, Queue = new QueueDepth(1.5, QueueUnit.BandwidthDelayProducts) };
        PathSettings ofData = new(first, second);
        PathSettings ofAcks = new(new LinkSettings { DelayNanos = 20 * Ms }, new LinkSettings { DelayNanos = 5 * Ms });
        return isDownload ? new EmulatorSettings { Seed = seed, Out = ofAcks, In = ofData } : new EmulatorSettings { Seed = seed, Out = ofData, In = ofAcks };
    }

    public static LinkSettings Losing(double share) => new() { Losses = [new RandomLoss(new ChanceSettings(share))] };

    public static LinkSettings Early(double share, long nanos) => new() { Reorderings = [new ReplaceReordering(new ChanceSettings(share), nanos)] };

    public static LinkSettings Late(double share, long nanos) => new() { Reorderings = [new AddReordering(new ChanceSettings(share), nanos)] };

    public static Location Located(params (string Name, byte[] Capture)[] captures)
    {
        var locator = new Locator();
        foreach ((string name, byte[] capture) in captures)
        {
            using TraceReader reader = PcapngReader.Open(new MemoryTraceInput(capture), TraceOpenOptions.Default);
            locator.Add(name, reader);
        }

        return locator.Locate();
    }

    /// <summary>The way of the data.</summary>
    public static LocatedDirection OfData(this ThreePointRun run, Location location)
    {
        LocatedPath path = Assert.Single(location.Paths);
        return run.Flow.IsDownload ? path.FromServer : path.FromClient;
    }

    /// <summary>Between which points the client's data goes, and how many of each were lost.</summary>
    public static string Losses(this LocatedDirection direction) =>
        string.Join(' ', direction.Steps.Select(step => $"{step.Data.Lost}"));

    /// <summary>How far the located delays are from the true ones, at the most over quantiles, ns.</summary>
    public static long DelayError(this LocatedStep step, long[] truth)
    {
        long worst = 0;
        foreach (double share in (double[])[0.01, 0.1, 0.5, 0.9, 0.99])
        {
            long expected = truth[(int)Math.Ceiling(share * truth.Length) - 1];
            worst = Math.Max(worst, Math.Abs(step.Data.Delays.Quantile(share) - expected));
        }

        return worst;
    }
}
