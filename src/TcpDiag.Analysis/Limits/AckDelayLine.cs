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
    /// <param name="arrived">The acknowledgment.</param>
    /// <returns>False when the sender has none of them yet.</returns>
    public bool TryTake(TraceTime now, out ArrivedAck arrived)
    {
        arrived = _entries[_head];
        if (_count == 0 || arrived.Time > now)
        {
            return false;
        }

        _head = (byte)((_head + 1) % Length);
        _count--;
        return true;
    }

    [InlineArray(Length)]
    struct Entries
    {
        ArrivedAck _first;
    }
}
