using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Data segments, each the one that was predicted from that before it (<see cref="HeaderPrediction"/>). Where they come one right behind the other they are booked together: what they change
/// in their direction is then as the last of them leaves it.
/// </summary>
struct SegmentBurst
{
    // Where acknowledgments were not captured a burst may go on for gigabytes; sequence numbers tell no more than two.
    const int MostPackets = 1024;

    /// <summary>Bytes that a burst holds at most.</summary>
    public const int MostBytes = MostPackets * DirectionState.EthernetPayload;

    /// <summary>Packets.</summary>
    public int Packets;

    /// <summary>Bytes of their frames on the wire.</summary>
    public long FrameBytes;

    /// <summary>Sequence number of their first byte.</summary>
    public SequenceNumber Start;

    /// <summary>The last of them.</summary>
    public PredictedSegment Last;

    /// <summary>When the last of them was sent; while there is none, the segment before them.</summary>
    public TraceTime Time;

    /// <summary>Number of the last packet in the trace.</summary>
    public long PacketNumber;

    int _mostPayload; // 0 while none may be added
    long _mostGap; // ns

    /// <summary>Begins a burst behind a segment that was booked.</summary>
    /// <param name="time">When that was sent.</param>
    /// <param name="mostPayload">Largest payload of a segment, bytes.</param>
    /// <param name="mostGap">Longest time between two, nanoseconds; negative to have none added.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Begin(TraceTime time, int mostPayload, long mostGap)
    {
        Packets = 0;
        FrameBytes = 0;
        Time = time;
        _mostPayload = mostGap < 0 ? 0 : mostPayload;
        _mostGap = mostGap;
    }

    /// <summary>Ends the burst: nothing is added any more.</summary>
    public void End()
    {
        Packets = 0;
        FrameBytes = 0;
        _mostPayload = 0;
    }

    /// <summary>Adds a segment if it belongs to the burst.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="frameLength">Bytes of its frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    /// <returns>False when it is too large, too late, one too many, or the clock ran back.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAdd(in PredictedSegment segment, int frameLength, TraceTime time, long number)
    {
        bool belongs = segment.PayloadLength <= _mostPayload && (ulong)(time - Time) <= (ulong)_mostGap && Packets < MostPackets;
        if (belongs)
        {
            Add(segment, frameLength, time, number);
        }

        return belongs;
    }

    /// <summary>Adds a segment.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="frameLength">Bytes of its frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(in PredictedSegment segment, int frameLength, TraceTime time, long number)
    {
        if (Packets == 0)
        {
            Start = segment.Sequence;
        }

        Packets++;
        FrameBytes += frameLength;

        // One by one: what was just written in parts is slow to read as a whole.
        Last.Sequence = segment.Sequence;
        Last.PayloadLength = segment.PayloadLength;
        Last.TsVal = segment.TsVal;
        Last.IpId = segment.IpId;
        Last.Flags = segment.Flags;
        Time = time;
        PacketNumber = number;
    }
}
