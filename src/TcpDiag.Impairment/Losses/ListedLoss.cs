using System;
using System.Collections.Generic;
using TcpDiag.Impairment.Randomness;

namespace TcpDiag.Impairment.Losses;

/// <summary>Exactly the listed packets are lost.</summary>
/// <param name="Ranges">Packet numbers of the direction (<see cref="LinkPacket.Id"/>), ascending, not overlapping.</param>
public sealed record ListedLoss(IReadOnlyList<PacketRange> Ranges) : LossSettings
{
    internal override ILossModel CreateModel(Xoshiro256 random) => new ListedLossModel(Ranges);
}

/// <summary>Packets <paramref name="First"/> to <paramref name="Last"/> of a direction, both included, counted from 1.</summary>
/// <param name="First">The first packet.</param>
/// <param name="Last">The last packet, not before the first.</param>
public readonly record struct PacketRange(long First, long Last);

/// <summary>Finds a packet's number by binary search: behind a segment that reorders, numbers arrive out of order.</summary>
sealed class ListedLossModel : ILossModel
{
    readonly long[] _first;
    readonly long[] _last;

    public ListedLossModel(IReadOnlyList<PacketRange> ranges)
    {
        _first = new long[ranges.Count];
        _last = new long[ranges.Count];
        for (int i = 0; i < ranges.Count; i++)
        {
            _first[i] = ranges[i].First;
            _last[i] = ranges[i].Last;
        }
    }

    public bool Loses(in LinkPacket packet)
    {
        int found = Array.BinarySearch(_first, packet.Id);
        int range = found >= 0 ? found : ~found - 1;
        return range >= 0 && packet.Id <= _last[range];
    }
}
