using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Cli.Store;
using TcpDiag.Report;

namespace TcpDiag.Cli.Analyzing;

/// <summary><c>tcpdiag analyze FILE…</c>: the TCP connections of traces, read as one.</summary>
sealed class AnalyzeCommand
{
    /// <summary>How much is shown unless the command line says otherwise: one screen.</summary>
    public static readonly AnalysisExtent OneScreen = new(Connections: 5, Findings: 5, Explained: 1);

    readonly Argument<string[]> _files = new("FILE")
    {
        Arity = ArgumentArity.OneOrMore,
        Description = "Traces (.etl, .pcapng, .pcap; also .gz and .zip), read as one; - for standard input",
    };

    readonly ConnectionOptions _connections = new();
    readonly Option<int> _top = Counting("--top", "Connections to list", OneScreen.Connections);
    readonly Option<int> _findings = Counting("--findings", "Findings to list, those with the most time lost first", OneScreen.Findings);
    readonly Option<bool> _explain = new("--explain") { Description = "Show cause, evidence and advice of every finding listed, not only of the first" };
    readonly Option<string?> _sort = Choice.Option(
        "--sort", $"Which connections come first: {string.Join(", ", Choice.WordsOf<ConnectionOrder>())}", Choice.WordsOf<ConnectionOrder>());

    readonly Option<bool> _utc = new("--utc") { Description = "Show the time of day too, in UTC" };
    readonly Option<bool> _local = new("--local") { Description = "Show the time of day too, in this machine's time zone" };
    readonly Option<string?> _vantage = Choice.Option(
        "--vantage", "Where the capture was taken, instead of finding it out", Choice.WordsOf<Vantage>()[1..]);

    readonly Option<bool> _json = new("--json") { Description = "Print one JSON document (schema tcpdiag/analysis/1)" };
    readonly Option<string?> _html = new("--html") { HelpName = "REPORT", Description = "Write the report as one page with graphs; - for standard output" };
    readonly Option<string?> _csv = new("--csv")
    {
        HelpName = "FILE",
        Description = "Write the connections as comma-separated values, a row for each direction; - for standard output",
    };

    readonly Option<bool> _force = ForceOption.Create();
    readonly Option<string?> _failOn = Choice.Option("--fail-on", "End with exit code 3 when a finding is at least that severe", "warning", "critical");
    readonly Option<string?> _store = StoreOptions.Besides();
    readonly Option<bool> _follow = new("--follow")
    {
        Description = "Report what is found as it appears, while the trace is still being written: tcpdump -U -w - | tcpdiag analyze - --follow",
    };

    public static Command Create()
    {
        var analyze = new AnalyzeCommand();
        var command = new Command("analyze", "Explain why the TCP connections of a trace were slow, and how each of them fared") { analyze._files };
        analyze._connections.AddTo(command);
        foreach (Option option in (Option[])
            [
                analyze._findings, analyze._explain, analyze._top, analyze._sort, analyze._utc, analyze._local, analyze._vantage, analyze._json, analyze._html,
                analyze._csv, analyze._force, analyze._failOn, analyze._follow,
            ])
        {
            command.Add(option);
        }

        StoreBesides.AddTo(
            command, analyze._store, analyze._files, "--host", "--port", "--process", "--connection", "--from", "--to", "--vantage", "--follow");
        analyze._sort.HelpName = "ORDER";
        analyze._sort.DefaultValueFactory = _ => OneScreen.Order.ToString().ToLowerInvariant();
        command.Validators.Add(analyze.ValidateOutputs);
        command.Validators.Add(analyze.ValidateFollow);
        command.SetAction(parse => AnalyzeRun.Run(parse, analyze.Read(parse)));
        return command;
    }

    AnalyzeSettings Read(ParseResult parse)
    {
        int listed = parse.GetValue(_findings);
        var extent = new AnalysisExtent(parse.GetValue(_top), listed, parse.GetValue(_explain) ? listed : OneScreen.Explained)
        {
            Order = Enum.TryParse(parse.GetValue(_sort), ignoreCase: true, out ConnectionOrder order) ? order : OneScreen.Order,
            Zone = Zone(parse),
        };
        AnalyzeOutputs outputs = new(parse.GetValue(_json), parse.GetValue(_html), parse.GetValue(_csv), parse.GetValue(_force));
        return new AnalyzeSettings(parse.GetValue(_files)!, extent, outputs)
        {
            Chosen = _connections,
            Options = _connections.Read(parse) with
            {
                Vantage = Enum.TryParse(parse.GetValue(_vantage), ignoreCase: true, out Vantage given) ? given : null,
                Timelines = outputs.Html is null ? null : new TimelineOptions(),
            },
            FailOn = Enum.TryParse(parse.GetValue(_failOn), ignoreCase: true, out FindingSeverity severity) ? severity : null,
            IsLive = parse.GetValue(_follow),
            Store = parse.GetValue(_store),
        };
    }

    TimeZoneInfo? Zone(ParseResult parse)
    {
        TimeZoneInfo? utc = parse.GetValue(_utc) ? TimeZoneInfo.Utc : null;
        return parse.GetValue(_local) ? ((Invocation)parse.InvocationConfiguration).Surroundings.LocalZone() : utc;
    }

    void ValidateOutputs(CommandResult result)
    {
        string? html = result.GetValue(_html);
        string? csv = result.GetValue(_csv);
        bool[] standardOutputs = [result.GetValue(_json), html is "-", csv is "-"];
        if (standardOutputs.Count(isTaken => isTaken) > 1)
        {
            result.AddError("--json, --html - and --csv - write to standard output: give one of them");
        }
        else if (html is not null && string.Equals(html, csv, StringComparison.Ordinal))
        {
            result.AddError($"--html and --csv both write {html}: name two files");
        }

        if (result.GetValue(_utc) && result.GetValue(_local))
        {
            result.AddError("--utc and --local are two clocks: give one of them");
        }
    }

    void ValidateFollow(CommandResult result)
    {
        if (!result.GetValue(_follow))
        {
            return;
        }

        if (result.GetValue(_json) || result.GetValue(_html) is not null || result.GetValue(_csv) is not null)
        {
            result.AddError("--follow: prints text only, neither --json nor --html nor --csv");
        }

        if (result.GetValue(_vantage) is not null)
        {
            result.AddError("--follow: finds the vantage out itself; leave --vantage away");
        }

        if (_connections.GivenThatNeedsTheEnd(result) is { } option)
        {
            result.AddError($"--follow: what {option} asks for is known at the end of the trace only; leave it away");
        }
    }

    static Option<int> Counting(string name, string description, int usual) => new(name)
    {
        HelpName = "N",
        Description = description,
        DefaultValueFactory = _ => usual,
        CustomParser = result => Number.Read<int>(result, "a number from 0 on", number => number >= 0),
    };
}
