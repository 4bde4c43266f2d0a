using System.Collections.Generic;
using TcpDiag.Traces.StackEvents;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>A tracepoint of the kernel and what it means in the vocabulary (docs/formats/stack-events.md).</summary>
/// <param name="Group">Its folder below <c>events</c>.</param>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it tells.</param>
/// <param name="Fields">The fields that are translated; one that a kernel lacks is absent.</param>
sealed record Tracepoint(string Group, string Name, StackEventKind Kind, params IReadOnlyList<TracepointField> Fields)
{
    /// <summary>0 when it tells of something sent, 1 of something received; null when neither.</summary>
    public int? Direction { get; init; }

    /// <summary>Whether source and destination are those of a received packet, so that the destination is our end.</summary>
    public bool IsOfReceivedPacket { get; init; }

    /// <summary>
    /// All that are recorded. Not among them: tcp_sendmsg_locked (it does not say which socket), tcp_rcv_space_adjust (one
    /// event per read of the application, without a number in it), tcp_hash_* and tcp_ao_* (authentication).
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

    /// <summary>The event for each read of the application; asked for on its own.</summary>
    public static Tracepoint DataRead { get; } = new("tcp", "tcp_rcv_space_adjust", StackEventKind.DataRead);
}
