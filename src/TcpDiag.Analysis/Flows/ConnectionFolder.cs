using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>Turns the running state of a connection into its compact result.</summary>
static class ConnectionFolder
{
    const int TimeoutRetransmissions = 3;
    const long LongestInitialRto = 3_000_000_000; // ns: RFC 1122 §4.2.3.1, RFC 6298 §2.1 shortened it to 1 s

    /// <summary>Folds a connection.</summary>
    /// <param name="state">Its state.</param>
    /// <param name="ledger">Where the rest of it is.</param>
    /// <param name="told">Where the capture was taken, when that was told.</param>
    /// <param name="now">Instant of the latest record of the trace.</param>
    /// <param name="isOver">Whether nothing more comes; else the result is what is known so far, and the state goes on.</param>
    /// <returns>The result.</returns>
    public static Connection Fold(ref readonly ConnectionState state, SegmentLedger ledger, Vantage? told, TraceTime now, bool isOver)
    {
        ConnectionEnd end = EndOf(state, now);
        int client = state.Client >= 0 ? state.Client : GuessClient(state.Key);
        bool hasRtt = state is { IsEstablished: true, HandshakeRtt: > 0, IsHandshakeAmbiguous: false };
        bool isOneSided = IsOneSided(state, state.Direction[0], state.Direction[1]) || IsOneSided(state, state.Direction[1], state.Direction[0]);
        TraceTime activeEnd = end == ConnectionEnd.Open && !isOneSided ? now : state.Last;
        Vantage vantage = told ?? VantageJudge.Judge(in state, client);
        return new Connection
        {
            Vantage = vantage,
            Index = state.Index,
            Client = client == 0 ? state.Key.Low : state.Key.High,
            Server = client == 0 ? state.Key.High : state.Key.Low,
            Start = state.Start,
            Last = state.Last,
            FirstPacket = state.FirstPacket,
            IsHandshakeComplete = state.IsEstablished,
            SynRetransmissions = state.SynRetransmissions,
            IsOpen = state.IsOpen,
            IsOneSided = isOneSided,
            ConnectTime = state.IsEstablished || state.ConnectTime > 0 ? state.ConnectTime : null,
            HandshakeRtt = hasRtt ? state.HandshakeRtt : null,
            End = end,
            FromClient = Fold(state.Direction[client], ledger, VantageJudge.PlaceOf(vantage, isClient: true), isOver, activeEnd, isOneSided),
            FromServer = Fold(state.Direction[client ^ 1], ledger, VantageJudge.PlaceOf(vantage, isClient: false), isOver, activeEnd, isOneSided),
            Evidence = Evidence.Packets,
        };
    }

    // Nothing of one end was captured, though it answered: the other end's handshake went on, its acknowledgments tell of data, or it sent on and on without resending anything.
    static bool IsOneSided(in ConnectionState state, in DirectionState seen, in DirectionState unseen)
    {
        if (unseen.Packets > 0)
        {
            return false;
        }

        bool isAnswered = (state.IsOpen && seen.Is(DirectionMarks.SynSeen)) || unseen.UnseenBytes > 0;
        bool isHeard = seen.Is(DirectionMarks.DataSeen) && seen.Retransmissions == 0 && seen.LastSendTime - seen.FirstDataTime > LongestInitialRto;
        return isAnswered || isHeard;
    }

    static int GuessClient(in FlowKey key) => key.Low.Port > key.High.Port ? 0 : 1;

    // The wait after the last of n doubling waits is a little more than all of them together.
    static ConnectionEnd EndOf(in ConnectionState state, TraceTime now) =>
        state.End == ConnectionEnd.Open && (HasTimedOut(state.Direction[0]) || HasTimedOut(state.Direction[1]))
            && now - state.Last > 2 * (state.Last - FirstUnanswered(state))
            ? ConnectionEnd.Timeout
            : state.End;

    static bool HasTimedOut(in DirectionState direction) => direction.Unanswered >= TimeoutRetransmissions;

    static TraceTime FirstUnanswered(in ConnectionState state) =>
        HasTimedOut(state.Direction[0]) ? state.Direction[0].FirstUnansweredTime : state.Direction[1].FirstUnansweredTime;

    static ConnectionDirection Fold(in DirectionState state, SegmentLedger ledger, CapturePlace place, bool isOver, TraceTime end, bool isOneSided)
    {
        bool hasData = state.Is(DirectionMarks.DataSeen);
        bool hasWindow = state.MaxReceiveWindow >= state.MinReceiveWindow;
        var result = new ConnectionDirection
        {
            Evidence = Evidence.Packets,
            HasSyn = state.Is(DirectionMarks.SynSeen),
            SynOptions = state.Is(DirectionMarks.SynSeen) && (state.SynOptions & TcpOptionKinds.Incomplete) == 0 ? state.SynOptions : null,
            Packets = state.Packets,
            FrameBytes = state.FrameBytes,
            PayloadBytes = state.PayloadBytes,
            UniqueBytes = state.UniqueBytes,
            UnseenBytes = state.UnseenBytes,
            WireSegments = state.WireSegments,
            ActiveTime = hasData ? ActiveTime(state, end) : null,
            Mss = state.Mss > 0 ? state.Mss : state.LargestPayload > 0 ? state.LargestPayload : null,
            Retransmissions = state.Retransmissions,
            OutOfOrder = state.OutOfOrder,
            DuplicateAcks = state.DuplicateAcks,
            Dsacks = state.Dsacks,
            DsacksTsharkFilter = state.DsacksTsharkFilter,
            MssOption = state.MssOption > 0 ? state.MssOption : null,
            LargestSegment = state.LargestPayload > 0 ? state.LargestPayload : null,
            UnstampedPackets = state.Unstamped,
            HasSackBlocks = state.Is(DirectionMarks.SackSeen),
            ZeroWindows = state.ZeroWindows,
            ZeroWindowProbes = state.ZeroWindowProbes,
            KeepAlives = state.KeepAlives,
            Rtt = ledger.Flights.Summarise(state),
            MaxInFlightBytes = hasData && !isOneSided ? state.MaxInFlight : null,
            MaxReceiveWindowBytes = hasWindow ? (int)state.MaxReceiveWindow : null,
            MinReceiveWindowBytes = hasWindow ? (int)state.MinReceiveWindow : null,
        };
        ledger.Repairs.Summarise(state, place, isOver, result);
        if (isOneSided)
        {
            WithholdWhatAnswersTell(result);
        }

        return result;
    }

    static void WithholdWhatAnswersTell(ConnectionDirection result)
    {
        result.Repairs = null;
        result.Loss = null;
        result.Reordering = null;
    }

    static long ActiveTime(in DirectionState state, TraceTime end)
    {
        bool isAllAcknowledged = state.SndUna >= state.DataEnd && state.LastAckTime > state.FirstDataTime;
        long time = (isAllAcknowledged ? state.LastAckTime : end) - state.FirstDataTime;
        return time > 0 ? time : 0;
    }
}
