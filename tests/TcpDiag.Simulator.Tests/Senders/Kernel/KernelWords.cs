using System;
using System.Buffers.Binary;
using System.Linq;
using TcpDiag.Simulator.Tests.Senders.Cases;

namespace TcpDiag.Simulator.Tests.Senders.Kernel;

/// <summary>What of a case can be seen of a kernel: packets do not say that they are probes, and struct tcp_info (linux/tcp.h) has some of the states.</summary>
static class KernelWords
{
    const double MicrosPerMs = 1_000;

    /// <summary>Segments as a case writes them, as they are seen: a probe of old data is a retransmission, one of new data is new data.</summary>
    public static string AsSeen(string segments) => SegmentList.Normalize(segments.Split(' ').Select(AsSeenOne));

    /// <summary>A state by its name; null where tcp_info has none.</summary>
    /// <param name="name">As in tests/scenarios/README.md.</param>
    /// <param name="info">As the kernel gave it.</param>
    /// <param name="smss">SMSS, bytes.</param>
    public static object? State(string name, ReadOnlySpan<byte> info, int smss) => name switch
    {
        "cwnd" => (double)U32(info, 80),
        "ssthresh" => U32(info, 76) is var ssthresh && ssthresh < int.MaxValue ? (double)ssthresh : "none",
        "flight" => (double)U32(info, 24),
        "rto" => U32(info, 8) / MicrosPerMs,
        "srtt" => U32(info, 68) / MicrosPerMs,
        "rttvar" => U32(info, 72) / MicrosPerMs,
        "min-rtt" => U32(info, 148) / MicrosPerMs,
        "retransmissions" => (double)U32(info, 100),
        "dsacks" => (double)U32(info, 216),
        "reordering" => U32(info, 220) > 0 ? "seen" : "none",
        "phase" => info[1] switch // tcpi_ca_state
        {
            3 => "Fast",
            4 => "Timeout",
            _ => "Open",
        },
        _ => null,
    };

    static string AsSeenOne(string word) => word[^1] switch
    {
        'p' => word[..^1],
        't' => word[..^1] + "r",
        _ => word,
    };

    static uint U32(ReadOnlySpan<byte> info, int offset) => info.Length >= offset + 4 ? BinaryPrimitives.ReadUInt32LittleEndian(info[offset..]) : 0;
}
