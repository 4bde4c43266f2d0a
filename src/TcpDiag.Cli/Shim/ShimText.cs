using System.Globalization;
using System.IO;
using TcpDiag.Impairment.Profiles;
using TcpDiag.Shim;

namespace TcpDiag.Cli.Shim;

/// <summary>A run in words.</summary>
static class ShimText
{
    const double NanosecondsPerSecond = 1e9;
    const double NanosecondsPerMicrosecond = 1e3;

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
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Emulated    {string.Join(", ", profile.Options)}, seed {profile.Settings.Seed}"));
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
}
