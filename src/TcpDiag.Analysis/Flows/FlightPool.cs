using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Send times and RTT samples of the directions that send data. An RTT sample is the time from the sending of a
/// segment to the first acknowledgment whose number lies in it: never of what was resent before it was acknowledged, nor while
/// the receiver misses something (Karn; RFC 6298 §3), except where the echoed timestamp tells the sendings apart (RFC 7323 §4).
/// </summary>
sealed class FlightPool
{
    // So many rings stay with their directions even while these have nothing in flight: taking one anew costs time.
    const int RingsAtRest = 1024;

    readonly StructPool<FlightState> _flights = new();
    readonly StructPool<SendTimeRing> _rings = new();
    readonly StructPool<Scoreboard> _boards = new();
    readonly RttRecorder _rtt = new();

    /// <summary>The state of a direction, made when it sends for the first time.</summary>
    /// <param name="sent">The direction.</param>
    /// <returns>A reference to its state.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref FlightState Of(ref DirectionState sent)
    {
        if (sent.Flight == 0)
        {
            sent.Flight = _flights.Take() + 1;
        }

        return ref _flights[sent.Flight - 1];
    }

    /// <summary>Has the processor fetch what is kept for a connection, while it goes on.</summary>
    /// <param name="connection">The connection.</param>
    public void Prefetch(in ConnectionState connection)
    {
        foreach (ref readonly DirectionState direction in connection.Direction)
        {
            if (direction.Flight > 0)
            {
                ref FlightState flight = ref _flights[direction.Flight - 1];
                _rings.Prefetch(flight.Ring - 1);
                _boards.Prefetch(flight.Board - 1);
            }
        }
    }

    /// <summary>Remembers when new data was sent.</summary>
    /// <param name="sent">The direction.</param>
    /// <param name="flight">Its state.</param>
    /// <param name="start">First byte.</param>
    /// <param name="time">When.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSent(ref DirectionState sent, ref FlightState flight, SequenceNumber start, TraceTime time)
    {
        if (sent.SendTimes == FlightState.MostSendTimes)
        {
            return;
        }

        ref SendTime entry = ref flight.Oldest;
        if (sent.SendTimes > 0)
        {
            entry = ref RingOf(ref flight)[(sent.RingHead + sent.SendTimes - 1) & (SendTimeRing.Length - 1)];
        }

        entry.Start = start;
        entry.End = sent.SndMax;
        entry.Time = time;
        sent.SendTimes++;
    }

    /// <summary>What is kept about something missing, SACKed or resent; made when first needed.</summary>
    /// <param name="sent">The direction.</param>
    /// <returns>A reference to it.</returns>
    public ref Scoreboard BoardOf(ref DirectionState sent)
    {
        ref FlightState flight = ref Of(ref sent);
        if (flight.Board == 0)
        {
            flight.Board = _boards.Take() + 1;
            ref Scoreboard board = ref _boards[flight.Board - 1];
            board.Fack = sent.SndUna;
            if (flight.Rtt.Count > 0)
            {
                board.Estimator.OnSample(_rtt.Summarise(flight.Rtt).Median);
            }
        }

        return ref _boards[flight.Board - 1];
    }

    /// <summary>Whether something was missing or out of order at the capture point a short time ago.</summary>
    /// <param name="direction">A direction that has sent data.</param>
    /// <param name="since">The time.</param>
    /// <returns>True when there are holes, or have been since then.</returns>
    public bool WasMissingAny(in DirectionState direction, TraceTime since)
    {
        int number = BoardNumber(direction);
        return number >= 0 && (_boards[number].Missing.Count > 0 || _boards[number].LastHoleTime >= since);
    }

    /// <summary>The number of what <see cref="BoardOf"/> made.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>Its number, or −1 when there is none.</returns>
    public int BoardNumber(in DirectionState direction) => direction.Flight == 0 ? -1 : _flights[direction.Flight - 1].Board - 1;

    /// <summary>A scoreboard by its number.</summary>
    /// <param name="number">What <see cref="BoardNumber"/> gave.</param>
    /// <returns>A reference to it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref Scoreboard Board(int number) => ref _boards[number];

    /// <summary>The IPv4 identifications of a direction's sender.</summary>
    /// <param name="direction">A direction that has sent data.</param>
    /// <returns>A reference to their account.</returns>
    public ref IpIdAccount IpIdsOf(in DirectionState direction) => ref _flights[direction.Flight - 1].IpIds;

    /// <summary>Notes that data was sent again, or the clock was set: what is in flight gives no samples any more. Data that had been acknowledged is no matter.</summary>
    /// <param name="sent">The direction.</param>
    public static void StopSamples(ref DirectionState sent)
    {
        if (sent.InFlight == 0)
        {
            return;
        }

        sent.SendTimes = 0;
        sent.RecoveryEnd = sent.SndMax;
        sent.Marks |= DirectionMarks.InRecovery;
    }

    /// <summary>Takes a sample.</summary>
    /// <param name="direction">A direction that has sent data.</param>
    /// <param name="rtt">The sample, nanoseconds.</param>
    public void AddSample(in DirectionState direction, long rtt) => AddSample(ref _flights[direction.Flight - 1], rtt);

    /// <summary>Takes a sample when an acknowledgment of new data allows one.</summary>
    /// <param name="acked">The direction acknowledged; its SND.UNA still at the old value.</param>
    /// <param name="flight">Its state.</param>
    /// <param name="packet">The acknowledgment.</param>
    /// <param name="time">When.</param>
    /// <returns>The latest sample taken, nanoseconds; 0 without one.</returns>
    public long OnAcknowledged(ref DirectionState acked, ref FlightState flight, in ParsedPacket packet, TraceTime time)
    {
        long rtt = 0;
        SequenceNumber una = packet.Acknowledgment;
        bool isSampled = acked.DupAckRun == 0 && !acked.Is(DirectionMarks.InRecovery);
        ref SendTimeRing later = ref flight.Ring > 0 ? ref _rings[flight.Ring - 1] : ref Unsafe.NullRef<SendTimeRing>();
        while (acked.SendTimes > 0 && una > flight.Oldest.Start)
        {
            int behind = una - flight.Oldest.End;
            if (isSampled && behind <= 0)
            {
                rtt = time - flight.Oldest.Time;
                AddSample(ref flight, rtt);
            }

            if (behind < 0)
            {
                flight.Oldest.Start = una; // the rest of an offloaded segment, sent at the same time
                break;
            }

            if (--acked.SendTimes > 0)
            {
                flight.Oldest = later[acked.RingHead & (SendTimeRing.Length - 1)];
                acked.RingHead++;
            }
        }

        if (acked.SendTimes == 0 && _rings.InUse > RingsAtRest)
        {
            Return(_rings, ref flight.Ring);
        }

        if (acked.Is(DirectionMarks.InRecovery) && una >= acked.RecoveryEnd)
        {
            acked.Marks &= ~DirectionMarks.InRecovery;
        }

        return Math.Max(rtt, 0);
    }

    /// <summary>Sums up the samples of a direction.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>Minimum and quantiles, nanoseconds; no samples give the default.</returns>
    public RttSummary Summarise(in DirectionState direction) =>
        direction.Flight == 0 ? default : _rtt.Summarise(_flights[direction.Flight - 1].Rtt);

    /// <summary>The smallest sample so far.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>Nanoseconds, or 0 without samples.</returns>
    public long MinRtt(in DirectionState direction) =>
        direction.Flight == 0 ? 0 : _flights[direction.Flight - 1].Rtt.Min;

    /// <summary>Gives back what a direction used.</summary>
    /// <param name="direction">The direction.</param>
    public void Release(ref DirectionState direction)
    {
        if (direction.Flight == 0)
        {
            return;
        }

        ref FlightState flight = ref _flights[direction.Flight - 1];
        _rtt.Release(ref flight.Rtt);
        Return(_rings, ref flight.Ring);
        Return(_boards, ref flight.Board);
        _flights.Return(direction.Flight - 1);
        direction.Flight = 0;
    }

    static void Return<T>(StructPool<T> pool, ref int numberPlusOne)
        where T : struct
    {
        if (numberPlusOne > 0)
        {
            pool.Return(numberPlusOne - 1);
            numberPlusOne = 0;
        }
    }

    ref SendTimeRing RingOf(ref FlightState flight)
    {
        if (flight.Ring == 0)
        {
            flight.Ring = _rings.Take() + 1;
        }

        return ref _rings[flight.Ring - 1];
    }

    void AddSample(ref FlightState flight, long rtt)
    {
        _rtt.Add(ref flight.Rtt, rtt);
        if (flight.Board > 0)
        {
            _boards[flight.Board - 1].Estimator.OnSample(rtt);
        }
    }
}
