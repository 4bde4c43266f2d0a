using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.StackEvents;

/// <summary>
/// An open connection at one time, with what was counted since its first event. Reused from one connection to the next: valid in the call that receives it.
/// </summary>
public sealed class LiveConnection
{
    internal LiveConnection()
    {
    }

    /// <summary>This machine's end.</summary>
    public Endpoint Local { get; private set; }

    /// <summary>The peer's end.</summary>
    public Endpoint Remote { get; private set; }

    /// <summary>Process that owns it; null when unknown.</summary>
    public uint? ProcessId { get; private set; }

    /// <summary>Name of that process when it became known; null when it had gone.</summary>
    public string? Process { get; private set; }

    /// <summary>Smoothed round-trip time, nanoseconds; null before data was sent.</summary>
    public long? SrttNanos { get; private set; }

    /// <summary>Congestion window, bytes; null before data was sent.</summary>
    public int? CwndBytes { get; private set; }

    /// <summary>Sent and not acknowledged, bytes; null before data was sent.</summary>
    public int? InFlightBytes { get; private set; }

    /// <summary>The peer's receive window, bytes; null before data was sent.</summary>
    public int? SendWindowBytes { get; private set; }

    /// <summary>Payload sent for the first time, bytes.</summary>
    public long BytesOut { get; private set; }

    /// <summary>Payload received, bytes.</summary>
    public long BytesIn { get; private set; }

    /// <summary>Segments sent again.</summary>
    public long Retransmissions { get; private set; }

    /// <summary>Reorderings the stack has seen.</summary>
    public long Reorderings { get; private set; }

    /// <summary>The current loss recovery of this machine's sender.</summary>
    public RecoveryState Recovery { get; private set; }

    /// <summary>
    /// Nanoseconds in each limit state of this machine's sender, from its first send to its latest send or acknowledgment, or while it waits for the peer to
    /// the time of the reading. Judged from what is known by then: later events may move time from one state to another.
    /// </summary>
    public LimitTimes Times { get; private set; }

    internal void Fill(StackConnection connection, TraceTime now)
    {
        Local = connection.Local.GetValueOrDefault();
        Remote = connection.Remote.GetValueOrDefault();
        ProcessId = connection.ProcessId;
        Process = connection.ProcessName;
        BytesIn = connection.BytesReceived;
        Reorderings = connection.Reorderings;
        StackSender? sender = connection.Sender;
        SrttNanos = sender?.SrttNanos;
        CwndBytes = sender?.CwndBytes;
        InFlightBytes = sender?.InFlightBytes;
        SendWindowBytes = sender?.SendWindowBytes;
        BytesOut = sender?.NewBytes ?? 0;
        Retransmissions = sender?.Resent ?? 0;
        Recovery = sender?.Recovery ?? RecoveryState.None;
        Times = sender?.TimesUntil(connection.LastSend, now) ?? default;
    }
}

/// <summary>A sender's loss recovery.</summary>
public enum RecoveryState
{
    /// <summary>No loss is being recovered.</summary>
    None,

    /// <summary>Fast recovery (RFC 5681 §3.2).</summary>
    FastRecovery,

    /// <summary>Recovery after the retransmission timer expired (RFC 6298 §5).</summary>
    Timeout,
}
