using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;

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

    const double OneInAHundred = 0.01;

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

    /// <summary>
    /// From the first data to the first of two round trips in a row that both held nine tenths of the highest rate that any two did. A sender that stays slow
    /// is there sooner: less is neither better nor worse.
    /// </summary>
    public static Metric TimeToRate { get; } = new("time-to-rate", "time to 90 % of rate", MetricUnit.Seconds, Better.Neither, LittleTime);

    /// <summary>In flight when slow start was left without loss. Less is worse only where the path holds more, which utilisation says.</summary>
    public static Metric SlowStartExit { get; } = new("slow-start-exit", "slow start left at", MetricUnit.Bytes, Better.Neither);

    /// <summary>Processor time of the sending program, kernel included as far as it counts as the program's, for each gigabyte.</summary>
    public static Metric SenderCpu { get; } = new("sender-cpu", "sender CPU per GB", MetricUnit.Seconds, Better.Lower, LittleTime);

    /// <summary>The same of the receiving program.</summary>
    public static Metric ReceiverCpu { get; } = new("receiver-cpu", "receiver CPU per GB", MetricUnit.Seconds, Better.Lower, LittleTime);

    /// <summary>Time in each state of docs/limits.md. More of one is neither better nor worse: goodput says that.</summary>
    public static IReadOnlyList<Metric> TimeInLimits { get; } = [.. States.Select(TimeIn)];

    /// <summary>All there are.</summary>
    public static IReadOnlyList<Metric> All { get; } =
        [Goodput, CompletionTime, Retransmissions, Needless, Timeouts, RttUnderLoad, TimeToRate, SlowStartExit, SenderCpu, ReceiverCpu, .. TimeInLimits];

    /// <summary>Finds one by its name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The metric; null where none is called so.</returns>
    public static Metric? Find(string name) => All.FirstOrDefault(metric => string.Equals(metric.Name, name, StringComparison.Ordinal));

    /// <summary>A rate of <c>score</c>: how often the sender did what it should.</summary>
    /// <param name="component">Its name in JSON, e.g. <c>late-within-window</c>.</param>
    /// <returns>
    /// The metric. It is in no list: which rates there are depends on what the paths exercised. One that is the path's as much as the sender's is neither
    /// better nor worse.
    /// </returns>
    public static Metric OfScore(string component) => new(
        $"score-{component}", $"score: {component}", MetricUnit.Share, ScoreComponent.IsOfPath(component) ? Better.Neither : Better.Higher, OneInAHundred);

    /// <summary>Whether it is time in a state.</summary>
    public bool IsTimeInLimit => TimeInLimits.Contains(this);

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

    /// <summary>Bytes.</summary>
    Bytes,
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
