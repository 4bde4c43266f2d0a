using System.Runtime.CompilerServices;
using TcpDiag.Traces;
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
    /// <param name="record">A packet with an Ethernet header.</param>
    /// <param name="number">Its number in the trace, from 1.</param>
    /// <returns>False, and nothing is taken in, when it has to be parsed.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)] // by itself it finds registers for what it needs
    public bool TryContinue(in TraceRecord record, long number)
    {
        if (!_prediction.IsMet(record.Data, out PredictedSegment segment)
            || (!_held.TryAdd(segment, record.OriginalLength, record.Time, number) && !TryLook(segment, record, number)))
        {
            return false;
        }

        _prediction.GoOn(segment);
        return true;
    }

    /// <summary>Takes in any TCP segment.</summary>
    /// <param name="packet">The segment.</param>
    /// <param name="record">The record it was parsed from.</param>
    /// <param name="latest">Instant of the latest record so far.</param>
    /// <param name="number">Number of the packet in the trace, from 1.</param>
    public void OnSegment(in ParsedPacket packet, in TraceRecord record, TraceTime latest, long number)
    {
        HandOn();
        if (connections.OnSegment(packet, record.Data, record.OriginalLength, record.Time, latest, number))
        {
            _prediction.Begin(record.Data, packet);
            connections.BeginCoalescing(_held);
        }
        else
        {
            _prediction.Clear();
        }
    }

    // One that its connection has to look at.
    [MethodImpl(MethodImplOptions.NoInlining)] // those that are coalesced need no room for it
    bool TryLook(in PredictedSegment segment, in TraceRecord record, long number)
    {
        HandOn();
        if (!connections.TryContinue(segment, record.OriginalLength, record.Time, number))
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
