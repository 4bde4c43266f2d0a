using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;

namespace TcpDiag.Shim.Tests;

/// <summary>Datagrams that carry their number, sent and received until the path has been quiet for some time.</summary>
static class NumberedDatagrams
{
    public const int Port = 5001;

    // The ECN field of the IPv4 header's second byte (RFC 3168 §5).
    const int CapableField = 2;
    const int MarkedField = 3;

    /// <summary>How long the path is quiet when nothing more comes.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    public static List<int> Send(Socket from, Socket to, IPAddress address, int count) => Send(from, to, address, count, Patience);

    public static List<int> Send(Socket from, Socket to, IPAddress address, int count, TimeSpan patience, Action? whenSent = null)
    {
        to.Bind(new IPEndPoint(address, Port));
        SendAll(from, to, address, count, patience);
        whenSent?.Invoke();
        byte[] buffer = new byte[2048];
        List<int> numbers = [];
        while (Receive(to, buffer) == 4)
        {
            numbers.Add(BitConverter.ToInt32(buffer));
        }

        return numbers;
    }

    /// <summary>
    /// Sends ECN-capable ones over IPv4; a raw socket sees their headers, an ordinary one keeps the port open. Returns the numbers of those that
    /// arrive marked.
    /// </summary>
    public static List<int> SendCapable(Socket from, Socket to, Socket headers, IPAddress address, int count, TimeSpan patience)
    {
        to.Bind(new IPEndPoint(address, Port));
        from.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.TypeOfService, CapableField);
        SendAll(from, headers, address, count, patience);
        byte[] buffer = new byte[2048];
        List<int> numbers = [];
        for (int length = Receive(headers, buffer); length > 0; length = Receive(headers, buffer))
        {
            if ((buffer[1] & MarkedField) == MarkedField)
            {
                numbers.Add(BitConverter.ToInt32(buffer, length - 4));
            }
        }

        return numbers;
    }

    /// <summary>Receives one.</summary>
    /// <returns>Its length in bytes; 0 when the path is quiet.</returns>
    public static int Receive(Socket to, byte[] buffer)
    {
        try
        {
            return to.Receive(buffer);
        }
        catch (SocketException quiet) when (quiet.SocketErrorCode == SocketError.TimedOut)
        {
            return 0;
        }
    }

    static void SendAll(Socket from, Socket to, IPAddress address, int count, TimeSpan patience)
    {
        to.ReceiveTimeout = (int)patience.TotalMilliseconds;
        to.ReceiveBufferSize = 8 << 20;
        from.Connect(address, Port);
        for (int i = 1; i <= count; i++)
        {
            from.Send(BitConverter.GetBytes(i));
        }
    }
}
