using System;
using System.Net.Sockets;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Flows;

/// <summary>The receiving end of a connection: reads, as fast as it comes or slower, to the end or for a time.</summary>
static class FlowReceiver
{
    const int ReadBytes = 64 * 1024;
    const long NanosPerMillisecond = 1_000_000;
    const decimal NanosPerSecond = 1_000_000_000;
    const int BitsPerByte = 8;

    // Timeouts are whole milliseconds, rounded down.
    const long TimerNanos = 2 * NanosPerMillisecond;

    // The sender's own limit comes first; what it had under way may take a little longer.
    const long GraceNanos = 10_000_000_000;

    /// <summary>Receives to the end.</summary>
    public static FlowOutcome Run(Socket socket, FlowSettings flow, long maxBytes, TransferLog log)
    {
        long end = log.Start + (flow.CloseAfterNs ?? (flow.LimitNs + GraceNanos));
        FlowOutcome atEnd = flow.CloseAfterNs is null ? FlowOutcome.TimeLimit : FlowOutcome.Closed;
        try
        {
            return !ReadAll(socket, flow, maxBytes, log, end) ? Close(socket, atEnd) : log.Bytes < flow.Bytes ? FlowOutcome.Closed : FlowOutcome.Complete;
        }
        catch (SocketException ended) when (FlowSocket.IsEnd(ended))
        {
            return log.Now >= end - TimerNanos ? Close(socket, atEnd) : FlowOutcome.Reset;
        }
    }

    static bool ReadAll(Socket socket, FlowSettings flow, long maxBytes, TransferLog log, long end)
    {
        byte[] data = new byte[ReadBytes];
        bool hasPaused = flow.Pause is null;
        while (log.Now < end && log.Bytes <= maxBytes)
        {
            if (!hasPaused && log.Bytes >= flow.Pause!.Bytes)
            {
                hasPaused = true;
                log.WaitUntil(Math.Min(end, log.Now + flow.Pause.TimeNs));
            }

            log.WaitUntil(Math.Min(end, TurnAt(flow, log)));
            socket.ReceiveTimeout = (int)Math.Max(1, (end - log.Now) / NanosPerMillisecond);
            log.Begin();
            int length = socket.Receive(data);
            log.End(length);
            if (length == 0)
            {
                return true;
            }
        }

        return false;
    }

    // A plain close would reset the connection if something were left unread; the other end may have reset it first.
    static FlowOutcome Close(Socket socket, FlowOutcome outcome)
    {
        if (socket.Connected)
        {
            socket.Shutdown(SocketShutdown.Send);
        }

        return outcome;
    }

    // A slow reader: what has been read so far must have taken its time.
    static long TurnAt(FlowSettings flow, TransferLog log) =>
        flow.ReadBitsPerSecond is { } rate ? log.Start + (long)(log.Bytes * BitsPerByte * NanosPerSecond / rate) : 0;
}
