using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;

namespace TcpDiag.Bench;

/// <summary>Collects results, prints each as it comes, and makes a page of them.</summary>
sealed class Report
{
    readonly List<(string What, string Ours, string Peer, string Ratio, string Goal)> _rows = [];

    /// <summary>Adds a ratio that should reach a goal.</summary>
    /// <param name="what">What was measured.</param>
    /// <param name="ours">Our figure with its unit.</param>
    /// <param name="peer">The peer's figure with its name.</param>
    /// <param name="ratio">How many times better we are (speed) or how many times as much we take.</param>
    /// <param name="goal">The bound.</param>
    /// <param name="isUpperBound">Whether the ratio should stay below it.</param>
    public void Add(string what, string ours, string peer, double ratio, double goal, bool isUpperBound = false)
    {
        bool holds = isUpperBound ? ratio <= goal : ratio >= goal;
        Add(what, ours, peer, Format(ratio), string.Create(CultureInfo.InvariantCulture, $"{(isUpperBound ? "≤" : "≥")} {goal} {(holds ? "yes" : "NO")}"));
    }

    /// <summary>Adds a row that has no goal: how long ours takes beside another.</summary>
    public void AddBeside(string what, string ours, string other, double ratio) => Add(what, ours, other, Format(ratio), string.Empty);

    /// <summary>Says that something could not be measured.</summary>
    /// <param name="what">What.</param>
    /// <param name="reason">Why not.</param>
    public void Skip(string what, string reason) => Add(what, reason, string.Empty, string.Empty, string.Empty);

    /// <summary>A figure with three significant digits.</summary>
    /// <param name="value">The figure.</param>
    /// <returns>Its text.</returns>
    public static string Format(double value) => value >= 100
        ? value.ToString("N0", CultureInfo.InvariantCulture)
        : value.ToString("G3", CultureInfo.InvariantCulture);

    /// <summary>A rate of packets.</summary>
    /// <param name="packetsPerSecond">The rate.</param>
    /// <param name="packets">How many there were.</param>
    /// <returns>Its text.</returns>
    public static string Rate(double packetsPerSecond, double packets) => $"{Format(packetsPerSecond / 1e6)} M packets/s ({Format(packets / 1e6)} M)";

    /// <summary>The page.</summary>
    /// <returns>Markdown.</returns>
    public string ToMarkdown()
    {
        var page = new StringBuilder();
        page.Append(CultureInfo.InvariantCulture, $"# Benchmarks: {Machine()}\n\n");
        page.Append("Whole commands of the published release beside peers, in one run of tools/bench/TcpDiag.Bench, start-up included;\n");
        page.Append("files in the page cache; the fastest of three runs of ours; the analysis and its peers on one core.\n\n");
        page.Append("| what | tcpdiag | peer | ratio | goal |\n|---|---|---|---|---|\n");
        _rows.ForEach(row => page.Append(CultureInfo.InvariantCulture, $"| {row.What} | {row.Ours} | {row.Peer} | {row.Ratio} | {row.Goal} |\n"));
        return page.ToString();
    }

    void Add(string what, string ours, string peer, string ratio, string goal)
    {
        _rows.Add((what, ours, peer, ratio, goal));
        Console.WriteLine($"{what}: {ours}; {peer}; {ratio} ({goal})");
    }

    static string Machine()
    {
        string model = File.Exists("/proc/cpuinfo")
            ? File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':')[1].Trim() ?? "unknown"
            : "unknown";
        return string.Create(CultureInfo.InvariantCulture,
            $"{model}, {Environment.ProcessorCount} processors, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}");
    }
}
