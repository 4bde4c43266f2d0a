using System;
using System.Net.Sockets;
using TcpDiag.Lab.Matrix;

namespace TcpDiag.Lab.Flows;

/// <summary>
/// The sending end of a connection: writes, says that it is done, and waits for the other end to close, so that everything it counts has been
/// acknowledged.
/// </summary>
static class FlowSender
{
    const long NanosPerMillisecond = 1_000_000;

    // Timeouts are whole milliseconds, rounded down.
    const int TimerMilliseconds = 2;

    // Socket.Poll takes 2^31 microseconds at most.
    const int MaxPollMilliseconds = 1_000_000;

    /// <summary>Sends to the end.</summary>
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
                    log.WaitUntil((log.FirstNanos ?? log.Now) + (log.Bytes / burst.Bytes * burst.TimeNs));
                    length = Math.Min(length, burst.Bytes - (log.Bytes % burst.Bytes));
                }

                Write(socket, data.AsSpan(0, (int)length), flow, log);
            }

            socket.Shutdown(SocketShutdown.Send);
            socket.ReceiveTimeout = Remaining(log, flow);
            _ = socket.Receive(data);
            return IsAcknowledged(socket, flow) ? FlowOutcome.Complete : FlowOutcome.Closed;
        }
        catch (SocketException ended) when (FlowSocket.IsEnd(ended))
        {
            // The runtime reports a reset in the middle of a blocked call as a timeout: only the clock distinguishes them.
            return Remaining(log, flow) <= TimerMilliseconds ? FlowOutcome.TimeLimit : FlowOutcome.Reset;
        }
    }

    // One write of the program. A blocking one that ends early does not return how much of it the socket took, and that much goes out all the same.
    static void Write(Socket socket, ReadOnlySpan<byte> data, FlowSettings flow, TransferLog log)
    {
        SocketError error = SocketError.Success;
        int taken = 0;
        socket.Blocking = false;
        log.Begin();
        while (taken < data.Length && (error is SocketError.Success || IsWritable(socket, flow, log, ref error)))
        {
            taken += socket.Send(data[taken..], SocketFlags.None, out error);
        }

        log.End(taken);
        socket.Blocking = true;
        if (taken < data.Length)
        {
            throw new SocketException((int)error);
        }
    }

    // Waits where the buffer is full; anything else ends the write.
    static bool IsWritable(Socket socket, FlowSettings flow, TransferLog log, ref SocketError error)
    {
        if (error is not SocketError.WouldBlock)
        {
            return false;
        }

        bool isWritable;
        do
        {
            isWritable = socket.Poll(TimeSpan.FromMilliseconds(Math.Min(Remaining(log, flow), MaxPollMilliseconds)), SelectMode.SelectWrite);
        }
        while (!isWritable && Remaining(log, flow) > 1);

        error = isWritable ? SocketError.WouldBlock : SocketError.TimedOut;
        return isWritable;
    }

    // The other end may have closed earlier: what the socket took was not all of it sent then. Where the system does not count that, its end of file has to do.
    static bool IsAcknowledged(Socket socket, FlowSettings flow) =>
        FlowSocket.ReadCounters(socket).BytesAcked is not { } acknowledged || acknowledged >= flow.Bytes;

    // Milliseconds; at the limit and behind it 1, since 0 would mean for ever.
    static int Remaining(TransferLog log, FlowSettings flow) =>
        (int)Math.Clamp((log.Start + flow.LimitNs - log.Now) / NanosPerMillisecond, 1, int.MaxValue);
}
