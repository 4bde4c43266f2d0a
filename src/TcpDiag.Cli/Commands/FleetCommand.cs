using System.CommandLine;
using TcpDiag.Cli.Store;
using TcpDiag.Report.Fleets;
using TcpDiag.Store;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Cli.Commands;

/// <summary><c>tcpdiag fleet report</c>: what a store says about many machines.</summary>
static class FleetCommand
{
    const int UsualWeeks = 4;

    public static Command Create() => new("fleet", "Many machines: what a store says about all of them") { CreateReport() };

    static Command CreateReport()
    {
        Option<string> store = StoreOptions.File();
        var weeks = new Option<int>("--weeks")
        {
            HelpName = "N",
            Description = "Look at so many weeks, the latest with recordings the last",
            DefaultValueFactory = _ => UsualWeeks,
            CustomParser = result => Number.Read<int>(result, "a number from 2 to 520", number => number is >= 2 and <= 520),
        };
        Option<string?> by = Choice.Option("--by", "What machines are grouped by", [.. FleetBuilder.Groupings]);
        by.DefaultValueFactory = _ => FleetBuilder.Groupings[0];
        Option<string?> platform = Choice.Option("--platform", "Machines of this system only", "windows", "linux");
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/fleet/1)" };
        var command = new Command("report", "What differs between builds and from week to week, what costs most, which machines need attention")
        {
            store, weeks, by, platform, json,
        };
        command.SetAction(parse => Run(parse, parse.GetValue(store)!, parse.GetValue(by)!.ToLowerInvariant(), parse.GetValue(weeks),
            parse.GetValue(platform)?.ToLowerInvariant(), parse.GetValue(json)));
        return command;
    }

    static int Run(ParseResult parse, string path, string by, int weeks, string? platform, bool isJson)
    {
        using IResultStore store = ResultStores.Open(path);
        StoreFilter filter = platform is null ? StoreFilter.All : StoreFilter.All.And("platform", ConditionKind.Is, StoreValue.Of(platform));
        FleetReport report = FleetBuilder.Build(store, by, weeks, filter);
        if (isJson)
        {
            FleetDocument.Of(path, report).Write(parse.InvocationConfiguration.Output);
        }
        else
        {
            FleetText.Write(parse.InvocationConfiguration.Output, report);
        }

        return report.Week is null ? ExitCode.NoResult : ExitCode.Done;
    }
}
