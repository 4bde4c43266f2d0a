using System;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>Whether cwnd was what limited a sender in the present round trip: it grows only then (RFC 9438 §5.8).</summary>
/// <param name="firstByte">Sequence number of the first byte of data.</param>
struct CwndUse(SequenceNumber firstByte)
{
    SequenceNumber _roundEnd = firstByte; // SND.NXT after the first segment of the round
    long _maxFlight;
    bool _wasLimited;

    /// <summary>cwnd kept a segment back.</summary>
    public void OnHeld() => _wasLimited = true;

    /// <summary>A segment was sent; it may begin a round. One that sends no more is judged by the last round in which it did.</summary>
    public void OnSent(SequenceNumber una, SequenceNumber sndNxt, long flightBytes)
    {
        if (una >= _roundEnd)
        {
            this = new CwndUse(sndNxt);
        }

        _maxFlight = Math.Max(_maxFlight, flightBytes);
    }

    /// <summary>Whether cwnd was the limit; in slow start half of it in flight is enough, since acknowledgments free as much again (RFC 7661 §4.4).</summary>
    public readonly bool IsLimited(bool inSlowStart, long cwnd) => _wasLimited || (inSlowStart && cwnd < 2 * _maxFlight);
}
