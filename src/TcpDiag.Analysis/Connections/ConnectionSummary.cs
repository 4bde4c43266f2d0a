using System;
using TcpDiag.Analysis.Receiver;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>Turns the running state of a connection into its compact result.</summary>
static class ConnectionSummary
{
    /// <summary>Sums a connection up.</summary>
    /// <param name="state">Its state.</param>
    /// <param name="segments">Where the rest of it is.</param>
    /// <param name="observer">Measures what the state does not hold.</param>
    /// <param name="given">Where the capture was taken, when that was given.</param>
    /// <param name="now">When the latest record of the trace passed.</param>
    /// <param name="isOver">Whether nothing more comes; else the result is what is known so far, and the state goes on.</param>
    /// <returns>The result.</returns>
    public static Connection Of(
        ref readonly ConnectionState state, SegmentProcessor segments, IDirectionObserver observer, Vantage? given, TraceTime now, bool isOver)
    {
        ConnectionEnd end = EndOf(state, now);
        HandshakeState handshake = state.Handshake;
        int client = handshake.Client >= 0 ? handshake.Client : GuessClient(state.Key);
        bool hasClockJumped = handshake.HasRtt && handshake.HasClockJumped(state.Ends[client].Send.Header.LastTsVal, state.Captured.Last);
        bool isOneSided = IsOneSided(state, 0) || IsOneSided(state, 1);
        Vantage vantage = given ?? VantageDetector.Detect(in state, client, observer);
        RttSummary rttOfClient = segments.Flights.Summarise(state.Ends[client].Send);
        RttSummary rttOfServer = segments.Flights.Summarise(state.Ends[client ^ 1].Send);
        long? handshakeRtt = handshake.HasRtt && !hasClockJumped ? handshake.RttNanos : null;
        long? synAckDelay = handshake is { SynRetransmissions: 0, SynAckDelayNanos: > 0 } && !hasClockJumped ? handshake.SynAckDelayNanos : null;
        var summary = new DirectionSummary
        {
            Segments = segments,
            Observer = observer,
            IsOver = isOver,
            IsOneSided = isOneSided,
            RoundTripNanos = RoundTrip.PathOf(handshakeRtt, synAckDelay, rttOfClient, rttOfServer) ?? Math.Max(rttOfClient.Min, rttOfServer.Min),
            ActiveEnd = end == ConnectionEnd.Open && !isOneSided ? now : state.Captured.Last,
            MeasureEnd = end == ConnectionEnd.Open ? now : state.Captured.Last,
        };
        return new Connection
        {
            Vantage = vantage,
            Index = state.Index,
            Client = client == 0 ? state.Key.Low : state.Key.High,
            Server = client == 0 ? state.Key.High : state.Key.Low,
            Start = state.Captured.Start,
            Last = state.Captured.Last,
            FirstPacket = state.Captured.FirstPacket,
            IsHandshakeComplete = handshake.IsEstablished,
            SynRetransmissions = handshake.SynRetransmissions,
            IsOpen = handshake.IsOpen,
            IsOneSided = isOneSided,
            ConnectTime = handshake.IsEstablished || handshake.ConnectNanos > 0 ? handshake.ConnectNanos : null,
            HandshakeRtt = handshakeRtt,
            SynAckDelay = synAckDelay,
            End = end,
            FromClient = summary.Of(in state, client, VantageDetector.SeenFrom(vantage, isClient: true), rttOfClient, rttOfServer),
            FromServer = summary.Of(in state, client ^ 1, VantageDetector.SeenFrom(vantage, isClient: false), rttOfServer, rttOfClient),
            Evidence = Evidence.Packets,
        };
    }

    // Nothing of one end was captured, though it answered: the other end's handshake went on, its acknowledgments cover data, or it sent on and on without
    // resending anything.
    static bool IsOneSided(in ConnectionState state, int seen)
    {
        ref readonly EndState heard = ref state.Ends[seen];
        ref readonly SendState unheard = ref state.Ends[seen ^ 1].Send;
        if (unheard.Counts.Packets > 0)
        {
            return false;
        }

        bool isAnswered = (state.Handshake.IsOpen && heard.Syn.IsSeen) || unheard.Counts.UnseenBytes > 0;
        SendTimes times = heard.Send.Times;
        bool isHeard = heard.Send.Space.HasData && heard.Send.Counts.Retransmissions == 0 && times.LastSend - times.FirstData > Thresholds.MaxInitialRtoNanos;
        return isAnswered || isHeard;
    }

    static int GuessClient(in FlowKey key) => key.Low.Port > key.High.Port ? 0 : 1;

    // The wait after the last of doubling waits is more than all of them together by the first: by a third where there were two, the fewest.
    static ConnectionEnd EndOf(in ConnectionState state, TraceTime now) =>
        state.Closing.End == ConnectionEnd.Open && (HasTimedOut(state.Ends[0]) || HasTimedOut(state.Ends[1]))
            && 2 * (now - state.Captured.Last) > 3 * (state.Captured.Last - FirstUnanswered(state))
            ? ConnectionEnd.Timeout
            : state.Closing.End;

    static bool HasTimedOut(in EndState end) => end.Send.Times.Unanswered >= Thresholds.TimeoutRetransmissions;

    static TraceTime FirstUnanswered(in ConnectionState state) => state.Ends[HasTimedOut(state.Ends[0]) ? 0 : 1].Send.Times.FirstUnanswered;
}

/// <summary>Turns the running state of what one end sends into its compact result.</summary>
readonly struct DirectionSummary
{
    /// <summary>Where the rest of the connection's state is.</summary>
    public required SegmentProcessor Segments { get; init; }

    /// <summary>Measures what the state does not hold.</summary>
    public required IDirectionObserver Observer { get; init; }

    /// <summary>Whether nothing more comes.</summary>
    public required bool IsOver { get; init; }

    /// <summary>Whether nothing of one end was captured.</summary>
    public required bool IsOneSided { get; init; }

    /// <summary>The shortest round trip over the whole path, nanoseconds; 0 where nothing shows it.</summary>
    public required long RoundTripNanos { get; init; }

    /// <summary>Where an active time ends whose data is not all acknowledged.</summary>
    public required TraceTime ActiveEnd { get; init; }

    /// <summary>Where what goes on ends for the observers.</summary>
    public required TraceTime MeasureEnd { get; init; }

    /// <summary>Sums up what one end sent.</summary>
    /// <param name="state">The connection.</param>
    /// <param name="from">The end.</param>
    /// <param name="vantage">Where the capture was taken.</param>
    /// <param name="rtt">RTT samples of its data.</param>
    /// <param name="rttBack">Those of the other end's data.</param>
    /// <returns>The result.</returns>
    public ConnectionDirection Of(ref readonly ConnectionState state, int from, DirectionVantage vantage, in RttSummary rtt, in RttSummary rttBack)
    {
        ref readonly EndState sender = ref state.Ends[from];
        ref readonly SendState sent = ref sender.Send;
        ref readonly ReceiveState receiver = ref state.Ends[from ^ 1].Receive;
        ref readonly LossRecovery losses = ref Segments.Recoveries.Conclude(sent, IsOver);
        RecoveryMeasures recovery = RecoverySummary.Of(losses, sent, vantage, rtt, Segments.Flights.Durations);
        DirectionFacts facts = FactsOf(sent, receiver, vantage, rttBack, recovery.Reordering);
        DirectionMeasures measures = Observer.Measure(in state, from, facts, MeasureEnd, IsOver);
        return new ConnectionDirection
        {
            Evidence = Evidence.Packets,
            HasSyn = sender.Syn.IsSeen,
            SynOptions = sender.Syn.IsSeen && (sender.Syn.Options & TcpOptionKinds.Incomplete) == 0 ? sender.Syn.Options : null,
            Packets = sent.Counts.Packets,
            FrameBytes = sent.Counts.FrameBytes,
            PayloadBytes = sent.Counts.PayloadBytes,
            UniqueBytes = sent.Counts.UniqueBytes,
            UnseenBytes = IsOneSided || sent.Space.HasData || sender.Syn.IsSeen ? sent.Counts.UnseenBytes : 0, // all of it was sent before the capture began
            WireSegments = sent.Counts.WireSegments,
            ActiveTime = facts.ActiveTime,
            RoundTripNanos = RoundTripNanos,
            FirstData = sent.Space.HasData ? sent.Times.FirstData : null,
            Mss = sent.Sizes.Mss > 0 ? sent.Sizes.Mss : sent.Sizes.LargestPayload,
            Retransmissions = sent.Counts.Retransmissions,
            OutOfOrder = sent.Counts.OutOfOrder,
            DuplicateAcks = receiver.DuplicateAcks,
            Dsacks = receiver.Dsacks,
            DsacksTsharkFilter = receiver.DsacksTsharkFilter,
            Renegings = losses.Sacked.TimesForgotten,
            ReportedCopies = losses.Duplicates.UnexplainedDsacks,
            HasWindowScale = sender.Syn.HasWindowScale,
            MssOption = sender.Syn.MssOption > 0 ? sender.Syn.MssOption : null,
            LargestSegment = sent.Sizes.LargestPayload,
            UnstampedPackets = sent.Header.Unstamped,
            HasSackBlocks = receiver.HasSackBlocks,
            Ecn = EcnOf(state, measures.Ecn),
            ZeroWindows = receiver.Window.ZeroWindows,
            ZeroWindowProbes = sent.Probes.ZeroWindowProbes,
            KeepAlives = sent.Probes.KeepAlives,
            Rtt = rtt,
            SenderDelay = Observer.SenderDelay(in state, from),
            MaxInFlightBytes = sent.Space.HasData && !IsOneSided ? sent.Space.MaxInFlight : null,
            MaxReceiveWindowBytes = receiver.Window.Min is null ? null : (int)receiver.Window.Max,
            MinReceiveWindowBytes = (int?)receiver.Window.Min,
            IsReceiveWindowOpen = receiver.Window.Min is null && IsWindowOpen(receiver, vantage),
            NamedTriggers = recovery.NamedTriggers,
            Repairs = IsOneSided ? null : recovery.Repairs, // the other end's answers would show them
            Loss = IsOneSided ? null : recovery.Loss,
            Reordering = IsOneSided ? null : recovery.Reordering,
            Limits = measures.Limits,
            Cwnd = measures.Cwnd,
            Answers = measures.Answers,
            RttLoad = measures.RttLoad,
            Delivery = vantage == DirectionVantage.Receiver ? measures.Delivery?.WithoutQueue() : measures.Delivery,
            SlowStart = measures.SlowStart,
            LongestRtt = measures.LongestRtt,
            Patterns = measures.Patterns,
        };
    }

    DirectionFacts FactsOf(
        in SendState sent, in ReceiveState receiver, DirectionVantage vantage, in RttSummary rttBack, ReorderingSummary? reordering) => new(
            sent.Space.HasData ? ActiveTime(sent, ActiveEnd) : null, IsOneSided, vantage == DirectionVantage.Sender,
            receiver.Window.Min is not null || IsWindowOpen(receiver, vantage), rttBack, reordering?.MaxExtent);

    // Whether the window was never full by any scale. What fills it is in flight at the sender, and seen there alone.
    static bool IsWindowOpen(in ReceiveState receiver, DirectionVantage vantage) => vantage == DirectionVantage.Sender && !receiver.Window.MayHaveBeenFull;

    static EcnSummary? EcnOf(in ConnectionState state, in EcnCounts counts)
    {
        EcnUse use = EcnNegotiation.Of(state.Ends[0].Syn, state.Ends[1].Syn);
        bool isCounted = use != EcnUse.Accurate;
        return use is EcnUse.Unknown or EcnUse.Off && counts.Marked + counts.Echoes + counts.Reductions == 0
            ? null
            : new(use, counts.Marked, isCounted ? counts.Echoes : null, isCounted ? counts.Reductions : null);
    }

    static long ActiveTime(in SendState sent, TraceTime end)
    {
        bool isAllAcknowledged = sent.Space.SndUna >= sent.Space.DataEnd && sent.Times.LastAck > sent.Times.FirstData;
        long time = (isAllAcknowledged ? sent.Times.LastAck : end) - sent.Times.FirstData;
        return time > 0 ? time : 0;
    }
}
