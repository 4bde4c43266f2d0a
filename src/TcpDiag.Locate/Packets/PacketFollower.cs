using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;

namespace TcpDiag.Locate.Packets;

/// <summary>Follows the packets of one end of one connection from point to point.</summary>
sealed class PacketFollower
{
    readonly PathDirection _path;
    readonly Piece[][] _pieces;
    readonly StepTraits[] _traits;
    readonly AckTimes[]? _acknowledged;
    readonly DirectionCounts _counts;
    readonly int _connection;
    readonly int _smss;
    readonly List<Arrival>[] _arrivals;
    readonly List<Track> _incomplete = [];

    PacketFollower(PathDirection path, Piece[][] pieces, StepTraits[] traits, AckTimes[]? acknowledged, DirectionCounts counts, int connection, int smss)
    {
        (_path, _pieces, _traits, _acknowledged, _counts, _connection, _smss) = (path, pieces, traits, acknowledged, counts, connection, smss);
        _arrivals = [.. Enumerable.Range(0, path.Count - 1).Select(_ => new List<Arrival>())];
    }

    bool IsData => _acknowledged is not null;

    StepCounts[] Steps => IsData ? _counts.Data : _counts.Acks;

    /// <summary>Follows data, SYN and FIN, then what only acknowledges.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="number">Its number, from 1.</param>
    /// <param name="path">Its points in the order of travel.</param>
    /// <param name="counts">Receives what became of the packets.</param>
    /// <returns>What each step keeps of packets, of data and of acknowledgments.</returns>
    public static (StepTraits[] Data, StepTraits[] Acks) Follow(SharedConnection connection, int number, PathDirection path, DirectionCounts counts)
    {
        Sighting[] sightings = [.. Enumerable.Range(0, path.Count).Select(place => path[place])];
        SequenceUnwrapper[] origins = SequenceOrigins.Of(sightings, path.IsClient);
        int smss = SegmentSize.Of(connection, path.IsClient);
        Piece[][] data = [.. sightings.Select((sighting, place) => Piece.OfData(sighting, path.IsClient, origins[place], smss))];
        AckTimes[] acknowledged = [.. sightings.Select((sighting, place) => new AckTimes(sighting, path.IsClient, origins[place]))];
        StepTraits[] traits = TraitsOf(path, data);
        new PacketFollower(path, data, traits, acknowledged, counts, number, smss).Run();

        Piece[][] Acks(AckKey by) => [.. sightings.Select(sighting => Piece.OfAcks(sighting, path.IsClient, by))];
        StepTraits[] byIdentity = TraitsOf(path, Acks(AckKey.Identity));
        StepTraits[] byNumbers = [.. TraitsOf(path, Acks(AckKey.Numbers)).Select((trait, i) => trait with { IsSackRewritten = byIdentity[i].IsSackRewritten })];
        bool hasSack = !Array.Exists(byNumbers, trait => trait.IsSackRewritten) && !Array.Exists(sightings, HasCutOptions);
        Piece[][] acks = Acks(hasSack ? AckKey.SackBlocks : AckKey.Numbers);
        new PacketFollower(path, acks, TraitsOf(path, acks), null, counts, number, smss).Run();
        return (traits, byNumbers);
    }

    static bool HasCutOptions(Sighting sighting)
    {
        PacketLog packets = sighting.Seen.Packets;
        for (int i = 0; i < packets.Count; i++)
        {
            if (packets[i].Has(PacketMarks.OptionsCut))
            {
                return true;
            }
        }

        return false;
    }

    static StepTraits[] TraitsOf(PathDirection path, Piece[][] pieces) =>
        [.. Enumerable.Range(0, path.Count - 1).Select(place => StepTraits.Of(path, place, pieces[place], pieces[place + 1]))];

    void Run()
    {
        new TrackBuilder(_path, _pieces, _traits).Run(Take);
        if (IsData)
        {
            new Resegmentation(_path, _pieces, _incomplete, Steps).Run();
        }

        _incomplete.ForEach(Judge);
        for (int place = 0; place < _arrivals.Length; place++)
        {
            ReorderCounter.Count(_arrivals[place], Steps[place]);
        }
    }

    void Take(Track track)
    {
        bool isWhole = true;
        for (int place = 0; place < _path.Count; place++)
        {
            isWhole &= track.IsSeen(place);
            if (place > 0 && track.IsSeen(place - 1) && track.IsSeen(place))
            {
                Arrive(place - 1, _pieces[place - 1][track.At(place - 1)], _pieces[place][track.At(place)]);
            }
        }

        if (!isWhole || track.IsCopy)
        {
            _incomplete.Add(track);
        }
    }

    void Arrive(int place, in Piece here, in Piece there)
    {
        ref readonly SeenPacket sent = ref _path.Packet(place, here.Packet);
        ref readonly SeenPacket seen = ref _path.Packet(place + 1, there.Packet);
        StepCounts step = Steps[place];
        step.Arrived++;
        step.Marked += !sent.Has(PacketMarks.CongestionExperienced) && seen.Has(PacketMarks.CongestionExperienced) ? 1 : 0;
        _arrivals[place].Add(new Arrival(here.Order, there.Order, seen.Time));

        // Further parts of an offloaded segment have the time of the first.
        if (here.Part == 0 && there.Part == 0)
        {
            step.Delays.Add(_path.Delay(place, sent.Time, place + 1, seen.Time));
        }
    }

    void Judge(Track track)
    {
        if (track.IsCopy)
        {
            Steps[track.First - 1].Copied++;
        }
        else
        {
            CountMissedBefore(track);
        }

        for (int place = track.First + 1; place < track.Last; place++)
        {
            if (!track.IsSeen(place) && IsCoveredFrom(track, place))
            {
                _path[place].Point.Missed++; // it was seen on both sides
            }
        }

        if (track.Last < _path.Count - 1 && !track.IsResegmented)
        {
            JudgeEnd(track);
        }
    }

    // What does not come from the points before must have passed them all the same.
    void CountMissedBefore(Track track)
    {
        if (track.First == 0 || track.IsResegmented)
        {
            return;
        }

        long time = _path.Packet(track.First, _pieces[track.First][track.At(track.First)].Packet).Time;
        for (int place = 0; place < track.First; place++)
        {
            if (IsWithin(place, track.First, time, SlackOf(place, track.First)))
            {
                _path[place].Point.Missed++;
            }
        }
    }

    // Whether a point was recording when what a later point saw came by.
    bool IsWithin(int place, int later, long time, long slack)
    {
        VantagePoint point = _path[place].Point;
        long typical = TypicalOf(place, later);
        return _path.From(place, point.Start, later) + typical + slack < time && time < _path.From(place, point.End, later) + typical - slack;
    }

    void JudgeEnd(Track track)
    {
        uint covered = 0;
        bool isAmbiguous = false;
        for (int place = track.Last + 1; place < _path.Count; place++)
        {
            if (IsCoveredFrom(track, place))
            {
                bool? came = CameThrough(track, place);
                if (came == true)
                {
                    _path[place].Point.Missed++;
                    return;
                }

                isAmbiguous |= came is null;
                covered |= 1u << place;
            }
        }

        Piece piece = _pieces[track.Last][track.At(track.Last)];
        ref readonly SeenPacket packet = ref _path.Packet(track.Last, piece.Packet);
        uint seq = IsData ? unchecked(packet.Seq + (uint)(piece.Part * _smss)) : packet.Seq;
        _counts.AddMissing(new Missing(track.Last, covered, IsData, isAmbiguous,
            new LostPacket(_connection, packet.Time, seq, Math.Min(piece.Length, packet.Length))));
    }

    // Whether a point was recording when a packet should have come by.
    bool IsCoveredFrom(Track track, int place)
    {
        int before = place - 1;
        while (!track.IsSeen(before))
        {
            before--;
        }

        long expected = _path.From(before, _path.Packet(before, _pieces[before][track.At(before)].Packet).Time, place) + TypicalOf(before, place);
        VantagePoint point = _path[place].Point;
        return expected - EarlierOf(before, place) > point.Start && expected + LaterOf(before, place) < point.End;
    }

    // True when the receiver acknowledged it before the point saw any of it: the point missed it. Null when one of several transmissions came through unseen.
    bool? CameThrough(Track track, int place)
    {
        Piece piece = _pieces[track.Last][track.At(track.Last)];
        if (_acknowledged?[place].Of(piece.End) is not { } acknowledged || IsSeenBefore(place, piece, acknowledged))
        {
            return false;
        }

        // One that was sent too late to be meant is a needless retransmission, and says nothing.
        return ArrivalOf(track.Last, piece, place) >= acknowledged ? false : CountSent(track.Last, piece, place, acknowledged) > 1 ? null : true;
    }

    // Whether the point saw all of these bytes by then, in whatever pieces.
    bool IsSeenBefore(int place, in Piece piece, long time)
    {
        long reached = piece.Offset;
        foreach (Piece other in Around(place, piece))
        {
            if (other.Offset <= reached && other.End > reached && _path.Packet(place, other.Packet).Time <= time)
            {
                reached = other.End;
            }
        }

        return reached >= piece.End;
    }

    // Transmissions of these bytes that may have been under way to the point before it saw them acknowledged.
    int CountSent(int from, in Piece piece, int place, long acknowledged)
    {
        int count = 0;
        foreach (Piece other in Around(from, piece))
        {
            count += ArrivalOf(from, other, place) < acknowledged ? 1 : 0;
        }

        return count;
    }

    long ArrivalOf(int from, in Piece piece, int place) =>
        _path.From(from, _path.Packet(from, piece.Packet).Time, place) + TypicalOf(from, place) - EarlierOf(from, place);

    IEnumerable<Piece> Around(int place, Piece piece)
    {
        const int largest = 1 << 16; // no uncut piece is longer, but by BIG TCP
        Piece[] pieces = _pieces[place];
        (int low, int high) = (0, pieces.Length);
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = pieces[middle].Offset < piece.Offset - largest ? (middle + 1, high) : (low, middle);
        }

        for (int i = low; i < pieces.Length && pieces[i].Offset < piece.End; i++)
        {
            if (pieces[i].End > piece.Offset)
            {
                yield return pieces[i];
            }
        }
    }

    long TypicalOf(int from, int to) => Sum(from, to, static traits => traits.Typical);

    long EarlierOf(int from, int to) => Sum(from, to, static traits => traits.Earlier);

    long LaterOf(int from, int to) => Sum(from, to, static traits => traits.Later);

    long SlackOf(int from, int to) => Math.Max(EarlierOf(from, to), LaterOf(from, to));

    long Sum(int from, int to, Func<StepTraits, long> value)
    {
        long sum = 0;
        for (int step = from; step < to; step++)
        {
            sum += value(_traits[step]);
        }

        return sum;
    }
}
