using System;
using System.Collections.Generic;
using TcpDiag.Traces.Schemas;
using static TcpDiag.Traces.StackEvents.StackEventKind;
using static TcpDiag.Traces.StackEvents.StackField;

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

    // Opcodes of kernel events for IPv6 are those for IPv4 and this; Kernel-Network uses the same numbers as event ids.
    const int Ipv6 = 16;

    /// <summary>All mappings.</summary>
    public static IReadOnlyList<StackEventMapping> All { get; } =
    [
        .. Opening(), .. Closing(), .. Transfer(), .. Congestion(), .. Recovery(), .. Sack(), .. Buffers(), .. Ends(),
        .. Applications(), .. Kernel(),
    ];

    static IEnumerable<StackEventMapping> Opening()
    {
        yield return Event(1002, ConnectRequested);
        yield return Event(1031, ConnectRequested);
        yield return Event(1004, SynSent);
        yield return Event(1033, Connected);
        foreach (int id in (int[])[1015, 1018, 1019, 1020, 1021, 1024, 1029, 1030, 1032, 1034, 1035, 1036, 1037, 1045, 1049, 1050, 1564])
        {
            yield return Event(id, ConnectFailed);
        }

        yield return Event(1017, Accepted);
        yield return Event(1014, ConnectFailed);
        yield return Event(1016, ConnectFailed);
        yield return Event(1300, ConnectionRundown);
        yield return Event(1051, StateChanged);
        yield return Event(1364, StateChanged);
        yield return Event(1365, StateChanged);
    }

    // Action tells how: see the documentation's list of actions.
    static IEnumerable<StackEventMapping> Closing()
    {
        int action = 0;
        foreach (int id in (int[])[1038, 1044, 1039, 1040, 1043, 1046, 1047, 1048, 1200, 1201, 1468, 1555, 1185, 1603])
        {
            yield return Event(id, Closed) with { Constants = [(StackField.Action, ++action)] };
        }

        yield return Event(1183, Reset) with { Constants = [(Direction, 1)] };
        yield return Event(1184, Reset) with { Constants = [(Direction, 1)] };
        yield return Event(1479, Reset) with { Constants = [(Direction, 0)] };
    }

    static IEnumerable<StackEventMapping> Transfer()
    {
        yield return Event(1159, SendPosted);
        yield return Event(1426, SendCompleted);
        yield return Event(1590, SendCompleted);
        foreach (int id in (int[])[1332, 1333, 1073, 1153])
        {
            yield return Event(id, SegmentSent);
        }

        foreach (int id in (int[])[1074, 1601, 1602])
        {
            yield return Event(id, SegmentReceived);
        }

        foreach (int id in (int[])[1330, 1331, 1071, 1151, 1429])
        {
            yield return Event(id, AckReceived);
        }

        foreach (int id in (int[])[1343, 1344, 1072, 1152, 1430])
        {
            yield return Event(id, DuplicateAck);
        }

        foreach (int id in (int[])[1341, 1342, 1070, 1098])
        {
            yield return Event(id, RttSample);
        }

        yield return Event(1188, KeepAlive);
        yield return Event(1158, DataRead) with { Fields = [new("RequestStatus", Status)] };
    }

    static IEnumerable<StackEventMapping> Congestion()
    {
        yield return Event(1350, SlowStartEnded);
        yield return Event(1082, SlowStartEnded);
        yield return Event(1475, HyStartChanged) with { Fields = [new("State", StackField.Action)] };
        yield return Event(1565, CongestionStateChanged) with
        {
            Fields = [new("OldState", OldCongestionState), new("NewState", CongestionState)],
        };
        yield return Event(1078, CongestionStateChanged) with { Constants = [(InRecovery, 1)] };
        yield return Event(1079, CongestionStateChanged) with { Constants = [(InRecovery, 0)] };
        yield return Event(1080, CongestionStateChanged) with { Constants = [(InRecovery, 1)] };
        yield return Event(1081, CongestionStateChanged) with { Constants = [(InRecovery, 0)] };
        foreach (int id in (int[])[1075, 1154, 1453])
        {
            yield return Event(id, CongestionSignal);
        }

        foreach (int id in (int[])[1221, 1222, 1229, 1625])
        {
            yield return Event(id, CwndRestarted);
        }

        yield return Event(1380, CwndSample) with { Fields = [new("LedbatEvent", StackField.Action)] };
        yield return Event(1447, Pacing) with { Fields = [new("OriginalBytesToSend", BytesToSend)] };
        yield return Event(1556, Pacing);
        yield return Event(1583, Pacing) with { Fields = [new("mode", CongestionState), new("cycle_idx", StackField.Action)] };
        yield return Event(1223, TemplateParameters);
    }

    static IEnumerable<StackEventMapping> Recovery()
    {
        yield return Event(1186, SegmentRetransmitted);
        yield return Event(1187, SegmentRetransmitted);
        yield return Event(1415, SegmentRetransmitted) with { Fields = [new("SackIsLostSeq", SeqNo)] };
        foreach (int id in (int[])[1418, 1419, 1420, 1421])
        {
            yield return Event(id, SegmentRetransmitted) with { Fields = [new("BytesToSend", Bytes)] };
        }

        foreach (int id in (int[])[1351, 1077, 1069, 1150, 1348])
        {
            yield return Event(id, RetransmissionTimeout);
        }

        // Action: 1 a test begins, 2 it ends, 3 the timeout was spurious.
        foreach ((int id, int action) in ((int, int)[])[(1087, 1), (1346, 1), (1088, 2), (1347, 2), (1076, 3), (1155, 3), (1345, 3), (1349, 3)])
        {
            yield return Event(id, SpuriousTimeout) with { Constants = [(StackField.Action, action)] };
        }

        yield return Event(1385, TailLossProbe) with { Fields = [new("ThFlags", Flags)] };
        yield return Event(1386, TailLossProbe);
        yield return Event(1546, RackTimer) with { Constants = [(StackField.Action, 1)] };
        yield return Event(1545, RackTimer) with { Constants = [(StackField.Action, 2)] };
        yield return Event(1064, StackEventKind.Timer) with { Constants = [(StackField.Action, 1)] };
        yield return Event(1066, StackEventKind.Timer) with { Constants = [(StackField.Action, 2)] };
        yield return Event(1065, StackEventKind.Timer) with { Constants = [(StackField.Action, 3)] };
        yield return Event(1481, PrrSend);
    }

    static IEnumerable<StackEventMapping> Sack()
    {
        yield return Event(1354, SackUpdated);
        yield return Event(1550, SackUpdated);
        yield return Event(1547, SackBlockReceived);
        yield return Event(1548, SackReceived);
        yield return Event(1587, SackReceived) with { Fields = [new("SackUpdated", NewSackInfo)] };
        yield return Event(1473, SackLimitReached) with { Fields = [new("Location", Reason)] };
        yield return Event(1554, SackLimitReached);
        yield return Event(1387, RackUpdated);
        yield return Event(1585, RackUpdated);
        yield return Event(1577, ReoWndUpdated);
        yield return Event(1566, ReorderingDetected);
        yield return Event(1552, SegmentLost);
        yield return Event(1584, SegmentLost);
    }

    static IEnumerable<StackEventMapping> Buffers()
    {
        // Action: 1 tuning begins, 2 it ends, 3 the buffer changes, 4 tuning gave up.
        foreach ((int id, int action) in ((int, int)[])[(1092, 1), (1093, 2), (1097, 3), (1094, 4), (1095, 4), (1096, 4)])
        {
            yield return Event(id, ReceiveBufferChanged) with { Constants = [(StackField.Action, action)] };
        }

        yield return Event(1091, SendBufferChanged) with { Fields = [new("NumBytes", SendBuffer)] };
        yield return Event(1067, SendBufferChanged);
        yield return Event(1102, ZeroWindow) with { Constants = [(StackField.Action, 1)] };
        yield return Event(1103, ZeroWindow) with { Constants = [(StackField.Action, 2)] };
        yield return Event(1198, Reassembly) with { Constants = [(StackField.Action, 1)] };
        yield return Event(1199, Reassembly) with { Constants = [(StackField.Action, 2)] };
        yield return Event(1204, Reassembly) with { Constants = [(StackField.Action, 3)] };
    }

    static IEnumerable<StackEventMapping> Ends()
    {
        yield return Event(1352, ConnectionSummary);
        yield return Event(1477, ConnectionSummary);
        yield return Event(1626, LimitingFactor);
        yield return Event(1637, LimitingFactor);
        yield return Event(1214, PacketDropped);
        yield return Event(1215, PacketDropped);
        yield return Event(1478, PacketDropped);
    }

    static IEnumerable<StackEventMapping> Applications()
    {
        yield return new(Afd, 1003, SendPosted) { HasExit = true, KindAtExit = SendCompleted, Fields = [new("Endpoint", Socket)], IsProcessOfHeader = true };
        yield return new(Afd, 1004, None) { HasExit = true, KindAtExit = DataRead, Fields = [new("Endpoint", Socket)], IsProcessOfHeader = true };
        yield return new(Afd, 3007, SendBufferChanged) { Fields = [new("Endpoint", Socket)] };
        foreach (int id in (int[])[1000, 1002])
        {
            yield return new(NameResolution, id, NameLookupStarted) { TextField = "NodeName", IsProcessOfHeader = true };
        }

        foreach (int id in (int[])[1001, 1004])
        {
            yield return new(NameResolution, id, NameLookupCompleted) { TextField = "NodeName", Fields = [new("Status", Reason)], IsProcessOfHeader = true };
        }
    }

    static IEnumerable<StackEventMapping> Kernel()
    {
        foreach (int opcode in (int[])[1, 2, 3, 4])
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
            foreach ((int id, StackEventKind kind) in KernelKinds())
            {
                yield return KernelEvent(provider, id, kind);
                yield return KernelEvent(provider, id + Ipv6, kind);
            }

            yield return new(provider, 17, ConnectFailed) { Fields = [new("Proto", Protocol), new("FailureCode", Reason)] };
        }
    }

    static (int Id, StackEventKind Kind)[] KernelKinds() =>
    [
        (10, SendCompleted), (11, SegmentReceived), (12, Connected), (13, Closed), (14, SegmentRetransmitted), (15, Accepted),
        (16, ConnectRequested), (18, DataRead),
    ];

    static StackEventMapping KernelEvent(Guid provider, int id, StackEventKind kind) => new(provider, id, kind)
    {
        Fields = [new("mss", StackField.Mss), new("rcvwin", RcvWnd), new("rcvwinscale", RcvWndScale)],
    };

    static StackEventMapping Event(int id, StackEventKind kind) => new(Tcpip, id, kind);
}
