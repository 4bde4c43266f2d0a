using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Analysis;
using TcpDiag.Analysis.Findings;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>A recorder that could not keep up in the middle of a connection on a path that loses nothing: the gap is told, and nothing is made up to fill
/// it.</summary>
[SupportedOSPlatform("linux")]
public sealed class OverloadTests
{
    const int Unread = 40_000;
    const int Read = 20_000;

    [RootFact]
    public async Task Analyze_RecordingWithAGap_TellsItAndJudgesNothingInside()
    {
        using Socket listener = Stream();
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using var client = Stream();
        string path = Path.GetTempFileName();
        CaptureSummary summary = await RecordAsync(path, listener, client);

        TraceAnalysis analysis = Analyze(path);
        File.Delete(path);

        Finding gap = Assert.Single(analysis.Findings, finding => finding.Id is FindingIds.CaptureIncomplete);
        Assert.Contains(FormattableString.Invariant($"the recorder dropped {summary.Interfaces[0].Dropped} packets"), gap.Title, StringComparison.Ordinal);
        Assert.Contains(FormattableString.Invariant($"the recorder lost {summary.LostEvents} events"), gap.Title, StringComparison.Ordinal);
        Connection connection = Assert.Single(analysis.Connections);
        Assert.Equal((0, 0), (connection.FromClient.Retransmissions, connection.FromServer.Retransmissions));
        Assert.DoesNotContain(analysis.Findings, finding =>
            finding.Id is FindingIds.PathLoss or FindingIds.PathReordering or FindingIds.SpuriousRetransmissions);
        Assert.NotEqual(Evidence.Both, connection.FromClient.Limits?.Evidence);
    }

    // Nobody reads the buffers during the first part; in the second they soon have room again.
    static async Task<CaptureSummary> RecordAsync(string path, Socket listener, Socket client)
    {
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        var settings = new CaptureSettings
        {
            Match = MatchParser.Parse($"tcp port {port}"),
            Interfaces = [new("lo")],
            PacketBufferBytes = 1 << 20,
            EventBufferBytes = 1
        };
        using var stop = new CancellationTokenSource();
        using LinuxRecorder recorder = LinuxRecorder.Open(settings, new FileStream(path, FileMode.Create));

        // What was open before is the recorder's own, and left out.
        await client.ConnectAsync(listener.LocalEndPoint!);
        using Socket server = await listener.AcceptAsync();
        Chat(client, server, Unread);
        // at once, however busy the pool
        Task<CaptureSummary> run = Task.Factory.StartNew(() => recorder.Run(stop.Token), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Chat(client, server, Read);
        await stop.CancelAsync();
        return await run;
    }

    static TraceAnalysis Analyze(string path)
    {
        using TraceReader reader = TraceFile.Open(path);
        return TraceAnalyzer.Analyze(reader);
    }

    static Socket Stream() => new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    // One byte to and fro.
    static void Chat(Socket client, Socket server, int segments)
    {
        byte[] one = new byte[1];
        for (int i = 0; i < segments / 2; i++)
        {
            client.Send(one);
            Assert.Equal(1, server.Receive(one));
            server.Send(one);
            Assert.Equal(1, client.Receive(one));
        }
    }
}
