using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;
using TcpDiag.Locate.Results;
using TcpDiag.Traces;

namespace TcpDiag.Locate;

/// <summary>
/// Puts captures of the same connections at several points beside each other. Add each capture, then ask: memory is 32 bytes for each TCP packet, and about
/// 100 more for each of the connection that is being followed.
/// </summary>
/// <param name="hasOneClock">Whether all captures have the same clock: their times are taken as they are.</param>
public sealed class Locator(bool hasOneClock = false)
{
    readonly List<VantagePoint> _points = [];
    int _files;

    /// <summary>How many records of each capture are read at most: all if not given.</summary>
    public long MaxRecords { get; init; } = long.MaxValue;

    /// <summary>Whether a capture had more records than were read.</summary>
    public bool IsCut { get; private set; }

    /// <summary>Reads a capture.</summary>
    /// <param name="name">What its point is called.</param>
    /// <param name="reader">The capture, at its beginning.</param>
    /// <param name="cancellation">Ends the work early.</param>
    /// <exception cref="TraceFormatException">The capture cannot be read at all.</exception>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public void Add(string name, TraceReader reader, CancellationToken cancellation = default)
    {
        var intake = new CaptureIntake(_files, name);
        foreach (VantagePoint point in intake.Read(reader, MaxRecords, cancellation))
        {
            _points.Add(new VantagePoint(_points.Count, point));
        }

        IsCut |= intake.IsCut;

        _files++;
    }

    /// <summary>Follows the packets of all connections that several points saw.</summary>
    /// <param name="cancellation">Ends the work early.</param>
    /// <returns>Where they were lost, delayed, reordered, copied or changed.</returns>
    /// <exception cref="OperationCanceledException">The work was ended.</exception>
    public Location Locate(CancellationToken cancellation = default)
    {
        List<SharedConnection> all = ConnectionMatcher.Match(_points);
        SharedConnection[] shared = [.. all.Where(connection => connection.Sightings.Count > 1)];
        var paths = new List<PathBuilder>();
        foreach (SharedConnection connection in shared)
        {
            cancellation.ThrowIfCancellationRequested();
            bool isKnown = PointOrder.Arrange(connection);
            PathBuilder? path = paths.Find(known => known.IsOver(connection));
            if (path is null)
            {
                path = new PathBuilder(connection, hasOneClock);
                paths.Add(path);
            }

            path.Add(connection, isKnown);
        }

        paths.ForEach(path => path.Follow(cancellation));
        return new Location
        {
            Paths = [.. paths.OrderByDescending(path => path.Connections).Select(path => path.Build())],
            Points = [.. _points.Select(point => Describe(point, all))],
            Shared = [.. shared.Select(connection => connection.Sightings.ConvertAll(Describe))],
        };
    }

    static LocatedConnection Describe(Sighting sighting) =>
        new(sighting.Point.Index, sighting.Seen.FirstPacket, sighting.Seen.End(sighting.IsClientHigh));

    static LocationPoint Describe(VantagePoint point, List<SharedConnection> all)
    {
        SharedConnection[] alone = [.. all.Where(connection => connection.Sightings.Count == 1 && connection.Sightings[0].Point == point)];
        return new LocationPoint(
            point.File,
            point.Name,
            point.Packets,
            point.Start,
            point.End,
            point.Connections.Count,
            alone.Length,
            alone.Any(connection => HasPayload(connection.Sightings[0].Seen)),
            point.Lost,
            point.Missed);
    }

    static bool HasPayload(SeenConnection connection)
    {
        for (int i = 0; i < connection.Packets.Count; i++)
        {
            if (connection.Packets[i].Has(PacketMarks.PayloadHash))
            {
                return true;
            }
        }

        return false;
    }
}
