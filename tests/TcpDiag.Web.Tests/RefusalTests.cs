using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;
using TcpDiag.Store;
using TcpDiag.Store.Rows;
using Xunit;

namespace TcpDiag.Web.Tests;

/// <summary>What <c>serve</c> refuses, over real sockets.</summary>
public sealed class RefusalTests
{
    const string Passwd = "root:";

    [Fact]
    public async Task NoToken_IsRefusedEverywhereButHealth()
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        string[] paths = await Paths(served);
        Assert.Contains("/recordings/{source}/connections/{connection}/graphs", paths);
        foreach (string path in paths)
        {
            string asked = path.Replace("{source}", MadeStore.Source(1), StringComparison.Ordinal).Replace("{connection}", "0", StringComparison.Ordinal);
            RawAnswer answer = await RawHttp.Get(served.Endpoint, asked);
            Assert.Equal((asked, path is "/healthz" ? 200 : 401), (asked, answer.Status));
            Assert.DoesNotContain("26100", answer.Body, StringComparison.Ordinal);
        }

        Assert.Equal(401, (await RawHttp.Get(served.Endpoint, "/no/such/page")).Status);
    }

    [Theory]
    [InlineData("/?token=WRONG", "")]
    [InlineData("/?token=", "")]
    [InlineData("/", "Authorization: Bearer WRONG")]
    [InlineData("/", "Authorization: Basic TOKEN")]
    [InlineData("/", "Cookie: tcpdiag-PORT=WRONG")]
    [InlineData("/", "Cookie: tcpdiag=TOKEN")]
    [InlineData("/?token=TOKEN0", "")]
    public async Task WrongToken_IsRefused_AndGetsNoCookie(string path, string header)
    {
        await using ServedStore served = await ServedStore.Start();
        string Filled(string text) => text.Replace("TOKEN", served.Token.Text, StringComparison.Ordinal)
            .Replace("PORT", $"{served.Endpoint.Port}", StringComparison.Ordinal)
            .Replace("WRONG", AccessToken.Random().Text, StringComparison.Ordinal);
        RawAnswer answer = await RawHttp.Get(served.Endpoint, Filled(path), header.Length == 0 ? [] : [Filled(header)]);
        Assert.Equal(401, answer.Status);
        Assert.Null(answer.Header("Set-Cookie"));
    }

    [Fact]
    public async Task RightToken_InTheAddress_BecomesACookieAndLeavesTheAddress()
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        RawAnswer first = await RawHttp.Get(served.Endpoint, $"/recordings?build=26100&token={served.Token.Text}&sort=lost");
        Assert.Equal((303, "/recordings?build=26100&sort=lost"), (first.Status, first.Header("Location")));
        string cookie = first.Header("Set-Cookie")!;
        Assert.Contains("httponly", cookie, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("samesite=strict", cookie, StringComparison.OrdinalIgnoreCase);
        RawAnswer second = await RawHttp.Get(served.Endpoint, first.Header("Location")!, $"Cookie: {cookie.Split(';')[0]}");
        Assert.Equal(200, second.Status);
        Assert.DoesNotContain(served.Token.Text, second.Head + second.Body, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("//evil.example/x")]
    [InlineData("/%2f/evil.example")]
    [InlineData("/\\evil.example")]
    public async Task RightToken_NeverLeadsToAnotherServer(string path)
    {
        await using ServedStore served = await ServedStore.Start();
        RawAnswer answer = await RawHttp.Get(served.Endpoint, $"{path}?token={served.Token.Text}");
        Assert.True(answer.Header("Location") is null || (answer.Header("Location") is ['/', not '/' and not '\\', ..] or "/"), answer.Header("Location"));
    }

    [Theory]
    [InlineData("/../../../../etc/passwd")]
    [InlineData("/%2e%2e/%2e%2e/%2e%2e/etc/passwd")]
    [InlineData("/..%2f..%2f..%2fetc%2fpasswd")]
    [InlineData("/recordings/../../../etc/passwd")]
    [InlineData("/recordings/..%2f..%2f..%2fetc%2fpasswd")]
    [InlineData("/recordings/%2fetc%2fpasswd/connections/0/graphs")]
    [InlineData("/recordings/%00/connections/0/graphs")]
    [InlineData("/recordings/%c0%ae%c0%ae/connections/0/graphs")]
    [InlineData("/recordings/0000000000000000000000000000000000000000000000000000000000000001/connections/..%2f..%2fgraphs/graphs")]
    [InlineData("http://127.0.0.1/etc/passwd")]
    [InlineData("file:///etc/passwd")]
    public async Task Traversal_LeadsNowhere(string path)
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        RawAnswer answer = await served.Get(path);
        Assert.Contains(answer.Status, (int[])[400, 404, 421]);
        Assert.DoesNotContain(Passwd, answer.Body, StringComparison.Ordinal);
    }

    // Who can write the store could name any file of this machine in it: none is read that is not a recording with the bytes that were added.
    [Theory]
    [InlineData("/etc/passwd", 0)]
    [InlineData("/etc/passwd", null)]
    [InlineData("/dev/zero", 0)]
    [InlineData("/dev/zero", 5)]
    [InlineData("/proc/self/environ", 0)]
    public async Task PathInTheStore_ThatIsNotTheRecording_IsNotRead(string path, int? bytes)
    {
        await using ServedStore served = await ServedStore.Start(store =>
        {
            using IResultStore opened = store.Open();
            var head = new RowHead(MadeStore.Source(1), 1, "m", null, "linux", "6.1", null);
            opened.Add(MadeStore.Recording(head, 1, ("path", path), ("bytes", bytes ?? new FileInfo(path).Length)));
        });
        RawAnswer answer = await served.Get($"/recordings/{MadeStore.Source(1)}/connections/0/graphs");
        Assert.Equal(404, answer.Status);
        Assert.DoesNotContain(Passwd, answer.Body, StringComparison.Ordinal);
        Assert.Contains("No graphs", answer.Body, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("evil.example")]
    [InlineData("evil.example:PORT")]
    [InlineData("127.0.0.1.evil.example:PORT")]
    [InlineData("localhost.evil.example:PORT")]
    [InlineData("127.0.0.2:PORT")]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.1:1")]
    [InlineData("[::1]:PORT")]
    [InlineData("localhost:PORT@evil.example")]
    [InlineData("")]
    public async Task Host_ThatIsNotOurs_IsRefused(string host)
    {
        await using ServedStore served = await ServedStore.Start();
        string named = host.Replace("PORT", $"{served.Endpoint.Port}", StringComparison.Ordinal);
        foreach (string path in (string[])["/", "/healthz", $"/?token={served.Token.Text}"])
        {
            RawAnswer answer = await RawHttp.Ask(served.Endpoint, $"GET {path} HTTP/1.1", $"Host: {named}", $"Authorization: Bearer {served.Token.Text}");
            Assert.Contains(answer.Status, (int[])[400, 421]);
            Assert.Null(answer.Header("Set-Cookie"));
        }
    }

    [Theory]
    [InlineData("127.0.0.1:PORT")]
    [InlineData("localhost:PORT")]
    [InlineData("LOCALHOST:PORT")]
    [InlineData("tcp.example")]
    [InlineData("tcp.example:443")]
    public async Task Host_ThatIsOurs_IsAnswered(string host)
    {
        await using ServedStore served = await ServedStore.Start(settle: options => options with { HostNames = ["tcp.example"] });
        RawAnswer answer = await RawHttp.Ask(
            served.Endpoint, "GET /healthz HTTP/1.1", $"Host: {host.Replace("PORT", $"{served.Endpoint.Port}", StringComparison.Ordinal)}");
        Assert.Equal((200, "ok\n"), (answer.Status, answer.Body));
    }

    [Theory]
    [InlineData("POST")]
    [InlineData("PUT")]
    [InlineData("DELETE")]
    [InlineData("PATCH")]
    [InlineData("OPTIONS")]
    [InlineData("TRACE")]
    [InlineData("CONNECT")]
    [InlineData("PURGE")]
    public async Task Methods_ThatChange_AreRefusedAlsoWithTheToken(string method)
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        string target = method is "CONNECT" ? "SERVER" : "/recordings";
        RawAnswer answer = await RawHttp.Ask(
            served.Endpoint, $"{method} {target} HTTP/1.1", "Host: SERVER", $"Authorization: Bearer {served.Token.Text}", "Content-Length: 0");
        Assert.Equal((405, "GET, HEAD"), (answer.Status, answer.Header("Allow")));
    }

    // A form of another site: the browser sends no cookie with it, and were it sent nothing would be done.
    [Fact]
    public async Task FormOfAnotherSite_IsRefused()
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        RawAnswer answer = await RawHttp.Ask(
            served.Endpoint, "POST /recordings HTTP/1.1", "Host: SERVER", "Origin: http://evil.example", "Sec-Fetch-Site: cross-site",
            "Content-Type: application/x-www-form-urlencoded", "Content-Length: 0");
        Assert.Equal(405, answer.Status);
        Assert.Equal(401, (await RawHttp.Get(served.Endpoint, "/recordings", "Origin: http://evil.example")).Status);
        Assert.Null(answer.Header("Access-Control-Allow-Origin"));
    }

    [Theory]
    [InlineData(9_000, "line", 414)]
    [InlineData(20_000, "header", 431)]
    [InlineData(200, "headers", 431)]
    [InlineData(1_000_000, "header", 431)]
    public async Task Oversized_IsRefused(int size, string what, int status)
    {
        await using ServedStore served = await ServedStore.Start();
        string path = what is "line" ? $"/?q={new string('x', size)}" : "/";
        IEnumerable<string> headers = what switch
        {
            "header" => [$"X-Long: {new string('x', size)}"],
            "headers" => Enumerable.Range(0, size).Select(i => $"X-{i}: y"),
            _ => [],
        };
        Assert.Equal(status, (await RawHttp.Get(served.Endpoint, path, headers)).Status);
        Assert.Equal(200, (await RawHttp.Get(served.Endpoint, "/healthz")).Status);
    }

    [Theory]
    [InlineData("Content-Length: 1000000000")]
    [InlineData("Transfer-Encoding: chunked")]
    public async Task Body_IsNotTaken(string header)
    {
        await using ServedStore served = await ServedStore.Start();
        RawAnswer answer = await RawHttp.Send(
            served.Endpoint, $"POST / HTTP/1.1\r\nHost: {served.Endpoint}\r\n{header}\r\nConnection: close\r\n\r\n10\r\n0123456789abcdef\r\n");
        Assert.Contains(answer.Status, (int[])[405, 413]);
    }

    [Fact]
    public async Task SlowRequest_IsEnded_AndOthersAreAnsweredMeanwhile()
    {
        var limits = new ServeLimits { HeadTime = TimeSpan.FromMilliseconds(300), IdleTime = TimeSpan.FromMilliseconds(300) };
        await using ServedStore served = await ServedStore.Start(settle: options => options with { Limits = limits });
        using var slow = new TcpClient();
        await slow.ConnectAsync(served.Endpoint);
        await slow.GetStream().WriteAsync(Encoding.ASCII.GetBytes($"GET / HTTP/1.1\r\nHost: {served.Endpoint}\r\nX-Slow: "));
        using var silent = new TcpClient();
        await silent.ConnectAsync(served.Endpoint);
        Assert.Equal(200, (await RawHttp.Get(served.Endpoint, "/healthz")).Status);
        Assert.Equal(408, (await RawHttp.Read(slow.GetStream())).Status);
        Assert.Equal(0, (await RawHttp.Read(silent.GetStream())).Status);
    }

    [Fact]
    public async Task TooManyRequests_AreRefused()
    {
        await using ServedStore served =
            await ServedStore.Start(settle: options => options with { Limits = new ServeLimits { Burst = 20, RequestsPerSecond = 1 } });
        int[] statuses = [.. await Task.WhenAll(Enumerable.Range(0, 60).Select(async _ => (await RawHttp.Get(served.Endpoint, "/healthz")).Status))];
        Assert.Contains(200, statuses);
        Assert.Contains(429, statuses);
        Assert.All(statuses, status => Assert.Contains(status, (int[])[200, 429]));
    }

    [Fact]
    public async Task WrongTokens_UseUpTheRate()
    {
        await using ServedStore served =
            await ServedStore.Start(settle: options => options with { Limits = new ServeLimits { Burst = 30, RequestsPerSecond = 1 } });
        List<int> statuses = [];
        for (int i = 0; i < 8; i++)
        {
            statuses.Add((await RawHttp.Get(served.Endpoint, "/", $"Authorization: Bearer {AccessToken.Random().Text}")).Status);
        }

        Assert.Contains(429, statuses);
        Assert.DoesNotContain(200, statuses);
    }

    [Fact]
    public async Task TooManyConnections_AreClosed()
    {
        await using ServedStore served = await ServedStore.Start(settle: options => options with { Limits = new ServeLimits { Connections = 3 } });
        TcpClient[] held = [.. Enumerable.Range(0, 3).Select(_ => new TcpClient())];
        foreach (TcpClient client in held)
        {
            await client.ConnectAsync(served.Endpoint);
            await client.GetStream().WriteAsync("GET "u8.ToArray());
        }

        Assert.Equal(0, (await RawHttp.Get(served.Endpoint, "/healthz")).Status);
        Array.ForEach(held, client => client.Dispose());
    }

    [Theory]
    [InlineData("/", true)]
    [InlineData("/healthz", false)]
    [InlineData("/api/fleet", true)]
    [InlineData("/", false)]
    [InlineData("/no-such-page", true)]
    public async Task EveryAnswer_ForbidsScriptsFramesAndGuessing(string path, bool hasToken)
    {
        await using ServedStore served = await ServedStore.Start(store => store.AddFleet(["26100"]));
        RawAnswer answer = hasToken ? await served.Get(path) : await RawHttp.Get(served.Endpoint, path);
        string policy = answer.Header("Content-Security-Policy")!;
        Assert.StartsWith("default-src 'none'", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("script-src", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.Contains("frame-ancestors 'none'", policy, StringComparison.Ordinal);
        Assert.Equal(
            ("nosniff", "DENY", "no-store", "no-referrer"),
            (answer.Header("X-Content-Type-Options"), answer.Header("X-Frame-Options"), answer.Header("Cache-Control"), answer.Header("Referrer-Policy")));
        Assert.Null(answer.Header("Server"));
    }

    [Fact]
    public async Task ListensAtItsAddressAlone()
    {
        await using ServedStore served = await ServedStore.Start();
        Assert.Equal(IPAddress.Loopback, served.Endpoint.Address);
        using var other = new TcpClient();
        await Assert.ThrowsAsync<SocketException>(() => other.ConnectAsync(IPAddress.Parse("127.0.0.2"), served.Endpoint.Port));
    }

    static async Task<string[]> Paths(ServedStore served)
    {
        RawAnswer answer = await served.Get("/openapi.json");
        return [.. JsonDocument.Parse(answer.Body).RootElement.GetProperty("paths").EnumerateObject().Select(path => path.Name)];
    }
}
