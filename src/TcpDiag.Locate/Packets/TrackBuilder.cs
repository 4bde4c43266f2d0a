using System;
using System.Collections.Generic;
using TcpDiag.Locate.Intake;

namespace TcpDiag.Locate.Packets;

/// <summary>
/// Puts together what the points saw of the same bytes. Where one was sent several times, transmissions are told apart by identification and timestamp, else
/// by the usual delay.
/// </summary>
/// <param name="path">The path.</param>
/// <param name="pieces">What each point saw, sorted.</param>
/// <param name="traits">Of each step.</param>
sealed class TrackBuilder(PathDirection path, Piece[][] pieces, StepTraits[] traits)
{
    // Nothing comes before it was sent, whatever else agrees; how far clocks may be off is in it.
    const long ToleranceNanos = 10_000_000;

    readonly int[] _cursor = new int[path.Count];
    readonly int[] _end = new int[path.Count];
    readonly List<Track> _tracks = [];

    /// <summary>Goes over all bytes.</summary>
    /// <param name="onTrack">Receives each transmission; it is used again for the next where it was seen everywhere.</param>
    public void Run(Action<Track> onTrack)
    {
        var whole = new Track(path.Count);
        while (Next())
        {
            if (IsSingle())
            {
                for (int place = 0; place < path.Count; place++)
                {
                    whole.See(place, _cursor[place]);
                }

                onTrack(whole);
            }
            else
            {
                Assign();
                _tracks.ForEach(onTrack);
                _tracks.Clear();
            }

            Array.Copy(_end, _cursor, _end.Length);
        }
    }

    // The next bytes in order, and which pieces of each point are just these.
    bool Next()
    {
        Piece? least = null;
        for (int place = 0; place < path.Count; place++)
        {
            if (_cursor[place] < pieces[place].Length && (least is not { } known || Compare(pieces[place][_cursor[place]], known) < 0))
            {
                least = pieces[place][_cursor[place]];
            }
        }

        for (int place = 0; place < path.Count && least is not null; place++)
        {
            _end[place] = _cursor[place];
            while (_end[place] < pieces[place].Length && Compare(pieces[place][_end[place]], least.Value) == 0)
            {
                _end[place]++;
            }
        }

        return least is not null;
    }

    bool IsSingle()
    {
        for (int place = 0; place < path.Count; place++)
        {
            if (_end[place] - _cursor[place] != 1 || (place > 0 && !MayFollow(place - 1, _cursor[place - 1], place, _cursor[place])))
            {
                return false;
            }
        }

        return true;
    }

    void Assign()
    {
        for (int place = 0; place < path.Count; place++)
        {
            for (int piece = _cursor[place]; piece < _end[place]; piece++)
            {
                Track? best = Best(place, piece, out bool isCopy);
                if (best is null)
                {
                    best = new Track(path.Count) { IsCopy = isCopy };
                    _tracks.Add(best);
                }

                best.See(place, piece);
            }
        }
    }

    // Of those not seen here yet the one whose delay is the most usual. One that was seen here already was copied.
    Track? Best(int place, int piece, out bool isCopy)
    {
        Track? best = null;
        double least = double.PositiveInfinity;
        isCopy = false;
        foreach (Track track in _tracks)
        {
            if (track.First < place && MayFollow(track, place, piece))
            {
                isCopy |= track.IsSeen(place);
                double distance = track.IsSeen(place) ? double.PositiveInfinity : Distance(track, place, piece);
                if (distance < least)
                {
                    (best, least) = (track, distance);
                }
            }
        }

        return best;
    }

    // A track that is seen here is followed from the point before.
    bool MayFollow(Track track, int place, int piece)
    {
        int before = Before(track, place);
        return before >= 0 && MayFollow(before, track.At(before), place, piece);
    }

    static int Before(Track track, int place)
    {
        int before = place - 1;
        while (before >= 0 && !track.IsSeen(before))
        {
            before--;
        }

        return before;
    }

    bool MayFollow(int before, int one, int place, int two)
    {
        (Piece here, Piece there) = (pieces[before][one], pieces[place][two]);
        ref readonly SeenPacket first = ref path.Packet(before, here.Packet);
        ref readonly SeenPacket second = ref path.Packet(place, there.Packet);
        for (int step = before; step < place; step++)
        {
            if (!traits[step].MayBe(first, here, second, there))
            {
                return false;
            }
        }

        return Delay(before, first.Time, place, second.Time, out long typical, out long earlier) >= typical - (4 * earlier) - ToleranceNanos;
    }

    double Distance(Track track, int place, int piece)
    {
        int before = Before(track, place);
        long sent = path.Packet(before, pieces[before][track.At(before)].Packet).Time;
        long delay = Delay(before, sent, place, path.Packet(place, pieces[place][piece].Packet).Time, out long typical, out _);
        return Math.Abs((double)delay - typical);
    }

    long Delay(int before, long sent, int place, long seen, out long typical, out long earlier)
    {
        (typical, earlier) = (0, 0);
        for (int step = before; step < place; step++)
        {
            typical += traits[step].Typical;
            earlier += traits[step].Earlier;
        }

        return path.Delay(before, sent, place, seen);
    }

    static int Compare(in Piece one, in Piece two) => one.Offset != two.Offset ? one.Offset.CompareTo(two.Offset) : one.Length.CompareTo(two.Length);
}
