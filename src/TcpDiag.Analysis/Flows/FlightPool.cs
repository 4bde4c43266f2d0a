using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Send times, gaps and RTT samples of the directions that send data. An RTT sample is the time from the sending of a
/// segment to the first acknowledgment whose number lies in it: never of what was resent before it was acknowledged, nor while
/// the receiver misses something (Karn; RFC 6298 §3), except where the echoed timestamp tells the sendings apart (RFC 7323 §4).
/// </summary>
sealed class FlightPool
{
    readonly StructPool<FlightState> _flights = new();
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
        if (sent.RingCount == FlightState.RingLength)
        {
            return;
        }

        int place = (sent.RingHead + sent.RingCount) & (FlightState.RingLength - 1);
        ref SendTime entry = ref Of(ref sent).Ring[place];
        entry.Start = start;
        entry.End = sent.SndMax;
        entry.Time = time;
        sent.RingCount++;
    }

    /// <summary>Notes that data was sent again: what is in flight gives no samples any more.</summary>
    /// <param name="sent">The direction.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When.</param>
    public void OnResent(ref DirectionState sent, in ParsedPacket packet, TraceTime time)
    {
        sent.RingCount = 0;
        sent.RecoveryEnd = sent.SndMax;
        sent.Marks |= DirectionMarks.InRecovery;
        if (packet.Options.Has(TcpOptionKinds.Timestamps) && packet.Options.TsVal != sent.LastTsVal)
        {
            ref FlightState flight = ref Of(ref sent);
            flight.Echo = new SendTime { Start = packet.Sequence, End = packet.Sequence + packet.PayloadLength, Time = time };
            flight.EchoTsVal = packet.Options.TsVal;
            sent.Marks |= DirectionMarks.EchoAwaited;
        }
    }

    /// <summary>Takes a sample when an acknowledgment of new data allows one.</summary>
    /// <param name="acked">The direction acknowledged; its SND.UNA still at the old value.</param>
    /// <param name="packet">The acknowledgment.</param>
    /// <param name="time">When.</param>
    public void OnAcknowledged(ref DirectionState acked, in ParsedPacket packet, TraceTime time)
    {
        ref FlightState flight = ref _flights[acked.Flight - 1];
        bool isSampled = acked.DupAckRun == 0 && !acked.Is(DirectionMarks.InRecovery);
        while (acked.RingCount > 0)
        {
            ref SendTime entry = ref flight.Ring[acked.RingHead];
            if (packet.Acknowledgment <= entry.Start)
            {
                break;
            }

            bool isWhole = packet.Acknowledgment >= entry.End;
            if (isSampled && packet.Acknowledgment <= entry.End)
            {
                _rtt.Add(ref flight.Rtt, time - entry.Time);
            }

            if (!isWhole)
            {
                entry.Start = packet.Acknowledgment; // the rest of an offloaded segment, sent at the same time
                break;
            }

            acked.RingHead = (byte)((acked.RingHead + 1) & (FlightState.RingLength - 1));
            acked.RingCount--;
        }

        if (acked.Is(DirectionMarks.InRecovery))
        {
            OnAcknowledgedInRecovery(ref acked, ref flight, packet, time);
        }
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

        _rtt.Release(ref _flights[direction.Flight - 1].Rtt);
        _flights.Return(direction.Flight - 1);
        direction.Flight = 0;
    }

    void OnAcknowledgedInRecovery(ref DirectionState acked, ref FlightState flight, in ParsedPacket packet, TraceTime time)
    {
        bool isEcho = acked.Is(DirectionMarks.EchoAwaited)
            && packet.Options.Has(TcpOptionKinds.Timestamps)
            && packet.Options.TsEcr == flight.EchoTsVal
            && packet.Acknowledgment >= flight.Echo.End;
        if (isEcho)
        {
            _rtt.Add(ref flight.Rtt, time - flight.Echo.Time);
        }

        if (isEcho || packet.Acknowledgment >= acked.RecoveryEnd)
        {
            acked.Marks &= ~DirectionMarks.EchoAwaited;
        }

        if (packet.Acknowledgment >= acked.RecoveryEnd)
        {
            acked.Marks &= ~DirectionMarks.InRecovery;
        }
    }
}
