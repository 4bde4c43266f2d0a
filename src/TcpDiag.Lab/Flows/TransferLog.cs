using System;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using TcpDiag.Shim;

namespace TcpDiag.Lab.Flows;

/// <summary>
/// The log of a program's writes or reads: a line each, tab-separated: when the call returned (nanoseconds since the Unix epoch), bytes it moved, nanoseconds it took.
/// </summary>
sealed class TransferLog : IDisposable
{
    const int NanosecondsPerMillisecond = 1_000_000;

    readonly ShimClock _clock = new(TimeProvider.System);
    readonly StreamWriter _text;
    long _begun;

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

    /// <summary>Bytes so far.</summary>
    public long Bytes { get; private set; }

    /// <summary>Calls that moved bytes.</summary>
    public long Calls { get; private set; }

    /// <summary>Time inside of calls, nanoseconds.</summary>
    public long BlockedNs { get; private set; }

    /// <summary>When the first call began.</summary>
    public long? FirstNs { get; private set; }

    /// <summary>When the last call that moved bytes ended.</summary>
    public long? LastNs { get; private set; }

    /// <summary>Waits until a time, or not at all when it has passed.</summary>
    /// <param name="due">Nanoseconds since the Unix epoch.</param>
    public void WaitUntil(long due)
    {
        // Whole milliseconds, rounded up.
        long milliseconds = (due - Now + NanosecondsPerMillisecond - 1) / NanosecondsPerMillisecond;
        using ManualResetEventSlim never = new();
        never.Wait((int)Math.Clamp(milliseconds, 0, int.MaxValue));
    }

    /// <summary>Notes that a call begins.</summary>
    public void Begin()
    {
        _begun = Now;
        FirstNs ??= _begun;
    }

    /// <summary>Notes what came of it.</summary>
    public void End(int bytes)
    {
        long now = Now;
        BlockedNs += now - _begun;
        if (bytes > 0)
        {
            Bytes += bytes;
            Calls++;
            LastNs = now;
            _text.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{now}\t{bytes}\t{now - _begun}"));
        }
    }

    /// <summary>Sums up; the connection must still be open.</summary>
    public FlowReport Report(FlowOutcome outcome, Socket socket, bool isClient) => new(
        ((IPEndPoint)(isClient ? socket.LocalEndPoint : socket.RemoteEndPoint)!).Port, outcome, Bytes, Calls, BlockedNs, FirstNs, LastNs, FlowSocket.ReadSendBuffer(socket), FlowSocket.ReadReceiveBuffer(socket), FlowSocket.ReadCounters(socket));

    /// <inheritdoc/>
    public void Dispose() => _text.Dispose();
}
