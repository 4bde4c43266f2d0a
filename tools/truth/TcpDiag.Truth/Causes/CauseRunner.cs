using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Captures;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Truth.Causes;

/// <summary>Runs a transfer, captures it in every way, and has each capture analysed.</summary>
static class CauseRunner
{
    const int CutBytes = 68;

    /// <summary>Runs a transfer of a scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="path">One of its paths.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="keep">Folder that keeps the captures; null for none.</param>
    /// <returns>What is said of each capture.</returns>
    public static IReadOnlyList<CauseRun> Run(Scenario scenario, string path, int seed, string? keep)
    {
        SimulatedFlow flow = scenario.Flow(new Random(seed));
        string folder = keep ?? Directory.CreateTempSubdirectory("tcpdiag-causes-").FullName;
        try
        {
            CauseRun blank = new(scenario, path, seed, default, flow.Sender.Name, [], null, [], 0, 0, false);
            SimulationResult result = Record(blank, flow, folder, CaptureView.First, flow.Start);
            SimulationResult cured = scenario is { IsHealthy: true, Beside.Count: 0 } ? result
                : new Simulation(scenario.Cured(flow), Scenario.Path(scenario.CuredPath(path), (ulong)seed), []).Run();
            blank = blank with { Truth = result.Truth, Nanos = Lasted(result, flow), CuredNanos = Lasted(cured, flow), IsComplete = result.IsComplete };
            Record(blank, flow, folder, CaptureView.Second, flow.Start + (result.DurationNanos / 3));
            return [.. CaptureView.First.Concat(CaptureView.Second).Select(view => Judge(blank with { View = view }, flow, folder))];
        }
        finally
        {
            if (keep is null)
            {
                Directory.Delete(folder, recursive: true);
            }
        }
    }

    static long Lasted(SimulationResult result, SimulatedFlow flow) => result.FirstWrite + result.DurationNanos - flow.Start;

    static SimulationResult Record(CauseRun blank, SimulatedFlow flow, string folder, IReadOnlyList<CaptureView> views, TraceTime start)
    {
        List<ISegmentCapture> captures = [];
        try
        {
            foreach (CaptureView view in views)
            {
                captures.Add(Open(view, flow, PathOf(blank with { View = view }, folder), start));
            }

            return new Simulation(flow, Scenario.Path(blank.Path, (ulong)blank.Draw), captures).Run();
        }
        finally
        {
            captures.ForEach(capture => ((IDisposable)capture).Dispose());
        }
    }

    static ISegmentCapture Open(CaptureView view, SimulatedFlow flow, string path, TraceTime start) => view.Kind switch
    {
        CaptureKind.Etl => new EtlCapture(File.Create(path), view.Point, flow, view.Build),
        CaptureKind.LateEtl => new EtlCapture(File.Create(path), view.Point, flow, view.Build, start),
        CaptureKind.Late => new LateCapture(File.Create(path), view.Point, flow, start),
        CaptureKind.Cut => new PcapngCapture(File.Create(path), view.Point, flow) { SnapLength = CutBytes },
        _ => new PcapngCapture(File.Create(path), view.Point, flow),
    };

    static string PathOf(CauseRun run, string folder) =>
        Path.Combine(folder, $"{run.Scenario.Name}-{run.Draw}-{run.View}.{(run.View.Build > 0 ? "etl" : "pcapng")}");

    static CauseRun Judge(CauseRun blank, SimulatedFlow flow, string folder)
    {
        using TraceReader reader = TraceFile.Open(PathOf(blank, folder));
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader);
        Connection? connection = analysis.Connections.Count > 0 ? analysis.Connections[0] : null;
        return blank with
        {
            Findings = analysis.Findings,
            FirstNanos = connection is null ? 0 : connection.Start - flow.Start,
            Direction = flow.IsDownload ? connection?.FromServer : connection?.FromClient,
            Nanos = blank.IsComplete || connection is null ? blank.Nanos : connection.Last - connection.Start, // what never ended lasted as long as it was seen
        };
    }
}
