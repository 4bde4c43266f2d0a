using System;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>A connection as it fared in the latest interval. What is not told is null.</summary>
public sealed class WatchedConnection
{
    const double MicrosecondsPerSecond = 1e6;
    const int BitsPerByte = 8;

    // Less than a hundredth of an interval is the clock's own jitter.
    const double LeastShare = 0.01;

    long? _bytesOut;
    long? _bytesIn;
    long? _retransmissions;
    long? _reorderings;
    long? _busyUs;
    long? _receiveWindowUs;
    long? _sendBufferUs;
    long? _recoveryUs;
    long? _timeoutUs;

    internal WatchedConnection(Endpoint local, Endpoint remote)
    {
        Local = local;
        Remote = remote;
    }

    /// <summary>This machine's end.</summary>
    public Endpoint Local { get; }

    /// <summary>The peer's end.</summary>
    public Endpoint Remote { get; }

    /// <summary>Process that owns it.</summary>
    public uint? ProcessId { get; private set; }

    /// <summary>Name of that process.</summary>
    public string? Process { get; private set; }

    /// <summary>New payload sent, bits per second; null in the first interval.</summary>
    public double? SendBitsPerSecond { get; private set; }

    /// <summary>Payload received, bits per second; null in the first interval.</summary>
    public double? ReceiveBitsPerSecond { get; private set; }

    /// <summary>Smoothed round-trip time, microseconds.</summary>
    public long? SrttUs { get; private set; }

    /// <summary>Congestion window, bytes.</summary>
    public long? CwndBytes { get; private set; }

    /// <summary>Sent and not acknowledged, bytes.</summary>
    public long? InFlightBytes { get; private set; }

    /// <summary>The peer's receive window, bytes.</summary>
    public long? SendWindowBytes { get; private set; }

    /// <summary>Segments sent again since the watch began.</summary>
    public long? Retransmissions { get; private set; }

    /// <summary>Reorderings seen since the watch began.</summary>
    public long? Reorderings { get; private set; }

    /// <summary>What kept the sender from sending more, for most of the interval.</summary>
    public WatchLimit Limit { get; private set; }

    /// <summary>Time since the watch began in which data waited for receive window, send buffer or the repair of a loss, microseconds.</summary>
    public long LostUs { get; private set; }

    /// <summary>Time since the watch began with data to send or in flight, microseconds.</summary>
    public long BusyUs { get; private set; }

    /// <summary>Number of the interval it was last seen in.</summary>
    internal long Interval { get; private set; } = -1;

    /// <summary>Takes in a reading.</summary>
    /// <param name="reading">The reading.</param>
    /// <param name="intervalUs">Time since the reading before.</param>
    /// <param name="interval">Number of the interval.</param>
    internal void Take(ConnectionReading reading, long intervalUs, long interval)
    {
        bool isFirst = Interval < 0;
        Interval = interval;
        ProcessId = reading.ProcessId ?? ProcessId;
        Process = reading.Process ?? Process;
        SrttUs = reading.SrttUs;
        CwndBytes = reading.CwndBytes;
        InFlightBytes = reading.InFlightBytes;
        SendWindowBytes = reading.SendWindowBytes;
        SendBitsPerSecond = Rate(Step(ref _bytesOut, reading.BytesOut), intervalUs);
        ReceiveBitsPerSecond = Rate(Step(ref _bytesIn, reading.BytesIn), intervalUs);
        Retransmissions = Sum(Retransmissions, Step(ref _retransmissions, reading.Retransmissions), reading.Retransmissions);
        Reorderings = Sum(Reorderings, Step(ref _reorderings, reading.Reorderings), reading.Reorderings);
        long? busy = Step(ref _busyUs, reading.BusyUs);
        long receiveWindow = Step(ref _receiveWindowUs, reading.ReceiveWindowUs) ?? 0;
        long sendBuffer = Step(ref _sendBufferUs, reading.SendBufferUs) ?? 0;
        (long Recovery, long Timeout) repair = Repair(Step(ref _recoveryUs, reading.RecoveryUs), Step(ref _timeoutUs, reading.TimeoutUs), reading.Repair);
        Limit = WatchLimit.Unknown;
        if (!isFirst && busy is { } time)
        {
            Judge(Math.Min(time, intervalUs), receiveWindow, sendBuffer, repair, intervalUs);
        }
    }

    static double? Rate(long? bytes, long intervalUs) => intervalUs > 0 ? bytes * BitsPerByte * MicrosecondsPerSecond / intervalUs : null;

    static long? Sum(long? total, long? step, long? told) => told is null ? total : (total ?? 0) + (step ?? 0);

    // How far a counter went on; null where there is nothing to compare with. One that went back belongs to another connection with the same ends.
    static long? Step(ref long? last, long? now)
    {
        long? step = now - last;
        last = now;
        return step is < 0 ? null : step;
    }

    // Where only the state of the moment is told it counts for all the time that nothing else explains.
    static (long Recovery, long Timeout) Repair(long? recovery, long? timeout, SenderRepair now) => (recovery, timeout) switch
    {
        ({ } known, { } expired) => (known, expired),
        _ => (now == SenderRepair.Recovery ? long.MaxValue : 0, now == SenderRepair.Timeout ? long.MaxValue : 0),
    };

    void Judge(long busy, long receiveWindow, long sendBuffer, (long Recovery, long Timeout) repair, long interval)
    {
        long path = Math.Max(busy - receiveWindow - sendBuffer, 0);
        long timeout = Math.Min(repair.Timeout, path);
        long recovery = Math.Min(repair.Recovery, path - timeout);
        BusyUs += busy;
        LostUs += receiveWindow + sendBuffer + recovery + timeout;
        long most = Math.Max(Math.Max(receiveWindow, sendBuffer), path);
        Limit = busy < LeastShare * interval || interval - busy > most ? WatchLimit.Application
            : most == receiveWindow ? WatchLimit.ReceiveWindow
            : most == sendBuffer ? WatchLimit.SendBuffer
            : OfPath(path - recovery - timeout, recovery, timeout);
    }

    static WatchLimit OfPath(long window, long recovery, long timeout) =>
        window > Math.Max(recovery, timeout) ? WatchLimit.CongestionWindow
        : timeout > recovery ? WatchLimit.Timeout
        : WatchLimit.Recovery;
}
