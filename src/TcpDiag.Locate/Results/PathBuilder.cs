using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Locate.Clocks;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;
using TcpDiag.Locate.Packets;

namespace TcpDiag.Locate.Results;

/// <summary>Follows the connections that take one way over the points.</summary>
/// <param name="first">The first of them, its points in order.</param>
/// <param name="hasOneClock">Whether all captures have the same clock.</param>
sealed class PathBuilder(SharedConnection first, bool hasOneClock)
{
    // Many short connections tell no more about two clocks than some do.
    const int MaxSamples = 400_000;

    readonly List<(SharedConnection Connection, int Number)> _connections = [];
    readonly VantagePoint[] _points = [.. first.Sightings.Select(sighting => sighting.Point)];
    readonly ChangeFinder _changes = new();
    ClockRelation[] _clocks = [];
    DirectionCounts? _fromClient;
    DirectionCounts? _fromServer;
    bool _isOrderKnown;

    /// <summary>How many there are.</summary>
    public int Connections => _connections.Count;

    /// <summary>Whether a connection takes this way.</summary>
    public bool IsOver(SharedConnection connection) => connection.Sightings.Select(sighting => sighting.Point).SequenceEqual(_points);

    /// <summary>Adds a connection.</summary>
    /// <param name="connection">The connection, its points in order.</param>
    /// <param name="isOrderKnown">Whether packets told it.</param>
    public void Add(SharedConnection connection, bool isOrderKnown)
    {
        _connections.Add((connection, _connections.Count + 1));
        _isOrderKnown |= isOrderKnown;
    }

    /// <summary>Follows all their packets.</summary>
    /// <param name="cancellation">Ends the work early.</param>
    public void Follow(CancellationToken cancellation)
    {
        _clocks = [.. Enumerable.Range(0, _points.Length - 1).Select(Fit)];
        _fromClient = new DirectionCounts(_points);
        _fromServer = new DirectionCounts([.. _points.Reverse()]);
        foreach ((SharedConnection connection, int number) in _connections)
        {
            cancellation.ThrowIfCancellationRequested();
            var there = new PathDirection(connection.Sightings, _clocks, isClient: true);
            var back = new PathDirection(connection.Sightings, _clocks, isClient: false);
            if (!_changes.Look(connection, there, back))
            {
                FollowOne(connection, number, there, _fromClient);
                FollowOne(connection, number, back, _fromServer);
            }
        }
    }

    /// <summary>Judges what is missing, once all paths have shown whose recorders lost packets.</summary>
    public LocatedPath Build()
    {
        _fromClient!.Judge();
        _fromServer!.Judge();
        Sighting example = _connections[0].Connection.Sightings[0];
        LocatedDirection there = Describe(_fromClient);
        LocatedDirection back = Describe(_fromServer);
        return new LocatedPath
        {
            Points = [.. _points.Select(point => point.Index)],
            IsOrderKnown = _isOrderKnown,
            Connections = _connections.Count,
            Example = (example.Seen.End(example.IsClientHigh).ToString(), example.Seen.End(!example.IsClientHigh).ToString()),
            RecognisedBy = _connections.GroupBy(pair => pair.Connection.By).ToDictionary(group => group.Key, group => group.Count()),
            Clocks = [.. _clocks.Select(Describe)],
            Changes = _changes.Found,
            FromClient = there,
            FromServer = back,
            Advice = [.. PathAdvice.Of(there, back, HopsBetween)],
        };
    }

    void FollowOne(SharedConnection connection, int number, PathDirection path, DirectionCounts counts)
    {
        (StepTraits[] data, StepTraits[] acks) = PacketFollower.Follow(connection, number, path, counts);
        _changes.Add(path, data, acks);
        counts.ActiveNanos += ActiveOf(path);
    }

    static long ActiveOf(PathDirection path)
    {
        (long from, long to) = (long.MaxValue, long.MinValue);
        PacketLog packets = path[0].Seen.Packets;
        for (int i = 0; i < packets.Count; i++)
        {
            if (packets[i].Length > 0 && packets[i].IsFromHigh == (path.IsClient == path[0].IsClientHigh))
            {
                (from, to) = (Math.Min(from, packets[i].Time), Math.Max(to, packets[i].Time));
            }
        }

        return Math.Max(0, to - from);
    }

    ClockRelation Fit(int place)
    {
        if (hasOneClock || _points[place].File == _points[place + 1].File)
        {
            return ClockRelation.Same;
        }

        var samples = new List<ClockSample>();
        foreach ((SharedConnection connection, _) in _connections.OrderByDescending(pair => pair.Connection.Sightings[place].Seen.Packets.Count))
        {
            if (samples.Count >= MaxSamples)
            {
                break;
            }

            samples.AddRange(ClockSample.Of(connection.Sightings[place], connection.Sightings[place + 1]));
        }

        samples.Sort(static (one, two) => one.Near.CompareTo(two.Near));
        return ClockFit.Fit(samples);
    }

    LocatedClock Describe(ClockRelation clock, int place)
    {
        bool isShared = hasOneClock || _points[place].File == _points[place + 1].File;
        return new LocatedClock(
            clock.IsKnown,
            isShared,
            clock.Offset,
            clock.Skew * 1e6,
            [.. clock.Steps.Select(step => new LocatedClockStep(step.Size, step.Time, step.IsFar))],
            clock.Bound,
            HopsBetween(place, place + 1));
    }

    int HopsBetween(int from, int to) =>
        Math.Abs(PointOrder.Hops(_connections[0].Connection.Sightings[from], _connections[0].Connection.Sightings[to]));

    LocatedDirection Describe(DirectionCounts counts)
    {
        int[] numbers = [.. counts.Points.Select(point => point.Index)];
        return new LocatedDirection(
            [.. counts.Data.Select((data, place) => new LocatedStep(
                numbers[place],
                numbers[place + 1],
                Describe(data),
                Describe(counts.Acks[place]),
                _clocks[counts == _fromClient ? place : _clocks.Length - 1 - place].IsKnown))],
            [.. counts.Between.OrderBy(pair => pair.Key).Select(pair => new LostBetween(numbers[pair.Key.From], numbers[pair.Key.To], pair.Value))],
            [.. counts.Untold.OrderBy(pair => pair.Key).Select(pair => new UntoldBehind(numbers[pair.Key.From], pair.Key.Why, pair.Value))],
            counts.ActiveNanos);
    }

    static LocatedPackets Describe(StepCounts counts) => new()
    {
        Arrived = counts.Arrived,
        Lost = counts.Lost,
        Copied = counts.Copied,
        Late = counts.Late,
        Ahead = counts.Ahead,
        Behind = counts.Behind,
        ReorderEvents = counts.Events,
        LateOffset = counts.LateOffset,
        Resegmented = counts.Resegmented,
        Marked = counts.Marked,
        Delays = counts.Delays,
        LostExamples = counts.Examples,
    };
}
