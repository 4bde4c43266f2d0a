using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Congestion;

/// <summary>
/// HyStart as Linux's CUBIC has it (S. Ha, I. Rhee, "Taming the elephants: new TCP slow start", 2011), which RFC 9406 replaces: slow start ends as soon as
/// the acknowledgments of a round arrive close together for more than half a round trip (the train fills the path), or as the smallest of more than eight
/// samples of a round lies above the smallest ever. One early packet lowers the smallest ever for good. The default value is a connection's start.
/// </summary>
public struct LinuxHyStart
{
    /// <summary>hystart_low_window: nothing is tested below a window of so many segments.</summary>
    public const int LowCwndSegments = 16;

    const int MinSamples = 8; // HYSTART_MIN_SAMPLES
    const long TrainGapNanos = 2_000_000; // hystart_ack_delta_us
    const long AckDelayNanos = 1_000_000; // hystart_ack_delay, below 2 Gbit/s
    const long MinThreshNanos = 4_000_000; // HYSTART_DELAY_MIN
    const long MaxThreshNanos = 16_000_000; // HYSTART_DELAY_MAX

    readonly bool _isLate;
    SequenceNumber? _windowEnd;
    TraceTime _roundStart;
    TraceTime _lastAck;
    long _minRttNanos;
    long _roundMinRttNanos;
    int _samples;

    /// <summary>A connection's start.</summary>
    /// <param name="isLate">
    /// As Linux 5.16 to 6.13 have it: they count rounds from <see cref="LowCwndSegments"/> on alone, so that rounds begin in the middle of a train and seldom
    /// see one to its end. Mended in 6.14, and in stable releases since.
    /// </param>
    public LinuxHyStart(bool isLate)
    {
        _isLate = isLate;
    }

    /// <summary>Why slow start ended; <see cref="HyStartTrigger.None"/> while it goes on.</summary>
    public HyStartTrigger Trigger { get; private set; }

    /// <summary>An acknowledgment arrived in slow start.</summary>
    /// <param name="now">When.</param>
    /// <param name="sndUna">SND.UNA after it.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="rttNanos">Its round-trip sample in ns; 0 when it gave none, and then nothing is tested.</param>
    /// <param name="cwndSegments">cwnd in segments, as it was before the acknowledgment.</param>
    /// <param name="isPaced">Whether the sender paces: acknowledgments of a paced round are spread over it, so all of a round trip counts.</param>
    public void OnAckReceived(TraceTime now, SequenceNumber sndUna, SequenceNumber sndNxt, long rttNanos, double cwndSegments, bool isPaced)
    {
        if (rttNanos <= 0 || Trigger != HyStartTrigger.None)
        {
            return;
        }

        OnLowWindow(now, sndUna, sndNxt, rttNanos);
        if (cwndSegments < LowCwndSegments)
        {
            return;
        }

        if (_isLate)
        {
            BeginRoundBehind(now, sndUna, sndNxt);
        }

        Trigger = IsTrainLong(now, isPaced) ? HyStartTrigger.AckTrain : HasDelayGrown(rttNanos) ? HyStartTrigger.Delay : HyStartTrigger.None;
    }

    /// <summary>An acknowledgment arrived at a window below <see cref="LowCwndSegments"/>: its sample counts for the smallest ever, and rounds begin.</summary>
    /// <param name="now">When.</param>
    /// <param name="sndUna">SND.UNA after it.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <param name="rttNanos">Its round-trip sample, ns; more than 0.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnLowWindow(TraceTime now, SequenceNumber sndUna, SequenceNumber sndNxt, long rttNanos)
    {
        _minRttNanos = _minRttNanos == 0 ? rttNanos : Math.Min(_minRttNanos, rttNanos);
        if (!_isLate)
        {
            BeginRoundBehind(now, sndUna, sndNxt);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void BeginRoundBehind(TraceTime now, SequenceNumber sndUna, SequenceNumber sndNxt)
    {
        if (_windowEnd is not { } end || sndUna > end)
        {
            BeginRound(now, sndNxt);
        }
    }

    void BeginRound(TraceTime now, SequenceNumber sndNxt)
    {
        _windowEnd = sndNxt;
        _roundStart = now;
        _lastAck = now;
        _roundMinRttNanos = long.MaxValue;
        _samples = 0;
    }

    bool IsTrainLong(TraceTime now, bool isPaced)
    {
        if (now - _lastAck > TrainGapNanos)
        {
            return false;
        }

        _lastAck = now;
        long threshold = _minRttNanos + AckDelayNanos;
        return now - _roundStart > (isPaced ? threshold : threshold / 2);
    }

    bool HasDelayGrown(long rttNanos)
    {
        _roundMinRttNanos = Math.Min(_roundMinRttNanos, rttNanos);
        if (_samples < MinSamples)
        {
            _samples++;
            return false;
        }

        return _roundMinRttNanos > _minRttNanos + Math.Clamp(_minRttNanos / 8, MinThreshNanos, MaxThreshNanos);
    }
}

/// <summary>Why Linux's HyStart ended slow start; the kernel counts both (TcpExtTCPHystartTrainDetect, TcpExtTCPHystartDelayDetect).</summary>
public enum HyStartTrigger
{
    /// <summary>It goes on.</summary>
    None,

    /// <summary>Acknowledgments close together for half a round trip.</summary>
    AckTrain,

    /// <summary>The smallest sample of a round was above the smallest ever.</summary>
    Delay,
}
