using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Tests.Generation;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Input;

namespace TcpDiag.Bench;

/// <summary>
/// Measures whole commands of the published program beside peers, in one run, and prints ratios:
/// <code>dotnet run -c Release --project tools/bench/TcpDiag.Bench -- [--work FOLDER] [--capture FILE] [--lossy FILE] [--only PART] [--report FILE]</code>
/// FOLDER keeps the generated inputs from run to run; the captures are by record-capture.sh; PART is start, etl, analysis or scores; the report is Markdown.
/// The process also serves as its own peer: <c>bare-loop FILE</c> reads a file and adds up its words, <c>count FILE</c>
/// does nothing but count the events of an .etl file by kind, <c>synthetic</c> analyses a hundred million packets that it makes up, <c>simulate</c> simulates
/// a transfer.
/// </summary>
static class Program
{
    static readonly (string Name, Action<Workspace, Report> Run)[] Parts = [("start", StartUpBenchmark.Run), ("etl", EtlBenchmarks.Run),
        ("analysis", AnalysisBenchmarks.Run), ("scores", ScoreBenchmarks.Run)];

    static int Main(string[] args)
    {
        if (args is ["bare-loop", string file])
        {
            Console.WriteLine(BareLoop.Sum(file));
            return 0;
        }

        if (args is ["count", string trace])
        {
            using EtlFile etl = EtlFile.Open(TraceInputs.OpenSeekable(trace));
            Console.WriteLine(EtlEventCounter.Count(etl).Records);
            return 0;
        }

        if (args is ["simulate"])
        {
            Console.WriteLine(SimulatedFlows.Run());
            return 0;
        }

        if (args is ["synthetic"])
        {
            using SyntheticTrace synthetic = new(new TrafficPlan(100_000, 83) { LossPerMille = 5, ReorderingPerMille = 5, SpuriousPerMille = 2 });
            Console.WriteLine(TraceAnalyzer.Analyze(synthetic).Packets);
            return 0;
        }

        return Measure(args);
    }

    static int Measure(string[] args)
    {
        var options = new Dictionary<string, string>(StringComparer.Ordinal);
        for (int i = 0; i + 1 < args.Length; i += 2)
        {
            options[args[i]] = args[i + 1];
        }

        var workspace = new Workspace(options.GetValueOrDefault("--work") ?? Path.Combine(Path.GetTempPath(), "tcpdiag-bench"),
            options.GetValueOrDefault("--capture"), options.GetValueOrDefault("--lossy"));
        var report = new Report();
        workspace.Prepare();
        string? only = options.GetValueOrDefault("--only");
        foreach ((string part, Action<Workspace, Report> run) in Parts)
        {
            if (only is null || string.Equals(only, part, StringComparison.Ordinal))
            {
                run(workspace, report);
            }
        }

        if (options.TryGetValue("--report", out string? path))
        {
            File.WriteAllText(path, report.ToMarkdown());
        }

        return 0;
    }
}
