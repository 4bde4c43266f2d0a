using System;
using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Findings;

/// <summary>A conclusion: what is wrong, how much it costs, what shows it, and what to do about it.</summary>
/// <param name="Id">Stable name in kebab-case; each has a page in docs/findings.</param>
/// <param name="Connection">The connection; null when it concerns the whole trace.</param>
/// <param name="IsFromClient">The direction of the data concerned; null when it is the connection as a whole.</param>
/// <param name="Severity">How much it matters.</param>
/// <param name="SecondsLost">Seconds a user waited for it; null when unknown.</param>
/// <param name="Confidence">0 … 1.</param>
/// <param name="Text">Builds its text. Most findings are never read: a terminal shows a few of a hundred thousand.</param>
public sealed record Finding(
    string Id,
    Connection? Connection,
    bool? IsFromClient,
    FindingSeverity Severity,
    double? SecondsLost,
    double Confidence,
    Func<FindingText> Text)
{
    /// <summary>The least of it: at the highest rate the transfer reached itself. Null when it is one value.</summary>
    public double? MinSecondsLost { get; init; }

    /// <summary>
    /// The capture its evidence is from, where that is not the one that was analysed but one nearer to the sender: packet numbers and times are those of it.
    /// </summary>
    public string? SeenIn { get; init; }

    /// <summary>Whether it only tells what state a transfer was in, and names nothing to mend: notes that name a cause stand in front of it.</summary>
    public bool IsDescription { get; init; }

    /// <summary>Whether it broke off what the connection was for: it stands in front of what only cost time.</summary>
    public bool IsBreakOff { get; init; }

    /// <summary>Whether it is surer than not; one that is not never stands above one that is.</summary>
    public bool IsSure => Confidence >= Thresholds.SureConfidence;

    /// <summary>One plain sentence; this and the properties below build the text anew each time.</summary>
    public string Title => Text().Title;

    /// <summary>The likely cause, one or two plain sentences.</summary>
    public string Cause => Text().Cause;

    /// <summary>What it is based on.</summary>
    public IReadOnlyList<FindingEvidence> Evidence => Text().Evidence;

    /// <summary>What to do, one step each, naming where: Windows, Linux, network.</summary>
    public IReadOnlyList<string> Advice => Text().Advice;
}

/// <summary>How much a finding matters to somebody who waits for the connection.</summary>
public enum FindingSeverity
{
    /// <summary>Worth knowing: below 10 % of the transfer's time or 0.3 s, or by its nature.</summary>
    Note = 0,

    /// <summary>Costs up to half of the transfer's time.</summary>
    Warning = 1,

    /// <summary>Costs half of the time or more, or breaks the connection.</summary>
    Critical = 2,
}

/// <summary>One measure a finding is based on.</summary>
/// <param name="Measure">What was measured, in plain words with its unit.</param>
/// <param name="Value">The value as people read it.</param>
/// <param name="Samples">How many samples it is based on; null for a single fact.</param>
/// <param name="FirstPacket">Number of the first frame that shows it, from 1, as Wireshark counts; null when no single one does.</param>
/// <param name="From">When it starts; null when it holds throughout.</param>
/// <param name="To">When it ends; null when it holds throughout.</param>
public sealed record FindingEvidence(
    string Measure,
    string Value,
    long? Samples = null,
    long? FirstPacket = null,
    TraceTime? From = null,
    TraceTime? To = null);
