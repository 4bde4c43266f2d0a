using System;
using System.Collections.Generic;
using TcpDiag.Locate.Intake;

namespace TcpDiag.Locate.Packets;

/// <summary>
/// What a packet keeps from one point to the next, learnt from those that both saw exactly once: by what a retransmission is told from the original, how long
/// they usually need, and what is rewritten.
/// </summary>
sealed record StepTraits
{
    const int Enough = 20_000;
    const double NearlyAll = 0.95;
    const long MarginNanos = 500_000; // what capturing itself delays one packet more than another

    /// <summary>Whether the IP identification stays, and tells packets apart.</summary>
    public bool HasIpId { get; private init; }

    /// <summary>Whether TSval stays.</summary>
    public bool HasTsVal { get; private init; }

    /// <summary>Whether timestamps are taken out.</summary>
    public bool AreTimestampsStripped { get; private init; }

    /// <summary>Whether TSval is rewritten.</summary>
    public bool AreTimestampsRewritten { get; private init; }

    /// <summary>Whether the window field is rewritten.</summary>
    public bool IsWindowRewritten { get; private init; }

    /// <summary>Whether the IP identification is rewritten.</summary>
    public bool IsIpIdRewritten { get; private init; }

    /// <summary>Whether SACK blocks are.</summary>
    public bool IsSackRewritten { get; init; }

    /// <summary>Packets it rests on.</summary>
    public int Packets { get; private init; }

    /// <summary>The usual delay, ns.</summary>
    public long Typical { get; private init; }

    /// <summary>How much earlier than usual a packet may come.</summary>
    public long Earlier { get; private init; } = MarginNanos;

    /// <summary>How much later.</summary>
    public long Later { get; private init; } = MarginNanos;

    /// <summary>Learns from pieces at two neighbouring points.</summary>
    /// <param name="path">The path.</param>
    /// <param name="place">The first of both.</param>
    /// <param name="here">Its pieces.</param>
    /// <param name="there">Those of the next.</param>
    public static StepTraits Of(PathDirection path, int place, Piece[] here, Piece[] there)
    {
        var delays = new List<long>();
        var kept = new Kept();
        foreach ((Piece one, Piece two) in Singles(here, there))
        {
            ref readonly SeenPacket first = ref path.Packet(place, one.Packet);
            ref readonly SeenPacket second = ref path.Packet(place + 1, two.Packet);
            delays.Add(path.Delay(place, first.Time, place + 1, second.Time));
            if (!IsCut(first, one) && !IsCut(second, two)) // only the first part has what its own packet said
            {
                kept.Add(first, second);
            }
        }

        delays.Sort();
        return delays.Count == 0 ? new StepTraits() : kept.ToTraits() with
        {
            Packets = delays.Count,
            Typical = delays[delays.Count / 2],
            Earlier = delays[delays.Count / 2] - delays[0] + MarginNanos,
            Later = delays[^1] - delays[delays.Count / 2] + MarginNanos,
        };
    }

    /// <summary>Whether a packet may be the one seen before.</summary>
    /// <param name="before">There.</param>
    /// <param name="one">Which piece of it.</param>
    /// <param name="now">Here.</param>
    /// <param name="two">Which piece of it.</param>
    public bool MayBe(in SeenPacket before, in Piece one, in SeenPacket now, in Piece two) =>
        IsCut(before, one) || IsCut(now, two)
        || ((!HasIpId || before.IpId == now.IpId) && (!HasTsVal || before.TsVal == now.TsVal));

    static bool IsCut(in SeenPacket packet, in Piece piece) => packet.SequenceLength > piece.Length;

    static IEnumerable<(Piece Here, Piece There)> Singles(Piece[] here, Piece[] there)
    {
        // Spread over the whole connection: a step of so many keys decides alike at both points.
        long share = 1 + (Math.Max(here.Length, there.Length) / Enough);
        int found = 0;
        for (int i = 0, j = 0; i < here.Length && j < there.Length;)
        {
            int order = Compare(here[i], there[j]);
            if (order == 0 && IsSingle(here, i) && IsSingle(there, j)
                && (share == 1 || here[i].Offset / Math.Max(1, here[i].Length) % share == 0) && ++found <= 2 * Enough)
            {
                yield return (here[i], there[j]);
            }

            (i, j) = (order <= 0 ? i + 1 : i, order >= 0 ? j + 1 : j);
        }
    }

    static bool IsSingle(Piece[] pieces, int index) =>
        (index == 0 || Compare(pieces[index - 1], pieces[index]) != 0) && (index + 1 == pieces.Length || Compare(pieces[index], pieces[index + 1]) != 0);

    static int Compare(in Piece one, in Piece two) => one.Offset != two.Offset ? one.Offset.CompareTo(two.Offset) : one.Length.CompareTo(two.Length);

    /// <summary>How many packets kept what.</summary>
    sealed class Kept
    {
        int _packets;
        int _ids;
        int _sameIds;
        int _stamps;
        int _sameStamps;
        int _stripped;
        int _sameWindows;
        int _sacks;
        int _sameSacks;

        public void Add(in SeenPacket first, in SeenPacket second)
        {
            _packets++;
            _ids += first.IpId != 0 || second.IpId != 0 ? 1 : 0;
            _sameIds += first.IpId != 0 && first.IpId == second.IpId ? 1 : 0;
            _sameWindows += first.Window == second.Window ? 1 : 0;
            AddOptions(first, second);
        }

        public StepTraits ToTraits() => new()
        {
            HasIpId = _packets > 0 && _sameIds > NearlyAll * _packets,
            HasTsVal = _packets > 0 && _sameStamps > NearlyAll * _packets,
            AreTimestampsStripped = _stripped > _packets / 2,
            AreTimestampsRewritten = _stamps > 2 && _sameStamps < (1 - NearlyAll) * _stamps,
            IsWindowRewritten = _packets > 2 && _sameWindows < _packets / 2,
            IsIpIdRewritten = _ids > 2 && _sameIds < _ids / 2,
            IsSackRewritten = _sacks > 2 && _sameSacks < _sacks / 2,
        };

        void AddOptions(in SeenPacket first, in SeenPacket second)
        {
            (bool isStamped, bool staysStamped) = (first.Has(PacketMarks.Timestamps), second.Has(PacketMarks.Timestamps));
            _stamps += isStamped && staysStamped ? 1 : 0;
            _sameStamps += isStamped && staysStamped && first.TsVal == second.TsVal ? 1 : 0;
            _stripped += isStamped != staysStamped ? 1 : 0;
            bool isCut = first.Has(PacketMarks.OptionsCut) || second.Has(PacketMarks.OptionsCut);
            (bool hasSack, bool keepsSack) = (!isCut && first.Has(PacketMarks.Sack), !isCut && second.Has(PacketMarks.Sack));
            _sacks += hasSack || keepsSack ? 1 : 0;
            _sameSacks += hasSack && keepsSack && first.Hash == second.Hash ? 1 : 0;
        }
    }
}
