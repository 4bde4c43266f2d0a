using System;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Delivery;

/// <summary>Whether the round trip grows with what is in flight: a queue on the path fills then. Sums of Pearson's correlation, in one pass.</summary>
struct RttLoad
{
    double _count;
    double _rtt;
    double _flight;
    double _rttRtt;
    double _flightFlight;
    double _rttFlight;
    long _longest;
    TracePosition _longestAt;

    /// <summary>The acknowledgment that gave the largest sample; null before any.</summary>
    public readonly TracePosition? Longest => _count > 0 ? _longestAt : null;

    /// <summary>Correlation of RTT samples and bytes in flight, −1 … 1; null where one of both never changes.</summary>
    public readonly double? Correlation
    {
        get
        {
            double variances = ((_count * _rttRtt) - (_rtt * _rtt)) * ((_count * _flightFlight) - (_flight * _flight));
            return variances > 0 ? ((_count * _rttFlight) - (_rtt * _flight)) / Math.Sqrt(variances) : null;
        }
    }

    /// <summary>Takes a sample.</summary>
    /// <param name="rtt">The RTT, nanoseconds.</param>
    /// <param name="inFlight">In flight when its acknowledgment came, bytes.</param>
    /// <param name="at">That acknowledgment.</param>
    public void Add(long rtt, int inFlight, TracePosition at)
    {
        double y = rtt;
        double x = inFlight;
        _count++;
        _rtt += y;
        _flight += x;
        _rttRtt += y * y;
        _flightFlight += x * x;
        _rttFlight += x * y;
        if (rtt > _longest)
        {
            _longest = rtt;
            _longestAt = at;
        }
    }
}
