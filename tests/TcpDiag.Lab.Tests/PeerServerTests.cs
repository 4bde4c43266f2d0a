using System;
using System.Collections.Generic;
using System.Collections.Concurrent;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Lab.Flows;
using TcpDiag.Lab.Matrix;
using TcpDiag.Lab.Peers;
using TcpDiag.Lab.Programs;
using TcpDiag.Lab.Results;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Lab.Tests;

/// <summary>A peer over real sockets: what it receives, and what it refuses.</summary>
[SupportedOSPlatform("linux")]
public sealed class PeerServerTests : IDisposable
{
    const string Token = "correct horse";

    readonly PeerServer _server = new(new IPEndPoint(IPAddress.Loopback, 0), Token, new PeerCaps(100_000, TimeSpan.FromSeconds(10)));
    readonly BlockingCollection<string> _reports = [];
    readonly CancellationTokenSource _stop = new();
    readonly Task _serving;

    public PeerServerTests() => _serving = Task.Factory.StartNew(
        () => _server.Run(_reports.Add, _stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public void Dispose()
    {
        _stop.Cancel();
        Assert.True(_serving.Wait(Patience.Limit));
        _server.Dispose();
        _reports.Dispose();
        _stop.Dispose();
    }

    [LinuxFact]
    public void Run_Announced_ReceivesAndReports()
    {
        using Socket control = Call();
        PeerReply first = Ask(control, Token, ("bytes", "50kb"), ("limit", "5s"));
        Send(first.Port, 50_000);
        PeerReply last = PeerLine.Read(control, Patience.Limit, LabJson.Default.PeerReply);

        Assert.Null(first.Refusal);
        Assert.Equal(50_000, last.Reports.Single().Bytes);
        Assert.EndsWith(": received 50000 bytes.", Report(), StringComparison.Ordinal);
    }

    [UnixTheory]
    [InlineData(false, ": received 50000 bytes.")]
    [InlineData(true, ": sent 50000 bytes.")]
    public void Transfer_EitherWay_IsCountedAtBothEnds(bool isDownload, string reported)
    {
        var transfer = new PeerTransfer(new PeerEndpoint(_server.Address, Token)) { Bytes = 50_000, Limit = TimeSpan.FromSeconds(10) };
        TransferOutcome outcome = transfer.Run(isDownload, recordedAs: null, CancellationToken.None);
        Assert.Equal((50_000, FlowOutcome.Complete), (outcome.Bytes, outcome.End));
        Assert.True(outcome.Time > TimeSpan.Zero);
        Assert.EndsWith(reported, Report(), StringComparison.Ordinal);
    }

    // Either end may be the one that waits when it is interrupted; the server is free for the next run at once, long before the limit.
    [UnixTheory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Needs", "time")]
    public void Transfer_Interrupted_EndsAtBothEnds(bool isDownload)
    {
        using var server = new PeerServer(new IPEndPoint(IPAddress.Loopback, 0), Token, new PeerCaps(long.MaxValue, TimeSpan.FromHours(1)));
        using var stop = new CancellationTokenSource();
        Task serving = Task.Factory.StartNew(
            () => server.Run(_reports.Add, stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        var transfer = new PeerTransfer(new PeerEndpoint(server.Address, Token)) { Bytes = 1L << 30, Limit = TimeSpan.FromHours(1) };

        // Too early nothing has been asked for, too late all has been sent: how long is in between, the machine decides.
        List<string> endings = [];
        bool isInterrupted = false;
        for (int wait = 50; !isInterrupted && wait < 5000; wait += wait / 2)
        {
            using var interruption = new CancellationTokenSource(TimeSpan.FromMilliseconds(wait));
            Exception? ended = Record.Exception(() => transfer.Run(isDownload, recordedAs: null, interruption.Token));
            isInterrupted = ended is OperationCanceledException && _reports.TryTake(out _, TimeSpan.FromSeconds(1));
            endings.Add(ended?.Message ?? "it ended");
        }

        Assert.True(isInterrupted, $"{string.Join('\n', endings)}\n{serving.Exception}");
        stop.Cancel();
        Assert.True(serving.Wait(Patience.Limit));
    }

    [LinuxFact]
    public void Transfer_PeerThatRefuses_SaysWhy()
    {
        var transfer = new PeerTransfer(new PeerEndpoint(_server.Address, Token)) { Bytes = 500_000, Limit = TimeSpan.FromSeconds(5) };
        LabException refused = Assert.Throws<LabException>(() => transfer.Run(isDownload: true, recordedAs: null, CancellationToken.None));
        Assert.Equal("The peer refuses: At most 100000 bytes are allowed here, 500000 were asked for.", refused.Message);
    }

    [LinuxFact]
    public void Run_WrongToken_IsRefused() => AssertRefused("The token is wrong.", "wrong horse", ("bytes", "1kb"));

    [LinuxFact]
    public void Run_MoreThanTheCaps_IsRefused()
    {
        AssertRefused("At most 100000 bytes are allowed here, 120000 were asked for.", Token, ("bytes", "60kb"), ("flows", "2"), ("limit", "5s"));
        AssertRefused("At most 10 s are allowed here, a limit of 11 s was asked for.", Token, ("bytes", "60kb"), ("limit", "11s"));
        AssertRefused("A receive buffer of at most 64mib is allowed here.", Token, ("bytes", "1kb"), ("limit", "5s"), ("receive-buffer", "65mib"));
        AssertRefused("A peer looks nothing up: lookup is for the lab's own path.", Token, ("lookup", "1s"));
        AssertRefused("flow: bytes: expected", Token, ("bytes", "much"));
    }

    // This server has no program that emulates one; and settings of a path may hold nothing else.
    [LinuxFact]
    public void Run_Path_IsRefusedWhereItCannotBeHad()
    {
        Assert.Equal("No path is emulated here.", AskForPath("delay", "1ms").Refusal);
        Assert.StartsWith("path: log: ", AskForPath("log", "somewhere").Refusal, StringComparison.Ordinal);
        Assert.StartsWith("path: loss: expected", AskForPath("loss", "out:much").Refusal, StringComparison.Ordinal);
    }

    [LinuxFact]
    public void Run_Recording_IsRefusedWhereThereIsNone()
    {
        using Socket control = Call();
        PeerLine.Write(control, Request(new RecordingSettings()), LabJson.Default.PeerRequest);
        Assert.Equal("Nothing is recorded here.", PeerLine.Read(control, Patience.Limit, LabJson.Default.PeerReply).Refusal);
    }

    static PeerRequest Request(RecordingSettings recording) => new(Token, [new LabOption("bytes", "1kb"), new LabOption("limit", "5s")], 1, [], 7, recording);

    // What another machine asks for becomes options of a program.
    [LinuxFact]
    public void Run_RecordingOfStrangeSize_IsRefused()
    {
        using PeerServer server = new(
            new IPEndPoint(IPAddress.Loopback, 0), Token, new PeerCaps(100_000, TimeSpan.FromSeconds(10)), new PeerStart(new LabProgram("false", []), []));
        using CancellationTokenSource stop = new();
        Task serving = Task.Factory.StartNew(
            () => server.Run(_reports.Add, stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        using Socket control = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        control.Connect(server.Address);
        PeerLine.Write(control, Request(new RecordingSettings { SnapBytes = int.MaxValue }), LabJson.Default.PeerRequest);

        Assert.Equal("Of each packet 64 to 65536 bytes are recorded here.", PeerLine.Read(control, Patience.Limit, LabJson.Default.PeerReply).Refusal);
        stop.Cancel();
        Assert.True(serving.Wait(Patience.Limit));
    }

    PeerReply AskForPath(string name, string value)
    {
        using Socket control = Call();
        PeerLine.Write(
            control,
            new PeerRequest(Token, [new LabOption("bytes", "1kb"), new LabOption("limit", "5s")], 1, [new LabOption(name, value)], 7),
            LabJson.Default.PeerRequest);
        return PeerLine.Read(control, Patience.Limit, LabJson.Default.PeerReply);
    }

    [Theory]
    [InlineData("1pct", "1pct")]
    [InlineData("out:1pct", "in:1pct")]
    [InlineData("in:list:5", "out:list:5")]
    [InlineData("behind:out:5ms", "behind:in:5ms")]
    public void Turn_Value_IsThatOfTheOtherEnd(string sender, string receiver) => Assert.Equal(receiver, PeerPath.Turn(sender));

    [LinuxFact]
    public void Run_SenderIgnoresTheCap_IsClosed()
    {
        using Socket control = Call();
        int port = Ask(control, Token, ("bytes", "50kb"), ("limit", "5s")).Port;
        Assert.ThrowsAny<SocketException>(() => Send(port, 50_000_000));

        // It stops with the read that passes the cap, of 64 KiB at most.
        Assert.InRange(PeerLine.Read(control, Patience.Limit, LabJson.Default.PeerReply).Reports.Single().Bytes, 100_000, 170_000);
    }

    [LinuxFact]
    public void Run_CallerGone_ServesTheNext()
    {
        using (Socket gone = Call())
        {
            Assert.Null(Ask(gone, Token, ("bytes", "50kb"), ("limit", "5s")).Refusal);
        }

        Assert.EndsWith("The other end went away before it connected.", Report(), StringComparison.Ordinal);
        AssertRefused("The token is wrong.", "next", ("bytes", "1kb"));
    }

    [LinuxFact]
    public void Run_NoRequest_IsReportedAndTheNextIsServed()
    {
        using (Socket control = Call())
        {
            control.Send("hello\n"u8);
            Assert.Contains("does not speak as a tcpdiag of this version does", Report(), StringComparison.Ordinal);
        }

        AssertRefused("The token is wrong.", "next", ("bytes", "1kb"));
    }

    void AssertRefused(string reason, string token, params (string Name, string Value)[] flow)
    {
        using Socket control = Call();
        Assert.StartsWith(reason, Ask(control, token, flow).Refusal, StringComparison.Ordinal);
        Assert.Contains(": refused. ", Report(), StringComparison.Ordinal);
    }

    string Report() => _reports.TryTake(out string? text, Patience.Limit) ? text : "nothing was reported";

    Socket Call()
    {
        Socket control = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        control.Connect(_server.Address);
        return control;
    }

    // Who is not root may not be allowed every congestion control.
    static PeerReply Ask(Socket control, string token, params (string Name, string Value)[] flow)
    {
        PeerLine.Write(
            control, new PeerRequest(token, [new("congestion", "system"), .. flow.Select(option => new LabOption(option.Name, option.Value))], 1, [], 0),
                LabJson.Default.PeerRequest);
        return PeerLine.Read(control, Patience.Limit, LabJson.Default.PeerReply);
    }

    static void Send(int port, int bytes)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { SendTimeout = (int)Patience.Limit.TotalMilliseconds };
        socket.Connect(IPAddress.Loopback, port);
        byte[] data = new byte[10_000];
        for (int sent = 0; sent < bytes; sent += data.Length)
        {
            socket.Send(data);
        }

        socket.Shutdown(SocketShutdown.Send);
        _ = socket.Receive(data);
    }
}
