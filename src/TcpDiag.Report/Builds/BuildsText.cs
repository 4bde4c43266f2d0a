using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using TcpDiag.Report.Fleets;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Comparisons;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Builds;

/// <summary>What is documented of builds and what was measured, as text of 80 columns.</summary>
public static class BuildsText
{
    const int Columns = 78;
    const int NameWidth = 11;
    const int MeasuredWidth = 17;

    // What a line of 80 columns has room for; JSON and the page have all.
    static readonly string[] Shown = ["timeLost", "loss", "reordering", "needless", "timeouts"];

    /// <summary>Writes the report.</summary>
    /// <param name="output">Takes the text.</param>
    /// <param name="report">The report.</param>
    public static void Write(TextWriter output, BuildsReport report)
    {
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(report);
        WriteMeasured(output, report);
        output.WriteLine();
        WriteDocumented(output, [.. report.Rows.Select(row => row.Documented).OfType<DocumentedBuild>().Where(build => build.Traits.Count > 0)]);
    }

    static void WriteMeasured(TextWriter output, BuildsReport report)
    {
        if (report.Fleet.Week is null)
        {
            output.WriteLine("Nothing was measured: the store has no recording of a known machine and time.");
            return;
        }

        output.WriteLine($"What was measured, weeks of {report.Fleet.Since} to {report.Fleet.Week}: medians of machines");
        output.WriteLine($"  {"build",-MeasuredWidth}{"machines",8}{string.Concat(Chosen.Select(share => $"{Heading(share.Id),10}"))}");
        foreach (BuildRow row in report.Rows.Where(row => row.Measured is not null))
        {
            MeasuredBuild measured = row.Measured!;
            IEnumerable<string> shares = BuildShares.All.Zip(measured.Shares).Where(pair => Chosen.Contains(pair.First))
                .Select(pair => $"{BuildWords.Share(pair.Second.Median),10}");
            output.WriteLine($"  {SafeText.OneLine(row.Build, MeasuredWidth - 1),-MeasuredWidth}{measured.Machines,8}{string.Concat(shares)}");
            WriteMore(output, row, measured);
        }
    }

    static void WriteMore(TextWriter output, BuildRow row, MeasuredBuild measured)
    {
        foreach (FleetChange change in row.Beside.Where(FleetMarkup.IsDifferent))
        {
            string word = change.Judgement.Verdict == Verdict.Improved ? "better" : "worse";
            WriteWrapped(output, FormattableString.Invariant($"{word}, × {change.Judgement.Ratio:0.00}: {FleetText.SubjectOf(change)}"));
        }

        if (measured.Fingerprints.Count > 0)
        {
            string ways = string.Join(", ", measured.Fingerprints.Select(one => FormattableString.Invariant($"{one.Fingerprint} {one.Senders}")));
            string agrees = row.Agreement is { } agreement ? FormattableString.Invariant($"; {agreement.Hits} of {agreement.Trials} as documented")
                : string.Empty;
            WriteWrapped(output, $"loss detection by senders: {SafeText.OneLine(ways)}{agrees}");
        }
    }

    // The first build with all of its traits, the others with what is new.
    static void WriteDocumented(TextWriter output, DocumentedBuild[] builds)
    {
        output.WriteLine("What is documented, and from which build on (~ assumed)");
        for (int i = 0; i < builds.Length; i++)
        {
            IEnumerable<BuildTrait> traits = i == 0 ? builds[0].Traits
                : BuildTraits.Between(builds[i - 1].Number, builds[i].Number).Select(change => change.To);
            string text = string.Join("; ", traits.Select(trait => $"{trait.Name}: {(trait.IsAssumed ? "~" : string.Empty)}{trait.Value}"));
            output.WriteLine(FormattableString.Invariant($"  {builds[i].Number,-NameWidth}{builds[i].System ?? "events not known",-18}{EventsOf(builds[i])}")
                .TrimEnd());
            if (text.Length > 0)
            {
                WriteWrapped(output, text);
            }
        }
    }

    static string EventsOf(DocumentedBuild build) => build.Events is { } events ? FormattableString.Invariant($"{events,6} events of TCP/IP") : string.Empty;

    static void WriteWrapped(TextWriter output, string text)
    {
        const string indent = "             ";
        foreach (string line in TerminalText.Wrap(text, Columns - indent.Length))
        {
            output.WriteLine(indent + line);
        }
    }

    static IEnumerable<BuildShare> Chosen => BuildShares.All.Where(share => Shown.Contains(share.Id, StringComparer.Ordinal));

    static string Heading(string id) => id is "timeLost" ? "time lost" : id is "reordering" ? "reordered" : id;
}
