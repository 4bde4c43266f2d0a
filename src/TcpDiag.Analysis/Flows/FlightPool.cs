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
        if (!sent.Flight.IsAny)
        {
            sent.Flight = _flights.Take();
        }

        return ref sent.Flight.Value;
    }

    /// <summary>Has the processor fetch what is kept for a connection, while it goes on.</summary>
    /// <param name="connection">The connection.</param>
    public static void Prefetch(in ConnectionState connection)
    {
        foreach (ref readonly DirectionState direction in connection.Direction)
        {
            if (direction.Flight.IsAny)
            {
                direction.Flight.Value.Ring.Prefetch();
                direction.Flight.Value.Board.Prefetch();
            }
        }
    }

    /// <summary>Remembers when new data was sent.</summary>
    /// <param name="sent">The direction.</param>
    /// <param name="flight">Its state.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">Behind its last byte.</param>
    /// <param name="time">When.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSent(ref DirectionState sent, ref FlightState flight, SequenceNumber start, SequenceNumber end, TraceTime time)
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
        entry.End = end;
        entry.Time = time;
        sent.SendTimes++;
    }

    /// <summary>What is kept about something missing, SACKed or resent; made when first needed.</summary>
    /// <param name="sent">The direction.</param>
    /// <returns>A reference to it.</returns>
    public ref Scoreboard BoardOf(ref DirectionState sent)
    {
        ref FlightState flight = ref Of(ref sent);
        if (!flight.Board.IsAny)
        {
            flight.Board = _boards.Take();
            ref Scoreboard board = ref flight.Board.Value;
            board.Fack = sent.SndUna;
            if (flight.Rtt.Count > 0)
            {
                board.Estimator.OnSample(_rtt.Summarise(flight.Rtt).Median);
            }
        }

        return ref flight.Board.Value;
    }

    /// <summary>Whether something was missing or out of order at the capture point a short time ago.</summary>
    /// <param name="direction">A direction that has sent data.</param>
    /// <param name="since">The time.</param>
    /// <returns>True when there are holes, or have been since then.</returns>
    public static bool WasMissingAny(in DirectionState direction, TraceTime since)
    {
        Pooled<Scoreboard> board = KnownBoardOf(direction);
        return board.IsAny && (board.Value.Missing.Count > 0 || board.Value.LastHoleTime >= since);
    }

    /// <summary>What <see cref="BoardOf"/> made.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>None when it made none.</returns>
    public static Pooled<Scoreboard> KnownBoardOf(in DirectionState direction) => direction.Flight.IsAny ? direction.Flight.Value.Board : default;

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
    public void AddSample(in DirectionState direction, long rtt) => AddSample(ref direction.Flight.Value, rtt);

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
        ref SendTimeRing later = ref flight.Ring.Value;
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
            _rings.Return(ref flight.Ring);
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
        direction.Flight.IsAny ? _rtt.Summarise(direction.Flight.Value.Rtt) : default;

    /// <summary>The smallest sample so far.</summary>
    /// <param name="direction">The direction.</param>
    /// <returns>Nanoseconds, or 0 without samples.</returns>
    public static long MinRtt(in DirectionState direction) => direction.Flight.IsAny ? direction.Flight.Value.Rtt.Min : 0;

    /// <summary>Gives back what a direction used.</summary>
    /// <param name="direction">The direction.</param>
    public void Release(ref DirectionState direction)
    {
        if (!direction.Flight.IsAny)
        {
            return;
        }

        ref FlightState flight = ref direction.Flight.Value;
        _rtt.Release(ref flight.Rtt);
        _rings.Return(ref flight.Ring);
        _boards.Return(ref flight.Board);
        _flights.Return(ref direction.Flight);
    }

    ref SendTimeRing RingOf(ref FlightState flight)
    {
        if (!flight.Ring.IsAny)
        {
            flight.Ring = _rings.Take();
        }

        return ref flight.Ring.Value;
    }

    void AddSample(ref FlightState flight, long rtt)
    {
        _rtt.Add(ref flight.Rtt, rtt);
        if (flight.Board.IsAny)
        {
            flight.Board.Value.Estimator.OnSample(rtt);
        }
    }
}
