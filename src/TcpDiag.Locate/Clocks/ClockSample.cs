using System;
using System.Collections.Generic;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Clocks;

/// <summary>One packet at two points.</summary>
/// <param name="Near">When it passed the point nearer to the client, ns by that point's clock.</param>
/// <param name="Far">When it passed the other, ns by its clock.</param>
/// <param name="IsFromClient">Whether the client sent it.</param>
readonly record struct ClockSample(long Near, long Far, bool IsFromClient)
{
    // More does not make a clock any better known.
    const int Enough = 60_000;

    // A delayed acknowledgment is out by then (RFC 9293 §3.8.6.3: 0.5 s at most).
    const long MaxApartNanos = 500_000_000;

    /// <summary>How far the other clock is ahead, the packet's delay included.</summary>
    public long Difference => unchecked(Far - Near);

    /// <summary>
    /// Packets that both points saw exactly once. Which of many are taken depends on their numbers alone, so that both points take the same.
    /// </summary>
    /// <param name="near">The connection at the point nearer to the client, or so it is assumed.</param>
    /// <param name="far">The connection at the other.</param>
    /// <returns>The samples in the order of the first point.</returns>
    public static List<ClockSample> Of(Sighting near, Sighting far)
    {
        // Timestamps tell retransmissions apart, unless a middlebox rewrites them.
        List<ClockSample> samples = Of(near, far, hasStamp: true);
        int packets = Math.Min(near.Seen.Packets.Count, far.Seen.Packets.Count);
        return samples.Count > Math.Min(packets, Enough) / 4 ? samples : Richer(samples, Of(near, far, hasStamp: false));
    }

    static List<ClockSample> Richer(List<ClockSample> one, List<ClockSample> other) => one.Count >= other.Count ? one : other;

    static List<ClockSample> Of(Sighting near, Sighting far, bool hasStamp)
    {
        uint share = (uint)(1 + (Math.Max(near.Seen.Packets.Count, far.Seen.Packets.Count) / Enough));
        Dictionary<ulong, int> there = Singles(far, share, hasStamp);
        var samples = new List<ClockSample>();
        foreach ((ulong key, int index) in Singles(near, share, hasStamp))
        {
            if (index >= 0 && there.TryGetValue(key, out int other) && other >= 0)
            {
                ref readonly SeenPacket packet = ref near.Seen.Packets[index];
                samples.Add(new ClockSample(packet.Time, far.Seen.Packets[other].Time, packet.IsFromHigh == near.IsClientHigh));
            }
        }

        samples.Sort(static (one, two) => one.Near.CompareTo(two.Near));
        return samples;
    }

    /// <summary>
    /// How many neighbouring packets say that the first point is nearer to the client, less those that say the opposite: what goes there and back takes
    /// longer seen from the nearer one, whatever the clocks say.
    /// </summary>
    public static int Votes(IReadOnlyList<ClockSample> samples)
    {
        int votes = 0;
        ClockSample? there = null;
        ClockSample? back = null;
        foreach (ClockSample sample in samples)
        {
            there = sample.IsFromClient ? sample : there;
            back = sample.IsFromClient ? back : sample;
            if (there is { } one && back is { } two && Math.Abs(one.Near - two.Near) < MaxApartNanos)
            {
                votes += Math.Sign(one.Difference - two.Difference);
            }
        }

        return votes;
    }

    // Negative where a key comes twice.
    static Dictionary<ulong, int> Singles(Sighting sighting, uint share, bool hasStamp)
    {
        PacketLog packets = sighting.Seen.Packets;
        var singles = new Dictionary<ulong, int>();
        for (int i = 0; i < packets.Count; i++)
        {
            ref readonly SeenPacket packet = ref packets[i];
            bool isClient = packet.IsFromHigh == sighting.IsClientHigh;
            ulong key = KeyOf(packet, sighting, isClient) ^ (hasStamp ? BitMixer.Mix(packet.TsVal) : 0);
            if (key % share == 0 && !singles.TryAdd(key, i))
            {
                singles[key] = -1;
            }
        }

        return singles;
    }

    // No length: an offloaded segment begins where the first of those begins into which it is cut. SACK blocks may be rewritten, and so they do not count.
    static ulong KeyOf(in SeenPacket packet, Sighting sighting, bool isClient)
    {
        uint seq = unchecked(packet.Seq - sighting.ShiftOf(isClient));
        uint ack = packet.Has(PacketMarks.Ack) ? unchecked(packet.Ack - sighting.ShiftOf(!isClient)) : 0;
        ulong kind = (isClient ? 1UL : 0UL) | (packet.SequenceLength > 0 ? 2UL : 0UL) | (packet.Has(PacketMarks.Rst) ? 4UL : 0UL);
        return BitMixer.Mix(BitMixer.Mix(((ulong)seq << 32) | (packet.SequenceLength > 0 ? 0 : ack)) ^ kind);
    }
}
