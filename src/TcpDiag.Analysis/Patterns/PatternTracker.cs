using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Patterns;

/// <summary>
/// Notes what stands out while a connection is read: resets, FINs, what was resent, closed windows, and the ping-pong of
/// needless retransmissions and duplicate acknowledgments (docs/findings). A calm segment costs one test, and a calm connection no memory.
/// </summary>
sealed class PatternTracker
{
    const TcpFlags Ending = TcpFlags.Fin | TcpFlags.Rst;

    // A stack answers a window update at once; a busy machine takes longer.
    const long MostAnswer = 50_000_000; // ns

    readonly StructPool<PatternState> _states = new();

    /// <summary>Whether calm segments are looked at, too.</summary>
    /// <param name="sent">The direction of a segment's payload.</param>
    /// <param name="acked">The other one.</param>
    /// <returns>False when they tell nothing.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Watches(in DirectionState sent, in DirectionState acked) => ((sent.Marks | acked.Marks) & DirectionMarks.PatternOpen) != 0;

    /// <inheritdoc cref="ILedgerFollower.Prefetch"/>
    public static void Prefetch(in ConnectionState connection)
    {
        connection.Direction[0].Pattern.Prefetch();
        connection.Direction[1].Pattern.Prefetch();
    }

    /// <inheritdoc cref="ILedgerFollower.OnStep"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnStep(ref ConnectionState connection, int from, in LedgerStep step)
    {
        ref DirectionState sent = ref connection.Direction[from];
        ref DirectionState acked = ref connection.Direction[from ^ 1];
        bool isCalm = step.Sent <= SentKind.New && (step.Flags & Ending) == 0 && !step.IsDuplicateAck && !step.IsDsack
            && !(step.IsWindowKnown && step.Window == 0);
        if (!isCalm || Watches(sent, acked))
        {
            OnNotable(ref connection, from, step, isCalm);
        }
    }

    /// <inheritdoc cref="ILedgerFollower.OnFold"/>
    public void OnFold(ref ConnectionState connection, Connection result, TraceTime end)
    {
        ConnectionDirection first = result.DirectionFrom(connection.Key.Low);
        ConnectionDirection second = result.DirectionFrom(connection.Key.High);
        first.Patterns = Summarise(connection.Direction[0], end, isOver: true);
        second.Patterns = Summarise(connection.Direction[1], end, isOver: true);
        _states.Return(ref connection.Direction[0].Pattern);
        _states.Return(ref connection.Direction[1].Pattern);
    }

    /// <inheritdoc cref="ILedgerFollower.OnLook"/>
    public static void OnLook(ref readonly ConnectionState connection, Connection result, TraceTime now)
    {
        result.DirectionFrom(connection.Key.Low).Patterns = Summarise(connection.Direction[0], now, isOver: false);
        result.DirectionFrom(connection.Key.High).Patterns = Summarise(connection.Direction[1], now, isOver: false);
    }

    void OnNotable(ref ConnectionState connection, int from, in LedgerStep step, bool isCalm)
    {
        ref DirectionState sent = ref connection.Direction[from];
        ref DirectionState acked = ref connection.Direction[from ^ 1];
        if (sent.Pattern.IsAny || step.Sent > SentKind.New || (step.Flags & Ending) != 0)
        {
            if (step.Sent == SentKind.Foreign && !connection.IsEstablished)
            {
                return; // it answers what the peer still knew of an earlier connection
            }

            ref PatternState state = ref Of(ref sent);
            OnWaited(ref state, step, connection.HandshakeRtt);
            OnSent(ref state, acked.Pattern.IsAny && acked.Pattern.Value.Marks.Has(PatternMark.Fin), step);
        }

        if (acked.Pattern.IsAny || !isCalm)
        {
            OnAcked(ref Of(ref acked), step);
        }

        Watch(ref sent);
        Watch(ref acked);
    }

    // Null when nothing stood out. What is over leaves its marks to the result.
    static DirectionPatterns? Summarise(in DirectionState direction, TraceTime end, bool isOver)
    {
        if (!direction.Pattern.IsAny)
        {
            return null;
        }

        ref PatternState state = ref direction.Pattern.Value;
        long open = state.IsWindowClosed && end > state.WindowClosed ? end - state.WindowClosed : 0;
        long waited = state.IsProbed ? open : 0;
        return new DirectionPatterns(isOver ? state.Marks : state.Marks.Copy())
        {
            Resets = state.Resets,
            BytesAfterPeerFin = state.BytesAfterPeerFin,
            DuplicateAcksWithoutSack = state.DuplicateAcksWithoutSack,
            ZeroWindowTime = state.ZeroWindowTime + open,
            ZeroWindowWait = state.ZeroWindowWait + waited,
            Unheard = state.Marks.Has(PatternMark.Reset) ? state.Unheard : 0,
            LongestPingPong = state.LongestPingPong,
            FinalPingPong = state.PingPongs,
        };
    }

    // Whether calm segments, too, are to be looked at from now on.
    static void Watch(ref DirectionState direction)
    {
        bool isOpen = direction.Pattern.IsAny && direction.Pattern.Value.IsOpen;
        direction.Marks = isOpen ? direction.Marks | DirectionMarks.PatternOpen : direction.Marks & ~DirectionMarks.PatternOpen;
    }

    // What follows the opening of a window within a round trip and the time of a stack to answer had waited for it.
    static void OnWaited(ref PatternState state, in LedgerStep step, long roundTrip)
    {
        state.IsProbed |= state.IsWindowClosed && step.Sent == SentKind.WindowProbe;
        state.Unheard += step.Sent == SentKind.KeepAlive ? 1 : 0;
        if (state.ClosedBefore > 0 && step.Sent is SentKind.New or SentKind.Retransmission)
        {
            state.ZeroWindowWait += step.Time - state.Marks[PatternMark.WindowOpened]!.Value.Time <= roundTrip + MostAnswer ? state.ClosedBefore : 0;
            state.ClosedBefore = 0;
        }
    }

    static void OnSent(ref PatternState state, bool isPeerDone, in LedgerStep step)
    {
        var mark = new Mark(step.PacketNumber, step.Time);
        if ((step.Flags & TcpFlags.Rst) != 0)
        {
            bool isForeign = step.Sent == SentKind.Foreign;
            state.Resets += isForeign ? 0 : 1;
            state.Marks.First(isForeign ? PatternMark.ForeignReset : PatternMark.Reset, mark);
            return;
        }

        if ((step.Flags & TcpFlags.Fin) != 0)
        {
            state.Marks.First(PatternMark.Fin, mark);
        }

        state.BytesAfterPeerFin += isPeerDone ? step.Length - ((int)step.Flags & 1) : 0;
        if (step.Sent == SentKind.Retransmission)
        {
            OnResent(ref state, mark, step);
        }
        else if (step.Sent == SentKind.New)
        {
            EndPingPong(ref state);
        }
        else if (step.Sent == SentKind.Late)
        {
            state.Marks.First(PatternMark.Late, mark);
            state.Marks[PatternMark.LastLate] = mark;
        }
    }

    static void OnResent(ref PatternState state, Mark mark, in LedgerStep step)
    {
        state.Marks.First(PatternMark.Retransmission, mark);
        state.Marks[PatternMark.LastRetransmission] = mark;
        if (step.Trigger == RetransmissionTrigger.Rto)
        {
            state.Marks.First(PatternMark.Timeout, mark);
        }
        else if (step.Trigger is RetransmissionTrigger.Tlp or RetransmissionTrigger.LostRetransmission)
        {
            state.Marks.First(step.Trigger == RetransmissionTrigger.Tlp ? PatternMark.Probe : PatternMark.RepairAgain, mark);
        }

        if (state.PingPongs > 0 && step.Start >= state.PingPongEnd)
        {
            EndPingPong(ref state); // the next data, not the same again
        }

        SequenceNumber end = step.Start + step.Length;
        state.PingPongEnd = state.PingPongs == 0 || end > state.PingPongEnd ? end : state.PingPongEnd;
        state.Marks[PatternMark.PingPong] = state.PingPongs == 0 ? mark : state.Marks[PatternMark.PingPong];
        state.IsPingOut = true;
    }

    static void OnAcked(ref PatternState state, in LedgerStep step)
    {
        var mark = new Mark(step.PacketNumber, step.Time);
        state.Unheard = 0;
        if (step.IsDsack)
        {
            state.Marks.First(PatternMark.Dsack, mark);
        }

        if (step.IsDuplicateAck)
        {
            state.Marks.First(PatternMark.DuplicateAck, mark);
            state.DuplicateAcksWithoutSack += step.HasSack ? 0 : 1;
        }

        if (step.Advance > 0)
        {
            EndPingPong(ref state);
        }
        else if (state.IsPingOut && (step.IsDsack || (step.IsDuplicateAck && step.NewlySacked == 0)))
        {
            OnPong(ref state);
        }

        OnWindow(ref state, mark, step);
    }

    static void OnPong(ref PatternState state)
    {
        state.IsPingOut = false;
        state.PingPongs++;
        if (state.PingPongs > state.LongestPingPong)
        {
            state.LongestPingPong = state.PingPongs;
            state.Marks[PatternMark.LongestPingPong] = state.Marks[PatternMark.PingPong];
        }
    }

    static void EndPingPong(ref PatternState state)
    {
        state.PingPongs = 0;
        state.IsPingOut = false;
    }

    static void OnWindow(ref PatternState state, Mark mark, in LedgerStep step)
    {
        if (!step.IsWindowKnown || (step.Flags & (TcpFlags.Rst | TcpFlags.Syn)) != 0)
        {
            return;
        }

        if (step.Window == 0 && !state.IsWindowClosed)
        {
            state.Marks.First(PatternMark.ZeroWindow, mark);
            state.WindowClosed = step.Time;
            state.IsWindowClosed = true;
        }
        else if (step.Window > 0 && state.IsWindowClosed)
        {
            long closed = step.Time > state.WindowClosed ? step.Time - state.WindowClosed : 0;
            state.ZeroWindowTime += closed;
            state.ZeroWindowWait += state.IsProbed ? closed : 0;
            state.ClosedBefore = state.IsProbed ? 0 : closed;
            state.Marks[PatternMark.WindowOpened] = mark;
            state.IsWindowClosed = false;
            state.IsProbed = false;
        }
    }

    ref PatternState Of(ref DirectionState direction)
    {
        if (!direction.Pattern.IsAny)
        {
            direction.Pattern = _states.Take();
        }

        return ref direction.Pattern.Value;
    }
}
