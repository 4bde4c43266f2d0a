using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Packets;

/// <summary>One segment of a direction at one point. What segmentation offload left whole is cut as the network card would cut it.</summary>
/// <param name="Offset">Its first byte, from the initial sequence number.</param>
/// <param name="Length">Sequence space.</param>
/// <param name="Packet">Number of its packet in the connection's log.</param>
/// <param name="Part">Which part of that packet it is, from 0.</param>
readonly record struct Piece(long Offset, int Length, int Packet, int Part)
{
    const int PartBits = 20;

    /// <summary>Behind its last byte.</summary>
    public long End => Offset + Length;

    /// <summary>Its place in the order in which the point saw pieces.</summary>
    public long Order => ((long)Packet << PartBits) | (uint)Part;

    /// <summary>The data of an end at one point, SYN and FIN included, by offset, then by order.</summary>
    /// <param name="sighting">The connection there.</param>
    /// <param name="isClient">Whose data.</param>
    /// <param name="unwrap">Where its sequence numbers begin.</param>
    /// <param name="smss">Payload of a full segment; 0 when not known, and nothing is cut.</param>
    public static Piece[] OfData(Sighting sighting, bool isClient, SequenceUnwrapper unwrap, int smss)
    {
        var pieces = new List<Piece>();
        PacketLog packets = sighting.Seen.Packets;
        for (int i = 0; i < packets.Count; i++)
        {
            // A reset's number may be anything.
            ref readonly SeenPacket packet = ref packets[i];
            if (packet.IsFromHigh == (isClient == sighting.IsClientHigh) && packet.SequenceLength > 0 && !packet.Has(PacketMarks.Rst))
            {
                Cut(pieces, unwrap.Unwrap(packet.Seq), packet, i, smss);
            }
        }

        return Sorted(pieces);
    }

    /// <summary>The packets of an end that carry nothing: in place of an offset they have a hash of what they say.</summary>
    /// <param name="sighting">The connection there.</param>
    /// <param name="isClient">Whose.</param>
    /// <param name="by">What counts besides sequence numbers.</param>
    public static Piece[] OfAcks(Sighting sighting, bool isClient, AckKey by)
    {
        var pieces = new List<Piece>();
        PacketLog packets = sighting.Seen.Packets;
        for (int i = 0; i < packets.Count; i++)
        {
            ref readonly SeenPacket packet = ref packets[i];
            if (packet.IsFromHigh == (isClient == sighting.IsClientHigh)
                && packet.SequenceLength == 0 && packet.Has(PacketMarks.Ack) && !packet.Has(PacketMarks.Rst))
            {
                uint seq = unchecked(packet.Seq - sighting.ShiftOf(isClient));
                uint ack = unchecked(packet.Ack - sighting.ShiftOf(!isClient));
                ulong hash = BitMixer.Mix(BitMixer.Mix(((ulong)seq << 32) | ack) ^ KeyOf(packet, by));
                pieces.Add(new Piece((long)(hash >> 1), 0, i, 0));
            }
        }

        return Sorted(pieces);
    }

    static ulong KeyOf(in SeenPacket packet, AckKey by) => by switch
    {
        AckKey.SackBlocks => packet.Hash,
        AckKey.Identity => ((ulong)packet.TsVal << 16) | packet.IpId,
        _ => 0,
    };

    static Piece[] Sorted(List<Piece> pieces)
    {
        Piece[] sorted = [.. pieces];
        Array.Sort(sorted, static (one, two) =>
            one.Offset != two.Offset ? one.Offset.CompareTo(two.Offset)
                : one.Length != two.Length ? one.Length.CompareTo(two.Length)
                : one.Order.CompareTo(two.Order));
        return sorted;
    }

    static void Cut(List<Piece> pieces, long offset, in SeenPacket packet, int index, int smss)
    {
        int rest = packet.SequenceLength;
        int part = 0;
        while (smss > 0 && packet.Length - (part * smss) > smss)
        {
            pieces.Add(new Piece(offset, smss, index, part++));
            (offset, rest) = (offset + smss, rest - smss);
        }

        pieces.Add(new Piece(offset, rest, index, part));
    }
}

/// <summary>By what besides sequence numbers packets that carry nothing are known again.</summary>
enum AckKey
{
    /// <summary>Nothing: where a middlebox rewrites the rest.</summary>
    Numbers,

    /// <summary>The SACK blocks.</summary>
    SackBlocks,

    /// <summary>Timestamp and identification of the IP header: to see whether SACK blocks stay as they are.</summary>
    Identity,
}

/// <summary>Continues sequence numbers beyond 32 bits.</summary>
/// <param name="seq">A number that is known.</param>
/// <param name="offset">Its offset.</param>
struct SequenceUnwrapper(uint seq, long offset)
{
    uint _seq = seq;
    long _offset = offset;

    /// <summary>The offset of a number: that within 2 GB of the greatest one so far.</summary>
    public long Unwrap(uint number)
    {
        long found = _offset + unchecked((int)(number - _seq));
        if (found > _offset)
        {
            (_seq, _offset) = (number, found);
        }

        return found;
    }
}

/// <summary>Where the sequence numbers of an end begin at each point: a capture that began late is set by packets that another one saw too.</summary>
static class SequenceOrigins
{
    const int Looked = 64; // packets of the late capture that are looked for

    /// <summary>Finds the origins.</summary>
    /// <param name="sightings">The connection at the points.</param>
    /// <param name="isClient">Whose numbers.</param>
    /// <returns>One for each sighting.</returns>
    public static SequenceUnwrapper[] Of(IReadOnlyList<Sighting> sightings, bool isClient)
    {
        Sighting reference = sightings.FirstOrDefault(sighting => sighting.OpeningOf(isClient).IsSeen)
            ?? sightings.MaxBy(sighting => sighting.Seen.Packets.Count)!;
        uint first = reference.OpeningOf(isClient).IsSeen ? reference.OpeningOf(isClient).Isn : FirstOf(reference, isClient);
        uint origin = unchecked(first - reference.ShiftOf(isClient));
        return [.. sightings.Select(sighting => sighting.OpeningOf(isClient).IsSeen || sighting == reference
            ? new SequenceUnwrapper(unchecked(origin + sighting.ShiftOf(isClient)), 0)
            : Late(sighting, reference, isClient, origin))];
    }

    static SequenceUnwrapper Late(Sighting late, Sighting reference, bool isClient, uint origin)
    {
        Dictionary<uint, uint> looked = []; // numbers and timestamps of its first packets
        for (int i = 0; i < late.Seen.Packets.Count && looked.Count < Looked; i++)
        {
            ref readonly SeenPacket packet = ref late.Seen.Packets[i];
            if (packet.IsFromHigh == (isClient == late.IsClientHigh) && packet.SequenceLength > 0)
            {
                looked.TryAdd(unchecked(packet.Seq - late.ShiftOf(isClient)), packet.TsVal);
            }
        }

        var unwrap = new SequenceUnwrapper(unchecked(origin + reference.ShiftOf(isClient)), 0);
        for (int i = 0; i < reference.Seen.Packets.Count; i++)
        {
            ref readonly SeenPacket packet = ref reference.Seen.Packets[i];
            if (packet.IsFromHigh != (isClient == reference.IsClientHigh) || packet.Has(PacketMarks.Rst))
            {
                continue;
            }

            long offset = unwrap.Unwrap(packet.Seq);
            uint seq = unchecked(packet.Seq - reference.ShiftOf(isClient));
            if (looked.TryGetValue(seq, out uint stamp) && stamp == packet.TsVal)
            {
                return new SequenceUnwrapper(unchecked(seq + late.ShiftOf(isClient)), offset);
            }
        }

        return new SequenceUnwrapper(unchecked(origin + late.ShiftOf(isClient)), 0);
    }

    static uint FirstOf(Sighting sighting, bool isClient)
    {
        for (int i = 0; i < sighting.Seen.Packets.Count; i++)
        {
            ref readonly SeenPacket packet = ref sighting.Seen.Packets[i];
            if (packet.IsFromHigh == (isClient == sighting.IsClientHigh) && !packet.Has(PacketMarks.Rst))
            {
                return packet.Seq;
            }
        }

        return 0;
    }
}

/// <summary>How large the segments of a direction are, whatever offloads make of them.</summary>
static class SegmentSize
{
    const int TimestampBytes = 12; // RFC 7323 §3.2, padded
    const int MinPackets = 20; // fewer may all be short
    const int MaxEthernetPayload = 1460;

    /// <summary>Payload of a full segment.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="isClient">Whose data.</param>
    /// <returns>Bytes; 0 when not known.</returns>
    public static int Of(SharedConnection connection, bool isClient)
    {
        int agreed = Agreed(connection);
        int largest = 0;
        foreach (Sighting sighting in connection.Sightings)
        {
            int most = Largest(sighting, isClient, out int packets);
            bool isWhole = most <= (agreed > 0 ? agreed : MaxEthernetPayload);
            largest = isWhole && packets >= MinPackets ? Math.Max(largest, most) : largest;
        }

        return largest > 0 ? largest : agreed;
    }

    // RFC 9293 §3.7.1: the lesser of both ends, less the room of options that every segment has. A middlebox may lower it on the way.
    static int Agreed(SharedConnection connection)
    {
        Opening[] openings =
        [
            .. connection.Sightings.SelectMany(sighting => new[] { sighting.OpeningOf(isClient: true), sighting.OpeningOf(isClient: false) }),
        ];
        int[] sizes = [.. openings.Where(opening => opening is { IsSeen: true, Mss: > 0 }).Select(opening => opening.Mss)];
        bool hasTimestamps = openings.Any(opening => opening.IsSeen) && openings.Where(opening => opening.IsSeen).All(opening => opening.HasTimestamps);
        return sizes.Length == 0 ? 0 : Math.Max(1, sizes.Min() - (hasTimestamps ? TimestampBytes : 0));
    }

    static int Largest(Sighting sighting, bool isClient, out int count)
    {
        (int most, count) = (0, 0);
        for (int i = 0; i < sighting.Seen.Packets.Count; i++)
        {
            ref readonly SeenPacket packet = ref sighting.Seen.Packets[i];
            if (packet.Length > 0 && packet.IsFromHigh == (isClient == sighting.IsClientHigh))
            {
                count++;
                most = Math.Max(most, packet.Length);
            }
        }

        return most;
    }
}
