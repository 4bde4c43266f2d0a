using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;

namespace TcpDiag.Scores.Losses;

/// <summary>The components of loss detection, from their counts (docs/scores.md).</summary>
static class LossComponents
{
    const string Rack = "RFC 8985 §6.2";
    const string WithoutWindow = "it detects losses by count, and has no window that could grow";
    const string WithoutSack = "SACK was not agreed on, and RACK needs it (RFC 8985 §4)";

    /// <summary>Adds them.</summary>
    /// <param name="components">Gets them.</param>
    /// <param name="counters">The counts.</param>
    /// <param name="hasSack">Whether SACK was agreed on.</param>
    /// <param name="isByCount">Whether it is told that the sender detects losses by duplicate acknowledgments.</param>
    public static void Add(List<ScoreComponent> components, LossCounters counters, bool hasSack, bool isByCount)
    {
        ScoreComponent[] all =
        [
            Make("late-within-window", "late within min_RTT/4, waited for", Rack, counters.LateWithinWindow, Waits(counters),
                "no packet came late by less than min_RTT/4; delay single packets by 0.1 to 0.2 RTT"),
            Make("late-within-srtt", "later, up to SRTT, waited for", "RFC 8985 §3.3.2", counters.LateWithinSrtt, Waits(counters),
                "no packet came late by more than the window and less than SRTT; delay single packets by 0.3 to 0.9 RTT"),
            Make("early", "overtaken by one or two, to min_RTT/4", Rack, counters.Early, Waits(counters),
                "no packet was overtaken by one or two others within min_RTT/4; send single packets ahead by 0.1 to 0.2 RTT"),
            Make("early-within-srtt", "by one or two, up to SRTT, waited for", "RFC 8985 §3.3.2", counters.EarlyWithinSrtt, Waits(counters),
                "no packet was overtaken by one or two others later than that and within SRTT; send single packets ahead by 0.3 to 0.9 RTT"),
            Make("adaptation", "window grown after DSACKs", "RFC 8985 §6.2 step 4", counters.Adaptation, Windows(counters),
                "no late packet came after two round trips with DSACKs; delay packets by 0.3 to 0.9 RTT again and again"),
            Make("detection", "losses repaired when due", "RFC 8985 §6.2 step 5", counters.Detection, Lags(counters),
                "no loss of single packets with data behind them; drop some"),
            Make("lost-retransmissions", "lost retransmissions, no timeout", "RFC 8985 §3.2", counters.LostRetransmissions, string.Empty,
                "no retransmission was lost with data behind it; drop retransmissions"),
            Make("tail-losses", "tail losses by probe, not timeout", "RFC 8985 §7.3", counters.TailLosses, string.Empty,
                "no loss at the end of a burst; drop the last packets of some"),
            Make("timeouts", "timeouts that could not be avoided", "RFC 8985 §3.1", counters.Timeouts, string.Empty,
                "the retransmission timer never expired"),
        ];
        foreach (ScoreComponent component in all)
        {
            components.Add(!hasSack && component.Id is not "timeouts" ? Without(component, WithoutSack)
                : isByCount && component.Id is "adaptation" ? Without(component, WithoutWindow)
                : component);
        }
    }

    static ScoreComponent Without(ScoreComponent component, string reason) =>
        component with { Rate = null, NotExercised = reason, Evidence = string.Empty, Worst = [] };

    static ScoreComponent Make(string id, string name, string clause, RateCounter counter, string evidence, string notExercised) => new()
    {
        Id = id,
        Family = ScoreFamily.LossDetection,
        Name = name,
        Clause = clause,
        Rate = counter.Rate,
        NotExercised = counter.Trials == 0 ? notExercised : null,
        Evidence = counter.Trials == 0 ? string.Empty : evidence,
        Worst = counter.Worst,
    };

    static string Waits(LossCounters counters)
    {
        string waited = counters.Waited.Quantile(0.9) is { } long90 ? $"90 % of those waited for came within {Quantity.Duration(long90)}" : string.Empty;
        string sent = counters.NotWaited.Quantile(0.5) is { } median ? $"sent again needlessly after {Quantity.Duration(median)} (median)" : string.Empty;
        return Join(waited, sent);
    }

    static string Windows(LossCounters counters)
    {
        string before = Share(counters.WindowAtFirst) is { } first ? $"window at first {first} of min_RTT" : string.Empty;
        string after = Share(counters.WindowGrown) is { } grown ? $"after DSACKs {grown}" : string.Empty;
        return Join(before, after);
    }

    static string Lags(LossCounters counters) => counters.Lags.Quantile(0.5) is { } median && counters.Lags.Quantile(0.9) is { } high
        ? $"behind the reference by {Signed(median)} (median), 90 % by at most {Signed(high)}"
        : string.Empty;

    static string Join(string one, string other) => one.Length > 0 && other.Length > 0 ? $"{one}; {other}" : one + other;

    static string Signed(long nanos) => nanos < 0 ? $"−{Quantity.Duration(-nanos)}" : Quantity.Duration(nanos);

    static string? Share(Durations perMille) =>
        perMille.Quantile(0.5) is { } median ? (median / 1_000.0).ToString("0.00", CultureInfo.InvariantCulture) : null;
}
