using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Results;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Packets;
using TcpDiag.Locate.Results;

namespace TcpDiag.Report.Locations;

/// <summary>The sentences of a location.</summary>
/// <param name="location">The location.</param>
sealed class LocationWords(Location location)
{
    /// <summary>A delay in the unit in which it is read: µs below 10 ms.</summary>
    public static string Delay(long nanos) => Math.Abs(nanos) < 10_000_000
        ? string.Create(CultureInfo.InvariantCulture, $"{nanos / 1000.0:0} µs")
        : string.Create(CultureInfo.InvariantCulture, $"{nanos / 1e6:0.0} ms");

    /// <summary>A quantile of the delay, as it is read: with a plus where only what is above the least is known.</summary>
    public static string DelayAt(LocatedStep step, DelayHistogram delays, double share) =>
        step.IsTimed ? Delay(delays.Quantile(share)) : "+" + Delay(delays.Quantile(share) - delays.Min);

    /// <summary>The median of the delay, or of what is known of it.</summary>
    public static string MedianDelay(LocatedStep step, DelayHistogram delays) => DelayAt(step, delays, 0.5);

    /// <summary>The letter of a point, in the order of the command line.</summary>
    public string LetterOf(LocationPoint point) => Letter(location.Points.ToList().IndexOf(point));

    /// <summary>A step in letters.</summary>
    public static string Letters(int from, int to) => $"{Letter(from)} to {Letter(to)}";

    /// <summary>What a point is.</summary>
    public static string Describe(LocationPoint point)
    {
        string lost = point.RecorderLost > 0 ? $", its recorder says it lost {Number(point.RecorderLost)}" : string.Empty;
        string missed = point.Missed > 0 ? $", {Quantity.Count(point.Missed, "packet")} came by that it does not have" : string.Empty;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{point.Name}: {Quantity.Count(point.Packets, "TCP packet")}, {Quantity.Count(point.Connections, "connection")}{lost}{missed}");
    }

    /// <summary>Why nothing could be located.</summary>
    public string WhyNothing() => location.Points.Count < 2
        ? "Nothing to compare: TCP was captured at one point only. Name captures of two or more, or one of several interfaces."
        : "No connection was recognised at two points. " + string.Join(' ', Alone());

    /// <summary>What each point saw that no other did.</summary>
    public IEnumerable<string> Alone() =>
        from point in location.Points
        where point.Alone > 0
        let why = point.HasPayload
            ? "neither addresses nor sequence numbers nor payload agree with those of another point"
            : "neither addresses nor sequence numbers agree with those of another point, and no payload was captured to recognise them by"
        select $"{Quantity.Count(point.Alone, "connection")} at {LetterOf(point)} only: {why}.";

    /// <summary>Which connections took a path, and how they were recognised.</summary>
    public static string Heading(LocatedPath path)
    {
        string order = string.Join(" - ", path.Points.Select(Letter));
        string known = path.IsOrderKnown ? string.Empty : " (in the order given: packets do not tell which comes first)";
        string by = string.Join(", ", path.RecognisedBy.Where(pair => pair.Key != Recognition.Addresses).Select(pair => $"{pair.Value} {ByText(pair.Key)}"));
        return $"client - {order} - server{known}: {Quantity.Count(path.Connections, "connection")}, {path.Example.Client} to {path.Example.Server}"
            + (path.Connections > 1 ? " the first" : string.Empty) + (by.Length > 0 ? $"; recognised {by}" : string.Empty);
    }

    /// <summary>What the path does to packets, in one sentence each.</summary>
    public static IEnumerable<string> Answers(LocatedPath path)
    {
        string[] answers =
        [
            .. Answers(path.FromClient, "the client's data"), .. Answers(path.FromServer, "the server's data"),
        ];
        return answers.Length > 0 ? answers : Silent(path);
    }

    /// <summary>What cannot be told of a direction.</summary>
    public static IEnumerable<string> Doubts(LocatedPath path, LocatedDirection direction)
    {
        foreach (LostBetween between in direction.Between)
        {
            string inside = string.Join(" and ", Inside(path, between.From, between.To).Select(Letter));
            yield return $"{Quantity.Count(between.Packets, "data packet")} lost between {Letter(between.From)} and {Letter(between.To)}; "
                + $"on which side of {inside} cannot be told.";
        }

        foreach (UntoldBehind untold in direction.Untold)
        {
            yield return $"{Quantity.Count(untold.Packets, "data packet")} seen at {Letter(untold.Behind)}: what became of "
                + $"{(untold.Packets == 1 ? "it" : "them")} cannot be told, {WhyText(untold.Why)}.";
        }
    }

    /// <summary>What middleboxes change.</summary>
    public static IEnumerable<string> Changes(LocatedPath path) => path.Changes.Select(change =>
    {
        string example = change.Near.Length + change.Far.Length > 0 ? $": {change.Near} becomes {change.Far}" : string.Empty;
        string count = change.Connections == path.Connections ? string.Empty : $", on {Quantity.Count(change.Connections, "connection")}";
        return $"Between {Letter(change.From)} and {Letter(change.To)} {ChangeText(change.Kind)}{count}{example}.";
    });

    /// <summary>How sure the clocks are.</summary>
    public static IEnumerable<string> Clocks(LocatedPath path)
    {
        for (int i = 0; i < path.Clocks.Count; i++)
        {
            yield return ClockText(path.Clocks[i], Letter(path.Points[i]), Letter(path.Points[i + 1]));
        }
    }

    /// <summary>What would tell more.</summary>
    public static IEnumerable<string> Advice(LocatedPath path) => path.Advice.Select(advice => advice.Kind switch
    {
        AdviceKind.PointBetween => $"To narrow it down, capture at a further point between {Letter(advice.From)} and {Letter(advice.To)}"
            + (advice.Hops > 1 ? $"; by the hop limits there are {advice.Hops} routers between them." : "."),
        AdviceKind.LosslessRecorder => "A recorder that loses packets hides where others were lost: record again "
            + "with a larger buffer or a shorter snap length.",
        _ => "Let all captures run before the connections begin and until they have ended.",
    });

    static IEnumerable<string> Answers(LocatedDirection direction, string data)
    {
        foreach (LocatedStep step in direction.Steps.Where(step => step.Data.Lost > 0))
        {
            double share = 100.0 * step.Data.Lost / (step.Data.Lost + step.Data.Arrived);
            yield return string.Create(
                CultureInfo.InvariantCulture,
                $"Loss between {Letter(step.From)} and {Letter(step.To)}: "
                + $"{Quantity.Count(step.Data.Lost, "packet")} of {data} ({share:0.00} %){Rest(direction, step)}.");
        }

        foreach (LocatedStep step in direction.Steps.Where(step => step.Data.Moved > 0))
        {
            string ways = string.Join(" and ", new[] { (step.Data.Behind, "fell behind"), (step.Data.Ahead, "went ahead") }
                .Where(way => way.Item1 > 0).Select(way => $"{Quantity.Count(way.Item1, "packet")} {way.Item2}"));
            string every = direction.ActiveNanos > 0
                ? $", once in {Quantity.Duration(direction.ActiveNanos / Math.Max(1, step.Data.ReorderEvents))} of data"
                : string.Empty;
            yield return $"Reordering between {Letter(step.From)} and {Letter(step.To)}: of {data} {ways}{every}; {Quantity.Count(step.Data.Late, "packet")} "
                + $"late by RFC 4737, by {Delay(step.Data.LateOffset.Quantile(0.5))} in the middle and {Delay(step.Data.LateOffset.Max)} at most.";
        }

        foreach (LocatedStep step in direction.Steps.Where(step => step.Data.Copied > 0))
        {
            yield return $"Copies made between {Letter(step.From)} and {Letter(step.To)}: {Quantity.Count(step.Data.Copied, "packet")} of {data}.";
        }

        foreach (LocatedStep step in direction.Steps.Where(IsQueued))
        {
            yield return $"Queue between {Letter(step.From)} and {Letter(step.To)}: "
                + $"{data} waits {Delay(step.Data.Delays.Quantile(0.5) - step.Data.Delays.Min)} in "
                + $"the middle, {Delay(step.Data.Delays.Quantile(0.95) - step.Data.Delays.Min)} at 95 %, above the least delay.";
        }

        foreach (LocatedStep step in direction.Steps.Where(step => step.Data.Marked > 0))
        {
            yield return $"Congestion marked between {Letter(step.From)} and {Letter(step.To)}: {Quantity.Count(step.Data.Marked, "packet")} of {data}.";
        }
    }

    // Where others were lost that have no place.
    static string Rest(LocatedDirection direction, LocatedStep step) =>
        direction.Steps.Any(other => other != step && other.Data.Lost > 0) || direction.Between.Count + direction.Untold.Count > 0
            ? string.Empty
            : ", all that was lost";

    // As much as an interactive user feels, or as the least delay itself.
    static bool IsQueued(LocatedStep step)
    {
        const long felt = 20_000_000;
        return step.Data.Delays.Count > 0 && step.Data.Delays.Quantile(0.95) - step.Data.Delays.Min >= felt;
    }

    static IEnumerable<string> Silent(LocatedPath path)
    {
        bool isWhole = path.FromClient.Between.Count + path.FromServer.Between.Count + path.FromClient.Untold.Count + path.FromServer.Untold.Count == 0;
        bool isSplit = path.Changes.Any(change => change.Kind == ChangeKind.Split);
        yield return isSplit ? "Two connections that carry the same: their packets are not the same, and are not followed."
            : isWhole ? "Nothing was lost, reordered or copied between these points."
            : "Nothing that can be told was lost, reordered or copied between these points.";
    }

    static IEnumerable<int> Inside(LocatedPath path, int from, int to)
    {
        List<int> points = [.. path.Points];
        (int one, int other) = (points.IndexOf(from), points.IndexOf(to));
        return points.Skip(Math.Min(one, other) + 1).Take(Math.Abs(one - other) - 1);
    }

    static string ClockText(LocatedClock clock, string near, string far)
    {
        if (clock.IsShared)
        {
            return $"Clocks of {near} and {far}: the same.";
        }

        string step = string.Concat(clock.Steps.Select(one => $", set by {Signed(one.Nanos)} once ({(one.IsOfNext ? far : near)}'s)"));
        string drift = string.Create(CultureInfo.InvariantCulture, $"{Signed(clock.OffsetNanos)}, drifting {clock.SkewPpm:+0.0;-0.0;0.0} ppm");
        return clock.IsKnown
            ? $"Clock of {far} against {near}: {drift}{step}. Delays between them are within {Delay((long)clock.BoundNanos)}: "
                + $"of what the fastest packets need, only the sum of both ways is certain."
            : $"Clock of {far} against {near}: not known, since packets of one direction only were seen at both. "
                + $"Delays between them are those above the least.";
    }

    static string Signed(double nanos) => (nanos < 0 ? "−" : "+") + Quantity.Duration((long)Math.Abs(nanos));

    /// <summary>The letter of a point by its number.</summary>
    public static string Letter(int point)
    {
        const int letters = 26;
        return point < letters ? ((char)('A' + point)).ToString() : string.Create(CultureInfo.InvariantCulture, $"P{point + 1}");
    }

    static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);

    static string WhyText(Doubt why) => why switch
    {
        Doubt.NotRecording => "the points behind were not recording then",
        Doubt.RecorderLoss => "the recorders behind lost packets",
        _ => "since one of several transmissions came through unseen",
    };

    static string ByText(Recognition by) => by switch
    {
        Recognition.InitialSequence => "through NAT by initial sequence numbers",
        Recognition.SequenceNumbers => "through NAT by raw sequence numbers",
        Recognition.MovedSequence => "by the places of packets, though sequence numbers are moved",
        _ => "by payload",
    };

    static string ChangeText(ChangeKind kind) => kind switch
    {
        ChangeKind.Addresses => "addresses are translated",
        ChangeKind.SequenceNumbers => "sequence numbers are moved",
        ChangeKind.Mss => "the MSS is changed",
        ChangeKind.WindowScale => "the window scale is changed",
        ChangeKind.SackPermitted => "SACK permitted is changed",
        ChangeKind.TimestampsOption => "timestamps are taken out",
        ChangeKind.TimestampValues => "timestamps are rewritten",
        ChangeKind.Window => "windows are rewritten",
        ChangeKind.SackBlocks => "SACK blocks no longer fit the acknowledgment",
        ChangeKind.IpId => "the IP identification is rewritten",
        _ => "the connection is split: something ends it and opens another",
    };
}
