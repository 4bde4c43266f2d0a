using TcpDiag.Wire;

namespace TcpDiag.Impairment.Reordering;

/// <summary>
/// Holds at most one packet of a segment back until enough successors have been given their instants, then lets it leave right behind the last of them. If they do not
/// come the packet leaves by itself <see cref="LimitNs"/> late: the last packet of a flow must not be lost.
/// </summary>
sealed class SwapHold(int packets)
{
    // 100 ms: longer than the gap between packets of a busy flow, shorter than the 200–300 ms after which a retransmission timer would fire.
    public const long LimitNs = 100_000_000;

    int _slot = -1;
    int _left;
    TraceTime _ownDue;

    public bool IsHolding => _slot >= 0;

    /// <summary>Remembers a packet just put into <paramref name="slot"/> with the limit added to its instant.</summary>
    public void Hold(int slot, TraceTime ownDue)
    {
        _slot = slot;
        _left = packets;
        _ownDue = ownDue;
    }

    /// <summary>A successor was given its instant.</summary>
    public void OnSuccessor(DepartureHeap departures, TraceTime due)
    {
        _left--;
        if (_left > 0)
        {
            return;
        }

        departures.MoveTo(_slot, due > _ownDue ? due : _ownDue);
        _slot = -1;
    }

    /// <summary>The packet in <paramref name="slot"/> leaves.</summary>
    public void OnDeparture(int slot)
    {
        if (slot == _slot)
        {
            _slot = -1;
        }
    }
}
