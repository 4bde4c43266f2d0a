using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Report;

/// <summary>What is said of a recording by the bundle that holds it.</summary>
static class BundleText
{
    const int Columns = 80;

    // No match leaves anything out.
    static readonly string[] EveryPacket = ["", "all"];

    /// <summary>What went wrong or is missing.</summary>
    /// <param name="bundle">What the bundle tells.</param>
    /// <returns>One sentence for each remark and each section of the snapshot from which facts are missing.</returns>
    public static IEnumerable<string> Remarks(BundleAccount bundle) =>
        bundle.Manifest.Remarks.Concat(bundle.FailedSections.Select(section => $"snapshot, {section.Name}: {section.Problem}"));

    /// <summary>What bears on an analysis: which traffic was recorded, an end other than by time or by hand, and the remarks.</summary>
    /// <param name="bundle">What the bundle tells.</param>
    /// <returns>Lines of at most 80 columns; none when there is nothing to say.</returns>
    public static IEnumerable<string> Of(BundleAccount bundle) => Sentences(bundle).SelectMany(sentence => TraceText.Wrap(sentence, Columns));

    /// <summary>The same, one sentence each.</summary>
    /// <param name="bundle">What the bundle tells.</param>
    /// <returns>Sentences without line breaks; none when there is nothing to say.</returns>
    public static IEnumerable<string> Sentences(BundleAccount bundle)
    {
        BundleManifest manifest = bundle.Manifest;
        string[] sentences =
        [
            .. EveryPacket.Contains(manifest.Match, StringComparer.Ordinal) ? [] : new[] { "Only this was recorded: " + manifest.Match },
            .. HowEnded(manifest.StopReason) is { } end ? new[] { end } : [],
            .. Remarks(bundle).Select(remark => "Recorder: " + remark),
        ];
        return sentences.Select(sentence => SafeText.OneLine(sentence));
    }

    // Both what recorders write (StopReasonText of TcpDiag.Capture) and the short names that those of Linux wrote. Anything else is what --until waited for.
    static string? HowEnded(string reason) => reason switch
    {
        "" or "duration" or "stopped" or "time is up" or "told to stop" => null,
        "size" or "the trace has its size" => "The recording ended early: the trace had its size (--size)",
        "disk" or "the disk is nearly full" => "The recording ended early: the disk was nearly full",
        "ended" or "the session was ended by somebody else" => "The recording ended early: somebody else ended its session",
        "trigger" => "The recording ended because a condition of --until came true",
        "found after its process had gone" => "The recorder was killed or the machine went down: this is what there was by then",
        _ => $"The recording ended because --until came true: {reason}",
    };
}
