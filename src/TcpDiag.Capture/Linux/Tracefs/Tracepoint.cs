using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>A tracepoint of the kernel and what it means in the vocabulary (docs/formats/stack-events.md).</summary>
/// <param name="Group">Its folder below <c>events</c>.</param>
/// <param name="Name">Its name.</param>
/// <param name="Kind">The stack event it becomes.</param>
/// <param name="Fields">The fields that are translated; one that a kernel lacks is absent.</param>
sealed record Tracepoint(string Group, string Name, StackEventKind Kind, params IReadOnlyList<TracepointField> Fields)
{
    /// <summary>0 for something sent, 1 for something received; null for neither.</summary>
    public int? Direction { get; init; }

    /// <summary>Whether source and destination are those of a received packet, so that the destination is our end.</summary>
    public bool IsOfReceivedPacket { get; init; }

    /// <summary>
    /// All that are recorded. Left out: tcp_sendmsg_locked (does not name its socket), tcp_rcv_space_adjust (one
    /// event per read of the application, without any number), tcp_hash_* and tcp_ao_* (authentication).
    /// </summary>
    public static IReadOnlyList<Tracepoint> Recorded { get; } =
    [
        // Fires when a segment arrives on an established connection, before it is processed; at either end.
        new(
            "tcp", "tcp_probe", StackEventKind.CwndSample,
            new TracepointField("snd_cwnd", StackField.CwndSegments),
            new TracepointField("ssthresh", StackField.SsthreshSegments, FieldRule.UnlessInfinite),
            new TracepointField("snd_nxt", StackField.SndNxt),
            new TracepointField("snd_una", StackField.SndUna),
            new TracepointField("snd_wnd", StackField.SndWnd),
            new TracepointField("rcv_wnd", StackField.RcvWnd),
            new TracepointField("srtt", StackField.Srtt, FieldRule.UnlessZero),
            new TracepointField("data_len", StackField.Bytes)),
        new(
            "tcp", "tcp_retransmit_skb", StackEventKind.SegmentRetransmitted,
            new TracepointField("state", StackField.State, FieldRule.TcpState),
            new TracepointField("err", StackField.Error, FieldRule.UnlessZero)),
        new("tcp", "tcp_retransmit_synack", StackEventKind.SegmentRetransmitted) { Direction = 0 },
        new(
            "tcp", "tcp_send_reset", StackEventKind.Reset,
            new TracepointField("state", StackField.State, FieldRule.TcpState),
            new TracepointField("reason", StackField.Reason)) { Direction = 0 },
        new("tcp", "tcp_receive_reset", StackEventKind.Reset) { Direction = 1 },
        new("tcp", "tcp_destroy_sock", StackEventKind.Closed),
        new(
            "tcp", "tcp_cong_state_set", StackEventKind.CongestionStateChanged,
            new TracepointField("cong_state", StackField.CongestionState)),
        new(
            "tcp", "tcp_rcvbuf_grow", StackEventKind.ReceiveBufferChanged,
            new TracepointField("rcvbuf", StackField.ReceiveBuffer),
            new TracepointField("rcv_wnd", StackField.RcvWnd),
            new TracepointField("rtt_us", StackField.RcvRtt, FieldRule.UnlessZero),
            new TracepointField("copied", StackField.Bytes),
            new TracepointField("inq", StackField.ReceiveQueue),
            new TracepointField("ooo_space", StackField.ReassemblyBytes)),
        new("tcp", "tcp_bad_csum", StackEventKind.PacketDropped) { Direction = 1, IsOfReceivedPacket = true },
        new(
            "sock", "inet_sock_set_state", StackEventKind.StateChanged,
            new TracepointField("oldstate", StackField.OldState, FieldRule.TcpState),
            new TracepointField("newstate", StackField.State, FieldRule.TcpState)),
    ];

    /// <summary>The event for each read of the application; recorded on request only.</summary>
    public static Tracepoint DataRead { get; } = new("tcp", "tcp_rcv_space_adjust", StackEventKind.DataRead);
}

/// <summary>A field of a tracepoint that the vocabulary has.</summary>
/// <param name="Name">Its name in the <c>format</c> file.</param>
/// <param name="Field">Its field in the vocabulary.</param>
/// <param name="Rule">How to translate it.</param>
sealed record TracepointField(string Name, StackField Field, FieldRule Rule = FieldRule.AsIs);

/// <summary>How a tracepoint's number becomes a field of the vocabulary.</summary>
enum FieldRule
{
    AsIs,

    /// <summary>A TCP state, translated to the numbering of the vocabulary.</summary>
    TcpState,

    /// <summary>Set only when it is not 0, where 0 means unknown or no error.</summary>
    UnlessZero,

    /// <summary>A threshold, set only once it has a value: Linux starts with 2³¹−1.</summary>
    UnlessInfinite,
}

/// <summary>The states of a TCP connection as Linux numbers them (net/tcp_states.h), in the numbering of the vocabulary.</summary>
static class TcpStates
{
    public const int LinuxListen = 10;

    /// <summary>SYN-SENT in the numbering of the vocabulary.</summary>
    public const int SynSent = 2;

    /// <summary>Established in the numbering of the vocabulary.</summary>
    public const int Established = 4;

    /// <summary>FIN-WAIT-1 in the numbering of the vocabulary.</summary>
    public const int FinWait1 = 5;

    /// <summary>LAST-ACK in the numbering of the vocabulary.</summary>
    public const int LastAck = 9;

    // Index: Linux. Value: Closed 0, Listen 1, SynSent 2, SynReceived 3, Established 4, FinWait1 5, FinWait2 6,
    // CloseWait 7, Closing 8, LastAck 9, TimeWait 10. NEW_SYN_RECV (12) is a half-open request, state SYN-RECEIVED.
    static readonly sbyte[] Numbers = [-1, 4, 2, 3, 5, 6, 10, 0, 7, 9, 1, 8, 3];

    /// <summary>Translates a state.</summary>
    /// <param name="linux">1 … 12.</param>
    /// <param name="state">0 … 10.</param>
    /// <returns>False when Linux has no such state.</returns>
    public static bool TryTranslate(long linux, out long state)
    {
        state = linux >= 1 && linux < Numbers.Length ? Numbers[linux] : -1;
        return state >= 0;
    }
}
