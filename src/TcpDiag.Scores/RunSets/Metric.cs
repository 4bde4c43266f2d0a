using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.RunSets;

/// <summary>One thing that is measured of each run, and how two of its figures are compared: always as a ratio.</summary>
/// <param name="Name">How it is named on the command line and in JSON.</param>
/// <param name="Title">How it is named in a report.</param>
/// <param name="Unit">Unit of its figures.</param>
/// <param name="Better">Which way is better.</param>
/// <param name="Start">
/// Added to a figure before a ratio is taken, so that 0 has one and next to nothing does not seem to be many times nothing; 0 where a figure of 0 says that
/// nothing came.
/// </param>
public sealed record Metric(string Name, string Title, MetricUnit Unit, Better Better, double Start = 0)
{
    // One segment in 10,000.
    const double FewSegments = 1e-4;

    // 10 ms: no user waits for less.
    const double LittleTime = 0.01;

    // Those of docs/limits.md, as run.json names them.
    static readonly string[] States =
        ["application", "idle", "sendBuffer", "congestionWindow", "receiveWindow", "pacing", "recovery", "timeout", "reassembly", "notJudged"];

    /// <summary>What the receiver read, over the time from the sender's first write to the receiver's last read.</summary>
    public static Metric Goodput { get; } = new("goodput", "goodput", MetricUnit.BitsPerSecond, Better.Higher);

    /// <summary>That time.</summary>
    public static Metric CompletionTime { get; } = new("completion-time", "completion time", MetricUnit.Seconds, Better.Lower);

    /// <summary>Data segments resent, of those sent.</summary>
    public static Metric Retransmissions { get; } = new("retransmissions", "retransmissions", MetricUnit.Share, Better.Lower, FewSegments);

    /// <summary>Data segments that the receiver had already, by its DSACKs (RFC 2883), of those sent.</summary>
    public static Metric Needless { get; } = new("needless", "needless, by DSACK", MetricUnit.Share, Better.Lower, FewSegments);

    /// <summary>Retransmission timeouts.</summary>
    public static Metric Timeouts { get; } = new("timeouts", "timeouts", MetricUnit.Count, Better.Lower, 1);

    /// <summary>Median of the RTT's samples while the transfer ran.</summary>
    public static Metric RttUnderLoad { get; } = new("rtt-under-load", "RTT under load", MetricUnit.Seconds, Better.Lower);

    /// <summary>Time in each state of docs/limits.md. More of one is neither better nor worse: goodput says that.</summary>
    public static IReadOnlyList<Metric> TimeInLimits { get; } = [.. States.Select(TimeIn)];

    /// <summary>All there are.</summary>
    public static IReadOnlyList<Metric> All { get; } = [Goodput, CompletionTime, Retransmissions, Needless, Timeouts, RttUnderLoad, .. TimeInLimits];

    /// <summary>Finds one by its name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The metric; null where none is called so.</returns>
    public static Metric? Find(string name) => All.FirstOrDefault(metric => string.Equals(metric.Name, name, StringComparison.Ordinal));

    /// <summary>Whether it is time in a state.</summary>
    public bool IsTimeInLimit => Better == Better.Neither;

    /// <summary>Whether two metrics are one figure seen from two sides: of runs of one size, one follows from the other.</summary>
    /// <param name="other">Another metric.</param>
    /// <returns>True of goodput and completion time, and of a metric and itself.</returns>
    public bool IsSameAs(Metric other) => this == other || (IsOfTheWhole && other.IsOfTheWhole);

    bool IsOfTheWhole => this == Goodput || this == CompletionTime;

    // sendBuffer → time-send-buffer.
    static Metric TimeIn(string state)
    {
        string words = string.Concat(state.Select(letter => char.IsUpper(letter) ? $" {char.ToLowerInvariant(letter)}" : $"{letter}"));
        return new Metric($"time-{words.Replace(' ', '-')}", $"time: {words}", MetricUnit.Seconds, Better.Neither, LittleTime);
    }

    /// <summary>The time metric of a state.</summary>
    /// <param name="state">As a result names it, e.g. <c>congestionWindow</c>.</param>
    /// <returns>The metric; null for a state that is not known.</returns>
    internal static Metric? OfState(string state) => Array.IndexOf(States, state) is >= 0 and var index ? TimeInLimits[index] : null;
}

/// <summary>The unit of a metric's figures.</summary>
public enum MetricUnit
{
    /// <summary>bit/s.</summary>
    BitsPerSecond,

    /// <summary>Seconds.</summary>
    Seconds,

    /// <summary>A part of the whole, 0 … 1.</summary>
    Share,

    /// <summary>A number of things.</summary>
    Count,
}

/// <summary>Which way a metric is better.</summary>
public enum Better
{
    /// <summary>Neither way.</summary>
    Neither,

    /// <summary>The higher, the better.</summary>
    Higher,

    /// <summary>The lower, the better.</summary>
    Lower,
}
