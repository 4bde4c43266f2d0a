using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Scores.Cards;
using TcpDiag.Scores.Counterfactuals;

namespace TcpDiag.Report;

/// <summary>What a scorecard says, in two or three sentences.</summary>
static class ScoreWords
{
    /// <summary>The families of components and what they are called, in the order of a report.</summary>
    public static IReadOnlyList<(ScoreFamily Family, string Title)> Families { get; } =
    [
        (ScoreFamily.LossDetection, "loss detection"), (ScoreFamily.CongestionControl, "congestion window"), (ScoreFamily.SlowStartExit, "slow-start exit"),
    ];

    /// <summary>What is said below rates that bear an asterisk.</summary>
    public const string OfPath = "* the path's as much as the sender's: compare it over one path only";

    /// <summary>A component's name; with an asterisk where it is the path's as much as the sender's.</summary>
    public static string NameOf(ScoreComponent component) => Marked(component.Name, component.DependsOnPath);

    /// <summary>The same of the name by which other documents know a component.</summary>
    public static string NameOf(string id) => Marked(id, ScoreComponent.IsOfPath(id));

    /// <summary>A family's figure, for the line below its rates.</summary>
    public static string Of(FamilyFigure figure) => string.Create(
        CultureInfo.InvariantCulture,
        $"together {figure.Value:0} of 100 ({figure.Low:0}–{figure.High:0}), from {figure.Exercised} of {figure.Components} rates: what the path exercised");

    /// <summary>The sentences, the most important first.</summary>
    public static IEnumerable<string> Of(Scorecard card)
    {
        yield return Detection(card);
        yield return Control(card.Control!);
        if (Needless(card) is { } needless)
        {
            yield return needless;
        }

        if (Timeouts(card) is { } timeouts)
        {
            yield return timeouts;
        }

        if (card.Reference is { } reference)
        {
            yield return Reference(card, reference);
        }
    }

    static string Reference(Scorecard card, Counterfactual reference)
    {
        ConnectionDirection sent = card.IsFromClient ? card.Connection.FromClient : card.Connection.FromServer;
        string Duration(double bitsPerSecond) => Quantity.Duration((long)(sent.UniqueBytes * 8e9 / bitsPerSecond));
        string own = sent.ActiveTime is { } active ? $"It took {Quantity.Duration(active)}; a" : "A";
        PathEstimate path = reference.Path;
        return $"{own} Linux with default settings would have taken {Duration(reference.BitsPerSecond)} ({Duration(reference.High)} to "
            + $"{Duration(reference.Low)}), "
            + $"simulated over the path that the trace shows: {Quantity.BitRate(reference.RateBitsPerSecond)}, {Quantity.Duration(path.RttNanos)}, "
            + $"{path.Displaced.Count} of {Quantity.Count(path.Segments, "packet")} late or early, {path.Lost.Count} lost.";
    }

    static string Detection(Scorecard card)
    {
        string dsacks = Quantity.Count(card.Facts!.Dsacks, "DSACK");
        Fingerprint fingerprint = card.Fingerprint!;
        return fingerprint.Verdict switch
        {
            Fingerprint.DuplicateAcks =>
                "Takes three segments SACKed above another for its loss, however late it may be: detection by duplicate ACKs, without RACK.",
            Fingerprint.Rack =>
                $"Detects losses by time (RACK). Whether its reordering window grows with DSACKs cannot be told from here: {Untold(card, dsacks)}.",
            Fingerprint.RackNoDsack =>
                $"Detects losses by time (RACK), and its own events count none of the {dsacks} that came back: its reordering window never grows, as in "
                + "Windows build 22000.",
            Fingerprint.RackFixed when fingerprint.IsFromEvents =>
                $"Detects losses by time, and its own events count DSACKs but keep its reordering window at a quarter of the smallest RTT: RACK with a fixed "
                + "window.",
            Fingerprint.RackFixed =>
                $"Detects losses by time, with a reordering window that stays at a quarter of the smallest RTT and learns nothing from {dsacks}: RACK with a "
                + "fixed window, or one that is blind to DSACKs, as in Windows build 22000; packets alone do not tell these two apart.",
            Fingerprint.RackAdaptive => $"Detects losses by time and waits longer after DSACKs ({dsacks} came): RACK that adapts, as RFC 8985 asks.",
            Fingerprint.NoSack => "SACK was not agreed on, so that losses show by duplicate ACKs alone.",
            _ => $"How it detects losses cannot be told from here, because {fingerprint.Reason}.",
        };
    }

    static string Control(ControlFingerprint control) => control.Verdict switch
    {
        ControlFingerprint.Cubic => "Its window follows CUBIC: 0.7 of it are left after a loss, and CUBIC's curve leads back.",
        ControlFingerprint.Reno => "Its window follows Reno: half of it is left after a loss, and a segment more is sent in each round trip.",
        ControlFingerprint.Bbr => "Its window follows a model of the path, as BBR's does: a loss leaves as much in flight as before, and less is sent "
            + "without one.",
        _ => $"Its congestion control cannot be told from here, because {control.Reason}.",
    };

    static string Untold(Scorecard card, string dsacks) => card.Facts!.Dsacks == 0
        ? "no DSACK came back that could have widened it"
        : $"{dsacks} came back, and no packet came late enough after them to show it";

    static string Marked(string name, bool isOfPath) => isOfPath ? $"{name}*" : name;

    static string? Needless(Scorecard card)
    {
        (long trials, long misses) = (card.Facts!.Overtaken, card.Facts.OvertakenResent);
        return trials == 0 ? null
            : misses == 0 ? $"It waited for all {Quantity.Count(trials, "packet")} that others overtook by less than SRTT."
            : $"Of {Quantity.Count(trials, "packet")} that others overtook by less than SRTT it sent {misses} again needlessly.";
    }

    static string? Timeouts(Scorecard card) => card.Components.FirstOrDefault(one => one.Id is "timeouts")?.Rate is { } rate
        ? $"Of {Quantity.Count(rate.Trials, "timeout")} the reference would have avoided {rate.Trials - rate.Hits}."
        : null;
}
