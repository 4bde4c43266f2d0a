using System.Collections.Generic;

namespace TcpDiag.Analysis.Findings;

/// <summary>A conclusion: what is wrong, how much it costs, what shows it, and what to do about it.</summary>
/// <param name="Id">Stable name in kebab-case; each has a page in docs/findings.</param>
/// <param name="Connection">The connection; null when it concerns the whole trace.</param>
/// <param name="IsFromClient">The direction of the data concerned; null when it is the connection as a whole.</param>
/// <param name="Severity">How grave.</param>
/// <param name="SecondsLost">Seconds a user waited for it; null when that cannot be told.</param>
/// <param name="Confidence">0 … 1.</param>
/// <param name="Title">One plain sentence.</param>
/// <param name="Cause">The likely cause, one or two plain sentences.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Advice">What to do, a step each, naming where: Windows, Linux, network.</param>
public sealed record Finding(
    string Id,
    Connection? Connection,
    bool? IsFromClient,
    FindingSeverity Severity,
    double? SecondsLost,
    double Confidence,
    string Title,
    string Cause,
    IReadOnlyList<FindingEvidence> Evidence,
    IReadOnlyList<string> Advice);
