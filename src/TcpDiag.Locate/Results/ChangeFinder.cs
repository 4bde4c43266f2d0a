using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;
using TcpDiag.Locate.Packets;

namespace TcpDiag.Locate.Results;

/// <summary>Finds what middleboxes change between neighbouring points of a path.</summary>
sealed class ChangeFinder
{
    readonly Dictionary<(int From, int To, ChangeKind Kind), LocatedChange> _found = [];
    readonly HashSet<(int From, int To, ChangeKind Kind)> _ofThis = [];

    /// <summary>The changes.</summary>
    public IReadOnlyList<LocatedChange> Found => [.. _found.OrderBy(pair => pair.Key).Select(pair => pair.Value)];

    /// <summary>Looks at addresses, sequence numbers and openings.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="there">The way of the client's packets.</param>
    /// <param name="back">The way of the server's.</param>
    /// <returns>Whether it is split: there is no packet to follow.</returns>
    public bool Look(SharedConnection connection, PathDirection there, PathDirection back)
    {
        _ofThis.Clear();
        bool isSplit = false;
        for (int place = 0; place + 1 < connection.Sightings.Count; place++)
        {
            (Sighting near, Sighting far) = (connection.Sightings[place], connection.Sightings[place + 1]);
            (string nearEnds, string farEnds) = (EndsOf(near), EndsOf(far));
            Note(near, far, ChangeKind.Addresses, nearEnds, farEnds);
            bool isMoved = near.ShiftOfClient != far.ShiftOfClient || near.ShiftOfServer != far.ShiftOfServer;
            if (isMoved)
            {
                bool isOther = IsAnotherConnection(connection, there, back);
                isSplit |= isOther;
                Note(near, far, isOther ? ChangeKind.Split : ChangeKind.SequenceNumbers, string.Empty, string.Empty, isChanged: true);
            }

            LookAtOpening(near, far, isClient: true);
            LookAtOpening(near, far, isClient: false);
        }

        return isSplit;
    }

    /// <summary>Looks at what packets kept.</summary>
    /// <param name="path">The way of one end's packets.</param>
    /// <param name="data">What each step kept of data.</param>
    /// <param name="acks">What it kept of acknowledgments.</param>
    public void Add(PathDirection path, StepTraits[] data, StepTraits[] acks)
    {
        for (int place = 0; place < data.Length; place++)
        {
            StepTraits traits = data[place].Packets >= acks[place].Packets ? data[place] : acks[place];
            (Sighting near, Sighting far) = path.IsClient ? (path[place], path[place + 1]) : (path[place + 1], path[place]);
            Note(near, far, ChangeKind.TimestampValues, string.Empty, string.Empty, traits.AreTimestampsRewritten);
            Note(near, far, ChangeKind.TimestampsOption, string.Empty, string.Empty, traits.AreTimestampsStripped);
            Note(near, far, ChangeKind.Window, string.Empty, string.Empty, traits.IsWindowRewritten);
            Note(near, far, ChangeKind.IpId, string.Empty, string.Empty, traits.IsIpIdRewritten);
            Note(near, far, ChangeKind.SackBlocks, string.Empty, string.Empty, acks[place].IsSackRewritten);
        }
    }

    // Who only moves numbers leaves timestamps and identifications alone; who ends a connection and opens another has its own.
    static bool IsAnotherConnection(SharedConnection connection, PathDirection there, PathDirection back)
    {
        StepTraits[] traits = [.. new[] { there, back }.SelectMany(path =>
        {
            SequenceUnwrapper[] origins = SequenceOrigins.Of([.. Enumerable.Range(0, path.Count).Select(place => path[place])], path.IsClient);
            int smss = SegmentSize.Of(connection, path.IsClient);
            Piece[][] data = [.. Enumerable.Range(0, path.Count).Select(place => Piece.OfData(path[place], path.IsClient, origins[place], smss))];
            return Enumerable.Range(0, path.Count - 1).Select(place => StepTraits.Of(path, place, data[place], data[place + 1]));
        })];
        return traits.Any(trait => trait is { AreTimestampsRewritten: true, IsIpIdRewritten: true });
    }

    void LookAtOpening(Sighting near, Sighting far, bool isClient)
    {
        (Opening one, Opening other) = (near.OpeningOf(isClient), far.OpeningOf(isClient));
        if (one.IsSeen && other.IsSeen)
        {
            Note(near, far, ChangeKind.Mss, Text(one.Mss), Text(other.Mss));
            Note(near, far, ChangeKind.WindowScale, Text(one.WindowScale), Text(other.WindowScale));
            Note(near, far, ChangeKind.SackPermitted, Text(one.HasSack), Text(other.HasSack));
            Note(near, far, ChangeKind.TimestampsOption, Text(one.HasTimestamps), Text(other.HasTimestamps));
        }
    }

    void Note(Sighting near, Sighting far, ChangeKind kind, string one, string other, bool? isChanged = null)
    {
        var key = (near.Point.Index, far.Point.Index, kind);
        if (!(isChanged ?? !string.Equals(one, other, System.StringComparison.Ordinal)) || !_ofThis.Add(key))
        {
            return;
        }

        _found[key] = _found.TryGetValue(key, out LocatedChange? known)
            ? known with { Connections = known.Connections + 1 }
            : new LocatedChange(key.Item1, key.Item2, kind, 1, one, other);
    }

    static string EndsOf(Sighting sighting) => $"{sighting.Seen.End(sighting.IsClientHigh)} to {sighting.Seen.End(!sighting.IsClientHigh)}";

    static string Text(int value) => value < 0 ? "none" : value.ToString(CultureInfo.InvariantCulture);

    static string Text(bool isThere) => isThere ? "yes" : "no";
}
