using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Results;
using TcpDiag.Traces.Filtering;

namespace TcpDiag.Cli;

/// <summary>The options by which connections are chosen, and the part of a trace that is analysed.</summary>
sealed class ConnectionOptions
{
    readonly Option<string[]> _hosts = FilterValues.Many(
        "--host",
        "Only connections with this address, range, or name that the trace shows (10.0.0.1, 10.0.0.0/8, example.com); may be repeated",
        text => AddressRange.TryParse(text, out _) || IsName(text));

    readonly Option<string[]> _ports = FilterValues.Many("--port", "Only connections with this port at one end; may be repeated", FilterValues.IsPort);
    readonly Option<string[]> _processes = FilterValues.Many(
        "--process", "Only connections of this process: id, or beginning of its name; may be repeated", text => text.Length > 0);

    readonly Option<int[]> _numbers = new("--connection")
    {
        HelpName = "N",
        Description = "Only the connection with this number in the list; may be repeated",
        CustomParser = result => Number.ReadAll<int>(result, "the number of a connection, from 0 on", number => number >= 0),
    };

    readonly Option<string> _from = FilterValues.From();
    readonly Option<string> _to = FilterValues.To();

    Option[] Choosing => [_hosts, _ports, _processes, _numbers];

    /// <summary>Gives a command the options.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in (Option[])[.. Choosing, _from, _to])
        {
            command.Add(option);
        }
    }

    /// <summary>Options of which the answer is known at the end of a trace only.</summary>
    /// <returns>The name of one that is given; null without.</returns>
    public string? GivenThatNeedsTheEnd(CommandResult result) =>
        IsGiven(result, _processes) ? _processes.Name : IsGiven(result, _numbers) ? _numbers.Name : null;

    /// <summary>The options of the analysis that the user chose.</summary>
    public AnalysisOptions Read(ParseResult parse)
    {
        string[] hosts = parse.GetValue(_hosts) ?? [];
        return new AnalysisOptions
        {
            Connections = Array.Exists(Choosing, option => IsGiven(parse.CommandResult, option))
                ? new ConnectionFilter
                {
                    Hosts = FilterValues.Ranges(hosts),
                    Names = [.. hosts.Where(text => !AddressRange.TryParse(text, out _))],
                    Ports = FilterValues.Ports(parse.GetValue(_ports) ?? []),
                    Processes = parse.GetValue(_processes) ?? [],
                    Numbers = parse.GetValue(_numbers) ?? [],
                }
                : null,
            From = FilterValues.Bound(parse.GetValue(_from)),
            To = FilterValues.Bound(parse.GetValue(_to)),
        };
    }

    /// <summary>Why an analysis has no result, where the options left nothing of the trace.</summary>
    /// <returns>One line; null where something is left, or nothing was to be left out.</returns>
    public string? WhyNothing(ParseResult parse, TraceAnalysis analysis, AnalysisOptions options)
    {
        bool isPart = options is not { From: null, To: null };
        if (isPart && analysis.Packets + analysis.StackEvents == 0)
        {
            return $"{Given(parse, [_from, _to])}: no record of the trace lies there; it begins at {analysis.Start} and ends at {analysis.End}";
        }

        if (options.Connections is null || analysis.Connections.Count > 0)
        {
            return null;
        }

        string where = isPart ? "that part of the trace" : "the trace";
        return analysis.LeftOut == 0
            ? $"{Given(parse, Choosing)}: {where} has no TCP connection"
            : $"{Given(parse, Choosing)}: matches none of the {Quantity.Count(analysis.LeftOut, "connection")} of {where}";
    }

    // As they were written: --host 10.0.0.1 --port 443.
    static string Given(ParseResult parse, IEnumerable<Option> options) => string.Join(' ', options
        .Select(parse.GetResult)
        .OfType<OptionResult>()
        .SelectMany(result => result.Tokens.Select(token => $"{result.Option.Name} {token.Value}")));

    static bool IsGiven(CommandResult result, Option option) => result.GetResult(option) is { Implicit: false };

    // As names look in a trace; what else is written was meant to be an address.
    static bool IsName(string text) => text.Any(char.IsLetter) && text.All(letter => char.IsLetterOrDigit(letter) || letter is '-' or '_' or '.');
}
