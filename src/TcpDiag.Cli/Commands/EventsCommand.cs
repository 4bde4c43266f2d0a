using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;
using System.Text.Json;
using TcpDiag.Report;
using TcpDiag.Report.Json;
using TcpDiag.Traces.Schemas;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag events</c>: which events a Windows build can log, and what changed between two builds.</summary>
static class EventsCommand
{
    const string DefaultProvider = "TCPIP";

    public static Command Create()
    {
        var text = new Argument<string?>("TEXT") { Arity = ArgumentArity.ZeroOrOne, Description = "Only events with this text in name, field or keyword" };
        var provider = new Option<string>("--provider")
        {
            Description = "Part of the provider's name; all for every provider",
            DefaultValueFactory = _ => DefaultProvider,
        };
        var build = new Option<int?>("--build")
        {
            Description = "Windows build, e.g. 26100; the latest when not given",
            CustomParser = result => ReadBuild(result),
        };
        var id = new Option<int[]>("--id") { Description = "Describe this event id; may be repeated", CustomParser = ReadIds };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/events/1)" };
        var command = new Command("events", "List, search and describe the events of Windows builds") { text, provider, build, id, json };
        command.Add(CreateDiff());
        command.SetAction(parse =>
            List(parse, parse.GetValue(build), Name(parse.GetValue(provider)), parse.GetValue(id) ?? [], parse.GetValue(text), parse.GetValue(json)));
        return command;
    }

    /// <summary>Reads event ids, also for <c>dump</c>.</summary>
    /// <param name="result">What stands on the command line.</param>
    public static int[] ReadIds(ArgumentResult result) =>
        Number.ReadAll<int>(result, "an event id from 0 to 65535", number => number is >= 0 and <= ushort.MaxValue);

    static Command CreateDiff()
    {
        var from = new Argument<int>("FROM") { Description = "Windows build, e.g. 22000", CustomParser = ReadBuild };
        var to = new Argument<int>("TO") { Description = "Windows build, e.g. 22621", CustomParser = ReadBuild };
        var provider = new Option<string>("--provider")
        {
            Description = "Part of the provider's name; all for every provider",
            DefaultValueFactory = _ => DefaultProvider,
        };
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/events-diff/1)" };
        var command = new Command("diff", "Show which events and fields appeared, changed or vanished between two builds") { from, to, provider, json };
        command.SetAction(parse => Diff(parse, parse.GetValue(from), parse.GetValue(to), Name(parse.GetValue(provider)), parse.GetValue(json)));
        return command;
    }

    static string? Name(string? provider) => string.Equals(provider, "all", StringComparison.OrdinalIgnoreCase) ? null : provider;

    static int ReadBuild(ArgumentResult result)
    {
        int build = Number.Read<int>(result, "a build such as 26100", number => number > 0);
        if (build > 0 && SchemaCatalog.Bundled.IndexOfBuild(build) < 0)
        {
            string known = string.Join(", ", SchemaCatalog.Bundled.Builds.Select(entry => FormattableString.Invariant($"{entry.Number}")));
            result.AddError(FormattableString.Invariant($"build {build} is not known; known are {known}."));
        }

        return build;
    }

    static int List(ParseResult parse, int? build, string? provider, int[] ids, string? text, bool isJson)
    {
        SchemaCatalog catalog = SchemaCatalog.Bundled;
        EventsDocument document = new EventCatalogQuery(catalog).List(build ?? catalog.Builds[^1].Number, provider, ids, text);
        if (isJson)
        {
            parse.InvocationConfiguration.Output.WriteLine(JsonSerializer.Serialize(document, EventsJsonContext.Default.EventsDocument));
        }
        else if (ids.Length > 0)
        {
            EventCatalogReport.WriteDescriptions(Terminal.Output(parse), document);
        }
        else
        {
            EventCatalogReport.WriteList(Terminal.Output(parse), document);
        }

        return ExitCode.Done;
    }

    static int Diff(ParseResult parse, int from, int to, string? provider, bool isJson)
    {
        EventsDiffDocument document = new EventCatalogQuery(SchemaCatalog.Bundled).Diff(from, to, provider);
        if (isJson)
        {
            parse.InvocationConfiguration.Output.WriteLine(JsonSerializer.Serialize(document, EventsJsonContext.Default.EventsDiffDocument));
        }
        else
        {
            EventCatalogReport.WriteDiff(Terminal.Output(parse), document);
        }

        return ExitCode.Done;
    }
}
