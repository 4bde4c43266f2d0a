using System;
using System.Collections.Generic;
using TcpDiag.Locate.Intake;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Connections;

/// <summary>
/// What a connection is known by, whatever its addresses are: the smallest few hashes of its packets (bottom-k sampling, Broder 1997). Two captures of a
/// connection have the smallest hashes of what both saw in common, wherever each of them began.
/// </summary>
/// <param name="Hashes">The hashes, ascending; the lowest bit is the direction.</param>
sealed record Sketch(ulong[] Hashes)
{
    const int Size = 32;

    /// <summary>Those of sequence numbers, acknowledgments and timestamps.</summary>
    public static Sketch OfNumbers(SeenConnection connection) => Of(connection, static (in SeenPacket packet) =>
        !packet.Has(PacketMarks.Ack) && packet.TsVal == 0 ? 0 : BitMixer.Mix(BitMixer.Mix(((ulong)packet.Seq << 32) | packet.Ack) ^ packet.TsVal));

    /// <summary>Those of payload: its first bytes and its length.</summary>
    public static Sketch OfPayload(SeenConnection connection) => Of(connection, static (in SeenPacket packet) =>
        packet.Has(PacketMarks.PayloadHash) ? HashOfPayload(packet) : 0);

    /// <summary>Those of sequence numbers and acknowledgments counted from the initial ones; empty without both.</summary>
    public static Sketch OfPlaces(SeenConnection connection)
    {
        (Opening low, Opening high) = (connection.OpeningOf(isFromHigh: false), connection.OpeningOf(isFromHigh: true));
        return !low.IsSeen || !high.IsSeen ? new Sketch([]) : Of(connection, (in SeenPacket packet) =>
        {
            (uint own, uint other) = packet.IsFromHigh ? (high.Isn, low.Isn) : (low.Isn, high.Isn);
            return packet.Has(PacketMarks.Ack) ? BitMixer.Mix(unchecked(((ulong)(packet.Seq - own) << 32) | (packet.Ack - other))) : 0;
        });
    }

    /// <summary>The hash of a packet with payload.</summary>
    public static ulong HashOfPayload(in SeenPacket packet) => BitMixer.Mix(((ulong)packet.Hash << 32) | (uint)Math.Min(packet.Length, 64));

    /// <summary>How many hashes both have.</summary>
    /// <param name="other">The other.</param>
    /// <param name="turned">Of these, how many go the other way there.</param>
    public int InCommon(Sketch other, out int turned)
    {
        turned = 0;
        int common = 0;
        for (int i = 0, j = 0; i < Hashes.Length && j < other.Hashes.Length;)
        {
            (ulong one, ulong two) = (Hashes[i] >> 1, other.Hashes[j] >> 1);
            if (one == two)
            {
                common++;
                turned += (int)((Hashes[i] ^ other.Hashes[j]) & 1);
            }

            (i, j) = (one <= two ? i + 1 : i, two <= one ? j + 1 : j);
        }

        return common;
    }

    static Sketch Of(SeenConnection connection, Hashing hash)
    {
        var smallest = new SortedSet<ulong>();
        for (int i = 0; i < connection.Packets.Count; i++)
        {
            ref readonly SeenPacket packet = ref connection.Packets[i];
            ulong value = hash(packet);
            if (value == 0)
            {
                continue;
            }

            value = (value & ~1UL) | (packet.IsFromHigh ? 1UL : 0UL);
            if (smallest.Count < Size)
            {
                smallest.Add(value);
            }
            else if (value < smallest.Max && smallest.Add(value))
            {
                smallest.Remove(smallest.Max);
            }
        }

        return new Sketch([.. smallest]);
    }

    delegate ulong Hashing(in SeenPacket packet);
}
