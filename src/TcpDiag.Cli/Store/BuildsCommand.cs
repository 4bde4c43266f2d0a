using System.CommandLine;
using TcpDiag.Report.Builds;
using TcpDiag.Report.Site;
using TcpDiag.Store;

namespace TcpDiag.Cli.Store;

/// <summary><c>tcpdiag builds</c>: what is documented of builds, and what a store has measured of them.</summary>
static class BuildsCommand
{
    const int UsualWeeks = 12;

    public static Command Create()
    {
        Option<string> store = StoreOptions.File();
        Option<int> weeks = FleetCommand.Weeks(UsualWeeks);
        var json = new Option<bool>("--json") { Description = "Print one JSON document (schema tcpdiag/builds/1)" };
        Option<string?> html = PageOutput.Option();
        Option<bool> force = ForceOption.Create();
        var command = new Command("builds", "What is documented of builds, beside what a store has measured of them") { store, weeks, json, html, force };
        PageOutput.Validate(command, json, html);
        command.SetAction(parse => Run(
            parse, parse.GetValue(store)!, parse.GetValue(weeks), parse.GetValue(json), parse.GetValue(html), parse.GetValue(force)));
        return command;
    }

    static int Run(ParseResult parse, string path, int weeks, bool isJson, string? html, bool isForced)
    {
        using OutputFile? page = html is null ? null : OutputFile.Create(html, [path], isForced);
        using IResultStore store = ResultStores.Open(path);
        var report = BuildsReport.Of(store, weeks);
        if (isJson)
        {
            BuildsDocument.Of(path, report).Write(parse.InvocationConfiguration.Output);
        }
        else if (html is not "-")
        {
            BuildsText.Write(parse.InvocationConfiguration.Output, report);
        }

        if (page is not null)
        {
            BuildsPage.Write(page.Stream, report, SiteLinks.None);
            page.Complete();
        }

        return report.Fleet.Week is null ? ExitCode.NoResult : ExitCode.Done;
    }
}
