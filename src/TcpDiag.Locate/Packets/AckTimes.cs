using System.Collections.Generic;
using TcpDiag.Locate.Connections;
using TcpDiag.Locate.Intake;

namespace TcpDiag.Locate.Packets;

/// <summary>When a point saw what acknowledgment first: what the receiver has acknowledged has come through, whether it was seen or not.</summary>
sealed class AckTimes
{
    readonly List<(long End, long Time)> _advances = [];

    /// <summary>Reads them.</summary>
    /// <param name="sighting">The point.</param>
    /// <param name="isClient">Whose data is acknowledged.</param>
    /// <param name="unwrap">Where its numbers begin.</param>
    public AckTimes(Sighting sighting, bool isClient, SequenceUnwrapper unwrap)
    {
        PacketLog packets = sighting.Seen.Packets;
        long most = long.MinValue;
        for (int i = 0; i < packets.Count; i++)
        {
            ref readonly SeenPacket packet = ref packets[i];
            if (packet.IsFromHigh != (isClient == sighting.IsClientHigh) && packet.Has(PacketMarks.Ack) && !packet.Has(PacketMarks.Rst))
            {
                long end = unwrap.Unwrap(packet.Ack);
                if (end > most)
                {
                    most = end;
                    _advances.Add((end, packet.Time));
                }
            }
        }
    }

    /// <summary>When everything before an offset was acknowledged.</summary>
    /// <param name="end">The offset.</param>
    /// <returns>ns by the point's clock; null when it did not see that.</returns>
    public long? Of(long end)
    {
        (int low, int high) = (0, _advances.Count);
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _advances[middle].End < end ? (middle + 1, high) : (low, middle);
        }

        return low < _advances.Count ? _advances[low].Time : null;
    }
}
