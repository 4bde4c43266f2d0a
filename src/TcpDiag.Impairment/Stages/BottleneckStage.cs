using System.Runtime.InteropServices;
using TcpDiag.Impairment.Decisions;
using TcpDiag.Impairment.Rates;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>
/// A queue with tail drop in front of a link of limited rate, marking ECN-capable packets that find the queue deep (a step threshold, as RFC 8257 §3.1 has it).
/// A packet counts as queued until its transmission begins; one that need not wait is never dropped.
/// </summary>
sealed class BottleneckStage(ILinkRate link, LinkOverhead overhead, QueueLimit limit, QueueLimit markAt) : ILinkStage
{
    readonly Backlog _backlog = new();

    // The usual link is asked without looking up whose method it is, and most add nothing.
    readonly TokenBucket? _bucket = link as TokenBucket;
    readonly LinkOverhead? _overhead = overhead == LinkOverhead.None ? null : overhead;

    public ImpairmentAction Process(ref LinkPacket packet)
    {
        TraceTime now = packet.DueAt;
        _backlog.Advance(now);
        TraceTime start = _bucket is { } bucket ? bucket.NextStart(now) : link.NextStart(now);
        ImpairmentAction action = ImpairmentAction.None;
        if (start > now)
        {
            if (!_backlog.Fits(packet.LengthBytes, limit))
            {
                return ImpairmentAction.DropQueue;
            }

            action = Mark(ref packet);
            _backlog.Add(start, packet.LengthBytes);
        }

        int length = _overhead?.OnWire(packet.LengthBytes) ?? packet.LengthBytes;
        packet.DueAt = _bucket is not null ? _bucket.Take(now, length) : link.Take(now, length);
        return action;
    }

    ImpairmentAction Mark(ref LinkPacket packet)
    {
        bool capable = packet.Ecn is EcnCodepoint.Ect0 or EcnCodepoint.Ect1;
        if (!capable || !_backlog.Reaches(markAt))
        {
            return ImpairmentAction.None;
        }

        packet.Marks |= PacketMarks.CongestionExperienced;
        return ImpairmentAction.MarkEcn;
    }
}

/// <summary>A number of bytes, packets or bandwidth–delay products: the size of a queue, or a depth in it.</summary>
/// <param name="Amount">How much; at least 0.</param>
/// <param name="Unit">Of what.</param>
public sealed record QueueDepth(double Amount, QueueUnit Unit);

/// <summary>The unit of a queue depth.</summary>
public enum QueueUnit
{
    /// <summary>Bytes of packets.</summary>
    Bytes = 0,

    /// <summary>Packets, whatever their length.</summary>
    Packets = 1,

    /// <summary>Bytes in multiples of the direction's rate times the round-trip time of the whole path.</summary>
    BandwidthDelayProducts = 2,
}

/// <summary>A depth of a queue in bytes and packets, whichever is reached first; unlimited by default.</summary>
readonly record struct QueueLimit(long Bytes, int Packets)
{
    const double BitsPerByte = 8;
    const double NanosecondsPerSecond = 1e9;

    public static readonly QueueLimit None = new(long.MaxValue, int.MaxValue);

    /// <summary>Whether a packet may wait beside those that do; the first may always.</summary>
    public bool Fits(int packets, long bytes, int lengthBytes) => packets == 0 || (packets < Packets && lengthBytes <= Bytes - bytes);

    /// <summary>Whether a queue is so deep.</summary>
    public bool IsReachedBy(int packets, long bytes) => packets >= Packets || bytes >= Bytes;

    /// <summary>Converts a depth to bytes or packets for a rate and a round-trip time.</summary>
    public static QueueLimit Resolve(QueueDepth? depth, long rateBitsPerSecond, long rttNanos) => depth switch
    {
        null => None,
        { Unit: QueueUnit.Packets } => new(long.MaxValue, (int)depth.Amount),
        { Unit: QueueUnit.Bytes } => new((long)depth.Amount, int.MaxValue),
        _ => new((long)(depth.Amount * rateBitsPerSecond / BitsPerByte * (rttNanos / NanosecondsPerSecond)), int.MaxValue),
    };
}

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
