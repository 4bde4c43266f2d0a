using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Report;
using TcpDiag.Report.Dump;
using TcpDiag.Traces;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Input;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag dump FILE</c>: the decoded events of a trace.</summary>
static class DumpCommand
{
    static readonly Argument<string> File = new("FILE") { Description = "A trace (.etl; .pcapng with stack events; also .gz and .zip), or -" };
    static readonly Option<bool> Json = new("--json") { Description = "Print one JSON object a line" };
    static readonly Option<string?> Provider = new("--provider") { Description = "Only this provider: part of its name, or its GUID" };
    static readonly Option<int[]> Id = new("--id") { Description = "Only this event id (classic events: opcode); may be repeated" };
    static readonly Option<string[]> Field = new("--field") { Description = "Only events with this field, as NAME=VALUE; may be repeated" };
    static readonly Option<double?> From = new("--from") { Description = "Only events from this second of the trace on" };
    static readonly Option<double?> To = new("--to") { Description = "Only events up to this second of the trace" };
    static readonly Option<string?> Connection = new("--connection") { Description = "Only one connection: ADDRESS:PORT, ADDRESS, or the Tcb as 0x…" };
    static readonly Option<long?> Limit = new("--limit") { Description = "Stop after this many events" };

    /// <summary>Creates the command.</summary>
    /// <returns>The command with its options and action.</returns>
    public static Command Create()
    {
        var command = new Command("dump", "Show the decoded events of a trace") { File, Json, Provider, Id, Field, From, To, Connection, Limit };
        Field.Validators.Add(result =>
        {
            if (result.Tokens.Any(token => token.Value.IndexOf('=', StringComparison.Ordinal) <= 0))
            {
                result.AddError("--field needs NAME=VALUE.");
            }
        });
        command.SetAction(Run);
        return command;
    }

    static int Run(ParseResult parse)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        TextWriter output = parse.InvocationConfiguration.Output;
        DumpFilter filter = FilterOf(parse);
        string path = parse.GetValue(File)!;
        bool isJson = parse.GetValue(Json);
        using TraceInput input = TraceFile.OpenInput(path, out TraceFormat format);
        if (format == TraceFormat.Etl)
        {
            using EtlFile file = EtlFile.Open(input);
            using (var dump = new EtlDump(file, filter, output, isJson))
            {
                dump.Run(interruption);
            }

            return ProblemReport.Write(Terminal.Error(parse), path, file.Problems) ? ExitCode.Done : ExitCode.Damaged;
        }

        using TraceReader reader = TraceFile.Open(input, format, TraceOpenOptions.Default);
        StackEventDump.Run(reader, filter, output, isJson, interruption);
        return ProblemReport.Write(Terminal.Error(parse), path, reader.Problems) ? ExitCode.Done : ExitCode.Damaged;
    }

    static DumpFilter FilterOf(ParseResult parse) => new()
    {
        Provider = parse.GetValue(Provider),
        Ids = parse.GetValue(Id) ?? [],
        Fields = [.. (parse.GetValue(Field) ?? []).Select(Pair)],
        FromSeconds = parse.GetValue(From),
        ToSeconds = parse.GetValue(To),
        Connection = parse.GetValue(Connection),
        Limit = parse.GetValue(Limit) ?? long.MaxValue,
    };

    static KeyValuePair<string, string> Pair(string text)
    {
        int equals = text.IndexOf('=', StringComparison.Ordinal);
        return new(text[..equals], text[(equals + 1)..]);
    }
}
