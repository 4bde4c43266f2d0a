using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Playwright;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Tests.Generation;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Report.Html;
using TcpDiag.Testing;
using TcpDiag.Traces;

namespace TcpDiag.PageBench;

/// <summary>
/// Measures the HTML report of traces of a million packets, or of captures that are named: how large the page is, when
/// it can be used in Chromium (from the start of the navigation until table and first graphs stand), and how long the
/// browser takes to draw all graphs again after a zoom:
/// <code>dotnet run -c Release --project tools/bench/TcpDiag.PageBench -- [FILE…]</code>
/// </summary>
static class Program
{
    const int Rounds = 5;
    const int Packets = 1_000_000;
    const int PacketsPerFlight = 12; // eight segments, an acknowledgment for every two

    // Zooms in and out, and waits until the picture is there.
    const string Redraw = """
        async () => {
          const frame = document.querySelector(".frame");
          const times = [];
          for (let i = 0; i < 20; i++) {
            const begun = performance.now();
            frame.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 === 0 ? "+" : "-" }));
            await new Promise((resolve) => requestAnimationFrame(resolve));
            times.push(performance.now() - begun);
          }
          return times.sort((left, right) => left - right)[10];
        }
        """;

    static readonly (string Name, int Connections)[] Plans = [("1 connection", 1), ("100 connections", 100), ("20,000 connections", 20_000)];

    static async Task Main(string[] files)
    {
        string chromium = ExternalProgram.Find("chromium") ?? throw new InvalidOperationException("no chromium on the path");
        using IPlaywright playwright = await Playwright.CreateAsync();
        await using IBrowser browser = await playwright.Chromium.LaunchAsync(new()
        {
            ExecutablePath = chromium,
            Args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
        });
        Console.WriteLine("| trace | packets | analysis alone s | with page s | page MB | usable ms | redraw ms |\n|---|---|---|---|---|---|---|");
        foreach ((string name, int connections) in files.Length > 0 ? [] : Plans)
        {
            await Measure(browser, name, () => Generate(connections));
        }

        foreach (string file in files)
        {
            await Measure(browser, Path.GetFileName(file), () => TraceFile.Open(file));
        }
    }

    static SyntheticTrace Generate(int connections) =>
        new(new TrafficPlan(connections, Packets / PacketsPerFlight / connections) { LossPerMille = 5, ReorderingPerMille = 5, SpuriousPerMille = 2 });

    static async Task Measure(IBrowser browser, string name, Func<TraceReader> open)
    {
        (double alone, _) = Analyse(open, null);
        string path = Path.Combine(Path.GetTempPath(), $"tcpdiag-page-{Environment.ProcessId}.html");
        try
        {
            (double whole, long packets) = Analyse(open, path);
            var usable = new List<double>();
            double redraw = 0;
            for (int i = 0; i < Rounds; i++)
            {
                await using IBrowserContext context = await browser.NewContextAsync();
                IPage page = await context.NewPageAsync();
                await page.GotoAsync(new Uri(path).AbsoluteUri);
                await page.Locator("html[data-ready]").WaitForAsync(new() { State = WaitForSelectorState.Attached });
                usable.Add(double.Parse(await page.Locator("html").GetAttributeAsync("data-ready") ?? "0", CultureInfo.InvariantCulture));
                redraw = await page.EvaluateAsync<double>(Redraw);
            }

            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {name} | {packets:N0} | {alone:0.00} | {whole:0.00} | {new FileInfo(path).Length / 1e6:0.00} | {usable.Order().ElementAt(Rounds / 2):0} "
                    + $"| {redraw:0.0} |"));
        }
        finally
        {
            File.Delete(path);
        }
    }

    static (double Seconds, long Packets) Analyse(Func<TraceReader> open, string? path)
    {
        long begun = Stopwatch.GetTimestamp();
        using TraceReader reader = open();
        TraceAnalysis analysis = TraceAnalyzer.Analyze(reader, new AnalysisOptions { Timelines = path is null ? null : new TimelineOptions() });
        if (path is not null)
        {
            using FileStream page = File.Create(path);
            HtmlReport.Write(page, analysis, ["bench"], reader);
        }

        return (Stopwatch.GetElapsedTime(begun).TotalSeconds, analysis.Packets);
    }
}
