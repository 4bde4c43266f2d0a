using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Scores;
using TcpDiag.Scores.Cards;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Traces;

namespace TcpDiag.Truth.Scores;

/// <summary>A rate of a simulated sender on a path, in one run.</summary>
/// <param name="Sender">The sender.</param>
/// <param name="Path">Its path.</param>
/// <param name="Component">The component of the score.</param>
/// <param name="Rate">What the run's trace gave.</param>
public sealed record CalibrationRate(string Sender, string Path, string Component, Proportion Rate);

/// <summary>Simulates senders again and again on the same paths with other seeds, and scores each trace.</summary>
public static class CalibrationRuns
{
    const long Bytes = 4_000_000;
    const int Workers = 2;

    static readonly string[] Senders = ["rfc", "adaptive", "fixed", "reno", "windows-22000", "windows-18362", "windows-10586"];

    static readonly string[] Paths =
    [
        "rate=40mbit rtt=30ms buffer=1bdp reorder=out:1pct:add:6ms",
        "rate=40mbit rtt=50ms buffer=1bdp reorder=out:1pct:add:25ms loss=out:0.1pct",
        "rate=20mbit rtt=60ms buffer=1bdp reorder=out:1pct:replace:5ms",
        "rate=20mbit rtt=40ms buffer=1bdp loss=out:0.5pct",
        "rate=20mbit rtt=40ms buffer=0.5bdp jitter=1ms",
    ];

    /// <summary>Simulates and scores.</summary>
    /// <param name="seed">The first seed; each run has its own.</param>
    /// <param name="runs">Runs of each sender on each path.</param>
    /// <returns>The rates of all runs.</returns>
    public static IReadOnlyList<CalibrationRate> Of(ulong seed, int runs)
    {
        (string Sender, string Path, ulong Seed)[] plan =
            [.. from sender in Senders from path in Paths from i in Enumerable.Range(0, runs) select (sender, path, seed + (ulong)i)];
        var rates = new CalibrationRate[plan.Length][];
        Parallel.For(0, plan.Length, new ParallelOptions { MaxDegreeOfParallelism = Workers }, i => rates[i] = Run(plan[i].Sender, plan[i].Path, plan[i].Seed));
        return [.. rates.SelectMany(one => one)];
    }

    static CalibrationRate[] Run(string sender, string path, ulong seed)
    {
        string file = Path.GetTempFileName();
        try
        {
            SimulatedFlow flow = FlowOf(sender);
            using (PcapngCapture capture = new(File.Create(file), SegmentPoint.Sender, flow))
            {
                new Simulation(flow, Settings(path) with { Seed = seed }, [capture]).Run();
            }

            using TraceReader reader = TraceFile.Open(file);
            Scorecard card = TraceScorer.Score(reader).Cards[0];
            return [.. card.Components.Where(one => one.Rate is not null).Select(one => new CalibrationRate(sender, path, one.Id, one.Rate!.Value))];
        }
        finally
        {
            File.Delete(file);
        }
    }

    static SimulatedFlow FlowOf(string sender) => sender.Split('-') is ["windows", var build]
        ? new() { Sender = SenderVariants.FindBuild(int.Parse(build, CultureInfo.InvariantCulture))!, Receiver = ReceiverVariants.Linux("adaptive"), Bytes = Bytes }
        : new() { Sender = SenderVariants.Find(sender)!, Receiver = ReceiverVariants.Linux(sender), Bytes = Bytes };

    static TcpDiag.Impairment.EmulatorSettings Settings(string path)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in path.Split(' '))
        {
            string[] parts = option.Split('=', 2);
            parser.Set($"--{parts[0]}", parts[0], parts[1]);
        }

        return parser.Build().Settings;
    }
}
