using System;
using System.Collections.Generic;

namespace TcpDiag.Analysis.Findings;

/// <summary>A conclusion: what is wrong, how much it costs, what shows it, and what to do about it.</summary>
/// <param name="Id">Stable name in kebab-case; each has a page in docs/findings.</param>
/// <param name="Connection">The connection; null when it concerns the whole trace.</param>
/// <param name="IsFromClient">The direction of the data concerned; null when it is the connection as a whole.</param>
/// <param name="Severity">How grave.</param>
/// <param name="SecondsLost">Seconds a user waited for it; null when that cannot be told.</param>
/// <param name="Confidence">0 … 1.</param>
/// <param name="Text">Finds its words. Most findings are never read: a terminal shows a few of a hundred thousand.</param>
public sealed record Finding(
    string Id,
    Connection? Connection,
    bool? IsFromClient,
    FindingSeverity Severity,
    double? SecondsLost,
    double Confidence,
    Func<FindingText> Text)
{
    /// <summary>One plain sentence; this and what follows is worded anew each time.</summary>
    public string Title => Text().Title;

    /// <summary>The likely cause, one or two plain sentences.</summary>
    public string Cause => Text().Cause;

    /// <summary>What it rests on.</summary>
    public IReadOnlyList<FindingEvidence> Evidence => Text().Evidence;

    /// <summary>What to do, a step each, naming where: Windows, Linux, network.</summary>
    public IReadOnlyList<string> Advice => Text().Advice;
}
