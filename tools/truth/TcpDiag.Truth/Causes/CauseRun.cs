using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Simulator;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;
using TcpDiag.Traces;
using TcpDiag.Wire;

namespace TcpDiag.Truth.Causes;

/// <summary>One simulated transfer, and what the analysis says of the capture at one of its points.</summary>
/// <param name="Scenario">What it was.</param>
/// <param name="Path">Its path.</param>
/// <param name="Point">Where it was captured.</param>
/// <param name="Sender">The stack that sent.</param>
/// <param name="Findings">What was found, in its order.</param>
/// <param name="Direction">The data's direction; null when it is not among the connections.</param>
/// <param name="Truth">Time by <see cref="SenderState"/>, ns.</param>
sealed record CauseRun(
    Scenario Scenario, string Path, SegmentPoint Point, string Sender, IReadOnlyList<Finding> Findings, ConnectionDirection? Direction, IReadOnlyList<long> Truth)
{
    /// <summary>Its capture, where captures are kept.</summary>
    public string File { get; init; } = string.Empty;

    /// <summary>Whether the capture began during the transfer.</summary>
    public bool IsLate { get; init; }

    /// <summary>Whether it names another cause than the right one, more surely than not.</summary>
    public bool IsWrong => !IsRight && Findings.Any(finding =>
        finding is { Severity: > FindingSeverity.Note, Confidence: >= 0.5 } && !Scenario.Expected.Contains(finding.Id, StringComparer.Ordinal));

    /// <summary>What stands first, or nothing.</summary>
    public Finding? First => Findings.Count > 0 ? Findings[0] : null;

    /// <summary>Whether it was judged rightly: the cause first, or nothing more than a note.</summary>
    public bool IsRight => Scenario.IsHealthy ? Findings.All(finding => finding.Severity == FindingSeverity.Note)
        : First is { } first && (Scenario.Expected.Contains(first.Id, StringComparer.Ordinal) || (IsLate && string.Equals(first.Id, FindingIds.WindowOrBuffer, StringComparison.Ordinal) && IsOfWindows));

    // Without the SYNs, which of two windows is full need not show.
    bool IsOfWindows => Scenario.Expected.Contains(FindingIds.SendBufferLimited, StringComparer.Ordinal)
        || Scenario.Expected.Contains(FindingIds.ReceiveWindowLimited, StringComparer.Ordinal);

    /// <summary>Whether a send buffer is blamed, more surely than not, where writes waited for room less than 5 % of the time.</summary>
    public bool IsFalseSendBuffer => TrueShare(SenderState.SendBuffer) < 0.05
        && Findings.Any(finding => finding is { Id: FindingIds.SendBufferLimited, Confidence: >= 0.5 });

    /// <summary>Share of the time in a state, 0 … 1.</summary>
    public double TrueShare(SenderState state) => Truth.Sum() is > 0 and { } all ? (double)Truth[(int)state] / all : 0;

    /// <summary>Runs a transfer of a scenario.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="path">One of its paths.</param>
    /// <param name="seed">Seed of everything random.</param>
    /// <param name="keep">Folder that keeps the captures; null for none.</param>
    /// <returns>What is said of it at the sender and at the receiver.</returns>
    public static IReadOnlyList<CauseRun> Of(Scenario scenario, string path, int seed, string? keep)
    {
        CauseRun blank = new(scenario, path, default, string.Empty, [], null, []);
        SimulatedFlow flow = scenario.Flow(new Random(seed));
        (List<CauseRun> whole, SimulationResult result) = Run(blank, flow, seed, flow.Start, keep);

        // The same transfer, captured from a third of its time on.
        TraceTime late = flow.Start + (result.DurationNanos / 3);
        return [.. whole, .. Run(blank with { IsLate = true }, flow, seed, late, keep).Runs];
    }

    static (List<CauseRun> Runs, SimulationResult Result) Run(CauseRun blank, SimulatedFlow flow, int seed, TraceTime start, string? keep)
    {
        using MemoryStream atSender = new();
        using MemoryStream atReceiver = new();
        SimulationResult result;
        using (LateCapture one = new(atSender, SegmentPoint.Sender, flow, start))
        using (LateCapture other = new(atReceiver, SegmentPoint.Receiver, flow, start))
        {
            result = new Simulation(flow, Scenario.Path(blank.Path, (ulong)seed), [one, other]).Run();
        }

        blank = blank with { Sender = flow.Sender.Name, Truth = result.Truth };
        return ([
            Judge(blank with { Point = SegmentPoint.Sender }, flow, atSender.ToArray(), keep),
            Judge(blank with { Point = SegmentPoint.Receiver }, flow, atReceiver.ToArray(), keep),
        ], result);
    }

    static CauseRun Judge(CauseRun blank, SimulatedFlow flow, byte[] trace, string? keep)
    {
        string name = $"{blank.Scenario.Name}-{Guid.NewGuid():N}-{blank.Point}{(blank.IsLate ? "-late" : string.Empty)}.pcapng";
        string file = System.IO.Path.Combine(keep ?? System.IO.Path.GetTempPath(), name);
        System.IO.File.WriteAllBytes(file, trace);
        try
        {
            using TraceReader reader = TraceFile.Open(file);
            TraceAnalysis analysis = TraceAnalyzer.Analyze(reader);
            Connection? connection = analysis.Connections.Count > 0 ? analysis.Connections[0] : null;
            ConnectionDirection? direction = flow.IsDownload ? connection?.FromServer : connection?.FromClient;
            return blank with { Findings = analysis.Findings, Direction = direction, File = keep is null ? string.Empty : name };
        }
        finally
        {
            if (keep is null)
            {
                System.IO.File.Delete(file);
            }
        }
    }
}
