using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Serialization;
using System.Threading;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Flows;

/// <summary>What a program of the flow counted, of one connection or of all of them.</summary>
/// <param name="ClientPort">The port of the end that connected; 0 for several connections.</param>
/// <param name="Outcome">How it ended; of several the worst.</param>
/// <param name="Bytes">Bytes the socket took, or gave.</param>
/// <param name="Calls">Writes or reads.</param>
/// <param name="BlockedNs">How long it was inside of them altogether, nanoseconds.</param>
/// <param name="FirstNs">When the first of them began, nanoseconds since the Unix epoch; null without any.</param>
/// <param name="LastNs">When the last of them that moved bytes ended; null without any.</param>
/// <param name="SendBufferBytes">SO_SNDBUF as the kernel has it: twice what was asked for.</param>
/// <param name="ReceiveBufferBytes">SO_RCVBUF as the kernel has it.</param>
/// <param name="Kernel">The kernel's own counters at the end.</param>
public sealed record FlowReport(
    int ClientPort,
    FlowOutcome Outcome,
    long Bytes,
    long Calls,
    long BlockedNs,
    long? FirstNs,
    long? LastNs,
    int SendBufferBytes,
    int ReceiveBufferBytes,
    KernelCounters Kernel)
{
    /// <summary>
    /// How the kernel left slow start, at the sender: null at the receiver, for several connections, which a namespace counts together, and on Windows.
    /// </summary>
    public HyStartCounters? HyStart { get; init; }

    /// <summary>
    /// Processor time of the program while its connections ran, nanoseconds, in equal parts of each of them: in user mode, and in the kernel as far as it
    /// counts as the program's. What interrupts take does not.
    /// </summary>
    public long? CpuNs { get; init; }

    /// <summary>The reports of several connections as one; that of a single one is itself.</summary>
    /// <param name="reports">At least one.</param>
    /// <returns>Sums; the earliest begin, the latest end, the largest buffers.</returns>
    public static FlowReport Sum(IReadOnlyList<FlowReport> reports) => reports.Count == 1
        ? reports[0]
        : new(
            0,
            reports.Max(report => report.Outcome),
            reports.Sum(report => report.Bytes),
            reports.Sum(report => report.Calls),
            reports.Sum(report => report.BlockedNs),
            reports.Min(report => report.FirstNs),
            reports.Max(report => report.LastNs),
            reports.Max(report => report.SendBufferBytes),
            reports.Max(report => report.ReceiveBufferBytes),
            reports.Select(report => report.Kernel).Aggregate(KernelCounters.Add))
        {
            CpuNs = reports.Sum(report => report.CpuNs),
        };
}

/// <summary>How a flow ended, as one of its programs saw it.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<FlowOutcome>))]
public enum FlowOutcome
{
    /// <summary>Everything was sent and the other end closed after it.</summary>
    [JsonStringEnumMemberName("complete")]
    Complete,

    /// <summary>The other end closed before everything had been sent or had arrived, or the receiver did at its time.</summary>
    [JsonStringEnumMemberName("closed")]
    Closed,

    /// <summary>The other end reset the connection.</summary>
    [JsonStringEnumMemberName("reset")]
    Reset,

    /// <summary>The time limit ended it.</summary>
    [JsonStringEnumMemberName("time-limit")]
    TimeLimit,
}

/// <summary>
/// The log of a program's writes or reads: a line each, tab-separated: when the call returned (nanoseconds since the Unix epoch), bytes it moved,
/// nanoseconds it took.
/// </summary>
sealed class TransferLog : IDisposable
{
    const int NanosPerMillisecond = 1_000_000;

    readonly ShimClock _clock = new(TimeProvider.System);
    readonly StreamWriter _text;
    long _begun;
    long _calls;
    long _blockedNanos;
    long? _lastNanos;

    /// <summary>Begins a log; null keeps only the sums.</summary>
    public TransferLog(string? path)
    {
        _text = new StreamWriter(path is null ? Stream.Null : File.Create(path), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" };
        _text.WriteLine("time_ns\tbytes\tcall_ns");
        Start = Now;
    }

    /// <summary>When the log began, nanoseconds since the Unix epoch.</summary>
    public long Start { get; }

    /// <summary>Now, nanoseconds since the Unix epoch.</summary>
    public long Now => _clock.Now.Nanoseconds;

    public long Bytes { get; private set; }

    /// <summary>When the first call began, nanoseconds since the Unix epoch.</summary>
    public long? FirstNanos { get; private set; }

    /// <summary>Waits until a time, or not at all when it has passed.</summary>
    /// <param name="due">Nanoseconds since the Unix epoch.</param>
    public void WaitUntil(long due)
    {
        // Whole milliseconds, rounded up.
        long milliseconds = (due - Now + NanosPerMillisecond - 1) / NanosPerMillisecond;
        using ManualResetEventSlim never = new();
        never.Wait((int)Math.Clamp(milliseconds, 0, int.MaxValue));
    }

    /// <summary>Notes that a call begins.</summary>
    public void Begin()
    {
        _begun = Now;
        FirstNanos ??= _begun;
    }

    /// <summary>Notes what came of it.</summary>
    public void End(int bytes)
    {
        long now = Now;
        _blockedNanos += now - _begun;
        if (bytes > 0)
        {
            Bytes += bytes;
            _calls++;
            _lastNanos = now;
            _text.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{now}\t{bytes}\t{now - _begun}"));
        }
    }

    /// <summary>Sums up; the connection must still be open.</summary>
    public FlowReport Report(FlowOutcome outcome, Socket socket, bool isClient) => new(
        ((IPEndPoint)(isClient ? socket.LocalEndPoint : socket.RemoteEndPoint)!).Port,
        outcome,
        Bytes,
        _calls,
        _blockedNanos,
        FirstNanos,
        _lastNanos,
        FlowSocket.ReadSendBuffer(socket),
        FlowSocket.ReadReceiveBuffer(socket),
        FlowSocket.ReadCounters(socket));

    /// <inheritdoc/>
    public void Dispose() => _text.Dispose();
}
