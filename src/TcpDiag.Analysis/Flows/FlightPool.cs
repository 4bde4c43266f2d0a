using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Send times, gaps and RTT samples of the directions that send data. An RTT sample is the time from the sending of a
/// segment to the first acknowledgment whose number lies in it: never of what was resent before it was acknowledged, nor while
/// the receiver misses something (Karn; RFC 6298 §3), except where the echoed timestamp tells the sendings apart (RFC 7323 §4).
/// </summary>
sealed class FlightPool
{
    // So many rings stay with their directions even while these have nothing in flight: taking one anew costs time.
    const int RingsAtRest = 1024;

    readonly StructPool<FlightState> _flights = new();
    readonly StructPool<SendTimeRing> _rings = new();
    readonly StructPool<RepairState> _repairs = new();
    readonly RttRecorder _rtt = new();

    /// <summary>The state of a direction, made when it sends for the first time.</summary>
    /// <param name="sent">The direction.</param>
    /// <returns>A reference to its state.</returns>
    public ref FlightState Of(ref DirectionState sent)
    {
        if (sent.Flight == 0)
        {
            sent.Flight = _flights.Take() + 1;
        }

        return ref _flights[sent.Flight - 1];
    }

    /// <summary>Remembers when new data was sent.</summary>
    /// <param name="sent">The direction.</param>
    /// <param name="start">First byte.</param>
    /// <param name="time">When.</param>
    public void OnSent(ref DirectionState sent, SequenceNumber start, TraceTime time)
    {
        if (sent.SendTimes == FlightState.MostSendTimes)
        {
            return;
        }

        ref FlightState flight = ref Of(ref sent);
        ref SendTime entry = ref flight.Oldest;
        if (sent.SendTimes > 0)
        {
            entry = ref RingOf(ref flight)[(sent.RingHead + sent.SendTimes - 1) % SendTimeRing.Length];
        }

        entry.Start = start;
        entry.End = sent.SndMax;
        entry.Time = time;
        sent.SendTimes++;
    }

    /// <summary>Gaps and latest retransmission of a direction, made when first needed.</summary>
    /// <param name="sent">The direction.</param>
    /// <returns>A reference to its state.</returns>
    public ref RepairState RepairOf(ref DirectionState sent)
    {
        ref FlightState flight = ref Of(ref sent);
        if (flight.Repair == 0)
        {
            flight.Repair = _repairs.Take() + 1;
        }

        return ref _repairs[flight.Repair - 1];
    }

    /// <summary>Whether something is missing.</summary>
    /// <param name="sent">A direction that has sent data.</param>
    /// <returns>True when there are gaps.</returns>
    public bool HasGaps(in DirectionState sent)
    {
        int repair = _flights[sent.Flight - 1].Repair;
        return repair > 0 && _repairs[repair - 1].GapCount > 0;
    }

    /// <summary>Notes that data was sent again: what is in flight gives no samples any more.</summary>
    /// <param name="sent">The direction.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When.</param>
    public void OnResent(ref DirectionState sent, in ParsedPacket packet, TraceTime time)
    {
        sent.SendTimes = 0;
        sent.RecoveryEnd = sent.SndMax;
        sent.Marks |= DirectionMarks.InRecovery;
        if (packet.Options.Has(TcpOptionKinds.Timestamps) && packet.Options.TsVal != sent.LastTsVal)
        {
            ref RepairState repair = ref RepairOf(ref sent);
            repair.Echo = new SendTime { Start = packet.Sequence, End = packet.Sequence + packet.PayloadLength, Time = time };
            repair.EchoTsVal = packet.Options.TsVal;
            sent.Marks |= DirectionMarks.EchoAwaited;
        }
    }

    /// <summary>Takes a sample when an acknowledgment of new data allows one.</summary>
    /// <param name="acked">The direction acknowledged; its SND.UNA still at the old value.</param>
    /// <param name="packet">The acknowledgment.</param>
    /// <param name="time">When.</param>
    /// <returns>The latest sample taken, nanoseconds; 0 without one.</returns>
    public long OnAcknowledged(ref DirectionState acked, in ParsedPacket packet, TraceTime time)
    {
        ref FlightState flight = ref _flights[acked.Flight - 1];
        long rtt = 0;
        bool isSampled = acked.DupAckRun == 0 && !acked.Is(DirectionMarks.InRecovery);
        while (acked.SendTimes > 0)
        {
            ref SendTime entry = ref flight.Oldest;
            if (packet.Acknowledgment <= entry.Start)
            {
                break;
            }

            bool isWhole = packet.Acknowledgment >= entry.End;
            if (isSampled && packet.Acknowledgment <= entry.End)
            {
                rtt = time - entry.Time;
                _rtt.Add(ref flight.Rtt, rtt);
            }

            if (!isWhole)
            {
                entry.Start = packet.Acknowledgment; // the rest of an offloaded segment, sent at the same time
                break;
            }

            RemoveOldest(ref acked, ref flight);
        }

        if (acked.Is(DirectionMarks.InRecovery))
        {
            rtt = OnAcknowledgedInRecovery(ref acked, ref flight, packet, time);
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
        Return(_repairs, ref flight.Repair);
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

    void RemoveOldest(ref DirectionState acked, ref FlightState flight)
    {
        acked.SendTimes--;
        if (acked.SendTimes > 0)
        {
            flight.Oldest = _rings[flight.Ring - 1][acked.RingHead];
            acked.RingHead = (byte)((acked.RingHead + 1) % SendTimeRing.Length);
        }
        else if (_rings.InUse > RingsAtRest)
        {
            Return(_rings, ref flight.Ring);
        }
    }

    long OnAcknowledgedInRecovery(ref DirectionState acked, ref FlightState flight, in ParsedPacket packet, TraceTime time)
    {
        long rtt = 0;
        bool isEcho = false;
        if (acked.Is(DirectionMarks.EchoAwaited) && packet.Options.Has(TcpOptionKinds.Timestamps))
        {
            ref RepairState repair = ref _repairs[flight.Repair - 1];
            isEcho = packet.Options.TsEcr == repair.EchoTsVal && packet.Acknowledgment >= repair.Echo.End;
            if (isEcho)
            {
                rtt = time - repair.Echo.Time;
                _rtt.Add(ref flight.Rtt, rtt);
            }
        }

        if (isEcho || packet.Acknowledgment >= acked.RecoveryEnd)
        {
            acked.Marks &= ~DirectionMarks.EchoAwaited;
        }

        if (packet.Acknowledgment >= acked.RecoveryEnd)
        {
            acked.Marks &= ~DirectionMarks.InRecovery;
        }

        return rtt;
    }
}
