using System;
using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>
/// What was sent and is not acknowledged cumulatively (RFC 6675 §3): a ring in order of sequence numbers, and sums over it that only its methods change.
/// </summary>
sealed class Scoreboard
{
    const int InitialSegments = 16; // a power of two: most connections never have more in flight

    SentSegment[] _ring = new SentSegment[InitialSegments];
    RackSegment[] _delivered = new RackSegment[InitialSegments];
    int _first;
    int _deliveredCount;

    /// <summary>Segments outstanding.</summary>
    public int Count { get; private set; }

    /// <summary>Bytes outstanding: FlightSize.</summary>
    public long FlightBytes { get; private set; }

    /// <summary>Segments of these that are SACKed.</summary>
    public int SackedSegments { get; private set; }

    /// <summary>Bytes SACKed.</summary>
    public long SackedBytes { get; private set; }

    /// <summary>Bytes that count as lost and were not retransmitted since.</summary>
    public long LostBytes { get; private set; }

    /// <summary>Bytes that duplicate acknowledgments without SACK say have arrived, nobody knows which (RFC 9937 §6.2).</summary>
    public long ArrivedBytes { get; private set; }

    /// <summary>
    /// Bytes thought to be in the network: neither arrived nor lost (pipe of RFC 6675 §4, with one count for an original that is lost and resent).
    /// </summary>
    public long PipeBytes => FlightBytes - SackedBytes - LostBytes - ArrivedBytes;

    /// <summary>Behind the highest byte SACKed so far; meaningless while nothing is.</summary>
    public SequenceNumber HighestSacked { get; private set; }

    /// <summary>What the acknowledgment that is processed newly delivered, in ascending order of ends.</summary>
    public ReadOnlySpan<RackSegment> Delivered => _delivered.AsSpan(0, _deliveredCount);

    /// <summary>A segment by its position from SND.UNA, 0 … <see cref="Count"/> − 1.</summary>
    public ref readonly SentSegment this[int index] => ref At(index);

    /// <summary>Takes in new data that was sent.</summary>
    public void Append(in RackSegment segment)
    {
        if (Count == _ring.Length)
        {
            Grow();
        }

        At(Count++) = new SentSegment { Rack = segment };
        FlightBytes += segment.EndSeq - segment.Seq;
    }

    /// <summary>Takes in that a segment was sent again.</summary>
    public void OnRetransmitted(int index, TraceTime now, uint tsVal)
    {
        ref SentSegment segment = ref At(index);
        SetLost(ref segment, isLost: false);
        segment.WasUnmarked = false;
        segment.Rack.XmitTime = now;
        segment.Rack.Tsval = tsVal;
        segment.Rack.IsRetransmitted = true;
    }

    /// <summary>Marks a segment as lost.</summary>
    public void MarkLost(int index)
    {
        SetLost(ref At(index), isLost: true);
        ArrivedBytes = Math.Min(ArrivedBytes, Math.Max(MaxArrivedBytes, 0));
    }

    /// <summary>Takes back all marks of loss: the recovery was unnecessary.</summary>
    public void ForgetLosses()
    {
        for (int i = 0; i < Count; i++)
        {
            ref SentSegment segment = ref At(i);
            segment.WasUnmarked |= segment.Rack.IsLost;
            SetLost(ref segment, isLost: false);
        }
    }

    /// <summary>Takes in what an acknowledgment says of arrivals.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="duplicateBytes">For how much a duplicate counts: SMSS without SACK, else 0.</param>
    /// <returns>Bytes newly delivered.</returns>
    public long Deliver(in AckArrival ack, int duplicateBytes)
    {
        BeginAck();
        long delivered = AcknowledgeTo(ack.Una);
        foreach (SackBlock block in ack.NewsAscending(stackalloc SackBlock[AckArrival.MaxBlocks]))
        {
            delivered += Sack(block);
        }

        return ack.IsDuplicate ? delivered + OnDuplicateAck(duplicateBytes) : delivered;
    }

    /// <summary>Begins with an acknowledgment.</summary>
    public void BeginAck() => _deliveredCount = 0;

    /// <summary>Takes in the cumulative acknowledgment.</summary>
    /// <returns>Bytes newly delivered with it.</returns>
    public long AcknowledgeTo(SequenceNumber una)
    {
        long delivered = 0;
        while (Count > 0 && At(0).Rack.EndSeq <= una)
        {
            ref SentSegment segment = ref At(0);
            delivered += Deliver(ref segment);
            Remove(ref segment);
        }

        if (Count > 0 && At(0).Rack.Seq < una)
        {
            delivered += Trim(ref At(0), una);
        }

        return delivered - TakeArrived(delivered);
    }

    /// <summary>A duplicate acknowledgment without SACK: some segment behind the first one arrived.</summary>
    /// <returns>Bytes that counts for.</returns>
    public long OnDuplicateAck(int smss)
    {
        long bytes = Math.Clamp(MaxArrivedBytes - ArrivedBytes, 0, smss);
        ArrivedBytes += bytes;
        return bytes;
    }

    /// <summary>The retransmission timer expired: what duplicates said no longer counts.</summary>
    public void ForgetArrived() => ArrivedBytes = 0;

    /// <summary>Takes in a SACK block; parts of segments stay as they are.</summary>
    /// <returns>Bytes newly delivered.</returns>
    public long Sack(SackBlock block)
    {
        long delivered = 0;
        for (int i = Find(block.Left); i < Count && At(i).Rack.EndSeq <= block.Right; i++)
        {
            ref SentSegment segment = ref At(i);
            delivered += Deliver(ref segment);
            if (!segment.IsSacked)
            {
                MarkSacked(ref segment);
            }
        }

        return delivered;
    }

    /// <summary>Whether a segment that was sent again is thought to be in the network.</summary>
    public bool HasRetransmissionsOut
    {
        get
        {
            for (int i = 0; i < Count; i++)
            {
                ref readonly SentSegment segment = ref At(i);
                if (segment.Rack is { IsRetransmitted: true, IsLost: false } && !segment.IsSacked)
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>Position of the first segment that counts as lost; −1 when there is none.</summary>
    public int FirstLost()
    {
        for (int i = 0; i < Count && LostBytes > 0; i++)
        {
            if (At(i).Rack.IsLost)
            {
                return i;
            }
        }

        return -1;
    }

    /// <summary>Position of the first segment that begins at a sequence number or behind it.</summary>
    public int Find(SequenceNumber sequence)
    {
        int low = 0;
        int high = Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = At(middle).Rack.Seq < sequence ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    // The first segment is missing.
    long MaxArrivedBytes => FlightBytes - SackedBytes - LostBytes - (Count > 0 && !At(0).Rack.IsLost ? At(0).Bytes : 0);

    ref SentSegment At(int index) => ref _ring[(_first + index) & (_ring.Length - 1)];

    // One segment of what is acknowledged is the missing one; duplicates announced the others.
    long TakeArrived(long delivered)
    {
        if (ArrivedBytes == 0 || _deliveredCount == 0)
        {
            return 0;
        }

        long announced = Math.Min(ArrivedBytes, Math.Max(delivered - (_delivered[0].EndSeq - _delivered[0].Seq), 0));
        ArrivedBytes = Math.Min(ArrivedBytes - announced, Math.Max(MaxArrivedBytes, 0));
        return announced;
    }

    long Deliver(ref SentSegment segment)
    {
        if (segment.IsSacked)
        {
            return 0;
        }

        if (_deliveredCount == _delivered.Length)
        {
            Array.Resize(ref _delivered, 2 * _delivered.Length);
        }

        _delivered[_deliveredCount++] = segment.Rack;
        return segment.Bytes;
    }

    void MarkSacked(ref SentSegment segment)
    {
        SetLost(ref segment, isLost: false);
        HighestSacked = SackedSegments == 0 || segment.Rack.EndSeq > HighestSacked ? segment.Rack.EndSeq : HighestSacked;
        segment.IsSacked = true;
        SackedSegments++;
        SackedBytes += segment.Bytes;
    }

    void Remove(ref SentSegment segment)
    {
        SetLost(ref segment, isLost: false);
        SackedSegments -= segment.IsSacked ? 1 : 0;
        SackedBytes -= segment.IsSacked ? segment.Bytes : 0;
        FlightBytes -= segment.Bytes;
        _first = (_first + 1) & (_ring.Length - 1);
        Count--;
    }

    long Trim(ref SentSegment segment, SequenceNumber una)
    {
        int bytes = una - segment.Rack.Seq;
        FlightBytes -= bytes;
        SackedBytes -= segment.IsSacked ? bytes : 0;
        LostBytes -= segment.Rack.IsLost ? bytes : 0;
        segment.Rack.Seq = una;
        return segment.IsSacked ? 0 : bytes;
    }

    void SetLost(ref SentSegment segment, bool isLost)
    {
        if (segment.Rack.IsLost != isLost && !(isLost && segment.IsSacked))
        {
            LostBytes += isLost ? segment.Bytes : -segment.Bytes;
            segment.Rack.IsLost = isLost;
        }
    }

    void Grow()
    {
        SentSegment[] larger = new SentSegment[2 * _ring.Length];
        for (int i = 0; i < Count; i++)
        {
            larger[i] = At(i);
        }

        (_ring, _first) = (larger, 0);
    }
}

/// <summary>A segment on the scoreboard.</summary>
struct SentSegment
{
    /// <summary>What RACK knows of it.</summary>
    public RackSegment Rack;

    /// <summary>Whether it is SACKed.</summary>
    public bool IsSacked;

    /// <summary>Whether a mark of loss was taken back since it was sent last.</summary>
    public bool WasUnmarked;

    /// <summary>Its bytes.</summary>
    public readonly int Bytes => Rack.EndSeq - Rack.Seq;
}
