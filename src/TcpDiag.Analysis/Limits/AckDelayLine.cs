using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Acknowledgments on their way from the capture point to the sender, as far as a capture elsewhere than at the sender
/// concerns them. When more are under way than fit, the latest two become one.
/// </summary>
struct AckDelayLine
{
    const int Length = 32;

    Entries _entries;
    uint _echo; // timestamp of the latest one taken
    byte _head;
    byte _count;

    /// <summary>Adds an acknowledgment.</summary>
    /// <param name="arrived">The acknowledgment, with the instant at which the sender has it.</param>
    public void Add(in ArrivedAck arrived)
    {
        if (_count < Length)
        {
            _count++;
        }

        _entries[(_head + _count - 1) % Length] = arrived;
    }

    /// <summary>Takes the oldest acknowledgment if the sender has it by now.</summary>
    /// <param name="now">The instant.</param>
    /// <param name="echo">The timestamp that data of the sender echoes at this instant: it has what is older, and not what is newer, whenever that was expected. 0 when nothing tells.</param>
    /// <param name="arrived">The acknowledgment, which arrived now at the latest.</param>
    /// <returns>False when the sender has none of them yet.</returns>
    public bool TryTake(TraceTime now, uint echo, out ArrivedAck arrived)
    {
        arrived = _entries[_head];
        if (_count == 0 || !HasArrived(arrived, now, echo))
        {
            return false;
        }

        _echo = arrived.TsVal;

        arrived.Time = arrived.Time < now ? arrived.Time : now;
        _head = (byte)((_head + 1) % Length);
        _count--;
        return true;
    }

    // Of several with the timestamp that is echoed the sender has the first at least.
    readonly bool HasArrived(in ArrivedAck ack, TraceTime now, uint echo)
    {
        int newer = unchecked((int)(ack.TsVal - echo));
        bool isTold = echo != 0 && ack.TsVal != 0 && (newer != 0 || ack.TsVal != _echo);
        return isTold ? newer <= 0 : ack.Time <= now;
    }

    [InlineArray(Length)]
    struct Entries
    {
        ArrivedAck _first;
    }
}
