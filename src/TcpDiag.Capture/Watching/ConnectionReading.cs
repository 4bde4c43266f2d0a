using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>What the kernel tells of one connection at one time. Counters run since the connection began; what is not told is null. Filled anew for every reading.</summary>
sealed class ConnectionReading
{
    /// <summary>This machine's end.</summary>
    public Endpoint Local { get; set; }

    /// <summary>The peer's end.</summary>
    public Endpoint Remote { get; set; }

    /// <summary>Process that owns it.</summary>
    public uint? ProcessId { get; set; }

    /// <summary>Name of that process.</summary>
    public string? Process { get; set; }

    /// <summary>Smoothed round-trip time, microseconds.</summary>
    public long? SrttUs { get; set; }

    /// <summary>Congestion window, bytes.</summary>
    public long? CwndBytes { get; set; }

    /// <summary>Sent and not acknowledged, bytes.</summary>
    public long? InFlightBytes { get; set; }

    /// <summary>The peer's receive window, bytes.</summary>
    public long? SendWindowBytes { get; set; }

    /// <summary>Payload sent for the first time, bytes.</summary>
    public long? BytesOut { get; set; }

    /// <summary>Payload received, bytes.</summary>
    public long? BytesIn { get; set; }

    /// <summary>Segments sent again.</summary>
    public long? Retransmissions { get; set; }

    /// <summary>Times that reordering was seen.</summary>
    public long? Reorderings { get; set; }

    /// <summary>Time with data to send or in flight, microseconds.</summary>
    public long? BusyUs { get; set; }

    /// <summary>Of it: stopped by the peer's receive window, microseconds.</summary>
    public long? ReceiveWindowUs { get; set; }

    /// <summary>Of it: stopped by a full send buffer, microseconds.</summary>
    public long? SendBufferUs { get; set; }

    /// <summary>Time in fast recovery, microseconds; null where only the state of the moment is told.</summary>
    public long? RecoveryUs { get; set; }

    /// <summary>Time behind an expired timer, microseconds; null where only the state of the moment is told.</summary>
    public long? TimeoutUs { get; set; }

    /// <summary>What the sender repairs just now.</summary>
    public SenderRepair Repair { get; set; }
}
