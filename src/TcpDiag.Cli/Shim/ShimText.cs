using System.Collections.Generic;
using System.Globalization;
using System.IO;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Report;
using TcpDiag.Shim;

namespace TcpDiag.Cli.Shim;

/// <summary>A run in words.</summary>
static class ShimText
{
    /// <summary>What a path without any option does.</summary>
    public const string NothingEmulated = "nothing: packets pass unchanged";

    const double NanosecondsPerSecond = 1e9;
    const double NanosecondsPerMicrosecond = 1e3;

    // A terminal's width.
    const int Columns = 80;

    /// <summary>How a run stands, in one line.</summary>
    /// <param name="figures">The figures.</param>
    /// <returns>The line.</returns>
    public static string Line(ShimFigures figures) => string.Create(
        CultureInfo.InvariantCulture,
        $"{figures.ElapsedNs / NanosecondsPerSecond:F1} s: {figures.Offered:N0} packets, {figures.Dropped:N0} dropped, {figures.Reordered:N0} reordered, delay error p99 {figures.DelayErrorP99Ns / NanosecondsPerMicrosecond:F0} us");

    /// <summary>What came of a run.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="profile">What was emulated.</param>
    /// <param name="report">The report.</param>
    public static void Write(TextWriter output, ImpairmentProfile profile, ShimReport report)
    {
        ShimFigures figures = report.Figures;
        WriteList(output, "Emulated    ", profile.Options.Count > 0 ? [.. profile.Options, string.Create(CultureInfo.InvariantCulture, $"seed {profile.Settings.Seed}")] : [NothingEmulated]);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Time        {figures.ElapsedNs / NanosecondsPerSecond:F1} s"));
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"Packets     {figures.Offered:N0} impaired, of these {figures.Dropped:N0} dropped and {figures.Reordered:N0} reordered; {figures.Passed:N0} more passed untouched"));
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"Delay error p50 {figures.DelayErrorP50Ns / NanosecondsPerMicrosecond:F1} us, p99 {figures.DelayErrorP99Ns / NanosecondsPerMicrosecond:F1} us, max {figures.DelayErrorMaxNs / NanosecondsPerMicrosecond:F1} us"));
        output.WriteLine($"Priority    {(report.IsRealTime ? "real time" : "ordinary: real-time priority was refused")}");
        if (figures.Lost + figures.Bypassed > 0)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Missed      {figures.Lost:N0} lost by the system, {figures.Bypassed:N0} passed the full queue"));
        }

        foreach (string note in report.Notes)
        {
            output.WriteLine(note);
        }

        output.WriteLine(report.Fault ?? "The run is valid: packets left as punctually as asked.");
        if (figures.RecordsLost > 0)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"The decision log lacks {figures.RecordsLost:N0} decisions: the disk was too slow."));
        }
    }

    /// <summary>Writes a list, broken between its items, behind its title.</summary>
    /// <param name="output">Where to write.</param>
    /// <param name="title">The title, padded.</param>
    /// <param name="items">The items; names in them may come from a file.</param>
    public static void WriteList(TextWriter output, string title, IReadOnlyList<string> items)
    {
        string line = title;
        for (int i = 0; i < items.Count; i++)
        {
            string item = SafeText.OneLine(items[i]) + (i < items.Count - 1 ? "," : string.Empty);
            if (line.Length > title.Length && line.Length + 1 + item.Length > Columns)
            {
                output.WriteLine(line);
                line = new string(' ', title.Length);
            }

            line += line.Length > title.Length ? $" {item}" : item;
        }

        output.WriteLine(line);
    }
}
