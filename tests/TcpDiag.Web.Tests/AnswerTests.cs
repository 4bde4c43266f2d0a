using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Cli.Tests;
using TcpDiag.Store;
using TcpDiag.Store.Rows;
using Xunit;

namespace TcpDiag.Web.Tests;

/// <summary>What <c>serve</c> answers to who has the token.</summary>
public sealed class AnswerTests
{
    [Theory]
    [InlineData("/api/fleet", "fleet.json")]
    [InlineData("/api/fleet?by=platform&weeks=2", "fleet.json")]
    [InlineData("/api/builds", "builds.json")]
    [InlineData("/api/compare?a=22000&b=26100", "build-pair.json")]
    [InlineData("/api/compare?a=26100&b=no-such-build", "build-pair.json")]
    [InlineData("/api/recordings?build=26100&sort=lost&page=1", "store.json")]
    [InlineData("/api/connections?q=zip&server_port=443&page=1", "store.json")]
    [InlineData("/api/recordings/SOURCE", "store.json")]
    [InlineData("/api/recordings/SOURCE/connections?from=1", "store.json")]
    public async Task Documents_HoldToTheirSchemas(string path, string schema)
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["22000", "26100"]));
        RawAnswer answer = await served.Get(path.Replace("SOURCE", MadeStore.Source(1), StringComparison.Ordinal));
        Assert.Equal((200, "application/json"), (answer.Status, answer.Header("Content-Type")));
        Assert.Empty(JsonSchema.Read(schema).Check(answer.Body));
    }

    [Fact]
    public async Task OpenApi_NamesSchemasThatExist_AndEveryRoute()
    {
        await using ServedStore served = await ServedStore.Start();
        JsonElement document = JsonDocument.Parse((await served.Get("/openapi.json")).Body).RootElement;
        Assert.Equal("3.1.0", document.GetProperty("openapi").GetString());
        string[] schemas = [.. Found(document.GetRawText(), "urn:tcpdiag:schema:(?<it>[a-z-]+:\\d)").Distinct(StringComparer.Ordinal)];
        Assert.Equal(["build-pair:1", "builds:1", "fleet:1", "store:1"], schemas.Order(StringComparer.Ordinal));
        foreach (JsonProperty path in document.GetProperty("paths").EnumerateObject())
        {
            JsonElement get = path.Value.GetProperty("get");
            string[] named = [.. get.GetProperty("parameters").EnumerateArray().Where(one => one.GetProperty("in").GetString() is "path").Select(
                one => $"{{{one.GetProperty("name")}}}")];
            Assert.All(named, name => Assert.Contains(name, path.Name, StringComparison.Ordinal));
            Assert.Equal(path.Name.Count(letter => letter == '{'), named.Length);
            RawAnswer answer = await served.Get(
                path.Name.Replace("{source}", MadeStore.Source(1), StringComparison.Ordinal).Replace("{connection}", "0", StringComparison.Ordinal));
            Assert.Contains(answer.Status, (int[])[200, 400, 404]);
            Assert.StartsWith(answer.Status == 200 ? get.GetProperty("responses").GetProperty("200").GetProperty("content").EnumerateObject().Single().Name
                : string.Empty,
                answer.Header("Content-Type")!, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Recordings_PagesHoldEachOnce()
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet([.. Enumerable.Range(0, 21).Select(i => $"{20000 + i}")], 0)); // 252
        var seen = new List<string>();
        string? next = "/recordings?sort=connections";
        while (next is not null)
        {
            string body = (await served.Get(next)).Body;
            seen.AddRange(Found(body, "href=\"/recordings/(?<it>[0-9a-f]{64})\""));
            next = Found(body, "rel=\"next\" href=\"(?<it>[^\"]+)\"").FirstOrDefault()?.Replace("&amp;", "&", StringComparison.Ordinal);
        }

        Assert.Equal(252, seen.Count);
        Assert.Equal(252, seen.Distinct().Count());
    }

    [Theory]
    [InlineData("build=26100", 12)]
    [InlineData("machine=m-0-3", 2)]
    [InlineData("build=26100&machine=m-0-3", 0)]
    [InlineData("source=00000000000000000000000000000000000000000000000000000000000000001", 0)]
    [InlineData("source=000000000000000000000000000000000000000000000000000000000000001", 9)]
    [InlineData("first_finding=path-loss&sort=newest&build=", 24)]
    [InlineData("machine=%27%20OR%201%3D1%20--", 0)]
    [InlineData("q=M-0", 12)]
    [InlineData("q=0-3", 2)]
    [InlineData("q=PATH-L", 24)]
    [InlineData("q=%25", 0)]
    [InlineData("q=210&machine=m-0-3", 0)]
    public async Task Recordings_Search_KeepsWhatIsSo(string query, int expected)
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["22000", "26100"], 0));
        JsonElement document = JsonDocument.Parse((await served.Get($"/api/recordings?{query}")).Body).RootElement;
        Assert.Equal(expected, document.GetProperty("rows").GetArrayLength());
    }

    /// <summary>Connections of the latest week, unless another is asked for.</summary>
    [Theory]
    [InlineData("", 12)]
    [InlineData("week=2026-11-02", 12)]
    [InlineData("week=2026-11-09&machine=m-0-3", 2)]
    [InlineData("week=1999-01-04", 0)]
    [InlineData("q=0-3", 2)]
    [InlineData("q=nowhere", 0)]
    [InlineData("server_port=x", 0)]
    public async Task Connections_Search_KeepsWhatIsSo(string query, int expected)
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        JsonElement document = JsonDocument.Parse((await served.Get($"/api/connections?{query}")).Body).RootElement;
        Assert.Equal(expected, document.GetProperty("rows").GetArrayLength());
        string page = (await served.Get($"/connections?{query}")).Body;
        Assert.Equal(expected, Found(page, "href=\"/recordings/[0-9a-f]{64}/connections/(?<it>\\d+)\"").Count());
    }

    /// <summary>A page that is kept says since when, and a program learns the same of its document.</summary>
    [Fact]
    public async Task Reports_SayAsOfWhenTheyAre()
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["22000", "26100"]));
        foreach (string path in (string[])["/", "/builds", "/compare?a=22000&b=26100"])
        {
            RawAnswer page = await served.Get(path);
            string shown = Found(page.Body, "<p class=\"asof\">As of <time datetime=\"(?<it>[^\"]+)\">").Single();
            Assert.InRange(DateTimeOffset.Parse(shown, System.Globalization.CultureInfo.InvariantCulture), TimeProvider.System.GetUtcNow().AddMinutes(-5),
                TimeProvider.System.GetUtcNow());
            Assert.Equal(shown, DateTimeOffset.Parse(
                (await served.Get($"/api{(path is "/" ? "/fleet" : path)}")).Header("Last-Modified")!, System.Globalization.CultureInfo.InvariantCulture)
                .ToString("yyyy-MM-ddTHH:mm:ssZ", System.Globalization.CultureInfo.InvariantCulture));
        }

        Assert.DoesNotContain("As of", (await served.Get("/recordings")).Body, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/?weeks=1", "weeks: expected a number from 2 to 520, found")]
    [InlineData("/?by=color", "by: expected one of build, platform, nic, site, found")]
    [InlineData("/recordings?page=0", "page: expected a number from 1 to 10000, found")]
    [InlineData("/recordings?sort=%3Cscript%3E", "sort: expected one of newest, lost, connections, found")]
    [InlineData("/connections?page=101", "page: expected a number from 1 to 100, found")]
    [InlineData("/recordings/SOURCE?from=-1", "from: expected a number from 0")]
    [InlineData("/compare?a=26100", "b: expected a build, found none.")]
    [InlineData("/api/compare?b=26100", "a: expected a build, found none.")]
    public async Task WhatCannotBeAsked_IsToldInASentence(string path, string expected)
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        RawAnswer answer = await served.Get(path.Replace("SOURCE", MadeStore.Source(1), StringComparison.Ordinal));
        Assert.Equal(400, answer.Status);
        Assert.Contains(expected, answer.Body, StringComparison.Ordinal);
        Assert.DoesNotContain("<script", answer.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Head_HasTheLengthAndNoBody()
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        RawAnswer whole = await served.Get("/recordings");
        RawAnswer head = await RawHttp.Ask(served.Endpoint, "HEAD /recordings HTTP/1.1", "Host: SERVER", $"Authorization: Bearer {served.Token.Text}");
        Assert.Equal((200, whole.Header("Content-Length"), string.Empty), (head.Status, head.Header("Content-Length"), head.Body));
    }

    // A connection down to its graphs, as long as its recording is what it was.
    [Fact]
    public async Task Graphs_AreThoseOfTheRecording_UntilItIsRewritten()
    {
        string source = string.Empty;
        string file = string.Empty;
        await using ServedStore served = await ServedStore.Start(store => (source, file) = store.AddFixture("bulk-loss.pcapng"));
        string address = $"/recordings/{source}/connections/0";
        Assert.Contains($"href=\"{address}\"", (await served.Get($"/recordings/{source}")).Body, StringComparison.Ordinal);
        Assert.Contains($"href=\"{address}/graphs\"", (await served.Get(address)).Body, StringComparison.Ordinal);
        RawAnswer graphs = await served.Get($"{address}/graphs");
        Assert.Equal(200, graphs.Status);
        Assert.Contains("id=\"timeline-0\"", graphs.Body, StringComparison.Ordinal);
        Assert.Matches("default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'", graphs.Header("Content-Security-Policy")!);
        Assert.Equal(404, (await served.Get($"/recordings/{source}/connections/9/graphs")).Status);

        byte[] bytes = File.ReadAllBytes(file);
        bytes[^1] ^= 1;
        File.WriteAllBytes(file, bytes);
        RawAnswer changed = await served.Get($"{address}/graphs");
        Assert.Equal(404, changed.Status);
        Assert.Contains("no longer what was added", changed.Body, StringComparison.Ordinal);
        File.Delete(file);
        Assert.Contains("is not where it was", (await served.Get(address)).Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Graphs_AreNotDrawnWhereRecordingsAreNotRead()
    {
        string source = string.Empty;
        await using ServedStore served =
            await ServedStore.Start(store => source = store.AddFixture("bulk-loss.pcapng").Source, options => options with { ReadsRecordings = false });
        Assert.Equal(404, (await served.Get($"/recordings/{source}/connections/0/graphs")).Status);
        Assert.Contains("not read here", (await served.Get($"/recordings/{source}/connections/0")).Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reports_AreMadeOnceForAStore_AndAnewWhenItChanges()
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["22000"]));
        for (int i = 0; i < 5; i++)
        {
            Assert.DoesNotContain("99999", (await served.Get("/api/builds")).Body, StringComparison.Ordinal);
        }

        await served.Get("/?by=nic");
        await served.Get("/?by=platform");
        await served.Get("/?by=site");
        await served.Get("/compare?a=22000&b=26100");

        // What was made when it began: the fleet by each of four, over a month and a quarter, the builds, any two of them.
        for (int i = 0; i < 100 && await Made(served) < 10; i++)
        {
            await Task.Delay(100);
        }

        Assert.Equal(10, await Made(served));
        using (IResultStore store = served.Store.Open())
        {
            store.Add(MadeStore.Recording(
                new RowHead(MadeStore.Source(9999), (MadeStore.Weeks + 2) * MadeStore.Week, "m-new", null, "windows", "99999", null), 1));
        }

        string body = string.Empty;
        for (int i = 0; i < 100 && !body.Contains("99999", StringComparison.Ordinal); i++)
        {
            body = (await served.Get("/api/builds")).Body; // the one from before may be shown while the new one is made
        }

        Assert.Contains("99999", body, StringComparison.Ordinal);
        Assert.Equal(11, await Made(served));
    }

    [Fact]
    public async Task Store_ThatIsGone_IsToldAs503_UntilItIsBack()
    {
        Exception? fault = null;
        await using ServedStore served =
            await ServedStore.Start(settle: options => options with { OpenStore = () => new FailingStore(options.OpenStore(), () => fault) });
        fault = new StoreException("results.db: is gone.");
        foreach (string path in (string[])["/", "/builds", "/recordings", "/api/fleet"])
        {
            RawAnswer answer = await served.Get(path);
            Assert.Equal((path, 503), (path, answer.Status));
            Assert.Contains("results.db: is gone.", answer.Body, StringComparison.Ordinal);
        }

        RawAnswer health = await RawHttp.Get(served.Endpoint, "/healthz");
        Assert.Equal((503, "the store cannot be read\n"), (health.Status, health.Body));
        fault = null;
        Assert.Equal(200, (await served.Get("/")).Status);
        Assert.Equal(200, (await served.Get("/healthz")).Status);
    }

    // Who asks what takes long keeps nobody from what needs no store.
    [Fact]
    public async Task SlowReaders_KeepNobodyElseWaiting()
    {
        using var gate = new ManualResetEventSlim(initialState: true);
        await using ServedStore served = await ServedStore.Start(
            store => store.AddFleet(["26100"]),
            options => options with
            {
                OpenStore = () => new FailingStore(options.OpenStore(), () =>
                {
                    gate.Wait();
                    return null;
                }),
            });
        Assert.Equal(200, (await served.Get("/compare?a=26100&b=22000")).Status);
        gate.Reset();
        Task<RawAnswer>[] slow = [.. Enumerable.Range(2, 8).Select(weeks => served.Get($"/recordings?page={weeks}"))];
        Assert.Equal(200, (await served.Get("/openapi.json")).Status);
        Assert.Equal(200, (await served.Get("/metrics")).Status);
        gate.Set();
        Assert.All(await Task.WhenAll(slow), answer => Assert.Equal(200, answer.Status));
    }

    // Nobody looks at an empty window for seconds: a page says that it comes, and a program waits.
    [Fact]
    public async Task Report_ThatTakesLong_IsAnnouncedToPeople_AndAwaitedByPrograms()
    {
        using var gate = new ManualResetEventSlim(initialState: true);
        await using ServedStore served = await ServedStore.Start(
            store => store.AddFleet(["26100"]),
            options => options with
            {
                OpenStore = () => new FailingStore(options.OpenStore(), () => null) { Aggregating = gate.Wait },
            });
        gate.Reset();
        Task<RawAnswer> document = served.Get("/api/fleet?weeks=8");
        RawAnswer page = await served.GetAtOnce("/?weeks=8");
        Assert.Equal(202, page.Status);
        Assert.Contains("Refresh: 1", page.Head, StringComparison.Ordinal);
        Assert.Contains("being made", page.Body, StringComparison.Ordinal);
        Assert.False(document.IsCompleted);
        gate.Set();
        Assert.Equal(200, (await document).Status);
        Assert.Equal(200, (await served.Get("/?weeks=8")).Status);
    }

    // A fault of our own ends one answer, and is told; the server goes on.
    [Fact]
    public async Task Fault_IsToldAndEndsOneAnswer()
    {
        Exception? fault = null;
        await using ServedStore served =
            await ServedStore.Start(settle: options => options with { OpenStore = () => new FailingStore(options.OpenStore(), () => fault) });
        fault = new InvalidTimeZoneException("made up");
        Assert.Equal(500, (await served.Get("/recordings")).Status);
        Assert.Contains("InvalidTimeZoneException: made up", served.Faults);
        fault = null;
        Assert.Equal(200, (await served.Get("/recordings")).Status);
    }

    [Fact]
    public async Task Metrics_CountWhatWasRefused()
    {
        await using ServedStore served = await ServedStore.Start();
        await RawHttp.Get(served.Endpoint, "/");
        await RawHttp.Ask(served.Endpoint, "GET / HTTP/1.1", "Host: evil.example");
        await RawHttp.Ask(served.Endpoint, "POST / HTTP/1.1", "Host: SERVER", "Content-Length: 0");
        RawAnswer metrics = await served.Get("/metrics");
        Assert.Equal("text/plain; version=0.0.4; charset=utf-8", metrics.Header("Content-Type"));
        foreach (string line in (string[])["refused_total{reason=\"token\"} 1", "refused_total{reason=\"host\"} 1", "refused_total{reason=\"method\"} 1",
            "answers_total{status=\"401\"} 1"])
        {
            Assert.Contains($"tcpdiag_serve_{line}\n", metrics.Body, StringComparison.Ordinal);
        }
    }

    static async Task<int> Made(ServedStore served) =>
        int.Parse(Found((await served.Get("/metrics")).Body, "(?m)^tcpdiag_serve_reports_total (?<it>\\d+)$").Single(),
            System.Globalization.CultureInfo.InvariantCulture);

    static IEnumerable<string> Found(string text, string pattern) =>
        Regex.Matches(text, pattern, RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(1)).Select(match => match.Groups["it"].Value);
}
