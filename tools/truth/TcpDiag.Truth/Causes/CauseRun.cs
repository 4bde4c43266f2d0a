using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Simulator.Flows;
using TcpDiag.Simulator.Paths;

namespace TcpDiag.Truth.Causes;

/// <summary>One simulated transfer, and what the analysis says of one capture of it.</summary>
/// <param name="Scenario">What it was.</param>
/// <param name="Path">Its path.</param>
/// <param name="Draw">Seed of its draws.</param>
/// <param name="View">Which capture.</param>
/// <param name="Sender">The stack that sent.</param>
/// <param name="Findings">What was found, in its order.</param>
/// <param name="Direction">The data's direction; null when it is not among the connections.</param>
/// <param name="Truth">Time by <see cref="SenderState"/>, ns.</param>
/// <param name="Nanos">From the first packet to the end, ns.</param>
/// <param name="CuredNanos">The same of the same transfer without its cause, ns.</param>
/// <param name="IsComplete">Whether all of it arrived; else it ended with the last packet.</param>
sealed record CauseRun(
    Scenario Scenario, string Path, int Draw, CaptureView View, string Sender,
        IReadOnlyList<Finding> Findings, ConnectionDirection? Direction, IReadOnlyList<long> Truth, long Nanos,
    long CuredNanos,
    bool IsComplete)
{
    const double MinFeltSeconds = 0.3; // as measures has it: less is a note
    const double MinFeltShare = 0.1;

    /// <summary>What the transfer took longer for its cause, seconds.</summary>
    public double SecondsLost => (Nanos - CuredNanos) / 1e9;

    /// <summary>Whether the cause cost enough to stand first; one that costs less has to be named, and nothing else to be a warning.</summary>
    public bool IsFelt => SecondsLost >= MinFeltSeconds && SecondsLost >= MinFeltShare * Nanos / 1e9;

    /// <summary>What the findings that are true of it say was lost, seconds.</summary>
    public double FoundSecondsLost => Findings.Where(finding => Scenario.Allows(finding.Id)).Sum(finding => finding.SecondsLost ?? 0);

    /// <summary>Whether it names another cause than the right one, more surely than not.</summary>
    public bool IsWrong => !IsRight
        && Findings.Any(finding => IsWarning(finding) && finding.Confidence >= 0.5 && !Scenario.Expected.Contains(finding.Id, StringComparer.Ordinal));

    /// <summary>Whether what limited the sender cannot be told from this capture, and no cause is blamed.</summary>
    public bool IsUnknown => !IsRight && Direction?.Limits is null && !Findings.Any(IsWarning);

    /// <summary>What stands first, or nothing.</summary>
    public Finding? First => Findings.Count > 0 ? Findings[0] : null;

    /// <summary>
    /// Whether it was judged rightly: the cause first, or nothing more than a note. What a path that is not perfect costs a healthy transfer all the same may
    /// be named, where somebody waits for it.
    /// </summary>
    public bool IsRight => Scenario.IsHealthy ? !Findings.Any(finding => IsWarning(finding) && !(IsFelt && Scenario.Allows(finding.Id)))
        : IsVisible && IsFelt ? First is { } first && IsCause(first)
        : (IsNamed || !IsVisible) && !Findings.Any(finding => IsWarning(finding) && !Scenario.Allows(finding.Id));

    /// <summary>From the begin of the run to the first packet captured, ns.</summary>
    public long FirstNanos { get; init; }

    /// <summary>Whether the cause shows in this capture.</summary>
    public bool IsVisible => Scenario.Shows(View) && FirstNanos < Scenario.OverNanos;

    /// <summary>Whether the cause stands anywhere.</summary>
    public bool IsNamed => Findings.Any(IsCause);

    /// <summary>Whether a send buffer is blamed, more surely than not, where writes waited for room less than 5 % of the time.</summary>
    public bool IsFalseSendBuffer => TrueShare(SenderState.SendBuffer) < 0.05
        && Findings.Any(finding => finding is { Id: FindingIds.SendBufferLimited, Confidence: >= 0.5 });

    /// <summary>Whether a finding is more than a note.</summary>
    public static bool IsWarning(Finding finding) => finding.Severity > FindingSeverity.Note;

    /// <summary>Share of the time in a state, 0 … 1.</summary>
    public double TrueShare(SenderState state) => Truth.Sum() is > 0 and { } all ? (double)Truth[(int)state] / all : 0;

    // Without the SYNs, which of two windows is full need not show.
    bool IsCause(Finding finding) => Scenario.Expected.Contains(finding.Id, StringComparer.Ordinal)
        || (View.Kind is CaptureKind.Late && finding.Id is FindingIds.WindowOrBuffer
            && Scenario.Expected.Any(expected => expected is FindingIds.SendBufferLimited or FindingIds.ReceiveWindowLimited));
}

/// <summary>How a transfer is captured.</summary>
/// <param name="Kind">How much of it.</param>
/// <param name="Point">Where.</param>
/// <param name="Build">The build of an .etl; 0 for .pcapng.</param>
readonly record struct CaptureView(CaptureKind Kind, SegmentPoint Point, int Build = 0)
{
    /// <summary>The captures of the run itself.</summary>
    public static IReadOnlyList<CaptureView> First { get; } =
    [
        .. Points(CaptureKind.Whole), .. Points(CaptureKind.Cut), .. Builds(CaptureKind.Etl),
    ];

    /// <summary>Those of the run once more, from a third of its time on.</summary>
    public static IReadOnlyList<CaptureView> Second { get; } = [.. Points(CaptureKind.Late), .. Builds(CaptureKind.LateEtl)];

    /// <summary>Whether it began during the transfer.</summary>
    public bool IsLate => Kind is CaptureKind.Late or CaptureKind.LateEtl;

    /// <inheritdoc/>
    public override string ToString() => (Build > 0 ? $"{Kind}-{Build}" : $"{Kind}-{Point}").ToLowerInvariant();

    static CaptureView[] Builds(CaptureKind kind) => [.. ((int[])[14_393, 22_000, 26_100]).Select(build => new CaptureView(kind, SegmentPoint.Sender, build))];

    static CaptureView[] Points(CaptureKind kind) => [new(kind, SegmentPoint.Sender), new(kind, SegmentPoint.Middle), new(kind, SegmentPoint.Receiver)];
}

/// <summary>How much of a transfer is captured.</summary>
enum CaptureKind
{
    /// <summary>All of it.</summary>
    Whole,

    /// <summary>From a third of its time on, without SYNs.</summary>
    Late,

    /// <summary>68 bytes of each packet: of the options, 14 bytes.</summary>
    Cut,

    /// <summary>Packets and events of a Windows build at the sender.</summary>
    Etl,

    /// <summary>The same from a third of its time on; the connection is listed when the session starts.</summary>
    LateEtl,
}
