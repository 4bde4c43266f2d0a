using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// How fast data gets through from one loss to the next. A token bucket is empty whenever it drops a packet, so between any two losses it lets through what its
/// rate gives (Flach et al., An Internet-Wide Analysis of Traffic Policing, SIGCOMM 2016); what came through before the first one beyond that was its burst.
/// A loss counts once, with what is lost until everything sent by then is acknowledged.
/// </summary>
struct LossPace
{
    TraceTime _latest; // when the last data before the latest loss was acknowledged
    TraceTime _repaired; // when that was sent again first
    SequenceNumber _una; // SND.UNA at the latest loss
    SequenceNumber _end; // SND.MAX when it was repaired first
    long _firstBytes; // that came through before the first loss
    long _firstFlight; // in flight then
    long _firstNanos; // from the first data to the acknowledgment of these
    long _bytes; // sums over the intervals
    long _nanos;
    double _squares; // bytes² per nanosecond
    double _byteSquares;
    int _losses;
    long _minFlight; // in flight when a run of losses began
    SequenceNumber _runEnd; // what was sent before the repairs of the latest had ended

    /// <summary>What was in flight when something was lost; null when nothing was.</summary>
    public readonly LossOnset? Onset => _losses > 0 ? new(_firstFlight, _minFlight) : null;

    /// <summary>Takes in a retransmission.</summary>
    /// <param name="sent">Its end, after it.</param>
    /// <param name="segment">The retransmission.</param>
    public void OnResent(in SendState sent, in Segment segment)
    {
        SequenceNumber una = sent.Space.SndUna;
        TraceTime time = sent.Times.LastAck;
        OnRun(sent, segment);
        if (_losses > 0 && segment.Time - _repaired <= MaxUnseen(sent.Rtt.Handshake))
        {
            _end = sent.Space.SndMax;
            return;
        }

        bool isNew = segment.Start == una && time > sent.Times.FirstData && (_losses == 0 || una >= _end);
        if (!isNew)
        {
            return;
        }

        if (_losses == 0)
        {
            _firstFlight = sent.Space.InFlight;
            _firstBytes = sent.Counts.UniqueBytes - _firstFlight;
            _firstNanos = time - sent.Times.FirstData;
        }
        else
        {
            double bytes = una - _una;
            _bytes += una - _una;
            _nanos += time - _latest;
            _squares += bytes * bytes / (time - _latest);
            _byteSquares += bytes * bytes;
        }

        _losses++;
        _repaired = segment.Time;
        _latest = time;
        _una = una;
        _end = sent.Space.SndMax;
    }

    // Away from the sender, what was lost last of the same flight does not show until something comes that was sent later: a round trip after the repair, and a
    // quarter for what the sender waits.
    static long MaxUnseen(in HandshakeRtt rtt) => rtt.IsAtSender ? 0 : 5 * rtt.WholeNanos / 4;

    void OnRun(in SendState sent, in Segment segment)
    {
        bool isFirst = _minFlight == 0;
        if (isFirst || segment.Start >= _runEnd)
        {
            _minFlight = isFirst ? sent.Space.InFlight : Math.Min(_minFlight, sent.Space.InFlight);
        }

        _runEnd = sent.Space.SndMax;
    }

    /// <summary>What the losses have in common.</summary>
    /// <param name="minRttNanos">Smallest RTT sample, nanoseconds.</param>
    /// <returns>Null with fewer than two intervals between losses.</returns>
    public readonly LossPaceSummary? Summarise(long minRttNanos)
    {
        const double bitsPerSecond = 8e9; // of one byte per nanosecond
        int intervals = _losses - 1;
        if (intervals < 2)
        {
            return null;
        }

        double mean = (double)_bytes / _nanos;
        double variance = Math.Max((_squares / _nanos) - (mean * mean), 0); // by time: of a short interval, what the recovery holds back is a large part
        double share = (double)_bytes / intervals;
        double spread = Math.Sqrt(Math.Max((_byteSquares / intervals) - (share * share), 0)) / share;
        double burst = _firstBytes - (mean * Math.Max(_firstNanos - minRttNanos, 0));
        return new(intervals, mean * bitsPerSecond, Math.Sqrt(variance) / mean, spread, (long)Math.Max(burst, BeyondRate(mean * minRttNanos)));
    }

    // Slow start has half of all bytes in its last round, a quarter in the one before: what those have beyond the rate came out of the bucket. Where it had
    // ended before, the last round is what was in flight.
    readonly double BeyondRate(double bytesPerRound)
    {
        double beyond = 0;
        for (double round = Math.Min(_firstBytes / 2.0, _firstFlight); round > bytesPerRound && bytesPerRound > 0; round /= 2)
        {
            beyond += round - bytesPerRound;
        }

        return beyond;
    }
}
