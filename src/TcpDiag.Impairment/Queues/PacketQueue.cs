namespace TcpDiag.Impairment.Queues;

/// <summary>Packets first in, first out, and how much they are.</summary>
sealed class PacketQueue
{
    const int InitialCapacity = 16;

    readonly Ring<LinkPacket> _ring = new(InitialCapacity);

    public int Packets => _ring.Count;

    public long Bytes { get; private set; }

    public void Add(in LinkPacket packet)
    {
        _ring.Add(in packet);
        Bytes += packet.LengthBytes;
    }

    /// <summary>Takes the oldest packet.</summary>
    /// <returns>False when there is none.</returns>
    public bool TryTake(out LinkPacket packet)
    {
        packet = default;
        if (Packets == 0)
        {
            return false;
        }

        packet = _ring.First;
        _ring.RemoveFirst();
        Bytes -= packet.LengthBytes;
        return true;
    }
}
