using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using TcpDiag.Lab.Peers;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Lab.Tests;

/// <summary>Files of a run on a real connection: whole, and as a hostile peer would send them.</summary>
public sealed class PeerFilesTests : IDisposable
{
    readonly string _there = Directory.CreateTempSubdirectory("tcpdiag-peer-files-").FullName;
    readonly string _here = Directory.CreateTempSubdirectory("tcpdiag-peer-files-").FullName;
    readonly Socket _sender;
    readonly Socket _receiver;

    public PeerFilesTests()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        _sender = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _sender.Connect(listener.LocalEndPoint!);
        _receiver = listener.Accept();
    }

    public void Dispose()
    {
        _sender.Dispose();
        _receiver.Dispose();
        Directory.Delete(_there, recursive: true);
        Directory.Delete(_here, recursive: true);
    }

    [Fact]
    public async Task Send_Files_ArriveByteForByte()
    {
        byte[] capture = new byte[3_000_000];
        new Random(1).NextBytes(capture);
        File.WriteAllBytes(Path.Join(_there, "receiver.etl"), capture);
        File.WriteAllBytes(Path.Join(_there, "decisions.tdil"), []);
        File.WriteAllText(Path.Join(_there, "something.else"), "stays");
        PeerFile[] files = [.. PeerFiles.List(_there)];
        Task sending = Task.Run(() => PeerFiles.Send(_sender, _there, files));
        PeerFiles.Receive(_receiver, files, Patience.Limit, name => Path.Join(_here, name));
        await sending;

        Assert.Equal(["receiver.etl", "decisions.tdil"], files.Select(file => file.Name));
        Assert.Equal(capture, File.ReadAllBytes(Path.Join(_here, "receiver.etl")));
        Assert.Equal(["decisions.tdil", "receiver.etl"], Directory.GetFiles(_here).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("../result.json", 5)]
    [InlineData("result.json", 5)]
    [InlineData("", 5)]
    [InlineData("receiver.etl", -1)]
    [InlineData("receiver.etl", long.MaxValue)]
    public void Receive_WhatNoRunHas_IsRefusedBeforeAnythingIsWritten(string name, long bytes)
    {
        LabException refused = Assert.Throws<LabException>(
            () => PeerFiles.Receive(_receiver, [new PeerFile(name, bytes)], Patience.Limit, file => Path.Join(_here, file)));

        Assert.Equal(FormattableString.Invariant($"The other side sent a file that no run has: '{name}' of {bytes} bytes."), refused.Message);
        Assert.Empty(Directory.GetFiles(_here));
    }

    [Fact]
    public void Receive_PeerGoesWithinAFile_IsSaid()
    {
        _sender.Send(new byte[10]);
        _sender.Dispose();
        LabException gone = Assert.Throws<LabException>(
            () => PeerFiles.Receive(_receiver, [new PeerFile("receiver.etl", 100)], Patience.Limit, file => Path.Join(_here, file)));

        Assert.Equal("The other side closed the control connection within a file.", gone.Message);
    }

    [Fact]
    public void Receive_PeerSaysNothing_HasAnEnd()
    {
        LabException silent = Assert.Throws<LabException>(
            () => PeerFiles.Receive(_receiver, [new PeerFile("receiver.etl", 100)], TimeSpan.FromMilliseconds(50), file => Path.Join(_here, file)));

        Assert.StartsWith("The other side did not send its files (", silent.Message, StringComparison.Ordinal);
    }
}

/// <summary>What a peer records is gone with it, also when it is killed.</summary>
public sealed class PeerFolderTests
{
    [Fact]
    public void RemoveAbandoned_KilledAndLive_TakesTheKilledAlone()
    {
        using var live = new PeerFolder();
        string killed = Make("in-use");
        string foreign = Make("something");

        PeerFolder.RemoveAbandoned();

        Assert.True(Directory.Exists(live.FullName));
        Assert.False(Directory.Exists(killed));
        Assert.True(Directory.Exists(foreign));
        Directory.Delete(foreign, recursive: true);
    }

    [Fact]
    public void Dispose_LeavesNothing()
    {
        string path;
        using (var folder = new PeerFolder())
        {
            path = folder.FullName;
            File.WriteAllText(Path.Combine(path, "receiver.pcapng"), "private");
        }

        Assert.False(Directory.Exists(path));
    }

    // As it is left behind: nobody holds its files.
    static string Make(string file)
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-peer-").FullName;
        File.WriteAllText(Path.Combine(folder, "receiver.pcapng"), "private");
        File.WriteAllText(Path.Combine(folder, file), string.Empty);
        return folder;
    }
}

public class OwnEndsTests
{
    [Theory]
    [InlineData("127.0.0.1+127.0.0.2")]
    [InlineData("192.0.2.1+192.0.2.2")]
    [InlineData("fd00::1+fd00::2")]
    public void Read_TwoAddresses_AreThem(string text) => Assert.Equal(text, OwnEnds.Read(text).ToString());

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("127.0.0.1+127.0.0.1")]
    [InlineData("127.0.0.1+fd00::2")]
    [InlineData("127.0.0.1+127.0.0.2+127.0.0.3")]
    [InlineData("eth0+eth1")]
    [InlineData("")]
    public void Read_AnythingElse_IsRefused(string text) =>
        Assert.Equal(
            $"--ends: expected two different addresses of this machine such as 127.0.0.1+127.0.0.2, found '{text}'.",
            Assert.Throws<LabException>(() => OwnEnds.Read(text)).Message);
}
