using System.CommandLine;
using TcpDiag.Report.Fleets;
using TcpDiag.Report.Site;
using TcpDiag.Store;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Cli.Store;

/// <summary><c>tcpdiag fleet report</c>: what a store says about many machines.</summary>
static class FleetCommand
{
    const int UsualWeeks = 4;

    public static Command Create() => new("fleet", "Many machines: what a store says about all of them") { CreateReport() };

    /// <summary><c>--weeks N</c>.</summary>
    /// <param name="usual">How many when it is not given.</param>
    public static Option<int> Weeks(int usual) => new("--weeks")
    {
        HelpName = "N",
        Description = "Look at so many weeks, the latest with recordings the last",
        DefaultValueFactory = _ => usual,
        CustomParser = result => Number.Read<int>(result, "a number from 2 to 520", number => number is >= 2 and <= 520),
    };

    static Command CreateReport()
    {
        Option<string> store = StoreOptions.File();
        Option<int> weeks = Weeks(UsualWeeks);
        Option<string?> by = Choice.Option("--by", "What machines are grouped by", [.. FleetBuilder.Groupings]);
        by.DefaultValueFactory = _ => FleetBuilder.Groupings[0];
        Option<string?> platform = Choice.Option("--platform", "Machines of this system only", "windows", "linux");
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/fleet/1)" };
        Option<string?> html = PageOutput.Option();
        Option<bool> force = ForceOption.Create();
        var command = new Command("report", "What differs between builds and from week to week, what costs most, which machines need attention")
        {
            store, weeks, by, platform, json, html, force,
        };
        PageOutput.Validate(command, json, html);
        command.SetAction(parse =>
        {
            var question = new FleetRequest(
                parse.GetValue(store)!, parse.GetValue(by)!.ToLowerInvariant(), parse.GetValue(weeks), parse.GetValue(platform)?.ToLowerInvariant());
            return Run(parse, question, parse.GetValue(json), parse.GetValue(html), parse.GetValue(force));
        });
        return command;
    }

    static int Run(ParseResult parse, FleetRequest request, bool isJson, string? html, bool isForced)
    {
        using OutputFile? page = html is null ? null : OutputFile.Create(html, [request.Store], isForced);
        using IResultStore store = ResultStores.Open(request.Store);
        FleetReport report = FleetBuilder.Build(store, request.By, request.Weeks, request.Filter);
        if (isJson)
        {
            FleetDocument.Of(request.Store, report).Write(parse.InvocationConfiguration.Output);
        }
        else if (html is not "-")
        {
            FleetText.Write(parse.InvocationConfiguration.Output, report);
        }

        if (page is not null)
        {
            FleetPage.Write(page.Stream, report, SiteLinks.None);
            page.Complete();
        }

        return report.Week is null ? ExitCode.NoResult : ExitCode.Done;
    }
}

/// <summary>What is asked about a fleet.</summary>
/// <param name="Store">The store.</param>
/// <param name="By">What machines are grouped by.</param>
/// <param name="Weeks">How many weeks.</param>
/// <param name="Platform">Machines of this system alone; null for all.</param>
sealed record FleetRequest(string Store, string By, int Weeks, string? Platform)
{
    /// <summary>Which recordings.</summary>
    public StoreFilter Filter => Platform is null ? StoreFilter.All : StoreFilter.All.And("platform", ConditionKind.Is, StoreValue.Of(Platform));
}
