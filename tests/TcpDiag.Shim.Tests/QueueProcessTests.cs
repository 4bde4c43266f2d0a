using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests;

/// <summary>Packets matched by the process that sends or receives them.</summary>
[SupportedOSPlatform("linux")]
public class QueueProcessTests
{
    // Sends five datagrams over IPv4 and five over IPv6, and says so; a socket that is closed before its packets are looked at has no process any more.
    const string Sender = """
        import socket, sys
        sockets = []
        for family, address in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1')):
            s = socket.socket(family, socket.SOCK_DGRAM)
            sockets.append(s)
            s.connect((address, 5001))
            for n in range(5): s.send(bytes([n]))
        print('sent', flush=True)
        sys.stdin.read()
        """;

    // Holds port 5002.
    const string Receiver = """
        import socket, sys
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(('127.0.0.1', 5002))
        print('ready', flush=True)
        sys.stdin.read()
        """;

    [RootFact("ip", "python3")]
    public void Name_OnTheWayOut_MeansThatProcessOnly()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        ShimReport report = lab.While("udp dst port 5001 process python3 out", ["loss 100pct"], () =>
        {
            using Process python = lab.StartPython(Sender);
            Assert.Equal("sent", python.StandardOutput.ReadLine());
            arrived = SendOwn(lab);
            End(python);
        });

        Assert.Equal([1, 2, 3], arrived);
        Assert.Equal((10, 10, 3), (report.Figures.Offered, report.Figures.Dropped, report.Figures.Passed));
    }

    [RootFact("ip", "python3")]
    public void Name_OnTheWayIn_MeansTheReceiver()
    {
        using QueueLab lab = new();
        using Process python = lab.StartPython(Receiver);
        Assert.Equal("ready", python.StandardOutput.ReadLine());
        List<int> arrived = [];
        ShimReport report = lab.While("udp process python3 in", ["loss 100pct"], () =>
        {
            using Socket from = lab.NewSocket();
            for (int i = 0; i < 4; i++)
            {
                from.SendTo([1], new IPEndPoint(IPAddress.Loopback, 5002));
            }

            arrived = SendOwn(lab);
        });
        End(python);

        Assert.Equal([1, 2, 3], arrived);
        Assert.Equal((4, 4), (report.Figures.Offered, report.Figures.Dropped));
    }

    [RootFact]
    public void Id_OnTheWayOut_MeansThatProcess()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        string match = FormattableString.Invariant($"udp process {Environment.ProcessId} out");
        ShimReport report = lab.While(match, ["loss list:2"], () => arrived = SendOwn(lab));

        Assert.Equal([1, 3], arrived);
        Assert.Equal((3, 0), (report.Figures.Offered, report.Figures.Passed));
    }

    [RootFact]
    public void Name_NobodyHasIt_LetsEverythingPass()
    {
        using QueueLab lab = new();
        List<int> arrived = [];
        ShimReport report = lab.While("udp port 5001 process no-such-program", ["loss 100pct"], () => arrived = SendOwn(lab));

        Assert.Equal([1, 2, 3], arrived);
        Assert.Equal((0, 3), (report.Figures.Offered, report.Figures.Passed));
    }

    static List<int> SendOwn(QueueLab lab)
    {
        using Socket to = lab.NewSocket();
        using Socket from = lab.NewSocket();
        return NumberedDatagrams.Send(from, to, IPAddress.Loopback, 3);
    }

    static void End(Process process)
    {
        process.StandardInput.Close();
        process.WaitForExit();
    }
}
