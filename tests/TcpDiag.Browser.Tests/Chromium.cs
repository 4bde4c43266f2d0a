using System;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Browser.Tests;

/// <summary>One browser for the tests of a class, and a folder for its reports. Without chromium there is none, and its tests skip.</summary>
public sealed class Chromium : IAsyncLifetime
{
    // Debian's; it looks for nothing on the network by itself.
    static readonly string[] Arguments =
    [
        "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ];

    IPlaywright? _playwright;
    IBrowser? _browser;

    /// <summary>Where reports are written.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("tcpdiag-browser-").FullName;

    /// <summary>The browser.</summary>
    public IBrowser Browser => _browser ?? throw new InvalidOperationException("no chromium on the path");

    public async Task InitializeAsync()
    {
        if (ExternalProgram.Find("chromium") is { } path)
        {
            _playwright = await Playwright.CreateAsync();
            _browser = await _playwright.Chromium.LaunchAsync(new() { ExecutablePath = path, Args = Arguments });
        }
    }

    public async Task DisposeAsync()
    {
        if (_browser is not null)
        {
            await _browser.CloseAsync();
        }

        _playwright?.Dispose();
        Directory.Delete(Folder, recursive: true);
    }
}
