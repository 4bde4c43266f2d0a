using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Input;

namespace TcpDiag.Bench;

/// <summary>
/// Measures whole commands of the published program beside peers, in one run, and prints ratios:
/// <code>dotnet run -c Release --project tools/bench/TcpDiag.Bench -- [--work FOLDER] [--capture FILE] [--report FILE]</code>
/// FOLDER keeps the generated inputs from run to run; FILE is a capture by record-capture.sh; the report is Markdown.
/// The process also serves as its own peer: <c>bare-loop FILE</c> reads a file and adds up its words, <c>count FILE</c>
/// does nothing but count the events of an .etl file by kind.
/// </summary>
static class Program
{
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

        var options = new Dictionary<string, string>(StringComparer.Ordinal);
        for (int i = 0; i + 1 < args.Length; i += 2)
        {
            options[args[i]] = args[i + 1];
        }

        var workspace = new Workspace(options.GetValueOrDefault("--work") ?? Path.Combine(Path.GetTempPath(), "tcpdiag-bench"), options.GetValueOrDefault("--capture"));
        var report = new Report();
        workspace.Prepare();
        StartUpBenchmark.Run(workspace, report);
        EtlBenchmarks.Run(workspace, report);
        CaptureBenchmarks.Run(workspace, report);
        if (options.TryGetValue("--report", out string? path))
        {
            File.WriteAllText(path, report.ToMarkdown());
        }

        return 0;
    }
}
