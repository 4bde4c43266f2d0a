using System;
using System.Collections.Generic;

namespace TcpDiag.Impairment.Losses;

/// <summary>Finds a packet's number by binary search: behind a reordering segment numbers do not come in order.</summary>
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
