using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Net;
using System.Threading;
using TcpDiag.Analysis.Results;
using TcpDiag.Platform.Linux;
using TcpDiag.Report;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Rows;

namespace TcpDiag.Cli.Store;

/// <summary><c>tcpdiag ingest DIR…</c>: takes recordings in from drop folders.</summary>
static class IngestCommand
{
    const string StandardInput = "-";
    const int PoolBytes = 1 << 16; // half of the least block in which the state of connections is kept, about

    public static Command Create()
    {
        var folders = new Argument<string[]>("DIR")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "Drop folders of bundles and traces; - for paths of files on standard input, one a line",
        };
        Option<string> store = StoreOptions.File();
        var workers = new Option<int>("--workers")
        {
            HelpName = "N",
            Description = "Recordings that are read at once; the processors of this machine when not given",
            DefaultValueFactory = _ => Environment.ProcessorCount,
            CustomParser = result => Number.Read<int>(result, "a number from 1 to 256", number => number is >= 1 and <= 256),
        };
        var once = new Option<bool>("--once") { Description = "End when everything that is there is taken in" };
        Option<TimeSpan> settle = Time("--settle", "A file is complete when it has not changed for so long", TimeSpan.FromSeconds(2));
        Option<TimeSpan> lease = Time("--lease", "Others take over the file of a process that has given no sign of life for so long", TimeSpan.FromMinutes(1));
        var metrics = new Option<string?>("--metrics")
        {
            HelpName = "HOST:PORT",
            Description = "Serve figures for Prometheus at http://HOST:PORT/metrics; a port alone is on this machine only",
        };
        metrics.Validators.Add(result =>
        {
            if (result.Tokens is [.., var token] && MetricsServer.EndpointOf(token.Value) is null)
            {
                result.AddError($"--metrics: expected an address and a port such as 127.0.0.1:9464, found '{token.Value}'");
            }
        });
        Option<string?> site = StoreOptions.Site();
        Option<bool> addresses = StoreOptions.WithAddresses();
        var command = new Command("ingest", "Take recordings into a store from drop folders, as they come")
        {
            folders, store, workers, once, settle, lease, metrics, site, addresses,
        };
        command.SetAction(parse => Run(
            parse,
            parse.GetValue(folders)!,
            new IngestSettings(parse.GetValue(store)!, parse.GetValue(workers), new RecordingLabels(Site: parse.GetValue(site),
                KeepsAddresses: parse.GetValue(addresses)))
            {
                IsOnce = parse.GetValue(once),
                Settle = parse.GetValue(settle),
                Lease = parse.GetValue(lease),
            },
            parse.GetValue(metrics) is { } text ? MetricsServer.EndpointOf(text) : null));
        return command;
    }

    static int Run(ParseResult parse, string[] folders, IngestSettings settings, IPEndPoint? metrics)
    {
        var invocation = (Invocation)parse.InvocationConfiguration;
        CancellationToken interruption = invocation.Interruption;
        TextWriter output = parse.InvocationConfiguration.Output;
        var writing = new Lock();
        string[] files = folders.Contains(StandardInput, StringComparer.Ordinal) ? ReadPaths(invocation.Surroundings.Input) : [];
        string[] drops = [.. folders.Where(folder => folder is not StandardInput)];
        FreedMemory.GiveBackFrom(PoolBytes);
        using var ingestion = new Ingestion(settings with { IsOnce = settings.IsOnce || drops.Length == 0, Told = Tell });
        using MetricsServer? server = metrics is null ? null : MetricsServer.Start(metrics, ingestion.Counters.ToPrometheus);
        ingestion.Run(drops, files, interruption);
        output.WriteLine(Summary(ingestion.Counters));
        return ingestion.Counters.Rejected + ingestion.Counters.PassedOver > 0 ? ExitCode.Damaged : ExitCode.Done;

        void Tell(string path, string outcome)
        {
            lock (writing)
            {
                output.WriteLine($"{SafeText.OneLine(path)}: {SafeText.OneLine(outcome)}");
                output.Flush();
            }
        }
    }

    static string[] ReadPaths(TextReader input)
    {
        var paths = new List<string>();
        while (input.ReadLine() is { } line)
        {
            if (line.Length > 0)
            {
                paths.Add(line);
            }
        }

        return [.. paths];
    }

    static string Summary(IngestCounters counters) =>
        $"{Quantity.Count(counters.Added, "recording")} added, {counters.Kept} there already, {counters.Rejected} rejected"
        + (counters.PassedOver > 0 ? $", {counters.PassedOver} passed over" : string.Empty)
        + (counters.Spooled > 0 ? $", {counters.Spooled} waiting here for the server" : string.Empty);

    static Option<TimeSpan> Time(string name, string description, TimeSpan usual) => new(name)
    {
        HelpName = "TIME",
        Description = description,
        DefaultValueFactory = _ => usual,
        CustomParser = result =>
        {
            if (QuantityText.TryParseTime(result.Tokens[^1].Value, out TimeSpan time) && time > TimeSpan.Zero)
            {
                return time;
            }

            result.AddError($"{name}: expected a time such as 2s or 1min, found '{result.Tokens[^1].Value}'");
            return default;
        },
    };
}
