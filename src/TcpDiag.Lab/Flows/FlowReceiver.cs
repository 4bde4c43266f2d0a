using System;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;

namespace TcpDiag.Lab.Flows;

/// <summary>The receiving program: reads one connection, as fast as it comes or slower, to its end or for a time.</summary>
[SupportedOSPlatform("linux")]
public static class FlowReceiver
{
    const int ReadBytes = 64 * 1024;
    const long NanosecondsPerMillisecond = 1_000_000;
    const decimal NanosecondsPerSecond = 1_000_000_000;
    const int BitsPerByte = 8;

    // Timeouts are whole milliseconds, rounded down.
    const long TimerNs = 2 * NanosecondsPerMillisecond;

    // The sender's own limit comes first; what it had under way may take a little longer.
    const long GraceNs = 10_000_000_000;

    /// <summary>Receives a flow to its end.</summary>
    /// <param name="job">What to do.</param>
    /// <param name="ready">Called once a connection would be accepted; not at all by the one that connects.</param>
    /// <returns>What was counted.</returns>
    /// <exception cref="LabException">A setting of the socket did not take, or nobody connected.</exception>
    public static FlowReport Run(FlowJob job, Action ready)
    {
        using Socket socket = FlowConnection.Open(job, isSender: false, ready);
        using TransferLog log = new(job.Receiver.Log);
        FlowOutcome outcome = Transfer(socket, job, log);
        return log.Report(outcome, FlowSocket.ReadSendBuffer(socket), FlowSocket.ReadReceiveBuffer(socket), FlowSocket.ReadCounters(socket));
    }

    static FlowOutcome Transfer(Socket socket, FlowJob job, TransferLog log)
    {
        long end = log.Start + (job.Flow.CloseAfterNs ?? (job.Flow.LimitNs + GraceNs));
        FlowOutcome atEnd = job.Flow.CloseAfterNs is null ? FlowOutcome.TimeLimit : FlowOutcome.Closed;
        byte[] data = new byte[ReadBytes];
        try
        {
            while (log.Now < end)
            {
                WaitForTurn(job.Flow.ReadBitsPerSecond, log, end);
                socket.ReceiveTimeout = (int)Math.Max(1, (end - log.Now) / NanosecondsPerMillisecond);
                log.Begin();
                int length = socket.Receive(data);
                log.End(length);
                if (length == 0)
                {
                    return FlowOutcome.Complete;
                }
            }

            // A plain close would reset the connection if something were left unread.
            socket.Shutdown(SocketShutdown.Send);
            return atEnd;
        }
        catch (SocketException)
        {
            return log.Now >= end - TimerNs ? atEnd : FlowOutcome.Reset;
        }
    }

    // A slow reader: what has been read so far must have taken its time.
    static void WaitForTurn(long? bitsPerSecond, TransferLog log, long end)
    {
        if (bitsPerSecond is not { } rate)
        {
            return;
        }

        long due = Math.Min(end, log.Start + (long)(log.Bytes * BitsPerByte * NanosecondsPerSecond / rate));
        using ManualResetEventSlim never = new();
        never.Wait((int)Math.Max(0, (due - log.Now) / NanosecondsPerMillisecond));
    }
}
