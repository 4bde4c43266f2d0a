using System;
using System.Diagnostics;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Threading.Tasks;
using TcpDiag.Store;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;
using TcpDiag.Web;

namespace TcpDiag.FleetBench;

/// <summary>How long pages of a server of the store take: from its first moment on, and when it has made its reports.</summary>
static class ServedPages
{
    static readonly string[] Fixed =
    [
        "/", "/builds", "/compare?a=22000&b=26100", "/?by=nic", "/?by=site&weeks=12", "/?weeks=9", "/recordings", "/recordings?build=26100", "/connections",
        "/connections?port=443",
    ];

    /// <summary>Serves a store, and asks for pages twice.</summary>
    public static async Task Measure(string location)
    {
        var token = AccessToken.Random();
        long begun = Stopwatch.GetTimestamp();
        await using StoreServer server =
            await StoreServer.Start(new(new(IPAddress.Loopback, 0), token, location, () => ResultStores.Open(location)) { Told = Console.Error.WriteLine });
        await server.Ready;
        Console.WriteLine(FormattableString.Invariant($"serve: ready after {Stopwatch.GetElapsedTime(begun).TotalSeconds:0.00} s"));
        using var http = new HttpClient { BaseAddress = new($"http://{server.Endpoint}"), Timeout = TimeSpan.FromMinutes(2) };
        http.DefaultRequestHeaders.Authorization = new("Bearer", token.Text);
        string recording = $"/recordings/{RecordingOf(location)}";
        string[] pages = [.. Fixed, recording, $"{recording}/connections/0"];
        for (int round = 1; round <= 2; round++)
        {
            foreach (string page in pages)
            {
                await Ask(http, round, page);
            }

            await Task.Delay(TimeSpan.FromSeconds(30)); // the other reports are made meanwhile
        }
    }

    static async Task Ask(HttpClient http, int round, string page)
    {
        long begun = Stopwatch.GetTimestamp();
        using HttpResponseMessage answer = await http.GetAsync(new Uri(page, UriKind.Relative));
        byte[] body = await answer.Content.ReadAsByteArrayAsync();
        string path = page.Length > 40 ? $"{page[..20]}…{page[^15..]}" : page;
        Console.WriteLine(FormattableString.Invariant(
            $"serve, round {round}: {Stopwatch.GetElapsedTime(begun).TotalSeconds:0.00} s, {(int)answer.StatusCode}, {body.Length} bytes: {path}"));
    }

    static string RecordingOf(string location)
    {
        using IResultStore store = ResultStores.Open(location);
        StoreColumn source = StoreSchema.Recordings.Require("source");
        return store.Query(new StoreQuery(StoreSchema.Recordings, [source], StoreFilter.All) { Limit = 1 }).First()[0].Text!;
    }
}
