using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// The delay test of HyStart++ (RFC 9406 §4.2): per round trip the smallest RTT, compared with that of the round before. A round ends when
/// what was SND.NXT at its start is acknowledged. The default value is the start of slow start.
/// </summary>
public struct DelayIncrease
{
    /// <summary>N_RTT_SAMPLE (RFC 9406 §4.3): samples a round needs before it is judged.</summary>
    public const int SamplesNeeded = 8;

    const long MinRttThreshNs = 4_000_000; // RFC 9406 §4.3
    const long MaxRttThreshNs = 16_000_000; // RFC 9406 §4.3
    const int MinRttDivisor = 8; // RFC 9406 §4.3

    SequenceNumber? _windowEnd;
    int _samples;

    /// <summary>lastRoundMinRTT in ns; 0 while unknown.</summary>
    public long LastRoundMinRttNs { get; private set; }

    /// <summary>currentRoundMinRTT in ns; 0 while unknown.</summary>
    public long CurrentRoundMinRttNs { get; private set; }

    /// <summary>Whether the round has samples enough to be judged.</summary>
    public readonly bool IsJudgeable => _samples >= SamplesNeeded;

    /// <summary>Whether the delay grew past the threshold since the last round.</summary>
    public readonly bool HasGrown =>
        IsJudgeable && LastRoundMinRttNs > 0 && CurrentRoundMinRttNs >= LastRoundMinRttNs + RttThreshNs(LastRoundMinRttNs);

    /// <summary>RttThresh: an eighth of the last round's minimum, held between 4 and 16 ms.</summary>
    /// <param name="lastRoundMinRttNs">lastRoundMinRTT in ns.</param>
    /// <returns>ns.</returns>
    public static long RttThreshNs(long lastRoundMinRttNs) => Math.Clamp(lastRoundMinRttNs / MinRttDivisor, MinRttThreshNs, MaxRttThreshNs);

    /// <summary>Takes an acknowledgment.</summary>
    /// <param name="sndUna">SND.UNA after it.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="rttNs">Its round-trip sample in ns; 0 when it gave none.</param>
    /// <returns>True when a round ended with it; the sample counts for the next one.</returns>
    public bool OnAckReceived(SequenceNumber sndUna, SequenceNumber sndNxt, long rttNs)
    {
        bool endsRound = _windowEnd is { } end && sndUna >= end;
        if (endsRound)
        {
            LastRoundMinRttNs = CurrentRoundMinRttNs;
            CurrentRoundMinRttNs = 0;
            _samples = 0;
        }

        _windowEnd = endsRound ? sndNxt : _windowEnd ?? sndNxt;
        if (rttNs > 0)
        {
            CurrentRoundMinRttNs = CurrentRoundMinRttNs == 0 ? rttNs : Math.Min(CurrentRoundMinRttNs, rttNs);
            _samples++;
        }

        return endsRound;
    }
}
