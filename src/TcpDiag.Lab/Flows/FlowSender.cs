using System;
using System.Net.Sockets;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Flows;

/// <summary>The sending end of a connection: writes, says that it is done, and waits for the other end to close, so that everything it counts has been acknowledged.</summary>
static class FlowSender
{
    const long NanosecondsPerMillisecond = 1_000_000;

    // Timeouts are whole milliseconds, rounded down.
    const int TimerMilliseconds = 2;

    /// <summary>Sends to the end.</summary>
    /// <param name="socket">The connection.</param>
    /// <param name="flow">What to send.</param>
    /// <param name="log">Keeps the writes.</param>
    /// <returns>How it ended.</returns>
    public static FlowOutcome Run(Socket socket, FlowSettings flow, TransferLog log)
    {
        try
        {
            byte[] data = new byte[flow.WriteBytes];
            new Random(1).NextBytes(data);
            while (log.Bytes < flow.Bytes)
            {
                long length = Math.Min(data.Length, flow.Bytes - log.Bytes);
                if (flow.Burst is { } burst)
                {
                    log.WaitUntil((log.FirstNs ?? log.Now) + (log.Bytes / burst.Bytes * burst.TimeNs));
                    length = Math.Min(length, burst.Bytes - (log.Bytes % burst.Bytes));
                }

                socket.SendTimeout = Remaining(log, flow);
                log.Begin();
                log.End(socket.Send(data.AsSpan(0, (int)length)));
            }

            socket.Shutdown(SocketShutdown.Send);
            socket.ReceiveTimeout = Remaining(log, flow);
            _ = socket.Receive(data);
            return IsAcknowledged(socket, flow) ? FlowOutcome.Complete : FlowOutcome.Closed;
        }
        catch (SocketException ended) when (FlowSocket.IsEnd(ended))
        {
            // The runtime reports a reset in the middle of a blocked write as a timeout: only the clock tells them apart.
            return Remaining(log, flow) <= TimerMilliseconds ? FlowOutcome.TimeLimit : FlowOutcome.Reset;
        }
    }

    // The other end may have closed earlier: what the socket took was not all of it sent then. Where the system does not count that, its end of file has to do.
    static bool IsAcknowledged(Socket socket, FlowSettings flow) => FlowSocket.ReadCounters(socket).BytesAcked is not { } acknowledged || acknowledged >= flow.Bytes;

    // 0 would mean for ever.
    static int Remaining(TransferLog log, FlowSettings flow) =>
        (int)Math.Max(1, (log.Start + flow.LimitNs - log.Now) / NanosecondsPerMillisecond);
}
