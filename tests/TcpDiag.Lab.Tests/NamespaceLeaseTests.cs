using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux.SockDiag;
using TcpDiag.Lab.Topology;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Lab.Tests;

[SupportedOSPlatform("linux")]
public sealed class NamespaceLeaseTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag").FullName;
    readonly string _name = FormattableString.Invariant($"tdl{Environment.ProcessId % 100_000}");

    string LeaseFile => Path.Combine(_folder, _name + ".netns");

    string Mount => Path.Combine("/run/netns", _name);

    public void Dispose()
    {
        NetworkNamespace.Delete(_name);
        Directory.Delete(_folder, recursive: true);
    }

    [RootFact]
    public void RemoveAbandoned_OwnerLives_LeavesItAlone()
    {
        using NamespaceLease lease = NamespaceLease.Take(_folder, _name);

        Assert.Equal(0, NamespaceLease.RemoveAbandoned(_folder));
        Assert.True(File.Exists(Mount));
    }

    [RootFact]
    public void RemoveAbandoned_OwnerDied_RemovesNamespaceAndLease()
    {
        // What a killed process leaves: the namespace, and a file nobody locks.
        NetworkNamespace.Create(_name);
        File.WriteAllBytes(LeaseFile, []);

        Assert.Equal(1, NamespaceLease.RemoveAbandoned(_folder));
        Assert.False(File.Exists(Mount));
        Assert.False(File.Exists(LeaseFile));
    }

    [RootFact]
    public void RemoveAbandoned_DiedBeforeTheNamespaceWasMade_RemovesTheLease()
    {
        File.WriteAllBytes(LeaseFile, []);

        Assert.Equal(1, NamespaceLease.RemoveAbandoned(_folder));
        Assert.Empty(Directory.GetFiles(_folder, "*.netns"));
    }

    [RootFact]
    public void Take_OwnerDiedAfterTheLastLook_TakesItOver()
    {
        NetworkNamespace.Create(_name);
        File.WriteAllBytes(LeaseFile, []);

        using (NamespaceLease.Take(_folder, _name))
        {
            Assert.True(File.Exists(Mount));
        }

        Assert.False(File.Exists(Mount));
    }

    [RootFact]
    public void Dispose_RemovesNamespaceAndLease()
    {
        NamespaceLease.Take(_folder, _name).Dispose();

        Assert.False(File.Exists(Mount));
        Assert.Empty(Directory.GetFiles(_folder, "*.netns"));
    }

    [RootFact]
    public void Dispose_ConnectionLeft_IsAborted()
    {
        NamespaceLease lease = NamespaceLease.Take(_folder, _name);
        using Socket accepted = AcceptFromClosed();
        Assert.Equal(2, LeftSockets.Count(_name)); // ours, and that of a program that has gone and left something to send

        lease.Dispose();

        SocketException aborted = Assert.Throws<SocketException>(() => ReadToEnd(accepted));
        Assert.True(aborted.SocketErrorCode is SocketError.ConnectionAborted or SocketError.ConnectionReset); // as ours or its peer's went first
    }

    [RootFact]
    public void Take_NameInUse_SaysHowToRemoveIt()
    {
        NetworkNamespace.Create(_name);

        PlatformException refused = Assert.Throws<PlatformException>(() => NamespaceLease.Take(_folder, _name));
        Assert.Contains($"ip netns del {_name}", refused.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(_folder, "*.netns"));
    }

    static void ReadToEnd(Socket socket)
    {
        byte[] data = new byte[1 << 20];
        while (socket.Receive(data) > 0)
        {
        }
    }

    // Its peer has closed, with more under way than our window takes.
    Socket AcceptFromClosed()
    {
        Socket? accepted = null;
        NetworkNamespace.Run(_name, () =>
        {
            using Socket listening = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            listening.Listen();
            using Socket client = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            client.Connect(listening.LocalEndPoint!);
            accepted = listening.Accept();
            client.Blocking = false;
            while (client.Send(new byte[1 << 20], SocketFlags.None, out SocketError full) > 0 && full is SocketError.Success)
            {
            }
        });
        return accepted!;
    }

    [Fact]
    public void RemoveAbandoned_NoFolder_IsNothingToDo() => Assert.Equal(0, NamespaceLease.RemoveAbandoned(Path.Combine(_folder, "none")));
}
