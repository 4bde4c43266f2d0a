using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>Sums up how long one end took to answer what the other had sent, while nothing of its own was in flight.</summary>
struct AnswerWaits
{
    TraceTime _lastData;
    TraceTime _from;
    TraceTime _to;
    long _packet;
    long _time;
    long _briefTime;
    int _count;

    /// <summary>Takes in new data.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="peer">The other direction, as the capture point has seen it.</param>
    /// <param name="path">The way from the capture point to the sender and back.</param>
    /// <param name="isAllAcknowledged">Whether nothing was in flight before.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnData(in Segment segment, in SendState peer, in CapturePath path, bool isAllAcknowledged)
    {
        bool isAnswer = isAllAcknowledged && peer.Space.HasData && peer.Times.LastSend > _lastData;
        _lastData = segment.Time;
        if (isAnswer)
        {
            Add(segment, segment.Time - peer.Times.LastSend - path.DelayNanos);
        }
    }

    /// <summary>Takes in new data that goes on with other data in flight.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnMoreData(TraceTime time) => _lastData = time;

    /// <summary>Sums up.</summary>
    /// <returns>The waits; null without any.</returns>
    public readonly AnswerSummary? Summarise() =>
        _count == 0 ? null : new(_time, _briefTime, _count, new(LimitState.Application, _from, _to, _packet));

    void Add(in Segment segment, long wait)
    {
        if (wait <= 0)
        {
            return;
        }

        _count++;
        _time += wait;
        _briefTime += wait <= Thresholds.MinIdleNanos ? wait : 0;
        if (wait > _to - _from)
        {
            _from = segment.Time + -wait;
            _to = segment.Time;
            _packet = segment.PacketNumber;
        }
    }
}
