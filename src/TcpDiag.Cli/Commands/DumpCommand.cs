using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
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
sealed class DumpCommand
{
    // As many as a trace's time in nanoseconds can hold.
    const double MaxSeconds = long.MaxValue / 1e9;

    readonly Argument<string> _file = new("FILE") { Description = "A trace (.etl; .pcapng with stack events; also .gz and .zip), or -" };
    readonly Option<bool> _json = new("--json") { Description = "Print one JSON object a line" };
    readonly Option<string?> _provider = new("--provider") { Description = "Only this provider: part of its name, or its GUID" };
    readonly Option<int[]> _id = new("--id")
    {
        Description = "Only this event id (classic events: opcode; .etl alone has ids); may be repeated",
        CustomParser = EventsCommand.ReadIds,
    };
    readonly Option<string[]> _field = new("--field") { Description = "Only events with this field, as NAME=VALUE; may be repeated" };
    readonly Option<double?> _from = new("--from") { Description = "Only events from this second of the trace on", CustomParser = ReadSeconds };
    readonly Option<double?> _to = new("--to") { Description = "Only events up to this second of the trace", CustomParser = ReadSeconds };
    readonly Option<string?> _connection = new("--connection") { Description = "Only one connection: ADDRESS:PORT, ADDRESS, or the Tcb as 0x…" };
    readonly Option<long?> _limit = new("--limit")
    {
        Description = "Stop after this many events",
        CustomParser = result => Number.Read<long>(result, "a number from 0 on", number => number >= 0),
    };

    public static Command Create()
    {
        DumpCommand dump = new();
        var command = new Command("dump", "Show the decoded events of a trace")
        {
            dump._file, dump._json, dump._provider, dump._id, dump._field, dump._from, dump._to, dump._connection, dump._limit,
        };
        dump._field.Validators.Add(result =>
        {
            if (result.Tokens.FirstOrDefault(token => token.Value.IndexOf('=', StringComparison.Ordinal) <= 0) is { } wrong)
            {
                result.AddError($"--field: expected NAME=VALUE, found '{wrong.Value}'");
            }
        });
        command.SetAction(dump.Run);
        return command;
    }

    int Run(ParseResult parse)
    {
        CancellationToken interruption = ((Invocation)parse.InvocationConfiguration).Interruption;
        TextWriter output = parse.InvocationConfiguration.Output;
        DumpFilter filter = FilterOf(parse);
        string path = parse.GetValue(_file)!;
        bool isJson = parse.GetValue(_json);
        IReadOnlyList<TraceInput> inputs = TraceFile.OpenInputs(path, out TraceFormat format);
        try
        {
            if (format == TraceFormat.Etl)
            {
                return DumpEtl(inputs, filter, output, isJson, (shown, problems) => Report(parse, path, filter, shown, problems), interruption);
            }

            if (filter.Ids.Count > 0)
            {
                Failure.Report(
                    parse.InvocationConfiguration.Error,
                    $"{path}: --id: the stack events of a .pcapng have no ids. --provider and --field choose among them.");
                return ExitCode.Usage;
            }

            using TraceReader reader = TraceFile.Open(inputs[0], format, TraceOpenOptions.Default);
            long events = StackEventDump.Run(reader, filter, output, isJson, interruption, Terminal.ColumnsOf(output));
            return Report(parse, path, filter, events, reader.Problems);
        }
        finally
        {
            foreach (TraceInput input in inputs)
            {
                input.Dispose();
            }
        }
    }

    static int DumpEtl(
        IReadOnlyList<TraceInput> inputs,
        DumpFilter filter,
        TextWriter output,
        bool isJson,
        Func<long, IReadOnlyList<TraceProblem>, int> report,
        CancellationToken interruption)
    {
        var files = new List<EtlFile>(inputs.Count);
        try
        {
            files.AddRange(inputs.Select(EtlFile.Open));
            long shown;
            using (var dump = new EtlDump(files, filter, output, isJson, Terminal.ColumnsOf(output)))
            {
                shown = dump.Run(interruption);
            }

            return report(shown, [.. files.SelectMany(file => ProblemsOf(file, inputs.Count > 1))]);
        }
        finally
        {
            files.ForEach(file => file.Dispose());
        }
    }

    static int Report(ParseResult parse, string path, DumpFilter filter, long shown, IReadOnlyList<TraceProblem> problems)
    {
        bool isNothing = shown == 0 && filter.Limit > 0;
        if (isNothing)
        {
            Failure.Report(parse.InvocationConfiguration.Error, $"{path}: no event passes. `tcpdiag info` shows what the trace holds.");
        }

        bool isWhole = ProblemReport.Write(Terminal.Error(parse), path, problems);
        return isNothing ? ExitCode.NoResult : isWhole ? ExitCode.Done : ExitCode.Damaged;
    }

    static IEnumerable<TraceProblem> ProblemsOf(EtlFile file, bool isPiece) =>
        isPiece ? file.Problems.Select(problem => problem with { Message = $"{file.Path}: {problem.Message}" }) : file.Problems;

    DumpFilter FilterOf(ParseResult parse) => new()
    {
        Provider = parse.GetValue(_provider),
        Ids = parse.GetValue(_id) ?? [],
        Fields = [.. (parse.GetValue(_field) ?? []).Select(Pair)],
        FromSeconds = parse.GetValue(_from),
        ToSeconds = parse.GetValue(_to),
        Connection = parse.GetValue(_connection),
        Limit = parse.GetValue(_limit) ?? long.MaxValue,
    };

    static double? ReadSeconds(ArgumentResult result) => Number.Read<double>(result, "seconds such as 1.5", number => number is >= 0 and <= MaxSeconds);

    static KeyValuePair<string, string> Pair(string text)
    {
        int equals = text.IndexOf('=', StringComparison.Ordinal);
        return new(text[..equals], text[(equals + 1)..]);
    }
}
