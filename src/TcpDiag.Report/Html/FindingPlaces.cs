using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;

namespace TcpDiag.Report.Html;

/// <summary>A stretch of time in the graphs of a connection, ns since the Unix epoch.</summary>
/// <param name="From">Where it begins.</param>
/// <param name="To">Where it ends; not before it begins.</param>
readonly record struct Place(long From, long To);

/// <summary>Where a finding shows first in the graphs of its connection, and where most.</summary>
/// <param name="First">The earliest stretch that shows it.</param>
/// <param name="Worst">The longest stretch in a state; of segments, where most stand within a few round trips.</param>
sealed record FindingPlaces(Place First, Place Worst)
{
    const int RoundTrips = 4;
    const long UsualRoundTripNanos = 25_000_000; // where none was measured

    static readonly Dictionary<string, LimitState[]> States = new(StringComparer.Ordinal)
    {
        [FindingIds.AppLimited] = [LimitState.Application, LimitState.Idle],
        [FindingIds.SendBufferLimited] = [LimitState.SendBuffer],
        [FindingIds.CwndLimited] = [LimitState.CongestionWindow],
        [FindingIds.SlowStartLeftEarly] = [LimitState.CongestionWindow],
        [FindingIds.CwndLimitedByReordering] = [LimitState.CongestionWindow, LimitState.Recovery],
        [FindingIds.ReceiveWindowLimited] = [LimitState.ReceiveWindow],
        [FindingIds.ReceiveWindowHalved] = [LimitState.ReceiveWindow],
        [FindingIds.RtoStalls] = [LimitState.Timeout],
        [FindingIds.ReassemblyLimit] = [LimitState.Reassembly],
    };

    static readonly Dictionary<string, Func<Mark, bool>> Segments = new(StringComparer.Ordinal)
    {
        [FindingIds.PathLoss] = mark => mark.Kind <= MarkKind.LostRetransmission && mark.Count > mark.Needless,
        [FindingIds.LostRetransmissions] = mark => mark.Kind == MarkKind.LostRetransmission,
        [FindingIds.TailLoss] = mark => mark.Kind == MarkKind.TailLossProbe,
        [FindingIds.SpuriousRetransmissions] = mark => mark.Needless > 0,
        [FindingIds.PathReordering] = mark => mark.Kind == MarkKind.Late || mark.Needless > 0,
    };

    /// <summary>Looks for the places of a finding.</summary>
    /// <param name="finding">The finding.</param>
    /// <param name="timeline">Its connection over time; null where it has no graphs.</param>
    /// <returns>Null where the graphs do not show it, or its evidence is a single place.</returns>
    public static FindingPlaces? Of(Finding finding, ConnectionTimeline? timeline)
    {
        if (timeline is null || finding is not { Connection: { } connection, IsFromClient: { } isFromClient })
        {
            return null;
        }

        DirectionTimeline shown = isFromClient ? timeline.FromClient : timeline.FromServer;
        if (finding.Id is FindingIds.ZeroWindow)
        {
            return Longest(ZeroWindows(shown.ReceiveWindow.Items));
        }

        if (States.TryGetValue(finding.Id, out LimitState[]? states))
        {
            return Longest(Stretches(shown.Limits.Items, states));
        }

        long roundTrip = RoundTrip.Of(connection).Median;
        return Segments.TryGetValue(finding.Id, out Func<Mark, bool>? isShown)
            ? Densest(shown.Marks.Items, isShown, RoundTrips * (roundTrip > 0 ? roundTrip : UsualRoundTripNanos))
            : null;
    }

    static FindingPlaces? Longest(List<Place> places) =>
        places.Count == 0 ? null : new FindingPlaces(places[0], places.MaxBy(place => place.To - place.From));

    // Intervals in wanted states that follow each other are one stretch.
    static List<Place> Stretches(ReadOnlySpan<LimitInterval> limits, LimitState[] states)
    {
        var places = new List<Place>();
        bool isOpen = false;
        foreach (ref readonly LimitInterval limit in limits)
        {
            bool isWanted = states.Contains(limit.State);
            if (isWanted && isOpen)
            {
                places[^1] = places[^1] with { To = limit.Time + limit.Duration };
            }
            else if (isWanted)
            {
                places.Add(new Place(limit.Time, limit.Time + limit.Duration));
            }

            isOpen = isWanted;
        }

        return places;
    }

    static List<Place> ZeroWindows(ReadOnlySpan<TrackPoint> windows)
    {
        var places = new List<Place>();
        for (int i = 0; i + 1 < windows.Length; i++)
        {
            if (windows[i].Last == 0)
            {
                places.Add(new Place(windows[i].Time + windows[i].Span, windows[i + 1].Time));
            }
        }

        return places;
    }

    // The segments within a time that slides over them.
    static FindingPlaces? Densest(ReadOnlySpan<Mark> marks, Func<Mark, bool> isShown, long within)
    {
        var shown = new List<Mark>();
        foreach (ref readonly Mark mark in marks)
        {
            if (isShown(mark))
            {
                shown.Add(mark);
            }
        }

        if (shown.Count == 0)
        {
            return null;
        }

        var worst = new Place(shown[0].Time, shown[0].Time);
        long most = 0;
        long count = 0;
        for (int first = 0, last = 0; last < shown.Count; last++)
        {
            for (count += shown[last].Count; shown[last].Time - shown[first].Time > within; first++)
            {
                count -= shown[first].Count;
            }

            if (count > most)
            {
                most = count;
                worst = new Place(shown[first].Time, shown[last].Time);
            }
        }

        long until = shown[0].Time + within;
        return new FindingPlaces(new Place(shown[0].Time, shown.FindLast(mark => mark.Time <= until).Time), worst);
    }
}
