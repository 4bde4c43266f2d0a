using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>Recordings of one process: another one is there at the same time, over the same ports.</summary>
[SupportedOSPlatform("linux")]
public sealed class ProcessTests
{
    const string Send = "import socket,sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2]))); s.sendall(b'x'); s.close()";
    const string SendLines = "import socket,sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2])))\nfor line in sys.stdin: s.sendall(b'x')";

    [RootFact("ip", "python3")]
    public void Run_ProcessNamed_HasItsConnectionsAloneHoweverShort()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using BackgroundRecording recording = Record(network, $"tcp port {port} process python3");

        TestNetwork.Transfer(listener, () => network.Connect(port), connections: 2, bytes: 1000);
        int[] ports = [SendFrom(network, listener, port), SendFrom(network, listener, port)];
        CaptureSummary summary = recording.Stop();

        Assert.Equal(ports.Order(), ClientPorts(recording, port));
        Assert.Equal(ports.Order(), recording.Events(e => e.Local is { } local && e.Remote is { } remote
            ? (local.Port == port ? remote.Port : local.Port) : 0).Where(one => one != 0).Distinct().Order());
        Assert.Equal(recording.Packets().Count, Assert.Single(summary.Interfaces).Packets);
        Assert.Empty(summary.Remarks);
    }

    [RootFact("ip", "python3")]
    public void Run_AllButAProcess_HasTheOthers()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using BackgroundRecording recording = Record(network, $"tcp port {port} not process python3");

        int foreign = SendFrom(network, listener, port);
        using Socket client = network.Connect(port);
        recording.Stop();

        Assert.Equal([((IPEndPoint)client.LocalEndPoint!).Port], ClientPorts(recording, port));
        Assert.NotEqual(foreign, ((IPEndPoint)client.LocalEndPoint!).Port);
    }

    [RootFact("ip", "python3")]
    public void Run_ConnectionOpenedBefore_IsKnownWithoutEvents()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using Process client = Process.Start(new ProcessStartInfo("ip", ["netns", "exec", network.Client, "python3", "-c", SendLines,
            $"{network.ServerAddress}", $"{port}"])
        { RedirectStandardInput = true, UseShellExecute = false })!;
        using Socket server = listener.Accept();
        using BackgroundRecording recording = Record(network, FormattableString.Invariant($"tcp port {port} process {client.Id}"), withEvents: false);

        client.StandardInput.WriteLine();
        client.StandardInput.Close();
        Assert.Equal(1, server.Receive(new byte[1]));
        client.WaitForExit();
        CaptureSummary summary = recording.Stop();

        Assert.Equal([((IPEndPoint)server.RemoteEndPoint!).Port], ClientPorts(recording, port));
        Assert.Empty(summary.Remarks);
    }

    [RootFact("ip", "python3")]
    public void Run_ShortConnectionWithoutEvents_IsCountedAsUnknown()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;

        // One whose sockets are listed while it is open is known after all: that is not meant here, and seldom happens.
        string? remark = null;
        for (int attempt = 0; attempt < 3 && remark is null; attempt++)
        {
            remark = RemarkOnShortConnection(network, port);
        }

        // SYN, ACK, RST
        Assert.Equal("3 packets of TCP connections are left out for which no process was found: passed on, closed before, or opened for too short a "
            + "time", remark);
    }

    static string? RemarkOnShortConnection(TestNetwork network, int port)
    {
        using BackgroundRecording recording = Record(network,
            FormattableString.Invariant($"src host {network.ClientAddress} and dst port {port} and process {int.MaxValue}"), withEvents: false);
        using (Socket client = network.Connect(port))
        {
            client.LingerState = new(enable: true, seconds: 0);
        }

        CaptureSummary summary = recording.Stop();
        Assert.Empty(recording.Packets());
        return summary.Remarks.SingleOrDefault();
    }

    static BackgroundRecording Record(TestNetwork network, string match, bool withEvents = true) =>
        new(BackgroundRecording.At(match, $"{network.Client}/{network.ClientInterface}") with { WithEvents = withEvents });

    // Gives the port from which the process sent.
    static int SendFrom(TestNetwork network, Socket listener, int port)
    {
        ExternalProgram.Run("ip", "netns", "exec", network.Client, "python3", "-c", Send, $"{network.ServerAddress}", $"{port}");
        using Socket server = listener.Accept();
        return ((IPEndPoint)server.RemoteEndPoint!).Port;
    }

    static List<int> ClientPorts(BackgroundRecording recording, int port)
    {
        var ports = new SortedSet<int>();
        var packet = default(ParsedPacket);
        foreach ((_, string data, int length) in recording.Packets())
        {
            Assert.True(PacketParser.TryParse(Convert.FromHexString(data), LinkType.Ethernet, length, ref packet));
            ports.Add(packet.SourcePort == port ? packet.DestinationPort : packet.SourcePort);
        }

        return [.. ports];
    }
}
