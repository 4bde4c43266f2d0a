using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Tcp.Congestion;

namespace TcpDiag.Analysis.Findings;

/// <summary>
/// Time lost to a cause: what the same transfer would have saved without it. Its duration is compared with that of a reference sender which nothing holds
/// back but the path: it begins with ten segments (RFC 6928), doubles each round trip until the path is full (RFC 5681 §3.1), and stays there.
/// </summary>
readonly struct TimeLost
{
    const double BitsPerByteNano = 8e9;
    const int MaxRounds = 60;
    const int EthernetMss = 1460; // where no segment shows it

    readonly double _share;
    readonly double _minShare;

    /// <summary>Compares a direction with the reference.</summary>
    /// <param name="subject">The direction.</param>
    public TimeLost(in DirectionSubject subject)
    {
        _share = ShareLost(subject, LinkRate(subject));
        _minShare = ShareLost(subject, ShownRate(subject));
    }

    /// <summary>The time lost, of the time a cause held the sender back.</summary>
    /// <param name="nanos">That time, nanoseconds.</param>
    /// <returns>At most and at least, nanoseconds: the path gives what bursts showed, or no more than was reached for two round trips.</returns>
    public (long Max, long Min) Of(long nanos) => ((long)(nanos * _share), (long)(nanos * Math.Min(_share, _minShare)));

    /// <summary>How long slow start takes for all bytes of a direction when nothing else holds it back, nanoseconds.</summary>
    public static double SlowStartNanos(in DirectionSubject subject) => ReferenceNanos(subject, null);

    /// <summary>
    /// What the slowest link gives, bits per second: as long as it was full, else as bursts showed it, or another connection between the same hosts; where data
    /// the other way bunches acknowledgments, what two round trips held. Null when nothing shows it.
    /// </summary>
    /// <param name="subject">The direction.</param>
    /// <returns>The rate.</returns>
    public static double? LinkRate(in DirectionSubject subject)
    {
        DeliverySummary? delivery = subject.Direction.Delivery;
        bool wasFull = delivery is { PathFullTime: > 0 } && delivery.PathFullTime >= Thresholds.MinFullRounds * subject.Rtt.Median;
        double? rate = wasFull ? delivery!.PathFullBitsPerSecond : Larger(BurstRate(subject), subject.HostsRate) ?? delivery?.PathFullBitsPerSecond;
        return rate is { } known ? Math.Max(known, delivery?.BestBitsPerSecond ?? 0) : null;
    }

    static double? BurstRate(in DirectionSubject subject) =>
        subject.OtherWay is null ? subject.Direction.Delivery?.BurstBitsPerSecond : subject.Direction.Delivery?.BestBitsPerSecond;

    static double? Larger(double? one, double? other) => one > other || other is null ? one : other;

    static double? ShownRate(in DirectionSubject subject) => subject.Direction.Delivery?.BestBitsPerSecond ?? subject.Direction.GoodputBitsPerSecond;

    // The reference waits for the program as long as the sender did.
    static double ShareLost(in DirectionSubject subject, double? rate)
    {
        long sending = subject.SendingTime;
        return sending > 0 ? Math.Clamp(1 - (ReferenceNanos(subject, rate) / sending), 0, 1) : 0;
    }

    // How long the reference takes for the same bytes.
    static double ReferenceNanos(in DirectionSubject subject, double? rate)
    {
        double rest = subject.Direction.UniqueBytes;
        double rtt = Math.Max(subject.Rtt.Samples > 0 ? subject.Rtt.Min : 0,
            RoundTrip.PathOf(subject.Connection) ?? 0); // in the middle, data shows a part of it
        double bytesPerNano = rate / BitsPerByteNano ?? double.PositiveInfinity;
        double window = InitialWindow.Ten(subject.Direction.Mss ?? EthernetMss);
        double time = rtt;
        for (int round = 0; round < MaxRounds && rest > 0; round++)
        {
            if (window >= bytesPerNano * rtt)
            {
                return time + (rest / bytesPerNano);
            }

            rest -= window;
            window *= 2;
            time += rest > 0 ? rtt : 0;
        }

        return time;
    }
}
