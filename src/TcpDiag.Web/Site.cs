using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using TcpDiag.Report.Builds;
using TcpDiag.Report.Fleets;
using TcpDiag.Report.Site;
using TcpDiag.Report.Stores;
using TcpDiag.Store;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Web;

/// <summary>The pages and documents of a store.</summary>
/// <param name="options">How it is served.</param>
/// <param name="pool">The store.</param>
/// <param name="reports">Reports that were made of it.</param>
/// <param name="graphs">Draws graphs.</param>
/// <param name="counters">The server's figures.</param>
sealed class Site(ServeOptions options, StorePool pool, ReportCache reports, GraphDrawing graphs, ServeCounters counters) : IDisposable
{
    const string Html = "text/html";
    const string Json = "application/json";
    const int UsualWeeks = 4;
    const int UsualWeeksOfBuilds = 12;
    const int WeeksOfAQuarter = 12;
    const int QuietMs = 1_000;

    static readonly Parameter Weeks = new("weeks", "Weeks looked at, the latest with recordings the last; 2 to 520", IsNumber: true);
    static readonly Parameter By = new("by", "What machines are grouped by: build, platform, nic, site");
    static readonly Parameter First = new("from", "Number of the first connection", IsNumber: true);

    static readonly Parameter[] Search =
    [
        .. RecordingSearch.Columns.Select(one => new Parameter(one.Column, one.Title)),
        new("sort", "Order: newest, lost, connections"), new("page", "Page, from 1", IsNumber: true),
    ];

    static readonly Parameter[] SearchOfConnections =
        [.. ConnectionSearch.Columns.Select(one => new Parameter(one.Column, one.Title)), new("page", "Page, from 1", IsNumber: true)];

    static readonly Parameter[] Pair = [new("a", "The first build", IsRequired: true), new("b", "The build beside it", IsRequired: true), Weeks];

    readonly SemaphoreSlim _readers = new(options.Limits.Readers);
    long _lastAsked = long.MinValue / 2; // by who reads rows, in ms of the clock since the machine started

    /// <summary>All of them.</summary>
    public IReadOnlyList<Route> Routes =>
    [
        new("/", "The fleet: what differs, what it costs, which machines need attention", Html, FleetPageOf) { Query = [By, Weeks] },
        new("/builds", "Builds: what was measured beside what is documented", Html, BuildsPageOf) { Query = [Weeks] },
        new("/compare", "Two builds beside each other", Html, ComparePageOf) { Query = [.. Pair.Select(one => one with { IsRequired = false })] },
        new("/recordings", "The list of recordings", Html, context =>
            Asked(store => Recordings(store, new QueryReader(context.Request).Search()))) { Query = Search },
        new("/recordings/{source}", "A recording with its connections", Html, RecordingPageOf) { Query = [First] },
        new("/recordings/{source}/connections/{connection}", "A connection", Html, ConnectionPageOf),
        new("/recordings/{source}/connections/{connection}/graphs", "The graphs of a connection, drawn from its recording", Html, GraphsOf),
        new("/connections", "The list of connections of a week", Html, ConnectionsPageOf) { Query = SearchOfConnections },
        new("/api/fleet", "The fleet", Json, async context =>
            Document(await FleetReportOf(context), report => FleetDocument.Of(options.Location, report).Write)) { Query = [By, Weeks], Schema = "fleet" },
        new("/api/builds", "Builds", Json, async context =>
            Document(await Builds(context), report => BuildsDocument.Of(options.Location, report).Write)) { Query = [Weeks], Schema = "builds" },
        new("/api/compare", "Two builds beside each other", Json, async context =>
            Document(await PairOf(context), pair => PairDocument.Of(options.Location, pair).Write))
        {
            Query = Pair,
            Schema = "build-pair",
        },
        new("/api/recordings", "Recordings", Json, RecordingsDocument) { Query = Search, Schema = "store" },
        new("/api/recordings/{source}", "A recording with its findings", Json, RecordingDocument) { Schema = "store" },
        new("/api/recordings/{source}/connections", "Connections of a recording, at most 200", Json, ConnectionsDocument) { Query = [First], Schema = "store" },
        new("/api/connections", "Connections of a week, the latest first", Json, FoundConnectionsDocument) { Query = SearchOfConnections, Schema = "store" },
        new("/metrics", "Figures of this server in the text format of Prometheus", "text/plain",
            _ => Task.FromResult(Answer.Plain(counters.ToPrometheus(), "text/plain; version=0.0.4; charset=utf-8"))),
        new("/healthz", "Whether the store can be read", "text/plain", _ => Task.Run(Health)) { IsOpen = true },
        new("/openapi.json", "This description", Json, _ => Task.FromResult(Document(OpenApi.Write(Routes)))),
    ];

    /// <inheritdoc/>
    public void Dispose() => _readers.Dispose();

    /// <summary>Makes the reports that the pages show first, so that they are there when they are asked for.</summary>
    public Task Prepare() => Task.WhenAll(FleetOf(FleetBuilder.Groupings[0], UsualWeeks), BuildsOf(UsualWeeksOfBuilds), PairsOf(UsualWeeksOfBuilds));

    /// <summary>Makes those that are a link away, one after the other, while nobody asks for something.</summary>
    /// <param name="stop">Ends it between two of them.</param>
    public async Task PrepareOthers(CancellationToken stop)
    {
        foreach (int weeks in (int[])[UsualWeeks, WeeksOfAQuarter])
        {
            foreach (string by in FleetBuilder.Groupings)
            {
                await Quiet(stop);
                await FleetOf(by, weeks);
            }
        }
    }

    // Each reads much of the store: who turns pages would wait for it.
    async Task Quiet(CancellationToken stop)
    {
        stop.ThrowIfCancellationRequested();
        while (Environment.TickCount64 - Interlocked.Read(ref _lastAsked) < QuietMs)
        {
            await Task.Delay(QuietMs, stop);
        }
    }

    async Task<Answer> FleetPageOf(HttpContext context)
    {
        KeptReport<FleetReport> kept = await FleetReportOf(context);
        return Page(kept, (stream, links) => FleetPage.Write(stream, kept.Report, links));
    }

    async Task<Answer> BuildsPageOf(HttpContext context)
    {
        KeptReport<BuildsReport> kept = await Builds(context);
        return Page(kept, (stream, links) => BuildsPage.Write(stream, kept.Report, links));
    }

    async Task<Answer> ComparePageOf(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        IReadOnlyList<string> builds = await Read(BuildNames.Of);
        if (query.Text("a") is null && query.Text("b") is null)
        {
            return Answer.Page(stream => ComparePage.Write(stream, builds, null, SiteLinks.Served));
        }

        KeptReport<BuildPair> kept = await PairOf(context);
        return Page(kept, (stream, links) => ComparePage.Write(stream, builds, kept.Report, links));
    }

    Task<Answer> RecordingPageOf(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        int from = query.Number("from", 0, 0, int.MaxValue - RecordingContent.PageConnections);
        return Asked(store =>
        {
            RecordingContent content = new RecordingReader(store, query.Source()).Content(from);
            return Answer.Page(stream => RecordingPage.Write(stream, content));
        });
    }

    Task<Answer> ConnectionPageOf(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        return Asked(store =>
        {
            ConnectionContent content = new RecordingReader(store, query.Source()).Connection(query.Connection(), graphs.WhyNot);
            return Answer.Page(stream => ConnectionPage.Write(stream, content));
        });
    }

    async Task<Answer> GraphsOf(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        StoreValue[] recording = await Read(store => new RecordingReader(store, query.Source()).Connection(query.Connection(), static _ => null).Recording);
        return await graphs.Draw(recording, query.Connection(), context.RequestAborted);
    }

    static Answer Recordings(IResultStore store, RecordingSearch search)
    {
        StoreValue[][] rows = [.. store.Query(search.Query)];
        long total = store.Count(StoreSchema.Recordings, search.Filter);
        return Answer.Page(stream => RecordingsPage.Write(stream, search, rows, total));
    }

    Task<Answer> ConnectionsPageOf(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        return Asked(store =>
        {
            ConnectionSearch search = query.Connections(() => LatestWeek(store));
            StoreValue[][] rows = [.. store.Query(search.Query)];
            return Answer.Page(stream => ConnectionsPage.Write(stream, search, rows));
        });
    }

    Task<Answer> FoundConnectionsDocument(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        return Asked(store =>
        {
            IEnumerable<StoreValue[]> rows = store.Query(query.Connections(() => LatestWeek(store)).Query with { Limit = ConnectionSearch.PageRows });
            return Document(output => StoreJson.WriteRows(output, options.Location, ConnectionSearch.Table, ConnectionSearch.Table.Columns, rows));
        });
    }

    static string? LatestWeek(IResultStore store)
    {
        StoreColumn week = StoreSchema.Recordings.Require(ConnectionSearch.Week);
        return store.Aggregate(new AggregateQuery(StoreSchema.Recordings, [new(week, [])], [], StoreFilter.All)).Select(row => row[0].Text)
            .Max(StringComparer.Ordinal);
    }

    Task<Answer> RecordingsDocument(HttpContext context)
    {
        RecordingSearch search = new QueryReader(context.Request).Search();
        return Asked(store =>
        {
            IEnumerable<StoreValue[]> rows = store.Query(search.Query with { Limit = RecordingSearch.PageRows });
            return Document(output => StoreJson.WriteRows(output, options.Location, StoreSchema.Recordings, StoreSchema.Recordings.Columns, rows));
        });
    }

    Task<Answer> RecordingDocument(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        return Asked(store =>
        {
            var reader = new RecordingReader(store, query.Source());
            StoreValue[] row = reader.Row();
            return Document(output => StoreJson.WriteRecording(output, options.Location, row, reader.Findings()));
        });
    }

    Task<Answer> ConnectionsDocument(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        int from = query.Number("from", 0, 0, int.MaxValue - RecordingContent.PageConnections);
        StoreTable table = StoreSchema.Find("connection")!;
        return Asked(store =>
        {
            var reader = new RecordingReader(store, query.Source());
            reader.Row();
            return Document(output => StoreJson.WriteRows(output, options.Location, table, table.Columns, reader.ConnectionRows(from)));
        });
    }

    // Anybody may ask: what is wrong is not told.
    Answer Health()
    {
        try
        {
            pool.Ask(StoreState.Of);
            return Answer.Plain("ok\n");
        }
        catch (StoreException)
        {
            return Answer.Plain("the store cannot be read\n") with { Status = StatusCodes.Status503ServiceUnavailable };
        }
    }

    Task<KeptReport<FleetReport>> FleetReportOf(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        return FleetOf(query.By(), query.Weeks(UsualWeeks), Gate.IsProgram(context.Request));
    }

    Task<KeptReport<FleetReport>> FleetOf(string by, int weeks, bool isPatient = true) =>
        reports.Get(FormattableString.Invariant($"fleet {by} {weeks}"), store => FleetBuilder.Build(store, by, weeks, StoreFilter.All), isPatient);

    Task<KeptReport<BuildsReport>> Builds(HttpContext context) =>
        BuildsOf(new QueryReader(context.Request).Weeks(UsualWeeksOfBuilds), Gate.IsProgram(context.Request));

    Task<KeptReport<BuildsReport>> BuildsOf(int weeks, bool isPatient = true) =>
        reports.Get(FormattableString.Invariant($"builds {weeks}"), store => BuildsReport.Of(store, weeks), isPatient);

    async Task<KeptReport<BuildPair>> PairOf(HttpContext context)
    {
        var query = new QueryReader(context.Request);
        string a = query.Text("a") ?? throw new QueryException("a: expected a build, found none.");
        string b = query.Text("b") ?? throw new QueryException("b: expected a build, found none.");
        int weeks = query.Weeks(UsualWeeksOfBuilds);
        KeptReport<BuildPairs> pairs = await PairsOf(weeks, Gate.IsProgram(context.Request));
        return new(pairs.Report.Between(a, b), pairs.AsOf);
    }

    Task<KeptReport<BuildPairs>> PairsOf(int weeks, bool isPatient = true) =>
        reports.Get(FormattableString.Invariant($"pairs {weeks}"), store => BuildPairs.Of(store, weeks), isPatient);

    Task<Answer> Asked(Func<IResultStore, Answer> ask) => Read(ask);

    // The store is asked on a thread of its own, as it waits for a disk or another machine, by a few at once. Reports that are kept wait for nobody.
    async Task<T> Read<T>(Func<IResultStore, T> ask)
    {
        Interlocked.Exchange(ref _lastAsked, Environment.TickCount64);
        await _readers.WaitAsync();
        try
        {
            return await Task.Run(() => pool.Ask(ask));
        }
        finally
        {
            _readers.Release();
        }
    }

    static Answer Document(Action<TextWriter> write) => Answer.Json(write);

    static Answer Document<T>(KeptReport<T> kept, Func<T, Action<TextWriter>> writer) => Answer.Json(writer(kept.Report)) with { AsOf = kept.AsOf };

    static Answer Page<T>(KeptReport<T> kept, Action<Stream, SiteLinks> write) =>
        Answer.Page(stream => write(stream, SiteLinks.ServedAsOf(kept.AsOf))) with { AsOf = kept.AsOf };
}
