using System;
using System.Collections.Generic;
using TcpDiag.Traces.Schemas;
using static TcpDiag.Traces.StackEvents.StackEventKind;
using static TcpDiag.Traces.StackEvents.StackField;
using static TcpDiag.Traces.StackEvents.TcpipEvent;

namespace TcpDiag.Traces.StackEvents;

/// <summary>
/// Which Windows event is which event of the vocabulary: the one table from which decoder and documentation are made
/// (docs/formats/stack-events.md). Versions need no entry: fields are found by name in the layout of the event's version.
/// </summary>
static class StackEventTable
{
    public static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    public static readonly Guid Afd = new("e53c6823-7bb8-44bb-90dc-3f86090d48a6");
    public static readonly Guid NameResolution = new("55404e71-4db9-4deb-a5f5-8f86e46dde56");
    public static readonly Guid KernelNetwork = new("7dd42a49-5329-4832-8dfd-43d979153a88");

    // Winsock-AFD, by the manifest's names.
    const int AfdSendConnected = 1003;
    const int AfdReceiveConnected = 1004;
    const int AfdSendBackLog = 3007;

    // Winsock-NameResolution: WinsockGai 1000 to 1004.
    const int LookupStarted = 1000;
    const int LookupCompleted = 1001;
    const int QueryStarted = 1002;
    const int QueryCompleted = 1004;

    // Opcodes of kernel events for IPv6 are those for IPv4 and this; Kernel-Network uses the same numbers as event ids.
    const int Ipv6 = 16;

    public static IReadOnlyList<StackEventMapping> All { get; } =
    [
        .. Opening(), .. Closing(), .. Transfer(), .. Congestion(), .. Recovery(), .. Sack(), .. Buffers(), .. Ends(),
        .. Applications(), .. Kernel(),
    ];

    static IEnumerable<StackEventMapping> Opening()
    {
        yield return Event(TcpRequestConnect, ConnectRequested);
        yield return Event(TcpConnectTcbProceeding, ConnectRequested);
        yield return Event(TcpTcbSynSend, SynSent);
        yield return Event(TcpConnectTcbComplete, Connected);
        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpAcceptListenerInsertionFailure, TcpConnectTcbFailedAf, TcpConnectTcbFailedCompartment, TcpConnectTcbFailedInspect,
            TcpConnectTcbFailedRoute, TcpConnectTcbCheckRateLimit, TcpConnectTcbCancel, TcpConnectTcbFailInsertion,
            TcpConnectTcbRateLimitCancel, TcpConnectTcbFailure, TcpConnectTcbFailInspectConnectComplete,
            TcpConnectTcbFailSessionState, TcpConnectTcbFailDontFragment, TcpConnectTcbTimeout, TcpConnectTcbEstatsFailed,
            TcpConnectFailedPortAcquire, TcpConnectTcbFailedAccess,
        ])
        {
            yield return Event(id, ConnectFailed);
        }

        yield return Event(TcpAcceptListenerComplete, Accepted);
        yield return Event(TcpAccpetListenerRouteLookupFailure, ConnectFailed);
        yield return Event(TcpAcceptListenerRejected, ConnectFailed);
        yield return Event(TcpConnectionRundown, ConnectionRundown);
        yield return Event(TcpTcbStateChange, StateChanged);
        yield return Event(TcpInsertConnectionTuple, StateChanged);
        yield return Event(TcpRemoveConnectionTuple, StateChanged);
    }

    // Action says how: see the documentation's list of actions.
    static IEnumerable<StackEventMapping> Closing()
    {
        int action = 0;
        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpCloseTcbRequest, TcpShutdownTcb, TcpAbortTcbRequest, TcpAbortTcbComplete, TcpDisconnectTcbComplete,
            TcpDisconnectTcbRtoTimeout, TcpDisconnectTcbKeepaliveTimeout, TcpDisconnectTcbTimeout,
            TcpDisconnectTcbZeroWindowTimeout, TcpDisconnectTcbFinWait2Timeout, TcpSystemAbortTcb, TcpConnectionTerminatedByNsi,
            TcpConnectionTerminatedRcvdSyn, TcpDisconnect,
        ])
        {
            yield return Event(id, Closed) with { Constants = [(StackField.Action, ++action)] };
        }

        yield return Event(TcpConnectTcbFailedRcvdRst, Reset) with { Constants = [(Direction, 1)] };
        yield return Event(TcpConnectionTerminatedRcvdRst, Reset) with { Constants = [(Direction, 1)] };
        yield return Event(TcpRstSend, Reset) with { Constants = [(Direction, 0)] };
    }

    static IEnumerable<StackEventMapping> Transfer()
    {
        yield return Event(TcpSendPosted, SendPosted);
        yield return Event(TcpSendComplete, SendCompleted);
        yield return Event(TcpSendCompletionFailure, SendCompleted);
        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpDataTransferSend1332, TcpCtcpDataTransferSend1333, TcpDataTransferSend, TcpCtcpDataTransferSend,
        ])
        {
            yield return Event(id, SegmentSent);
        }

        foreach (TcpipEvent id in (TcpipEvent[])[TcpDataTransferReceive, TcpRx, TcpProcessFastRxBatch])
        {
            yield return Event(id, SegmentReceived);
        }

        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpDataTransferCumAck1330, TcpCtcpDataTransferCumAck1331, TcpDataTransferCumAck, TcpCtcpDataTransferCumAck,
            TcpCubicDataTransferCumAck,
        ])
        {
            yield return Event(id, AckReceived);
        }

        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpDataTransferDupAck1343, TcpCtcpDataTransferDupAck1344, TcpDataTransferDupAck, TcpCtcpDataTransferDupAck,
            TcpCubicDataTransferDupAck,
        ])
        {
            yield return Event(id, DuplicateAck);
        }

        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpDataTransferRttSample1341, TcpRttResiliencyDetection1342, TcpDataTransferRttSample, TcpRttResiliencyDetection,
        ])
        {
            yield return Event(id, RttSample);
        }

        yield return Event(TcpConnectionKeepAlive, KeepAlive);
        yield return Event(TcpDeliverySatisfied, DataRead) with { Fields = [new("RequestStatus", Status)] };
    }

    static IEnumerable<StackEventMapping> Congestion()
    {
        yield return Event(TcpSlowStartToCongestionAvoidance1350, SlowStartEnded);
        yield return Event(TcpSlowStartToCongestionAvoidance, SlowStartEnded);
        yield return Event(TcpCubicHystartStateChange, HyStartChanged) with { Fields = [new("State", StackField.Action)] };
        yield return Event(TcpCongestionStateChange, CongestionStateChanged) with
        {
            Fields = [new("OldState", OldCongestionState), new("NewState", CongestionState)],
        };
        yield return Event(TcpLossRecoveryEntry, CongestionStateChanged) with { Constants = [(InRecovery, 1)] };
        yield return Event(TcpLossRecoveryExit, CongestionStateChanged) with { Constants = [(InRecovery, 0)] };
        yield return Event(TcpLossRecoverySackEntry, CongestionStateChanged) with { Constants = [(InRecovery, 1)] };
        yield return Event(TcpLossRecoverySackExit, CongestionStateChanged) with { Constants = [(InRecovery, 0)] };
        foreach (TcpipEvent id in (TcpipEvent[])[TcpDataTransferEcn, TcpCtcpDataTransferEcn, TcpCubicDataTransferEcn])
        {
            yield return Event(id, CongestionSignal);
        }

        foreach (TcpipEvent id in (TcpipEvent[])[TcpCwndRestart, TcpInitialCwndAdjusted, TcpCwndRestart1229, TcpCwndRestart1625])
        {
            yield return Event(id, CwndRestarted);
        }

        yield return Event(TcpLedbatState, CwndSample) with { Fields = [new("LedbatEvent", StackField.Action)] };
        yield return Event(TcpPacingSend, Pacing) with { Fields = [new("OriginalBytesToSend", BytesToSend)] };
        yield return Event(TcpRateBasedPacingTimeout, Pacing);
        yield return Event(TcpBbr2, Pacing) with { Fields = [new("mode", CongestionState), new("cycle_idx", StackField.Action)] };
        yield return Event(TcpTemplateParameters, TemplateParameters);
    }

    static IEnumerable<StackEventMapping> Recovery()
    {
        yield return Event(TcpConnectRestransmit, SegmentRetransmitted);
        yield return Event(TcpDataTransferRestransmit, SegmentRetransmitted);
        yield return Event(TcpEarlyRetransmit, SegmentRetransmitted) with { Fields = [new("SackIsLostSeq", SeqNo)] };
        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpLossRecoverySend, TcpLossRecoverySend1419, TcpLossRecoverySend1420, TcpLossRecoverySend1421,
        ])
        {
            yield return Event(id, SegmentRetransmitted) with { Fields = [new("BytesToSend", Bytes)] };
        }

        foreach (TcpipEvent id in (TcpipEvent[])
        [
            TcpDataTransferRetransmitRound1351, TcpDataTransferRetransmitRound, TcpDataTransferTimeout,
            TcpCtcpDataTransferTimeout, TcpCtcpDataTransferTimeout1348,
        ])
        {
            yield return Event(id, RetransmissionTimeout);
        }

        // Action: 1 a test begins, 2 it ends, 3 the timeout was spurious.
        foreach ((TcpipEvent id, int action) in ((TcpipEvent, int)[])
        [
            (TcpSpuriousRtoDetectionBegin, 1), (TcpSpuriousRtoDetectionBegin1346, 1), (TcpSpuriousRtoDetectionEnd, 2),
            (TcpSpuriousRtoDetectionEnd1347, 2), (TcpDataTransferSpuriousTimeout, 3), (TcpCtcpDataTransferSpuriousTimeout, 3),
            (TcpDataTransferSpuriousTimeout1345, 3), (TcpCtcpDataTransferSpuriousTimeout1349, 3),
        ])
        {
            yield return Event(id, SpuriousTimeout) with { Constants = [(StackField.Action, action)] };
        }

        // Action: 1 smaller segments are tried, 2 that ends, 3 they did not help.
        foreach ((TcpipEvent id, int action) in ((TcpipEvent, int)[])
        [
            (TcpBlackHoleDetectionEntry, 1), (TcpBlackHoleDetectionExit, 2), (TcpBlackHoleDetectionFailed, 3),
        ])
        {
            yield return Event(id, BlackHoleDetection) with { Constants = [(StackField.Action, action)] };
        }

        yield return Event(TcpTailLossProbe, TailLossProbe) with { Fields = [new("ThFlags", Flags)] };
        yield return Event(TcpTailLossProbe1386, TailLossProbe);
        yield return Event(TcpArmRackTimer, RackTimer) with { Constants = [(StackField.Action, 1)] };
        yield return Event(TcpRackTimeout, RackTimer) with { Constants = [(StackField.Action, 2)] };
        yield return Event(TcpTcbStartTimer, StackEventKind.Timer) with { Constants = [(StackField.Action, 1)] };
        yield return Event(TcpTcbExpireTimer, StackEventKind.Timer) with { Constants = [(StackField.Action, 2)] };
        yield return Event(TcpTcbStopTimer, StackEventKind.Timer) with { Constants = [(StackField.Action, 3)] };
        yield return Event(TcpPrrSend, PrrSend);
    }

    static IEnumerable<StackEventMapping> Sack()
    {
        yield return Event(TcpSackUpdate, SackUpdated);
        yield return Event(TcpSendTrackerAck, SackUpdated);
        yield return Event(TcpReceiveSackBlock, SackBlockReceived);
        yield return Event(TcpReceiveSack, SackReceived);
        yield return Event(TcpCarefulAck, SackReceived) with { Fields = [new("SackUpdated", NewSackInfo)] };
        yield return Event(TcpSackUpdateLimitReached, SackLimitReached) with { Fields = [new("Location", Reason)] };
        yield return Event(TcpSendTrackerSackLimitReached, SackLimitReached);
        yield return Event(TcpRack, RackUpdated);
        yield return Event(TcpSendTrackerRackUpdate, RackUpdated);
        yield return Event(TcpSendTrackerUpdateReoWnd, ReoWndUpdated);
        yield return Event(TcpSendTrackerSackReorderingDetected, ReorderingDetected);
        yield return Event(TcpSendTrackerDetectLoss, SegmentLost);
        yield return Event(TcpSendTrackerMarkRexmit, SegmentLost);
    }

    static IEnumerable<StackEventMapping> Buffers()
    {
        // Action: 1 tuning begins, 2 it ends, 3 the buffer changes, 4 tuning gave up.
        foreach ((TcpipEvent id, int action) in ((TcpipEvent, int)[])
        [
            (TcpAutoTuningBegin, 1), (TcpAutoTuningEnd, 2), (TcpAutoTuningChangeRcvBufferSize, 3),
            (TcpAutoTuningFailedRttEstimation, 4), (TcpAutoTuningFailedBandwidthEstimation, 4),
            (TcpAutoTuningFailedAllocationFailure, 4),
        ])
        {
            yield return Event(id, ReceiveBufferChanged) with { Constants = [(StackField.Action, action)] };
        }

        yield return Event(TcpAppSendBufferSize, SendBufferChanged) with { Fields = [new("NumBytes", SendBuffer)] };
        yield return Event(TcpTcbChangeIsb, SendBufferChanged);
        yield return Event(TcpZeroWindowProbingBegin, ZeroWindow) with { Constants = [(StackField.Action, 1)] };
        yield return Event(TcpZeroWindowProbingEnd, ZeroWindow) with { Constants = [(StackField.Action, 2)] };
        yield return Event(TcpReassemblyEntry, Reassembly) with { Constants = [(StackField.Action, 1)] };
        yield return Event(TcpReassemblyExit, Reassembly) with { Constants = [(StackField.Action, 2)] };
        yield return Event(TcpReassemblyFlush, Reassembly) with { Constants = [(StackField.Action, 3)] };
    }

    static IEnumerable<StackEventMapping> Ends()
    {
        yield return Event(TcpConnectionSummary, ConnectionSummary);
        yield return Event(TcpConnectionSummary1477, ConnectionSummary);
        yield return Event(TcpLimitingFactor, LimitingFactor);
        yield return Event(TcpSendAcked, LimitingFactor);
        yield return Event(TcpipTransportPacketDrops, PacketDropped);
        yield return Event(TcpipNetworkPacketDrops, PacketDropped);
        yield return Event(TcpipFramingPacketDrops, PacketDropped);
    }

    static IEnumerable<StackEventMapping> Applications()
    {
        yield return new(Afd, AfdSendConnected, SendPosted)
        {
            HasExit = true,
            KindAtExit = SendCompleted,
            Fields = [new("Endpoint", Socket)],
            IsProcessOfHeader = true,
        };
        yield return new(Afd, AfdReceiveConnected, StackEventKind.None)
        {
            HasExit = true,
            KindAtExit = DataRead,
            Fields = [new("Endpoint", Socket)],
            IsProcessOfHeader = true,
        };
        yield return new(Afd, AfdSendBackLog, SendBufferChanged) { Fields = [new("Endpoint", Socket)] };
        foreach (int id in (int[])[LookupStarted, QueryStarted])
        {
            yield return new(NameResolution, id, NameLookupStarted) { TextField = "NodeName", IsProcessOfHeader = true };
        }

        foreach (int id in (int[])[LookupCompleted, QueryCompleted])
        {
            yield return new(NameResolution, id, NameLookupCompleted) { TextField = "NodeName", Fields = [new("Status", Reason)], IsProcessOfHeader = true };
        }
    }

    static IEnumerable<StackEventMapping> Kernel()
    {
        const int Start = 1;
        const int RundownEnd = 4;
        for (int opcode = Start; opcode <= RundownEnd; opcode++)
        {
            yield return new(ClassicSchemas.Process, opcode, ProcessNamed)
            {
                TextField = "ImageFileName",
                Fields = [new("ParentId", ParentProcessId)],
                Constants = [(StackField.Action, opcode)],
            };
        }

        foreach (Guid provider in (Guid[])[ClassicSchemas.TcpIp, KernelNetwork])
        {
            foreach ((KernelTcpIpOpcode opcode, StackEventKind kind) in KernelKinds())
            {
                yield return KernelEvent(provider, (int)opcode, kind);
                yield return KernelEvent(provider, (int)opcode + Ipv6, kind);
            }

            yield return new(provider, (int)KernelTcpIpOpcode.Fail, ConnectFailed) { Fields = [new("Proto", Protocol), new("FailureCode", Reason)] };
        }
    }

    static (KernelTcpIpOpcode Opcode, StackEventKind Kind)[] KernelKinds() =>
    [
        (KernelTcpIpOpcode.Send, SendCompleted), (KernelTcpIpOpcode.Receive, SegmentReceived), (KernelTcpIpOpcode.Connect, Connected),
        (KernelTcpIpOpcode.Disconnect, Closed), (KernelTcpIpOpcode.Retransmit, SegmentRetransmitted), (KernelTcpIpOpcode.Accept, Accepted),
        (KernelTcpIpOpcode.Reconnect, ConnectRequested), (KernelTcpIpOpcode.Copy, DataRead),
    ];

    static StackEventMapping KernelEvent(Guid provider, int id, StackEventKind kind) => new(provider, id, kind)
    {
        Fields = [new("mss", StackField.Mss), new("rcvwin", RcvWnd), new("rcvwinscale", RcvWndScale)],
    };

    static StackEventMapping Event(TcpipEvent id, StackEventKind kind) => new(Tcpip, (int)id, kind);
}

/// <summary>How one Windows event becomes an event of the vocabulary.</summary>
/// <param name="Provider">Provider, or class of a classic event.</param>
/// <param name="Id">Event id; of a classic event its opcode.</param>
/// <param name="Kind">What it becomes.</param>
sealed record StackEventMapping(Guid Provider, int Id, StackEventKind Kind)
{
    /// <summary>Fields that mean something else here than <see cref="CommonFieldNames"/> says.</summary>
    public IReadOnlyList<FieldMapping> Fields { get; init; } = [];

    /// <summary>Values the event implies without holding them.</summary>
    public IReadOnlyList<(StackField Field, long Value)> Constants { get; init; } = [];

    /// <summary>The manifest field that becomes the text, or null.</summary>
    public string? TextField { get; init; }

    /// <summary>The kind when the first field of the payload (EnterExit of AFD) is 1; None when that exit means nothing.</summary>
    public StackEventKind KindAtExit { get; init; }

    /// <summary>Whether the first field of the payload chooses between <see cref="Kind"/> (0) and <see cref="KindAtExit"/> (1).</summary>
    public bool HasExit { get; init; }

    /// <summary>Whether the process is the one that logged the event.</summary>
    public bool IsProcessOfHeader { get; init; }
}
