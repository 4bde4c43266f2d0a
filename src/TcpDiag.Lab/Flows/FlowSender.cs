using System;
using System.Net.Sockets;
using System.Runtime.Versioning;

namespace TcpDiag.Lab.Flows;

/// <summary>The sending program: connects, writes, says that it is done, and waits for the other end to close, so that everything it counts has been acknowledged.</summary>
[SupportedOSPlatform("linux")]
public static class FlowSender
{
    const long NanosecondsPerMillisecond = 1_000_000;

    // Timeouts are whole milliseconds, rounded down.
    const int TimerMilliseconds = 2;

    /// <summary>Sends a flow to its end.</summary>
    /// <param name="job">What to send.</param>
    /// <param name="ready">Called once a connection would be accepted; not at all by the one that connects.</param>
    /// <returns>What was counted.</returns>
    /// <exception cref="LabException">A setting of the socket did not take, or nobody connected.</exception>
    /// <exception cref="SocketException">There is no way to the receiver.</exception>
    public static FlowReport Run(FlowJob job, Action ready)
    {
        using Socket socket = FlowConnection.Open(job, isSender: true, ready);
        using TransferLog log = new(job.Sender.Log);
        FlowOutcome outcome = Transfer(socket, job, log);
        return log.Report(outcome, FlowSocket.ReadSendBuffer(socket), FlowSocket.ReadReceiveBuffer(socket), FlowSocket.ReadCounters(socket));
    }

    static FlowOutcome Transfer(Socket socket, FlowJob job, TransferLog log)
    {
        try
        {
            byte[] data = new byte[job.Flow.WriteBytes];
            new Random(1).NextBytes(data);
            while (log.Bytes < job.Flow.Bytes)
            {
                socket.SendTimeout = Remaining(log, job);
                log.Begin();
                int length = (int)Math.Min(data.Length, job.Flow.Bytes - log.Bytes);
                log.End(socket.Send(data.AsSpan(0, length)));
            }

            socket.Shutdown(SocketShutdown.Send);
            socket.ReceiveTimeout = Remaining(log, job);
            _ = socket.Receive(data);
            return IsAcknowledged(socket, job) ? FlowOutcome.Complete : FlowOutcome.Closed;
        }
        catch (SocketException)
        {
            // The runtime reports a reset in the middle of a blocked write as a timeout: only the clock tells them apart.
            return Remaining(log, job) <= TimerMilliseconds ? FlowOutcome.TimeLimit : FlowOutcome.Reset;
        }
    }

    // The other end may have closed earlier: what the socket took was not all of it sent then.
    static bool IsAcknowledged(Socket socket, FlowJob job) => FlowSocket.ReadCounters(socket).BytesAcked >= job.Flow.Bytes;

    // 0 would mean for ever.
    static int Remaining(TransferLog log, FlowJob job) =>
        (int)Math.Max(1, (log.Start + job.Flow.LimitNs - log.Now) / NanosecondsPerMillisecond);
}
