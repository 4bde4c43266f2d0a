using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Report;

/// <summary>What is said of a recording by the bundle that holds it.</summary>
static class BundleText
{
    const int Columns = 80;

    // It ended as it was told to, by time or by hand.
    static readonly string[] OrdinaryEnds = ["duration", "stopped", "time is up", "told to stop"];

    // No match leaves anything out.
    static readonly string[] EveryPacket = ["", "all"];

    /// <summary>What went wrong or is missing.</summary>
    /// <param name="bundle">What the bundle tells.</param>
    /// <returns>One sentence for each remark and each section of the snapshot from which facts are missing.</returns>
    public static IEnumerable<string> Remarks(BundleAccount bundle) =>
        bundle.Manifest.Remarks.Concat(bundle.FailedSections.Select(section => $"snapshot, {section.Name}: {section.Problem}"));

    /// <summary>What bears on an analysis: which traffic was recorded, an end that nobody asked for, and the remarks.</summary>
    /// <param name="bundle">What the bundle tells.</param>
    /// <returns>Lines of at most 80 columns; none when there is nothing to say.</returns>
    public static IEnumerable<string> Of(BundleAccount bundle)
    {
        BundleManifest manifest = bundle.Manifest;
        string[] sentences =
        [
            .. Unless(EveryPacket, manifest.Match, "Only this was recorded: "),
            .. Unless(OrdinaryEnds, manifest.StopReason, "The recording ended by itself: "),
            .. Remarks(bundle).Select(remark => "Recorder: " + remark),
        ];
        return sentences.SelectMany(sentence => TraceText.Wrap(SafeText.OneLine(sentence), Columns));
    }

    static IEnumerable<string> Unless(string[] ordinary, string text, string before) => ordinary.Contains(text, StringComparer.Ordinal) ? [] : [before + text];
}
