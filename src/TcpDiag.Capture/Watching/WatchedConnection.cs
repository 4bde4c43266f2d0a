using System;
using TcpDiag.Analysis.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Watching;

/// <summary>A connection in the latest interval. What is not known is null.</summary>
public sealed class WatchedConnection
{
    const double MicrosecondsPerSecond = 1e6;
    const int BitsPerByte = 8;

    // Less than a hundredth of an interval is clock jitter.
    const double MinShare = 0.01;

    long? _bytesOut;
    long? _bytesIn;
    long? _retransmissions;
    long? _reorderings;
    long? _busyUs;
    long? _receiveWindowUs;
    long? _sendBufferUs;
    long? _fastRecoveryUs;
    long? _timeoutUs;
    long? _notJudgedUs;

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

    /// <summary>Segments retransmitted since the watch began.</summary>
    public long? Retransmissions { get; private set; }

    /// <summary>Reorderings seen since the watch began.</summary>
    public long? Reorderings { get; private set; }

    /// <summary>What kept the sender from sending more, for most of the interval.</summary>
    public WatchLimit Limit { get; private set; }

    /// <summary>Time since the watch began in which data waited for receive window, send buffer or loss recovery, microseconds.</summary>
    public long LostUs { get; private set; }

    /// <summary>
    /// Time since the watch began with data to send or in flight, microseconds; where events are judged (Windows) without the time in which the application
    /// was the limit.
    /// </summary>
    public long BusyUs { get; private set; }

    /// <summary>Number of the interval it was last seen in.</summary>
    internal long Interval { get; private set; } = -1;

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

        // Without time between two readings, rates and limit are those of the interval before.
        if (isFirst || intervalUs > 0)
        {
            bool isAnother = reading.BytesOut < _bytesOut || reading.BytesIn < _bytesIn;
            Count(reading, intervalUs);
            TakeTimes(reading, mayGoBack: reading.AreTimesJudged && !isAnother, isFirst, intervalUs);
        }
    }

    void Count(ConnectionReading reading, long intervalUs)
    {
        SendBitsPerSecond = Rate(Step(ref _bytesOut, reading.BytesOut), intervalUs);
        ReceiveBitsPerSecond = Rate(Step(ref _bytesIn, reading.BytesIn), intervalUs);
        Retransmissions = Sum(Retransmissions, Step(ref _retransmissions, reading.Retransmissions), reading.Retransmissions);
        Reorderings = Sum(Reorderings, Step(ref _reorderings, reading.Reorderings), reading.Reorderings);
    }

    void TakeTimes(ConnectionReading reading, bool mayGoBack, bool isFirst, long intervalUs)
    {
        long? busy = Step(ref _busyUs, reading.BusyUs, mayGoBack);
        long receiveWindow = Step(ref _receiveWindowUs, reading.ReceiveWindowUs, mayGoBack) ?? 0;
        long sendBuffer = Step(ref _sendBufferUs, reading.SendBufferUs, mayGoBack) ?? 0;
        long? fastRecovery = Step(ref _fastRecoveryUs, reading.FastRecoveryUs, mayGoBack);
        long? timeout = Step(ref _timeoutUs, reading.TimeoutUs, mayGoBack);
        long notJudged = Step(ref _notJudgedUs, reading.NotJudgedUs, mayGoBack) ?? 0;
        Limit = WatchLimit.Unknown;
        if (isFirst || busy is not { } time)
        {
            return;
        }

        // What was judged adds up; clocks that are read one after the other do not quite.
        (long FastRecovery, long Timeout) recovery = RecoveryTimes(fastRecovery, timeout, reading.Recovery);
        if (!reading.AreTimesJudged)
        {
            time = Math.Min(time, intervalUs);
            recovery = Fit(recovery, Math.Max(time - receiveWindow - sendBuffer, 0));
        }

        Judge(time, receiveWindow, sendBuffer, recovery, intervalUs);
        Limit = notJudged > intervalUs / 2 ? WatchLimit.Unknown : Limit;
    }

    static double? Rate(long? bytes, long intervalUs) => intervalUs > 0 ? bytes * BitsPerByte * MicrosecondsPerSecond / intervalUs : null;

    static long? Sum(long? total, long? step, long? reported) => reported is null ? total : (total ?? 0) + (step ?? 0);

    // How far a counter advanced; null where there is nothing to compare with. One that went back belongs to another connection with the same ends.
    static long? Step(ref long? last, long? now, bool mayGoBack = false)
    {
        long? step = now - last;
        last = now;
        return step is < 0 && !mayGoBack ? null : step;
    }

    // Where only the current state is known, it counts for all the time that nothing else explains.
    static (long FastRecovery, long Timeout) RecoveryTimes(long? fastRecovery, long? timeout, RecoveryState now) => (fastRecovery, timeout) switch
    {
        ({ } known, { } expired) => (known, expired),
        _ => (now == RecoveryState.FastRecovery ? long.MaxValue : 0, now == RecoveryState.Timeout ? long.MaxValue : 0),
    };

    static (long FastRecovery, long Timeout) Fit((long FastRecovery, long Timeout) recovery, long path)
    {
        long timeout = Math.Min(recovery.Timeout, path);
        return (Math.Min(recovery.FastRecovery, path - timeout), timeout);
    }

    // A correction of earlier time may make a step negative, and total what is less than was known before.
    void Judge(long busy, long receiveWindow, long sendBuffer, (long FastRecovery, long Timeout) recovery, long interval)
    {
        long path = Math.Max(busy - receiveWindow - sendBuffer, 0);
        BusyUs = Math.Max(BusyUs + busy, 0);
        LostUs = Math.Max(LostUs + receiveWindow + sendBuffer + recovery.FastRecovery + recovery.Timeout, 0);
        long most = Math.Max(Math.Max(receiveWindow, sendBuffer), path);
        Limit = busy < MinShare * interval || interval - busy > most ? WatchLimit.Application
            : most == receiveWindow ? WatchLimit.ReceiveWindow
            : most == sendBuffer ? WatchLimit.SendBuffer
            : OfPath(path - recovery.FastRecovery - recovery.Timeout, recovery.FastRecovery, recovery.Timeout);
    }

    static WatchLimit OfPath(long window, long recovery, long timeout) =>
        window > Math.Max(recovery, timeout) ? WatchLimit.CongestionWindow
        : timeout > recovery ? WatchLimit.Timeout
        : WatchLimit.Recovery;
}

/// <summary>What kept a sender from sending more, for most of an interval.</summary>
public enum WatchLimit
{
    /// <summary>Not known, or nothing yet to compare with.</summary>
    Unknown,

    /// <summary>The application gave no data.</summary>
    Application,

    /// <summary>The congestion window, and with it the path.</summary>
    CongestionWindow,

    /// <summary>The peer's receive window.</summary>
    ReceiveWindow,

    /// <summary>The send buffer.</summary>
    SendBuffer,

    /// <summary>A loss being recovered by fast recovery.</summary>
    Recovery,

    /// <summary>A loss after the retransmission timer expired.</summary>
    Timeout,
}
