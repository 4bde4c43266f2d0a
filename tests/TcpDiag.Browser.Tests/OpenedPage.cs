using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Playwright;

namespace TcpDiag.Browser.Tests;

/// <summary>A report in a real browser. Whatever the browser complains about, or asks the network for, is kept.</summary>
sealed class OpenedPage : IAsyncDisposable
{
    readonly IBrowserContext _context;

    OpenedPage(IBrowserContext context, IPage page)
    {
        _context = context;
        Page = page;
    }

    /// <summary>The page.</summary>
    public IPage Page { get; }

    /// <summary>Errors and warnings of the console, and requests for anything but the page itself.</summary>
    public List<string> Complaints { get; } = [];

    /// <summary>The stretch of time the graphs show, seconds.</summary>
    public async Task<(double From, double To)> Shown()
    {
        ILocator frame = Page.Locator(".frame");
        string from = await frame.GetAttributeAsync("data-from") ?? string.Empty;
        string to = await frame.GetAttributeAsync("data-to") ?? string.Empty;
        return (double.Parse(from, CultureInfo.InvariantCulture), double.Parse(to, CultureInfo.InvariantCulture));
    }

    /// <summary>Opens a report and waits until it can be used.</summary>
    /// <param name="browser">The browser.</param>
    /// <param name="path">The report.</param>
    /// <param name="width">Width of the window, CSS pixels.</param>
    /// <param name="theme">The system's theme.</param>
    /// <param name="place">Fragment of the address.</param>
    /// <param name="hasScript">Whether its script says when it is ready.</param>
    /// <returns>The page.</returns>
    public static Task<OpenedPage> Open(
        IBrowser browser, string path, int width = 1280, ColorScheme theme = ColorScheme.Light, string place = "", bool hasScript = true)
    {
        string address = new Uri(Path.GetFullPath(path)).AbsoluteUri;
        return Open(browser, address + place, address, width, theme, hasScript);
    }

    /// <summary>Opens a page of a server and waits until it can be used.</summary>
    /// <param name="browser">The browser.</param>
    /// <param name="address">The page.</param>
    /// <param name="allowed">How every address begins that may be asked for.</param>
    /// <param name="width">Width of the window, CSS pixels.</param>
    /// <param name="theme">The system's theme.</param>
    /// <param name="hasScript">Whether its script says when it is ready.</param>
    /// <returns>The page.</returns>
    public static async Task<OpenedPage> Open(IBrowser browser, string address, string allowed, int width, ColorScheme theme, bool hasScript)
    {
        IBrowserContext context = await browser.NewContextAsync(new() { ViewportSize = new() { Width = width, Height = 900 }, ColorScheme = theme });
        IPage page = await context.NewPageAsync();
        var opened = new OpenedPage(context, page);
        page.Console += (_, message) => opened.Note(message.Type is "error" or "warning", message.Text);
        page.PageError += (_, message) => opened.Note(true, message);
        page.Request += (_, request) => opened.Note(!request.Url.StartsWith(allowed, StringComparison.Ordinal), request.Url);
        await page.GotoAsync(address);
        await page.Locator(hasScript ? "html[data-ready]" : "html").WaitForAsync(new() { State = WaitForSelectorState.Attached });
        return opened;
    }

    public ValueTask DisposeAsync() => new(_context.CloseAsync());

    void Note(bool isComplaint, string text)
    {
        if (isComplaint)
        {
            Complaints.Add(text);
        }
    }
}
