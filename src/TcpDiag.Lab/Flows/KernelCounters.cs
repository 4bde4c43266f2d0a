using System;
using System.Buffers.Binary;

namespace TcpDiag.Lab.Flows;

/// <summary>
/// What the kernel counted at one end of a connection: struct tcp_info of linux/tcp.h, or as much of it as Windows has. A field that this kernel does
/// not have is null.
/// </summary>
public sealed record KernelCounters
{
    /// <summary>Segments sent, SYN, FIN and bare acknowledgments included (tcpi_segs_out).</summary>
    public long? SegmentsOut { get; init; }

    /// <summary>Segments received (tcpi_segs_in).</summary>
    public long? SegmentsIn { get; init; }

    /// <summary>Segments sent that carried payload, resent ones included.</summary>
    public long? DataSegmentsOut { get; init; }

    /// <summary>Segments received that carried payload.</summary>
    public long? DataSegmentsIn { get; init; }

    /// <summary>Segments resent (tcpi_total_retrans), SYN and FIN included.</summary>
    public long? Retransmissions { get; init; }

    /// <summary>Payload bytes sent, resent ones included.</summary>
    public long? BytesSent { get; init; }

    /// <summary>Payload bytes resent.</summary>
    public long? BytesRetransmitted { get; init; }

    /// <summary>Payload bytes acknowledged (RFC 4898 tcpEStatsAppHCThruOctetsAcked).</summary>
    public long? BytesAcked { get; init; }

    /// <summary>Payload bytes received, each once.</summary>
    public long? BytesReceived { get; init; }

    /// <summary>DSACKs received.</summary>
    public long? Dsacks { get; init; }

    /// <summary>How often reordering was seen.</summary>
    public long? ReorderingEvents { get; init; }

    /// <summary>Minimum RTT, microseconds.</summary>
    public long? MinRttUs { get; init; }

    /// <summary>Time with data in flight, microseconds.</summary>
    public long? BusyTimeUs { get; init; }

    /// <summary>Time the receive window held the sender back, microseconds.</summary>
    public long? RcvWndLimitedUs { get; init; }

    /// <summary>Time the send buffer held the sender back, microseconds.</summary>
    public long? SndBufLimitedUs { get; init; }

    /// <summary>Retransmission timeouts.</summary>
    public long? Timeouts { get; init; }

    /// <summary>The length of TCP_INFO_v0 of Windows (mstcpip.h), with its padding.</summary>
    internal const int WindowsBytes = 88;

    /// <summary>Reads TCP_INFO_v0. What Windows does not count is null: segments, DSACKs, and bytes acknowledged.</summary>
    /// <param name="info">As the system gave it, <see cref="WindowsBytes"/> long.</param>
    internal static KernelCounters ReadWindows(ReadOnlySpan<byte> info) => new()
    {
        MinRttUs = BinaryPrimitives.ReadUInt32LittleEndian(info[24..]),
        BytesSent = BinaryPrimitives.ReadInt64LittleEndian(info[48..]),
        BytesReceived = BinaryPrimitives.ReadInt64LittleEndian(info[56..]),
        BytesRetransmitted = BinaryPrimitives.ReadUInt32LittleEndian(info[68..]),
        Timeouts = BinaryPrimitives.ReadUInt32LittleEndian(info[80..]),
    };

    /// <summary>Reads the structure.</summary>
    /// <param name="info">As the kernel gave it.</param>
    /// <returns>The counters.</returns>
    public static KernelCounters Read(ReadOnlySpan<byte> info) => new()
    {
        SegmentsOut = U32(info, 136),
        SegmentsIn = U32(info, 140),
        DataSegmentsOut = U32(info, 156),
        DataSegmentsIn = U32(info, 152),
        Retransmissions = U32(info, 100),
        BytesSent = U64(info, 200),
        BytesRetransmitted = U64(info, 208),
        BytesAcked = U64(info, 120),
        BytesReceived = U64(info, 128),
        Dsacks = U32(info, 216),
        ReorderingEvents = U32(info, 220),
        // All ones until a sample was taken.
        MinRttUs = U32(info, 148) is var rtt and not uint.MaxValue ? rtt : null,
        BusyTimeUs = U64(info, 168),
        RcvWndLimitedUs = U64(info, 176),
        SndBufLimitedUs = U64(info, 184),
        Timeouts = info.Length >= 242 ? BinaryPrimitives.ReadUInt16LittleEndian(info[240..]) : null,
    };

    /// <summary>The counters of two connections together: sums, and the smaller RTT.</summary>
    /// <param name="a">The one.</param>
    /// <param name="b">The other.</param>
    /// <returns>Both; what is not known of one is null.</returns>
    public static KernelCounters Add(KernelCounters a, KernelCounters b) => new()
    {
        SegmentsOut = a.SegmentsOut + b.SegmentsOut,
        SegmentsIn = a.SegmentsIn + b.SegmentsIn,
        DataSegmentsOut = a.DataSegmentsOut + b.DataSegmentsOut,
        DataSegmentsIn = a.DataSegmentsIn + b.DataSegmentsIn,
        Retransmissions = a.Retransmissions + b.Retransmissions,
        BytesSent = a.BytesSent + b.BytesSent,
        BytesRetransmitted = a.BytesRetransmitted + b.BytesRetransmitted,
        BytesAcked = a.BytesAcked + b.BytesAcked,
        BytesReceived = a.BytesReceived + b.BytesReceived,
        Dsacks = a.Dsacks + b.Dsacks,
        ReorderingEvents = a.ReorderingEvents + b.ReorderingEvents,
        MinRttUs = a.MinRttUs < b.MinRttUs ? a.MinRttUs : b.MinRttUs ?? a.MinRttUs,
        BusyTimeUs = a.BusyTimeUs + b.BusyTimeUs,
        RcvWndLimitedUs = a.RcvWndLimitedUs + b.RcvWndLimitedUs,
        SndBufLimitedUs = a.SndBufLimitedUs + b.SndBufLimitedUs,
        Timeouts = a.Timeouts + b.Timeouts,
    };

    static long? U32(ReadOnlySpan<byte> info, int offset) => info.Length >= offset + 4 ? BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]) : null;

    static long? U64(ReadOnlySpan<byte> info, int offset) => info.Length >= offset + 8 ? BinaryPrimitives.ReadInt64LittleEndian(info[offset..]) : null;
}
