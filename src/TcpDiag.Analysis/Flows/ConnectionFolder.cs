using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>Turns the running state of a connection into its compact result.</summary>
static class ConnectionFolder
{
    const int TimeoutRetransmissions = 3;

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
        TraceTime activeEnd = end == ConnectionEnd.Open ? now : state.Last;
        bool hasRtt = state is { IsEstablished: true, HandshakeRtt: > 0 };
        Vantage vantage = told ?? VantageJudge.Judge(in state, client, ledger.Flights);
        return new Connection
        {
            Vantage = vantage,
            Index = state.Index,
            Client = client == 0 ? state.Key.Low : state.Key.High,
            Server = client == 0 ? state.Key.High : state.Key.Low,
            Start = state.Start,
            Last = state.Last,
            IsHandshakeComplete = state.IsEstablished,
            SynRetransmissions = state.SynRetransmissions,
            ConnectTime = state.IsEstablished ? state.ConnectTime : null,
            HandshakeRtt = hasRtt ? state.HandshakeRtt : null,
            End = end,
            FromClient = Fold(state.Direction[client], ledger, VantageJudge.PlaceOf(vantage, isClient: true), isOver, activeEnd),
            FromServer = Fold(state.Direction[client ^ 1], ledger, VantageJudge.PlaceOf(vantage, isClient: false), isOver, activeEnd),
            Evidence = Evidence.Packets,
        };
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

    static ConnectionDirection Fold(in DirectionState state, SegmentLedger ledger, CapturePlace place, bool isOver, TraceTime end)
    {
        bool hasData = state.Is(DirectionMarks.DataSeen);
        bool hasWindow = state.MaxReceiveWindow >= state.MinReceiveWindow;
        var result = new ConnectionDirection
        {
            Evidence = Evidence.Packets,
            SynOptions = state.Is(DirectionMarks.SynSeen) ? state.SynOptions : null,
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
            ZeroWindows = state.ZeroWindows,
            ZeroWindowProbes = state.ZeroWindowProbes,
            KeepAlives = state.KeepAlives,
            Rtt = ledger.Flights.Summarise(state),
            MaxInFlightBytes = hasData ? state.MaxInFlight : null,
            MaxReceiveWindowBytes = hasWindow ? (int)state.MaxReceiveWindow : null,
            MinReceiveWindowBytes = hasWindow ? (int)state.MinReceiveWindow : null,
        };
        ledger.Repairs.Summarise(state, place, isOver, result);
        return result;
    }

    static long ActiveTime(in DirectionState state, TraceTime end)
    {
        bool isAllAcknowledged = state.SndUna >= state.DataEnd && state.LastAckTime > state.FirstDataTime;
        long time = (isAllAcknowledged ? state.LastAckTime : end) - state.FirstDataTime;
        return time > 0 ? time : 0;
    }
}
