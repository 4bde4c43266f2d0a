using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Store;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Web;
using TcpDiag.Web.Tests;
using Xunit;

namespace TcpDiag.Browser.Tests;

/// <summary>
/// A store that is served: 26 builds of six machines, a recording of 10,000 connections, one that can be drawn, and one in which every text is made to break a
/// page.
/// </summary>
public sealed class HostileStore : IAsyncLifetime
{
    /// <summary>A text that would break out of an element, an attribute, an address and a terminal.</summary>
    public const string Text = "</script><img src=x onerror=alert(1)>\"'&<!--javascript:alert(1)\u202etxt\u001b[31m\ud800?a=b&c=d#e";

    /// <summary>What is seen of it.</summary>
    public const string Seen = "</script><img src=x onerror=alert(1)>\"'&<!--javascript:alert(1)?txt?[31m??a=b&c=d#e";

    readonly MadeStore _store = new();
    readonly AccessToken _token = AccessToken.Random();
    StoreServer? _server;

    /// <summary>SHA-256 of the recording of 10,000 connections.</summary>
    public static string Crowd => MadeStore.Source(0xC0FFEE);

    /// <summary>SHA-256 of the recording whose texts are hostile.</summary>
    public static string Hostile => MadeStore.Source(0xBAD);

    /// <summary>SHA-256 of the recording that can be drawn.</summary>
    public string Drawn { get; private set; } = string.Empty;

    /// <summary>How the address of each page begins.</summary>
    public string Address => $"http://{_server!.Endpoint}";

    public async Task InitializeAsync()
    {
        _store.AddFleet([.. Builds]);
        Drawn = _store.AddFixture("bulk-loss.pcapng").Source;
        using (IResultStore opened = _store.Open())
        {
            opened.Add(MadeStore.Recording(Head(Crowd, "m-crowd"), 10_000));
            opened.Add(MadeStore.Recording(
                Head(Hostile, Text) with { Site = Text, Build = Text, Nic = Text }, 3, [.. Texts.Select(name => (name, (object)Text))]));
        }

        _server = await StoreServer.Start(new(new(IPAddress.Loopback, 0), _token, _store.Path, _store.Open));
        await _server.Ready;
    }

    public async Task DisposeAsync()
    {
        await _server!.DisposeAsync();
        _store.Dispose();
    }

    /// <summary>Opens a page by the address with the token in it.</summary>
    internal Task<OpenedPage> Open(IBrowser browser, string path, int width = 1280, ColorScheme theme = ColorScheme.Light, bool hasScript = false)
    {
        string separator = path.Contains('?', StringComparison.Ordinal) ? "&" : "?";
        return OpenedPage.Open(browser, $"{Address}{path}{separator}token={_token.Text}", Address, width, theme, hasScript);
    }

    // Of Windows those that are known, and as many more.
    static IEnumerable<string> Builds => Enumerable.Range(0, 26).Select(i => FormattableString.Invariant($"{19041 + (i * 300)}"));

    static IEnumerable<string> Texts => StoreSchema.Tables.SelectMany(table => table.Columns)
        .Where(column => column is { Kind: ColumnKind.Text or ColumnKind.Word }
        && column.Name is not (RowHead.SourceName or "sender" or "platform" or "kind" or "component" or "metric"))
        .Select(column => column.Name).Where(name => !RowHead.Names.Contains(name, StringComparer.Ordinal)).Distinct(StringComparer.Ordinal);

    static RowHead Head(string source, string machine) => new(source, (MadeStore.Weeks + 2) * MadeStore.Week, machine, null, "windows", "26100", null);
}
