using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Limits;
using TcpDiag.Analysis.Patterns;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Intake;

/// <summary>
/// All observers of a trace's connections, as one. The two that always observe are called by their own types: a call through the interface costs more than
/// what most segments say to them.
/// </summary>
/// <param name="limits">Limits.</param>
/// <param name="patterns">Patterns.</param>
/// <param name="others">Who else was asked for.</param>
sealed class SegmentObservers(LimitTracker limits, PatternTracker patterns, ISegmentObserver[] others) : IDirectionObserver
{
    /// <inheritdoc/>
    public void OnSegment(ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in Segment segment)
    {
        limits.OnSegment(ref connection, from, ref sender, ref receiver, segment);
        patterns.OnSegment(ref connection, from, sender, receiver, segment);
        foreach (ISegmentObserver other in others)
        {
            other.OnSegment(ref connection, from, segment);
        }
    }

    /// <inheritdoc/>
    public void OnPredicted(ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in Segment segment)
    {
        limits.OnPredicted(ref sender, ref receiver, segment);
        patterns.OnPredicted(ref connection, from, sender, receiver, segment);
        foreach (ISegmentObserver other in others)
        {
            other.OnSegment(ref connection, from, segment);
        }
    }

    /// <inheritdoc/>
    public SequenceNumber CoalescingLimit(in EndState sender, in EndState receiver) =>
        others.Length > 0 || PatternTracker.Watches(sender, receiver) ? sender.Send.Space.SndMax : LimitTracker.CoalescingLimit(sender, receiver);

    /// <inheritdoc/>
    public void OnCoalesced(ref EndState sender, ref EndState receiver, in Segment segment, int lastPayload) =>
        limits.OnCoalesced(ref sender, ref receiver, segment, lastPayload);

    /// <inheritdoc/>
    public void Close()
    {
        limits.Close();
        patterns.Close();
    }

    /// <inheritdoc/>
    public void Prefetch(in ConnectionState connection)
    {
        LimitTracker.Prefetch(connection);
        PatternTracker.Prefetch(connection);
    }

    /// <inheritdoc/>
    public void OnVerdict(in Retransmission item, RetransmissionNeed need)
    {
        foreach (ISegmentObserver other in others)
        {
            other.OnVerdict(item, need);
        }
    }

    /// <inheritdoc/>
    public void OnClockStep(ref ConnectionState connection, TraceTime time) => LimitTracker.OnClockStep(ref connection, time);

    /// <inheritdoc/>
    public bool IsAtSender(ref readonly ConnectionState connection, int from) => LimitTracker.IsAtSender(connection.Ends[from]);

    /// <inheritdoc/>
    public bool OnSenderHere(ref readonly ConnectionState connection, int from) => LimitTracker.OnSenderHere(connection.Ends[from]);

    /// <inheritdoc/>
    public void OnScaleShown(ref readonly ConnectionState connection, int from) => SenderLimits.OnScaleShown(connection.Ends[from]);

    /// <inheritdoc/>
    public long? SenderDelay(ref readonly ConnectionState connection, int from) => LimitTracker.SenderDelay(connection.Ends[from]);

    /// <inheritdoc/>
    public void OnTooBig(ref ConnectionState connection, int from, int mtu, TracePosition position) => patterns.OnTooBig(ref connection, from, mtu, position);

    /// <inheritdoc/>
    public DirectionMeasures Measure(ref readonly ConnectionState connection, int from, in DirectionFacts facts, TraceTime end, bool isOver)
    {
        DirectionMeasures measures = LimitTracker.Measure(connection.Ends[from], facts, isOver);
        measures.Patterns = PatternTracker.Summarise(connection.Ends[from], end);
        measures.Ecn = PatternTracker.EcnOf(connection, from);
        return measures;
    }

    /// <inheritdoc/>
    public void OnClosed(ref ConnectionState connection, Connection result)
    {
        limits.OnClosed(ref connection);
        patterns.OnClosed(ref connection);
        foreach (ISegmentObserver other in others)
        {
            other.OnClosed(ref connection, result);
        }
    }
}
