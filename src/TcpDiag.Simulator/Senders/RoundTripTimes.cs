using System;
using TcpDiag.Tcp.Loss;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>The samples of a sender and what follows from them (RFC 6298).</summary>
struct RoundTripTimes
{
    RttEstimator _estimator;

    /// <summary>SRTT in ns.</summary>
    public readonly long SrttNanos => _estimator.SrttNanos;

    /// <summary>RTTVAR in ns.</summary>
    public readonly long RttVarNanos => _estimator.RttVarNanos;

    /// <summary>The sample of the latest acknowledgment in ns; 0 when it gave none.</summary>
    public long LatestNanos { get; private set; }

    /// <summary>RTO in ns, backoff included.</summary>
    public readonly long RtoNanos(in RtoLimits limits) => _estimator.RtoNanos(limits);

    /// <summary>The retransmission timer expired.</summary>
    public void OnTimeout() => _estimator.OnTimeout();

    /// <summary>The handshake is done.</summary>
    public void OnHandshakeDone(bool synTimedOut) => _estimator.OnHandshakeDone(synTimedOut);

    /// <summary>Takes a sample.</summary>
    public void OnSample(long rttNanos, long flightBytes, int smss) => _estimator.OnSample(rttNanos, RttEstimator.ExpectedSamples(flightBytes, smss));

    /// <summary>Of what an acknowledgment newly delivered, the segment sent last and never resent gives a sample (RFC 6298 §3).</summary>
    /// <returns>Whether there is one.</returns>
    public bool TryRead(ReadOnlySpan<RackSegment> delivered, TraceTime now)
    {
        TraceTime newest = TraceTime.Earliest;
        foreach (ref readonly RackSegment segment in delivered)
        {
            newest = !segment.IsRetransmitted && segment.XmitTime > newest ? segment.XmitTime : newest;
        }

        LatestNanos = newest > TraceTime.Earliest ? now - newest : 0;
        return LatestNanos > 0;
    }
}
