using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// Data segments of one end, each right behind the one before and in the same burst, that only add to what is in flight. One for all connections.
/// </summary>
sealed class CoalescedSegments
{
    const int MaxPackets = 32;

    readonly SendTime[] _sent = new SendTime[MaxPackets];
    CoalescingLimit _limit;

    /// <summary>Segments so far, each of them one on the wire.</summary>
    public int Packets { get; private set; }

    /// <summary>Bytes of their frames on the wire.</summary>
    public long FrameBytes { get; private set; }

    /// <summary>When the latest was sent; while there is none, the segment before them.</summary>
    public TraceTime Time { get; private set; }

    /// <summary>Number of the latest in the trace, from 1.</summary>
    public long PacketNumber { get; private set; }

    /// <summary>TSval of the latest; undefined while there is none, as what follows.</summary>
    public uint TsVal { get; private set; }

    /// <summary>IPv4 identification of the latest.</summary>
    public ushort IpId { get; private set; }

    /// <summary>Flags of the latest.</summary>
    public TcpFlags Flags { get; private set; }

    /// <summary>When each was sent.</summary>
    public ReadOnlySpan<SendTime> Sent => _sent.AsSpan(0, Packets);

    /// <summary>Begins behind a segment.</summary>
    /// <param name="time">When that was sent.</param>
    /// <param name="limit">Which segments only add to what is in flight then.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Begin(TraceTime time, in CoalescingLimit limit)
    {
        Time = time;
        _limit = limit;
    }

    /// <summary>Has no more segments added, until it begins anew.</summary>
    public void Close() => _limit = default;

    /// <summary>Forgets the segments: they were handed on. Others may still follow them.</summary>
    public void Clear() => (Packets, FrameBytes) = (0, 0);

    /// <summary>Adds a segment, if it only adds to what is in flight.</summary>
    /// <param name="segment">The segment, predicted from the one before.</param>
    /// <param name="frameLength">Bytes of its frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Its number in the trace, from 1.</param>
    /// <returns>False also when it came late, or the clock ran back.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAdd(in PredictedSegment segment, int frameLength, TraceTime time, long number)
    {
        SequenceNumber end = segment.Sequence + segment.PayloadLength;
        int packets = Packets;
        if (!_limit.Allows(segment, end) || (ulong)(time - Time) > Thresholds.BurstGapNanos || (uint)packets >= (uint)_sent.Length)
        {
            return false;
        }

        ref SendTime sent = ref _sent[packets];
        sent.Start = segment.Sequence;
        sent.End = end;
        sent.Time = time;
        Packets = packets + 1;
        _limit.GoOn();
        FrameBytes += frameLength;
        Time = time;
        PacketNumber = number;
        TsVal = segment.TsVal; // field by field, as it has just been written: the processor would make a load of all of it wait
        IpId = segment.IpId;
        Flags = segment.Flags;
        return true;
    }
}

/// <summary>Which segments say nothing but that more is in flight. The default value allows none.</summary>
struct CoalescingLimit
{
    /// <summary>Below what a segment has to end: from there on each is looked at.</summary>
    public SequenceNumber End;

    /// <summary>Payload up to which a segment says nothing new of sizes, bytes; 0 when none is allowed.</summary>
    public int MaxPayload;

    /// <summary>IPv4 identification of the next one.</summary>
    public ushort NextIpId;

    /// <summary>Whether identifications count segments; else they are all the same.</summary>
    public bool IsCounted;

    /// <summary>Takes in that a segment was added: it was one on the wire.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GoOn() => NextIpId += (ushort)(IsCounted ? 1 : 0);

    /// <summary>Whether a segment is allowed.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="end">Behind its last byte.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Allows(in PredictedSegment segment, SequenceNumber end) =>
        segment.PayloadLength <= MaxPayload && end - End < 0 && segment.IpId == NextIpId;
}
