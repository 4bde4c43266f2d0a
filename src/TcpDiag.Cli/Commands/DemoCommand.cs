using System;
using System.CommandLine;
using System.IO;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag demo</c>: analyses the trace of real TCP that lies beside the program (tools/record-fixtures.sh).</summary>
static class DemoCommand
{
    const string TraceName = "demo.pcapng";

    /// <summary>Creates the command.</summary>
    /// <returns>The command with its options and action.</returns>
    public static Command Create()
    {
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/analysis/1)" };
        var command = new Command("demo", "Analyse a small trace of four uploads, each slow for a reason of its own") { json };
        command.SetAction(parse => AnalyzeCommand.Run(
            parse, [Path.Combine(AppContext.BaseDirectory, TraceName)], parse.GetValue(json), AnalyzeCommand.OneScreen));
        return command;
    }
}
