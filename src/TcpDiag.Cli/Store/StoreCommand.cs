using System.Collections.Generic;
using System.CommandLine;
using System.Linq;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Rows;

namespace TcpDiag.Cli.Store;

/// <summary><c>tcpdiag store</c>: results that stay.</summary>
static class StoreCommand
{
    const string JsonText = "Print one JSON document (schema tcpdiag/store/1)";

    public static Command Create() => new("store", "Results that stay: add recordings, ask about all of them")
    {
        CreateAdd(), CreateList(), CreateShow(), CreateQuery(), CreateExport(), CreatePrune(), CreateVacuum(), CreateSchema(),
    };

    static Option<bool> Json() => new("--json") { Description = JsonText };

    static Command CreateAdd()
    {
        var files = new Argument<string[]>("FILE") { Arity = ArgumentArity.OneOrMore, Description = "Recordings, each by itself: traces, bundles" };
        Option<string> store = StoreOptions.File();
        var machine = new Option<string?>("--machine") { HelpName = "NAME", Description = "What the recorded machine is called; else its addresses tell it" };
        Option<string?> site = StoreOptions.Site();
        Option<bool> addresses = StoreOptions.WithAddresses();
        Option<bool> json = Json();
        var command = new Command("add", "Analyse recordings and keep the results; what is there already stays") { files, store, machine, site, addresses,
            json };
        command.SetAction(parse =>
        {
            var labels = new RecordingLabels(parse.GetValue(machine), parse.GetValue(site), parse.GetValue(addresses));
            return StoreAdding.Run(parse, parse.GetValue(store)!, parse.GetValue(files)!, labels, parse.GetValue(json));
        });
        return command;
    }

    static Command CreateList()
    {
        Option<string> store = StoreOptions.File();
        var filter = new StoreFilterOptions();
        Option<bool> json = Json();
        Command command = With(new Command("list", "List the recordings of a store") { store, json }, filter.All);
        command.SetAction(parse => StoreReading.List(parse, parse.GetValue(store)!, filter.Read(parse), parse.GetValue(json)));
        return command;
    }

    static Command CreateShow()
    {
        var recording = new Argument<string>("SHA") { Description = "The beginning of its SHA-256, as list shows it" };
        Option<string> store = StoreOptions.File();
        Option<bool> json = Json();
        var command = new Command("show", "Show a recording and its findings") { recording, store, json };
        command.SetAction(parse => StoreReading.Show(parse, parse.GetValue(store)!, parse.GetValue(recording)!, parse.GetValue(json)));
        return command;
    }

    static Command CreateQuery()
    {
        var rows = new StoreRowOptions();
        Option<string> store = StoreOptions.File();
        var limit = new Option<long>("--limit")
        {
            HelpName = "N",
            Description = "Rows at most",
            DefaultValueFactory = _ => 100,
            CustomParser = result => Number.Read<long>(result, "a number from 1 on", number => number >= 1),
        };
        Option<bool> json = Json();
        var command = new Command("query", "Show rows of a table") { store, limit, json };
        rows.AddTo(command);
        command.SetAction(parse => StoreReading.Query(parse, parse.GetValue(store)!, rows.Read(parse) with { Limit = parse.GetValue(limit) },
            parse.GetValue(json)));
        return command;
    }

    static Command CreateExport()
    {
        var rows = new StoreRowOptions();
        Option<string> store = StoreOptions.File();
        var csv = new Option<string?>("--csv") { HelpName = "FILE", Description = "Write comma-separated values; - for standard output" };
        var lines = new Option<string?>("--ndjson") { HelpName = "FILE", Description = "Write a JSON object a line; - for standard output" };
        var parquet = new Option<string?>("--parquet")
        {
            HelpName = "FILE",
            Description = "Write Apache Parquet, from a store in ClickHouse; - for standard output",
        };
        (Option<string?> Option, ExportFormat Format)[] formats = [(csv, ExportFormat.Csv), (lines, ExportFormat.Lines), (parquet, ExportFormat.Parquet)];
        Option<bool> force = ForceOption.Create();
        var command = new Command("export", "Write all rows of a table for other programs") { store, csv, lines, parquet, force };
        rows.AddTo(command);
        command.Validators.Add(result =>
        {
            if (formats.Count(format => result.GetResult(format.Option) is not null) != 1)
            {
                result.AddError("export: give one of --csv, --ndjson and --parquet");
            }
        });
        command.SetAction(parse =>
        {
            (Option<string?> option, ExportFormat format) = formats.First(one => parse.GetResult(one.Option) is not null);
            return StoreReading.Export(parse.GetValue(store)!, rows.Read(parse), new(parse.GetValue(option)!, format, parse.GetValue(force)));
        });
        return command;
    }

    static Command CreatePrune()
    {
        Option<string> store = StoreOptions.File();
        var filter = new StoreFilterOptions();
        var dryRun = new Option<bool>("--dry-run") { Description = "Only count what would be removed" };
        Option<bool> json = Json();
        Command command = With(new Command("prune", "Remove results from a store; the recordings stay where they are") { store, dryRun, json }, filter.All);
        command.Validators.Add(result =>
        {
            if (filter.All.All(option => result.GetResult(option) is null))
            {
                result.AddError("prune: say what is to be removed, e.g. --before 2026-01-01");
            }
        });
        command.SetAction(parse => StoreKeeping.Prune(parse, parse.GetValue(store)!, filter.Read(parse), parse.GetValue(dryRun), parse.GetValue(json)));
        return command;
    }

    static Command CreateVacuum()
    {
        Option<string> store = StoreOptions.File();
        Option<bool> json = Json();
        var command = new Command("vacuum", "Give the room of removed results back to the disk") { store, json };
        command.SetAction(parse => StoreKeeping.Vacuum(parse, parse.GetValue(store)!, parse.GetValue(json)));
        return command;
    }

    static Command CreateSchema()
    {
        Option<bool> json = Json();
        Option<string?> engine = Choice.Option("--engine", "As this engine makes them", "sqlite", "clickhouse");
        engine.DefaultValueFactory = _ => "sqlite";
        var cluster = new Option<string?>("--cluster") { HelpName = "NAME", Description = "ClickHouse: spread over this cluster" };
        var replicated = new Option<bool>("--replicated") { Description = "ClickHouse: with copies that a keeper holds alike" };
        var command = new Command("schema", "Print the tables and columns of stores, as SQL") { engine, cluster, replicated, json };
        command.Validators.Add(result =>
        {
            if (result.GetValue(replicated) && result.GetValue(cluster) is null)
            {
                result.AddError("--replicated: give the cluster too, with --cluster NAME");
            }

            if (result.GetValue(cluster) is { } name && !ClickHouseLayout.IsName(name))
            {
                result.AddError($"--cluster: expected a name of letters, digits and _, found '{name}'");
            }
        });
        command.SetAction(parse => StoreKeeping.Schema(
            parse,
            string.Equals(parse.GetValue(engine), "clickhouse", System.StringComparison.OrdinalIgnoreCase) || parse.GetValue(cluster) is not null
                ? new ClickHouseLayout(parse.GetValue(cluster), parse.GetValue(replicated)) : null,
            parse.GetValue(json)));
        return command;
    }

    static Command With(Command command, IEnumerable<Option> options)
    {
        foreach (Option option in options)
        {
            command.Add(option);
        }

        return command;
    }
}
