using System;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Notes what stands out while a connection is read: resets, FINs, retransmissions, windows of zero, and the ping-pong of needless retransmissions and
/// duplicate acknowledgments (docs/findings). An ordinary segment costs one test, and a connection without anything notable no memory.
/// </summary>
sealed class PatternTracker
{
    const TcpFlags Ending = TcpFlags.Fin | TcpFlags.Rst;
    const TcpFlags ReductionOrSyn = TcpFlags.Cwr | TcpFlags.Syn; // of a SYN the flag asks for ECN

    readonly StructPool<PatternState> _states = new();
    readonly StructPool<OpenPositions.Many> _positions = new();
    readonly StructPool<LossPatterns> _losses = new();
    readonly StructPool<WaitPatterns> _waits = new();

    /// <inheritdoc cref="IDirectionObserver.Close"/>
    public void Close()
    {
        _states.Close();
        _positions.Close();
        _losses.Close();
        _waits.Close();
    }

    /// <inheritdoc cref="IDirectionObserver.Prefetch"/>
    public static void Prefetch(in ConnectionState connection)
    {
        StateOf(connection.Ends[0]).Prefetch();
        StateOf(connection.Ends[1]).Prefetch();
    }

    /// <inheritdoc cref="IDirectionObserver.OnSegment"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSegment(ref ConnectionState connection, int from, in EndState sent, in EndState acked, in Segment segment)
    {
        bool isOrdinary = segment.Sent.Kind <= SentKind.New && (segment.Flags & Ending) == 0
            && !EcnCounts.IsIn(segment) && !segment.Ack.IsDuplicate && !segment.Ack.IsDsack
            && !(segment.Ack.HasWindow && segment.Ack.Window == 0) && !IsHeldBack(acked.Send, segment)
            && !IsRestart(sent.Send, segment);
        if (!isOrdinary || Watches(sent, acked))
        {
            OnNotable(ref connection, from, segment, isOrdinary);
        }
    }

    /// <inheritdoc cref="IDirectionObserver.OnTooBig"/>
    public void OnTooBig(ref ConnectionState connection, int from, int mtu, TracePosition position)
    {
        ref PatternState state = ref Of(ref connection.Ends[from]);
        state.Positions.First(PositionKind.TooBig, position, _positions);
        state.Counts.TooBigMtu = state.Counts.TooBigMtu == 0 ? mtu : Math.Min(mtu, state.Counts.TooBigMtu);
    }

    /// <inheritdoc cref="IDirectionObserver.OnPredicted"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnPredicted(ref ConnectionState connection, int from, in EndState sent, in EndState acked, in Segment segment)
    {
        if (Watches(sent, acked))
        {
            OnNotable(ref connection, from, segment, isOrdinary: true);
        }
    }

    /// <inheritdoc cref="ISegmentObserver.OnClosed"/>
    public void OnClosed(ref ConnectionState connection)
    {
        Release(ref connection.Ends[0]);
        Release(ref connection.Ends[1]);
    }

    /// <summary>What stood out; null when nothing did.</summary>
    /// <param name="direction">The end.</param>
    /// <param name="end">Where what goes on ends.</param>
    /// <returns>What stood out.</returns>
    public static DirectionPatterns? Summarise(in EndState direction, TraceTime end)
    {
        if (!direction.Patterns.IsAny)
        {
            return null;
        }

        ref PatternState state = ref StateOf(direction).Value;
        Pooled<LossPatterns> losses = state.Losses.Patterns;
        (long zero, long waited) = state.ZeroWindow.TotalBy(end);
        return new DirectionPatterns(state.Positions.Summarise())
        {
            Resets = state.Counts.Resets,
            BreakOff = state.Counts.BreakOff,
            BytesAfterPeerFin = state.Counts.BytesAfterPeerFin,
            DuplicateAcksWithoutSack = state.Counts.DuplicateAcksWithoutSack,
            ZeroWindowTime = zero,
            ZeroWindowWait = waited,
            TooBigMtu = state.Counts.TooBigMtu > 0 ? state.Counts.TooBigMtu : null,
            BlackHole = losses.IsAny ? losses.Value.BlackHole.Summarise(direction.Send, end) : null,
            LossPace = losses.IsAny ? losses.Value.Pace.Summarise(FlightPool.MinRtt(direction.Send)) : null,
            Onset = losses.IsAny ? losses.Value.Pace.Onset : null,
            Copies = state.Counts.Copies,
            Dropped = losses.IsAny ? losses.Value.Reassembly.Summarise() : null,
            Tails = losses.IsAny ? losses.Value.Tails.Summarise() : null,
            NagleWaits = state.Waits.IsAny ? state.Waits.Value.Nagle.Summarise() : null,
            Restarts = state.Waits.IsAny ? state.Waits.Value.Restart.Summarise() : null,
            Unanswered = state.Unanswered.Summarise(),
            LongestPingPong = state.PingPong.Longest,
            FinalPingPong = state.PingPong.Count,
        };
    }

    /// <summary>What one end's packets carry of congestion notification, and what comes back.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The end.</param>
    /// <returns>Its marks and reductions, and the other end's echoes.</returns>
    public static EcnCounts EcnOf(in ConnectionState connection, int from) =>
        EcnOf(connection.Ends[from]) with { Echoes = EcnOf(connection.Ends[from ^ 1]).Echoes };

    static EcnCounts EcnOf(in EndState direction) => direction.Patterns.IsAny ? StateOf(direction).Value.Ecn : default;

    /// <summary>Whether ordinary segments matter, too, because something goes on that they end or count for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Watches(in EndState sent, in EndState acked) => sent.IsPatternOpen | acked.IsPatternOpen;

    void OnNotable(ref ConnectionState connection, int from, in Segment segment, bool isOrdinary)
    {
        ref EndState sent = ref connection.Ends[from];
        ref EndState acked = ref connection.Ends[from ^ 1];
        bool isRestart = IsRestart(sent.Send, segment);
        if (isRestart || sent.Patterns.IsAny || segment.Sent.Kind > SentKind.New || (segment.Flags & Ending) != 0 || EcnCounts.IsIn(segment))
        {
            if (segment.Sent.Kind == SentKind.Foreign && !connection.Handshake.IsEstablished)
            {
                return; // it answers a packet of an earlier connection
            }

            ref PatternState state = ref Of(ref sent);
            OnWaited(ref state, segment, connection.Handshake.RttNanos);
            if ((segment.Flags & TcpFlags.Rst) != 0)
            {
                OnReset(ref state, sent.Send, acked, segment);
            }
            else
            {
                OnSent(ref state, HasClosed(acked), segment);
            }

            if (segment.Sent.Kind == SentKind.Retransmission)
            {
                state.Losses.OnResent(sent.Send, segment, _losses);
            }
            else if (segment.Sent.Kind == SentKind.New && state.Waits.IsAny)
            {
                state.Waits.Value.Nagle.OnNew(sent.Send, segment);
                state.Waits.Value.Restart.OnNew(sent.Send, segment);
            }

            if (isRestart)
            {
                WaitsOf(ref state).Restart.Begin(sent.Send, segment);
            }
            else if (segment.Sent.Kind == SentKind.Retransmission && state.Waits.IsAny)
            {
                state.Waits.Value.Restart.OnResent();
            }
        }

        if (acked.Patterns.IsAny || !isOrdinary)
        {
            ref PatternState state = ref Of(ref acked);
            OnAcked(ref state, segment);
            state.Losses.OnHeard(acked.Send, segment, _losses);
            OnWaited(ref state, acked.Send, segment);
        }

        Watch(ref sent);
        Watch(ref acked);
    }

    static void Watch(ref EndState direction)
    {
        direction.IsPatternOpen = direction.Patterns.IsAny && StateOf(direction).Value.IsOpen;
    }

    // Data that follows the opening of a window within a round trip and the time a stack takes to answer had waited for it.
    static void OnWaited(ref PatternState state, in Segment segment, long roundTrip)
    {
        if (segment.Sent.Kind == SentKind.WindowProbe)
        {
            state.ZeroWindow.OnProbe();
        }

        if (segment.Sent.Kind is SentKind.KeepAlive or SentKind.Retransmission)
        {
            state.Unanswered.Add(segment);
        }

        if (state.ZeroWindow.MayHaveWaited && segment.Sent.Kind is SentKind.New or SentKind.Retransmission)
        {
            long sinceOpened = segment.Time - state.Positions[PositionKind.WindowOpened]!.Value.Time;
            state.ZeroWindow.OnData(hasWaited: sinceOpened <= roundTrip + Thresholds.MaxWindowAnswerNanos);
        }
    }

    void OnReset(ref PatternState state, in SendState sent, in EndState peer, in Segment segment)
    {
        var position = new TracePosition(segment.PacketNumber, segment.Time);
        if (segment.Sent.Kind == SentKind.Foreign)
        {
            state.Positions.First(PositionKind.ForeignReset, position, _positions);
            return;
        }

        if (state.Counts.Resets == 0 && !state.Positions.Has(PositionKind.Fin) && !HasClosed(peer))
        {
            state.Counts.BreakOff = BreakOff.Open | (IsBulkInFlight(sent) ? BreakOff.OwnData : 0) | (IsBulkInFlight(peer.Send) ? BreakOff.PeerData : 0)
                | ((segment.Flags & TcpFlags.Ack) == 0 ? BreakOff.Answer : 0);
        }

        state.Counts.Resets++;
        state.Positions.First(PositionKind.Reset, position, _positions);
    }

    static bool IsBulkInFlight(in SendState sent) => sent.Space.InFlight >= Thresholds.MinCutSegments * sent.Sizes.WirePayload;

    static bool HasClosed(in EndState end) => end.Patterns.IsAny && StateOf(end).Value.Positions.Has(PositionKind.Fin);

    void OnSent(ref PatternState state, bool isPeerDone, in Segment segment)
    {
        var position = new TracePosition(segment.PacketNumber, segment.Time);
        if ((segment.Flags & TcpFlags.Fin) != 0)
        {
            state.Positions.First(PositionKind.Fin, position, _positions);
        }

        if (EcnCounts.IsIn(segment))
        {
            state.Ecn.Count(segment);
        }

        if ((segment.Flags & ReductionOrSyn) == TcpFlags.Cwr)
        {
            state.Positions.First(PositionKind.Reduction, position, _positions);
            state.Positions.Set(PositionKind.LastReduction, position, _positions);
        }

        state.Counts.BytesAfterPeerFin += isPeerDone ? segment.Length - ((int)segment.Flags & 1) : 0;
        if (segment.Sent.Kind == SentKind.Retransmission)
        {
            OnResent(ref state, position, segment);
        }
        else if (segment.Sent.Kind == SentKind.New)
        {
            state.PingPong.End();
        }
        else if (segment.Sent.Kind == SentKind.Copy)
        {
            state.Counts.Copies++;
            state.Positions.First(PositionKind.Copy, position, _positions);
            state.Positions.Set(PositionKind.LastCopy, position, _positions);
        }
        else if (segment.Sent.Kind == SentKind.Late)
        {
            state.Positions.First(PositionKind.Late, position, _positions);
            state.Positions.Set(PositionKind.LastLate, position, _positions);
        }
    }

    void OnResent(ref PatternState state, TracePosition position, in Segment segment)
    {
        state.Positions.First(PositionKind.Retransmission, position, _positions);
        state.Positions.Set(PositionKind.LastRetransmission, position, _positions);
        if (segment.Sent.Trigger == RetransmissionTrigger.Rto)
        {
            state.Positions.First(PositionKind.Timeout, position, _positions);
        }
        else if (segment.Sent.Trigger is RetransmissionTrigger.Tlp or RetransmissionTrigger.LostRetransmission)
        {
            state.Positions.First(segment.Sent.Trigger == RetransmissionTrigger.Tlp ? PositionKind.Probe : PositionKind.RepairAgain, position, _positions);
        }

        if (state.PingPong.OnRetransmission(segment.Start, segment.Start + segment.Length))
        {
            state.Positions.Set(PositionKind.PingPong, position, _positions);
        }
    }

    void OnAcked(ref PatternState state, in Segment segment)
    {
        var position = new TracePosition(segment.PacketNumber, segment.Time);
        state.Unanswered = default;
        if (segment.Ack.IsDsack)
        {
            state.Positions.First(PositionKind.Dsack, position, _positions);
        }

        if (segment.Ack.IsDuplicate)
        {
            state.Positions.First(PositionKind.DuplicateAck, position, _positions);
            state.Counts.DuplicateAcksWithoutSack += segment.Ack.IsBareDuplicate ? 1 : 0;
        }

        if (segment.Ack.Advance > 0)
        {
            state.PingPong.End();
        }
        else if ((segment.Ack.IsDsack || segment.Ack.IsDuplicateWithoutNews) && state.PingPong.TryAnswer())
        {
            state.Positions.Set(PositionKind.LongestPingPong, state.Positions[PositionKind.PingPong]!.Value, _positions);
        }

        OnWindow(ref state, position, segment);
    }

    void OnWindow(ref PatternState state, TracePosition position, in Segment segment)
    {
        if (!segment.Ack.HasWindow || (segment.Flags & (TcpFlags.Rst | TcpFlags.Syn)) != 0)
        {
            return;
        }

        if (segment.Ack.Window == 0 && !state.ZeroWindow.IsZero)
        {
            state.Positions.First(PositionKind.ZeroWindow, position, _positions);
            state.ZeroWindow.OnZero(segment.Time);
            if (segment.Ack.IsProbeRefused)
            {
                state.ZeroWindow.OnProbe();
            }
        }
        else if (segment.Ack.Window > 0 && state.ZeroWindow.IsZero)
        {
            state.Positions.Set(PositionKind.WindowOpened, position, _positions);
            state.ZeroWindow.OnOpened(segment.Time);
        }
    }

    static Pooled<PatternState> StateOf(in EndState direction) => direction.Patterns.As<PatternState>();

    // The acknowledgment of all that was in flight, alone and late: rare enough to be looked at.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsHeldBack(in SendState acked, in Segment segment) =>
        segment.Ack.RttNanos >= Thresholds.MinHeldAckNanos && segment.Length == 0 && acked.Space.InFlight == 0 && NagleWatch.HeldBack(acked, segment) > 0;

    void OnWaited(ref PatternState state, in SendState acked, in Segment segment)
    {
        if (segment.Ack.Advance > 0 && state.Waits.IsAny)
        {
            state.Waits.Value.Restart.OnAcknowledged(acked, segment);
        }

        if (IsHeldBack(acked, segment))
        {
            WaitsOf(ref state).Nagle.OnHeldBack(NagleWatch.HeldBack(acked, segment), segment.Time);
        }
        else if (segment.Length > 0 && state.Waits.IsAny)
        {
            state.Waits.Value.Nagle.OnPeerData();
        }
    }

    // Data after a pause with nothing else in flight, of an end that sent much more than an initial window before.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool IsRestart(in SendState sent, in Segment segment) =>
        segment.Length > 0 && sent.Space.InFlight == segment.Length
        && segment.Time - sent.Times.LastAck >= Thresholds.MinIdleNanos && RestartWatch.MayBegin(sent, segment);

    ref WaitPatterns WaitsOf(ref PatternState state)
    {
        if (!state.Waits.IsAny)
        {
            state.Waits = _waits.Take();
        }

        return ref state.Waits.Value;
    }

    void Release(ref EndState direction)
    {
        Pooled<PatternState> state = StateOf(direction);
        if (state.IsAny)
        {
            state.Value.Positions.Release(_positions);
            state.Value.Losses.Release(_losses);
            _waits.Return(ref state.Value.Waits);
        }

        _states.Return(ref state);
        direction.Patterns = default;
    }

    ref PatternState Of(ref EndState direction)
    {
        if (!direction.Patterns.IsAny)
        {
            direction.Patterns = _states.Take().As<Untyped>();
        }

        return ref StateOf(direction).Value;
    }
}
