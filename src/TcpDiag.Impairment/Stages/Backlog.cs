using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>
/// What waits in front of the link: packets whose transmission has not begun. Since the queue is first in, first out and the rate is known, the
/// start of a packet's transmission is settled when it arrives; the queue is a ring of those instants.
/// </summary>
sealed class Backlog
{
    const int InitialCapacity = 256;

    readonly Ring<Entry> _ring = new(InitialCapacity);

    public int Packets => _ring.Count;

    public long Bytes { get; private set; }

    /// <summary>Removes the packets whose transmission has begun by <paramref name="now"/>.</summary>
    public void Advance(TraceTime now)
    {
        while (_ring.Count > 0 && _ring.First.Start <= now)
        {
            Bytes -= _ring.First.LengthBytes;
            _ring.RemoveFirst();
        }
    }

    public bool Fits(int lengthBytes, QueueLimit limit) => Packets < limit.Packets && lengthBytes <= limit.Bytes - Bytes;

    public bool Reaches(QueueLimit depth) => Packets >= depth.Packets || Bytes >= depth.Bytes;

    /// <summary>Adds a packet that waits until <paramref name="start"/>, not before any packet added earlier.</summary>
    public void Add(TraceTime start, int lengthBytes)
    {
        _ring.Add(new Entry(start, lengthBytes));
        Bytes += lengthBytes;
    }

    [StructLayout(LayoutKind.Auto)]
    readonly record struct Entry(TraceTime Start, int LengthBytes);
}
