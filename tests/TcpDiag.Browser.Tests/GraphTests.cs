using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Browser.Tests;

/// <summary>The graphs of the HTML report: marks, places of findings, what is saved, and whether it can be seen.</summary>
/// <param name="chromium">The browser.</param>
public sealed class GraphTests(Chromium chromium) : IClassFixture<Chromium>
{
    const string Program = "chromium";
    const double VisibleContrast = 3; // WCAG 2.2, 1.4.11

    const string ColoursOfTheSheet =
        "[...[...document.styleSheets[0].cssRules].find((rule) => rule.selectorText === ':root').style].filter((name) => name.startsWith('--'))";

    // What lies behind everything, and lines that only lead the eye.
    static readonly string[] Surfaces = ["--page", "--card", "--line", "--grid", "--chosen", "--band"];

    Task<OpenedPage> Open(string fixture, ColorScheme theme = ColorScheme.Light, string place = "") =>
        OpenedPage.Open(chromium.Browser, Reports.Of(chromium.Folder, fixture), theme: theme, place: place);

    static async Task<string[][]> Csv(OpenedPage page, string graph)
    {
        IDownload download = await page.Page.RunAndWaitForDownloadAsync(() => page.Page.ClickAsync($".plot-{graph} .saves button:text('CSV')"));
        Assert.Equal($"tcpdiag-0-client-{graph}.csv", download.SuggestedFilename);
        string text = await File.ReadAllTextAsync(await download.PathAsync());
        Assert.EndsWith("\r\n", text, StringComparison.Ordinal);
        string[][] rows = [.. text.Split("\r\n").SkipLast(1).Select(line => line.Split(','))];
        Assert.All(rows, row => Assert.Equal(rows[0].Length, row.Length));
        Assert.Empty(page.Complaints);
        return rows;
    }

    static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    // WCAG 2.2: relative luminance of colours as the browser computed them.
    static double Contrast(byte[] one, byte[] other)
    {
        double[] light = [.. new[] { one, other }.Select(Luminance).Order()];
        return (light[1] + 0.05) / (light[0] + 0.05);
    }

    static double Luminance(byte[] colour)
    {
        double[] linear = [.. colour.Select(part => part / 255.0).Select(part => part <= 0.04045 ? part / 12.92 : Math.Pow((part + 0.055) / 1.055, 2.4))];
        return (0.2126 * linear[0]) + (0.7152 * linear[1]) + (0.0722 * linear[2]);
    }

    // What a canvas paints with the colour of a name; an unknown one would leave it as it was, which is tested.
    static async Task<byte[]> Painted(OpenedPage page, string colour) => [.. (await page.Page.EvaluateAsync<int[]>("""
        (colour) => {
          const context = document.createElement('canvas').getContext('2d');
          context.fillStyle = '#010203';
          context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(colour).trim();
          context.fillRect(0, 0, 1, 1);
          return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
        }
        """, colour)).Select(part => (byte)part)];

    [ToolFact(Program)]
    public async Task KeyN_BeginsAtTheFirstMark_KeyPAtTheLast()
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng");
        ILocator readout = page.Page.Locator(".readout");
        await page.Page.FocusAsync(".frame");
        await page.Page.Keyboard.PressAsync("n");
        await Assertions.Expect(readout).ToContainTextAsync("SYN");
        await page.Page.Keyboard.PressAsync("n");
        await Assertions.Expect(readout).ToContainTextAsync("retransmission");

        await using OpenedPage other = await Open("bulk-loss.pcapng");
        await other.Page.FocusAsync(".frame");
        await other.Page.Keyboard.PressAsync("p");
        await Assertions.Expect(other.Page.Locator(".readout")).ToContainTextAsync("FIN");
    }

    [ToolFact(Program)]
    public async Task KeyN_SkipsWhatIsSwitchedOff()
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng");
        await page.Page.ClickAsync(".legend button:has-text('SYN, FIN')");
        await page.Page.FocusAsync(".frame");
        await page.Page.Keyboard.PressAsync("n");
        await Assertions.Expect(page.Page.Locator(".readout")).ToContainTextAsync("retransmission");
    }

    [ToolFact(Program)]
    public async Task Keys_OfTheGraphs_StandOnThePage()
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng");
        await page.Page.ClickAsync(".keys summary");
        IReadOnlyList<string> keys = await page.Page.Locator(".keys kbd").AllInnerTextsAsync();
        foreach (string key in new[] { "n", "p", "0", "Home", "Enter", "\u2190 \u2192" })
        {
            Assert.Contains(key, keys);
        }
    }

    [ToolFact(Program)]
    public async Task Finding_Places_OpenInTheGraphs()
    {
        await using OpenedPage page = await Open("zero-window.pcapng");
        ILocator card = page.Page.Locator("#finding-receive-window-limited");
        foreach (string name in new[] { "first at", "worst at" })
        {
            ILocator link = card.Locator($"a:text('{name}')");
            string[] place = (await link.GetAttributeAsync("href"))!.Split('@')[1].Split('-');
            await link.ClickAsync();
            await Assertions.Expect(page.Page.Locator(".frame")).ToBeFocusedAsync();
            (double from, double to) = await page.Shown();
            double length = Number(place[1]) - Number(place[0]);
            Assert.InRange(Number(place[0]), from, to);
            Assert.InRange(Number(place[1]), from, to);
            Assert.InRange(to - from, length, (1.5 * length) + 0.1); // a quarter on either side, and a fiftieth of 2.3 s
        }

        Assert.Empty(page.Complaints);
    }

    [ToolFact(Program)]
    public async Task Finding_About_LeadsToItsDocumentation()
    {
        await using OpenedPage page = await Open("zero-window.pcapng");
        await page.Page.ClickAsync("#finding-zero-window a:text('About zero-window')");
        await Assertions.Expect(page.Page.Locator("#about-zero-window")).ToBeInViewportAsync();
        Assert.Empty(page.Complaints);
    }

    [ToolFact(Program)]
    public async Task Csv_Bytes_HasEveryRetransmission()
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng");
        string[][] rows = await Csv(page, "bytes");
        Assert.Equal(["time_s", "until_s", "what", "first_byte", "last_byte", "count", "needless", "packet"], rows[0]);
        int resent = rows.Where(row => row[2].Contains("retransmission", StringComparison.Ordinal)).Sum(row => int.Parse(row[5], CultureInfo.InvariantCulture));
        string counted = await page.Page.Locator(".facts div:has-text('Segments sent again') dd").InnerTextAsync();
        Assert.Equal(counted, resent.ToString(CultureInfo.InvariantCulture));
        Assert.Equal("SYN", rows.First(row => row[7] is "1")[2]);
    }

    // A segment moves acknowledgment and window at once: between both the edge is nowhere.
    [ToolFact(Program)]
    public async Task Csv_EdgeOfTheWindow_HasOneValueAtAnInstant()
    {
        await using OpenedPage page = await Open("stories/s1-fixed-sender.pcapng");
        string[] instants = [.. (await Csv(page, "bytes")).Where(row => row[2] is "edge of the receive window").Select(row => row[0])];
        Assert.InRange(instants.Length, 50, 600);
        Assert.Equal(instants.Distinct(), instants);
    }

    // The steps of a rate hold all bytes: as much as the summary counts, less what was sent again.
    [ToolFact(Program)]
    public async Task Csv_Rates_AddUpToTheBytesSentAndDelivered()
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng");
        string[][] rates = await Csv(page, "rates");
        string[][] sent = [.. (await Csv(page, "bytes")).Where(row => row[2] is "sent")];
        double unique = sent.Sum(row => Number(row[4]) - Number(row[3]));
        double Sum(int column) => rates.Skip(1).Sum(row => row[column].Length == 0 ? 0 : Number(row[column]) * (Number(row[1]) - Number(row[0])) / 8);
        Assert.InRange(Sum(2), unique * 0.999, unique * 1.001);
        Assert.InRange(Sum(3), unique * 0.999, unique * 1.001);
    }

    [ToolFact(Program)]
    public async Task Csv_Zoomed_HoldsWhatIsInView()
    {
        await using OpenedPage page = await Open("zero-window.pcapng", place: "#connection-0-client@0.6-1.6");
        (double from, double to) = await page.Shown();
        string[][] rows = [.. (await Csv(page, "limits")).Skip(1)];
        Assert.Equal("limit,receive window", string.Join(',', rows[0][2..]));
        Assert.All(rows, row => Assert.True(Number(row[0]) <= to && Number(row[1]) >= from));
        Assert.Contains(await Csv(page, "windows"), row => row is [_, _, "receive window", "bytes", .., "0"]);
    }

    [ToolFact(Program)]
    public async Task Png_OfEachGraph_IsAnImageOfItsSize()
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng");
        foreach (string graph in new[] { "bytes", "windows", "rates", "limits" })
        {
            IDownload download = await page.Page.RunAndWaitForDownloadAsync(() => page.Page.ClickAsync($".plot-{graph} .saves button:text('PNG')"));
            Assert.Equal($"tcpdiag-0-client-{graph}.png", download.SuggestedFilename);
            byte[] image = await File.ReadAllBytesAsync(await download.PathAsync());
            Assert.Equal("\u0089PNG", string.Concat(image.Take(4).Select(part => (char)part)));
            int width = (image[18] << 8) | image[19];
            Assert.Equal(await page.Page.Locator($".plot-{graph} .canvas canvas").EvaluateAsync<int>("canvas => canvas.width"), width);
        }

        Assert.Empty(page.Complaints);
    }

    [ToolTheory(Program)]
    [InlineData(ColorScheme.Light)]
    [InlineData(ColorScheme.Dark)]
    public async Task Colours_OfGraphs_StandOutFromTheirBackground(ColorScheme theme)
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng", theme);
        byte[] background = await Painted(page, "--card");
        string[] names = await page.Page.EvaluateAsync<string[]>(ColoursOfTheSheet);
        Assert.Equal(10, names.Count(name => name.StartsWith("--limit-", StringComparison.Ordinal)));
        foreach (string name in names.Except(Surfaces, StringComparer.Ordinal))
        {
            double contrast = Contrast(await Painted(page, name), background);
            Assert.True(contrast >= VisibleContrast, FormattableString.Invariant($"{name}: {contrast:0.00}"));
        }
    }

    [ToolTheory(Program)]
    [InlineData(ColorScheme.Light)]
    [InlineData(ColorScheme.Dark)]
    public async Task Colours_OfWhatIsDrawnTogether_Differ(ColorScheme theme)
    {
        await using OpenedPage page = await Open("bulk-loss.pcapng", theme);
        foreach ((string one, string other) in new[] { ("--acked", "--duplicate"), ("--sack", "--rtt"), ("--sack", "--acked"), ("--rtt", "--cwnd") })
        {
            byte[] left = await Painted(page, one);
            byte[] right = await Painted(page, other);
            Assert.True(left.Zip(right, (a, b) => Math.Abs(a - b)).Sum() >= 100, $"{one} is much like {other}");
        }
    }

    // Where the colour of a state is painted, and where the background shows: no two states alike.
    [ToolFact(Program)]
    public async Task Limits_WithoutColour_DifferByTheirHatching()
    {
        await using OpenedPage page = await Open("stories/s1-not-adapting-sender.pcapng");
        string[] patterns = await page.Page.EvaluateAsync<string[]>("""
            [...document.querySelectorAll('.limits .swatch')].map((swatch) => {
              const { data } = swatch.getContext('2d').getImageData(0, 0, swatch.width, swatch.height);
              return data.filter((_, i) => i % 4 === 0).map((red, _, all) => red > (Math.min(...all) + Math.max(...all)) / 2 ? 1 : 0).join('');
            })
            """);
        Assert.InRange(patterns.Length, 2, 10);
        Assert.Equal(patterns.Length, patterns.Distinct().Count());
    }

    // A window that leaves ample room is higher than the graph: its line runs along the upper edge, and a note says how large it is.
    [ToolFact(Program)]
    public async Task ReceiveWindow_HigherThanTheGraph_RunsAlongItsUpperEdge()
    {
        await using OpenedPage page = await Open("stories/s1-fixed-sender.pcapng");
        byte[] colour = await Painted(page, "--window");
        int[] edge = await page.Page.EvaluateAsync<int[]>("""
            () => {
              const plot = document.querySelector('.plot-bytes');
              const [canvas, over] = [plot.querySelector('canvas'), plot.querySelector('.u-over')];
              const ratio = canvas.width / canvas.clientWidth;
              const [x, y] = [(over.offsetLeft + over.clientWidth * 0.8) * ratio, over.offsetTop * ratio];
              return [...canvas.getContext('2d').getImageData(x, y, 1, 3 * ratio).data];
            }
            """);
        Assert.Contains(edge.Chunk(4), pixel => pixel[3] > 0 && pixel.Zip(colour, (a, b) => Math.Abs(a - b)).Sum() < 120);
    }
}
