using System.IO;
using TcpDiag.Impairment;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Scores.Cards;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Simulator.Receivers;
using TcpDiag.Simulator.Senders;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Pcapng;

namespace TcpDiag.Scores.Tests.Replays;

/// <summary>The trace of a simulated transfer, scored.</summary>
static class SimulatedTrace
{
    /// <summary>Scores a transfer.</summary>
    public static TraceScores Score(SimulatedFlow flow, ulong seed, string[] path, SegmentPoint point = SegmentPoint.Sender) =>
        Run(flow, seed, path, point).Scores;

    /// <summary>Simulates and scores a transfer.</summary>
    /// <returns>The scores, the sender as it was at the end, and what came of it.</returns>
    public static (TraceScores Scores, Sender Sender, SimulationResult Result) Run(
        SimulatedFlow flow, ulong seed, string[] path, SegmentPoint point = SegmentPoint.Sender, bool isPredicted = false)
    {
        using MemoryStream file = new();
        Simulation simulation;
        SimulationResult result;
        using (PcapngCapture capture = new(file, point, flow))
        {
            simulation = new Simulation(flow, Settings(path) with { Seed = seed }, [capture]);
            result = simulation.Run();
        }

        using TraceReader reader = PcapngReader.Open(new MemoryTraceInput(file.ToArray()));
        return (TraceScorer.Score(reader, isPredicted: isPredicted), simulation.Sender!, result);
    }

    /// <summary>Scores a transfer from the .etl that a build of Windows would have written.</summary>
    public static TraceScores ScoreEtl(int build, SimulatedFlow flow, ulong seed, string[] path)
    {
        string file = Path.GetTempFileName();
        try
        {
            using (EtlCapture capture = new(File.Create(file), SegmentPoint.Sender, flow, build))
            {
                new Simulation(flow, Settings(path) with { Seed = seed }, [capture]).Run();
            }

            using TraceReader reader = TraceFile.Open([file]);
            return TraceScorer.Score(reader);
        }
        finally
        {
            File.Delete(file);
        }
    }

    /// <summary>The card of the end that sends.</summary>
    public static Scorecard CardOf(SimulatedFlow flow, ulong seed, params string[] path) => Score(flow, seed, path).Cards[0];

    /// <summary>The same, with what a reference would have reached.</summary>
    public static Scorecard PredictedCardOf(SimulatedFlow flow, ulong seed, params string[] path) => Run(flow, seed, path, isPredicted: true).Scores.Cards[0];

    /// <summary>A sender that is told by its name or, as <c>windows-22000</c>, by its build, with a receiver of its kind.</summary>
    public static SimulatedFlow Flow(string sender, long bytes) => sender.Split('-') is ["windows", var build]
        ? new SimulatedFlow { Sender = SenderVariants.FindBuild(int.Parse(build))!, Receiver = ReceiverVariants.Linux("adaptive"), Bytes = bytes }
        : new SimulatedFlow { Sender = SenderVariants.Find(sender)!, Receiver = ReceiverVariants.Linux(sender), Bytes = bytes };

    static EmulatorSettings Settings(string[] options)
    {
        ImpairmentOptionsParser parser = new();
        foreach (string option in options)
        {
            string[] parts = option.Split(' ', 2);
            parser.Set($"--{parts[0]}", parts[0], parts[1]);
        }

        return parser.Build().Settings;
    }
}
