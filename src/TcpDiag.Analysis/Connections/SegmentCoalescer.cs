using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// Coalesces data segments on their way to their connection, as network cards do to spare the stack (GRO, RSC): those that header prediction meets, and that
/// only add to what is in flight. They are most of a trace. What is held back here goes to the connection before anything else does, and before anybody sees
/// the connections: it shows nowhere else.
/// </summary>
/// <param name="connections">The connections.</param>
sealed class SegmentCoalescer(ConnectionTable connections)
{
    readonly CoalescedSegments _held = new(); // behind the latest segment that the connections have
    HeaderPrediction _prediction; // of the connection and direction of the latest segment

    /// <summary>The connections, with all segments taken in.</summary>
    public ConnectionTable Connections
    {
        get
        {
            HandOn();
            _held.Close(); // they may be changed
            return connections;
        }
    }

    /// <summary>Whether <see cref="TryContinue"/> has a prospect.</summary>
    public bool IsPredicting => _prediction.IsAny;

    /// <summary>Takes in a segment that goes on where the one before it ended, and says nothing else: nearly every data segment does.</summary>
    /// <param name="frame">A frame with an Ethernet header.</param>
    /// <param name="frameLength">Bytes of the frame on the wire.</param>
    /// <param name="time">When.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    /// <returns>False, and nothing is taken in, when it has to be parsed.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)] // by itself it finds registers for what it needs
    public bool TryContinue(ReadOnlySpan<byte> frame, int frameLength, TraceTime time, long number)
    {
        if (!_prediction.IsMet(frame, out PredictedSegment segment)
            || (!_held.TryAdd(segment, frameLength, time, number) && !TryLook(segment, frameLength, time, number)))
        {
            return false;
        }

        _prediction.GoOn(segment);
        return true;
    }

    /// <inheritdoc cref="ConnectionTable.OnSegment"/>
    public void OnSegment(in ParsedPacket packet, ReadOnlySpan<byte> frame, int frameLength, TraceTime time, TraceTime latest, long number)
    {
        HandOn();
        if (connections.OnSegment(packet, frame, frameLength, time, latest, number))
        {
            _prediction = HeaderPrediction.After(frame, packet);
            connections.BeginCoalescing(_held);
        }
        else
        {
            _prediction.Clear();
        }
    }

    // One that its connection has to look at.
    [MethodImpl(MethodImplOptions.NoInlining)] // those that are coalesced need no room for it
    bool TryLook(in PredictedSegment segment, int frameLength, TraceTime time, long number)
    {
        HandOn();
        if (!connections.TryContinue(segment, frameLength, time, number))
        {
            _held.Close();
            return false;
        }

        connections.BeginCoalescing(_held);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void HandOn()
    {
        if (_held.Packets > 0)
        {
            connections.OnCoalesced(_held);
            _held.Clear();
        }
    }
}
