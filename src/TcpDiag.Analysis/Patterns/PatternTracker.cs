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

    readonly StructPool<PatternState> _states = new();

    /// <inheritdoc cref="IDirectionObserver.Prefetch"/>
    public static void Prefetch(in ConnectionState connection)
    {
        StateOf(connection.Ends[0]).Prefetch();
        StateOf(connection.Ends[1]).Prefetch();
    }

    /// <inheritdoc cref="ISegmentObserver.OnSegment"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSegment(ref ConnectionState connection, int from, in Segment segment)
    {
        ref EndState sent = ref connection.Ends[from];
        ref EndState acked = ref connection.Ends[from ^ 1];
        bool isOrdinary = segment.Sent.Kind <= SentKind.New && (segment.Flags & Ending) == 0 && !segment.Ack.IsDuplicate && !segment.Ack.IsDsack
            && !(segment.Ack.IsWindowKnown && segment.Ack.Window == 0);
        if (!isOrdinary || Watches(sent, acked))
        {
            OnNotable(ref connection, from, segment, isOrdinary);
        }
    }

    /// <inheritdoc cref="IDirectionObserver.OnPredicted"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnPredicted(ref ConnectionState connection, int from, in Segment segment)
    {
        if (Watches(connection.Ends[from], connection.Ends[from ^ 1]))
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
    /// <param name="isOver">Whether nothing more comes.</param>
    /// <returns>What stood out.</returns>
    public static DirectionPatterns? Summarise(in EndState direction, TraceTime end, bool isOver)
    {
        if (!direction.Patterns.IsAny)
        {
            return null;
        }

        ref PatternState state = ref StateOf(direction).Value;
        (long zero, long waited) = state.ZeroWindow.TotalBy(end);
        return new DirectionPatterns(isOver ? state.Positions : state.Positions.Copy())
        {
            Resets = state.Resets,
            BytesAfterPeerFin = state.BytesAfterPeerFin,
            DuplicateAcksWithoutSack = state.DuplicateAcksWithoutSack,
            ZeroWindowTime = zero,
            ZeroWindowWait = waited,
            UnansweredKeepAlives = state.Positions.Has(PositionKind.Reset) ? state.UnansweredKeepAlives : 0,
            LongestPingPong = state.PingPong.Longest,
            FinalPingPong = state.PingPong.Count,
        };
    }

    // Whether ordinary segments matter, too, because something goes on that they end or count for.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static bool Watches(in EndState sent, in EndState acked) => sent.IsPatternOpen | acked.IsPatternOpen;

    void OnNotable(ref ConnectionState connection, int from, in Segment segment, bool isOrdinary)
    {
        ref EndState sent = ref connection.Ends[from];
        ref EndState acked = ref connection.Ends[from ^ 1];
        if (sent.Patterns.IsAny || segment.Sent.Kind > SentKind.New || (segment.Flags & Ending) != 0)
        {
            if (segment.Sent.Kind == SentKind.Foreign && !connection.Handshake.IsEstablished)
            {
                return; // it answers a packet of an earlier connection
            }

            ref PatternState state = ref Of(ref sent);
            OnWaited(ref state, segment, connection.Handshake.RttNanos);
            OnSent(ref state, acked.Patterns.IsAny && StateOf(acked).Value.Positions.Has(PositionKind.Fin), segment);
        }

        if (acked.Patterns.IsAny || !isOrdinary)
        {
            OnAcked(ref Of(ref acked), segment);
        }

        Watch(ref sent);
        Watch(ref acked);
    }

    // Null when nothing stood out. A connection that is over leaves its positions to the result.
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

        state.UnansweredKeepAlives += segment.Sent.Kind == SentKind.KeepAlive ? 1 : 0;
        if (state.ZeroWindow.MayHaveWaited && segment.Sent.Kind is SentKind.New or SentKind.Retransmission)
        {
            long sinceOpened = segment.Time - state.Positions[PositionKind.WindowOpened]!.Value.Time;
            state.ZeroWindow.OnData(hasWaited: sinceOpened <= roundTrip + Thresholds.MaxWindowAnswerNanos);
        }
    }

    static void OnSent(ref PatternState state, bool isPeerDone, in Segment segment)
    {
        var position = new TracePosition(segment.PacketNumber, segment.Time);
        if ((segment.Flags & TcpFlags.Rst) != 0)
        {
            bool isForeign = segment.Sent.Kind == SentKind.Foreign;
            state.Resets += isForeign ? 0 : 1;
            state.Positions.First(isForeign ? PositionKind.ForeignReset : PositionKind.Reset, position);
            return;
        }

        if ((segment.Flags & TcpFlags.Fin) != 0)
        {
            state.Positions.First(PositionKind.Fin, position);
        }

        state.BytesAfterPeerFin += isPeerDone ? segment.Length - ((int)segment.Flags & 1) : 0;
        if (segment.Sent.Kind == SentKind.Retransmission)
        {
            OnResent(ref state, position, segment);
        }
        else if (segment.Sent.Kind == SentKind.New)
        {
            state.PingPong.End();
        }
        else if (segment.Sent.Kind == SentKind.Late)
        {
            state.Positions.First(PositionKind.Late, position);
            state.Positions[PositionKind.LastLate] = position;
        }
    }

    static void OnResent(ref PatternState state, TracePosition position, in Segment segment)
    {
        state.Positions.First(PositionKind.Retransmission, position);
        state.Positions[PositionKind.LastRetransmission] = position;
        if (segment.Sent.Trigger == RetransmissionTrigger.Rto)
        {
            state.Positions.First(PositionKind.Timeout, position);
        }
        else if (segment.Sent.Trigger is RetransmissionTrigger.Tlp or RetransmissionTrigger.LostRetransmission)
        {
            state.Positions.First(segment.Sent.Trigger == RetransmissionTrigger.Tlp ? PositionKind.Probe : PositionKind.RepairAgain, position);
        }

        if (state.PingPong.OnRetransmission(segment.Start, segment.Start + segment.Length))
        {
            state.Positions[PositionKind.PingPong] = position;
        }
    }

    static void OnAcked(ref PatternState state, in Segment segment)
    {
        var position = new TracePosition(segment.PacketNumber, segment.Time);
        state.UnansweredKeepAlives = 0;
        if (segment.Ack.IsDsack)
        {
            state.Positions.First(PositionKind.Dsack, position);
        }

        if (segment.Ack.IsDuplicate)
        {
            state.Positions.First(PositionKind.DuplicateAck, position);
            state.DuplicateAcksWithoutSack += segment.Ack.Sack.Count > 0 ? 0 : 1;
        }

        if (segment.Ack.Advance > 0)
        {
            state.PingPong.End();
        }
        else if ((segment.Ack.IsDsack || (segment.Ack.IsDuplicate && segment.Ack.Sack.NewBytes == 0)) && state.PingPong.TryAnswer())
        {
            state.Positions[PositionKind.LongestPingPong] = state.Positions[PositionKind.PingPong];
        }

        OnWindow(ref state, position, segment);
    }

    static void OnWindow(ref PatternState state, TracePosition position, in Segment segment)
    {
        if (!segment.Ack.IsWindowKnown || (segment.Flags & (TcpFlags.Rst | TcpFlags.Syn)) != 0)
        {
            return;
        }

        if (segment.Ack.Window == 0 && !state.ZeroWindow.IsZero)
        {
            state.Positions.First(PositionKind.ZeroWindow, position);
            state.ZeroWindow.OnZero(segment.Time);
        }
        else if (segment.Ack.Window > 0 && state.ZeroWindow.IsZero)
        {
            state.Positions[PositionKind.WindowOpened] = position;
            state.ZeroWindow.OnOpened(segment.Time);
        }
    }

    static Pooled<PatternState> StateOf(in EndState direction) => direction.Patterns.As<PatternState>();

    void Release(ref EndState direction)
    {
        Pooled<PatternState> state = StateOf(direction);
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
