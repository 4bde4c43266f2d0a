using System;
using System.Collections.Generic;
using System.Net;
using System.Net.Sockets;

namespace TcpDiag.Shim.Tests;

/// <summary>Datagrams that carry their number, sent and received until the path has been quiet for some time.</summary>
static class NumberedDatagrams
{
    public const int Port = 5001;

    /// <summary>How long the path is quiet when nothing more comes.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    public static List<int> Send(Socket from, Socket to, IPAddress address, int count) => Send(from, to, address, count, Patience);

    public static List<int> Send(Socket from, Socket to, IPAddress address, int count, TimeSpan patience)
    {
        to.Bind(new IPEndPoint(address, Port));
        to.ReceiveTimeout = (int)patience.TotalMilliseconds;
        to.ReceiveBufferSize = 8 << 20;
        from.Connect(address, Port);
        for (int i = 1; i <= count; i++)
        {
            from.Send(BitConverter.GetBytes(i));
        }

        List<int> numbers = [];
        byte[] buffer = new byte[2048];
        try
        {
            while (to.Receive(buffer) == 4)
            {
                numbers.Add(BitConverter.ToInt32(buffer));
            }
        }
        catch (SocketException e) when (e.SocketErrorCode == SocketError.TimedOut)
        {
        }

        return numbers;
    }
}
