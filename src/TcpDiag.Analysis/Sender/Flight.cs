using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// What an end that sends data needs beside its counters. Many connections may be open at once, most of them undisturbed: only the oldest
/// send time and the first RTT samples are here, the rest is taken from pools when it is needed.
/// </summary>
struct Flight
{
    /// <summary>When the oldest data not yet acknowledged was sent; valid while <see cref="RttSampler"/> has any.</summary>
    public SendTime Oldest;

    /// <summary>RTT samples.</summary>
    public DurationSet Rtt;

    /// <summary>What was sent after the oldest; none as long as there was nothing, and perhaps when there is nothing any more.</summary>
    public Pooled<SendTimeRing> Ring;

    /// <summary>None while nothing was missing, SACKed or resent.</summary>
    public Pooled<LossRecovery> Recovery;

    /// <summary>IPv4 identifications of what this end sends, since its first data.</summary>
    public IpIdSequence IpIds;
}

/// <summary>Hands out what is kept of sent data, and keeps its RTT samples.</summary>
sealed class FlightPool
{
    // So many rings stay with their connections even while these have nothing in flight: taking one anew costs time.
    const int IdleRings = 1024;

    readonly StructPool<Flight> _flights = new();
    readonly StructPool<SendTimeRing> _rings = new();
    readonly StructPool<LossRecovery> _recoveries = new();

    /// <summary>Where durations are summed up: RTT samples, and how late what was reordered came.</summary>
    public DurationSets Durations { get; } = new();

    /// <summary>Nothing more is sent: what is given back from now on goes back to the system.</summary>
    public void Close()
    {
        _flights.Close();
        _rings.Close();
        _recoveries.Close();
        Durations.Close();
    }

    /// <summary>The sent data of an end, made when it sends for the first time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref Flight Of(ref SendState sent)
    {
        if (!sent.Flight.IsAny)
        {
            sent.Flight = _flights.Take();
        }

        return ref sent.Flight.Value;
    }

    /// <summary>The loss recovery of an end, made when something is first missing, SACKed or resent.</summary>
    public ref LossRecovery RecoveryOf(ref SendState sent)
    {
        ref Flight flight = ref Of(ref sent);
        if (!flight.Recovery.IsAny)
        {
            flight.Recovery = _recoveries.Take();
            long? median = flight.Rtt.Count > 0 ? Durations.Summarise(flight.Rtt).Median : null;
            flight.Recovery.Value.Begin(sent.Space.SndUna, sent.FirstCaptured, median);
        }

        return ref flight.Recovery.Value;
    }

    /// <summary>What <see cref="RecoveryOf"/> made; none when it made none.</summary>
    public static Pooled<LossRecovery> KnownRecoveryOf(in SendState sent) => sent.Flight.IsAny ? sent.Flight.Value.Recovery : default;

    /// <summary>Has the processor fetch what is kept of an end's data, while it goes on.</summary>
    public static void Prefetch(in SendState sent)
    {
        if (sent.Flight.IsAny)
        {
            sent.Flight.Value.Ring.Prefetch();
            sent.Flight.Value.Recovery.Prefetch();
        }
    }

    /// <summary>The ring of later send times, taken when a second segment is in flight.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref SendTimeRing RingOf(ref Flight flight)
    {
        if (!flight.Ring.IsAny)
        {
            flight.Ring = _rings.Take();
        }

        return ref flight.Ring.Value;
    }

    /// <summary>Gives an empty ring back, where many connections hold one.</summary>
    public void ReturnRing(ref Flight flight)
    {
        if (_rings.InUse > IdleRings)
        {
            _rings.Return(ref flight.Ring);
        }
    }

    /// <summary>Takes an RTT sample, nanoseconds.</summary>
    public void AddSample(ref Flight flight, long rttNanos)
    {
        Durations.Add(ref flight.Rtt, rttNanos);
        if (flight.Recovery.IsAny)
        {
            flight.Recovery.Value.Rtt.OnSample(rttNanos);
        }
    }

    /// <summary>Sums up the RTT samples of an end's data.</summary>
    /// <returns>Minimum and quantiles, nanoseconds; no samples give the default.</returns>
    public RttSummary Summarise(in SendState sent) => sent.Flight.IsAny ? Durations.Summarise(sent.Flight.Value.Rtt) : default;

    /// <summary>The smallest RTT sample so far, nanoseconds; 0 without samples.</summary>
    public static long MinRtt(in SendState sent) => sent.Flight.IsAny ? sent.Flight.Value.Rtt.Min : 0;

    /// <summary>Gives back what an end used.</summary>
    public void Release(ref SendState sent)
    {
        if (!sent.Flight.IsAny)
        {
            return;
        }

        ref Flight flight = ref sent.Flight.Value;
        if (flight.Recovery.IsAny)
        {
            flight.Recovery.Value.Release(Durations);
        }

        Durations.Release(ref flight.Rtt);
        _rings.Return(ref flight.Ring);
        _recoveries.Return(ref flight.Recovery);
        _flights.Return(ref sent.Flight);
    }
}
