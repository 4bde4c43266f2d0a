using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Testing;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>A recording that keeps its last part, with a connection that is older than that.</summary>
[SupportedOSPlatform("linux")]
public sealed class RingTests
{
    const int RingBytes = 1 << 20;
    const int Segments = 20_000;

    static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [RootFact("ip")]
    public void Run_MoreThanTheRingHolds_KeepsTheLastOfItInOneFile()
    {
        string folder = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName() + ".ring");
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var recording = new BackgroundRecording(
            BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}") with { IsRing = true, MaxBytes = RingBytes, RingFolder = folder });

        using Socket client = network.Connect(port);
        using Socket server = listener.Accept();
        OverloadTests.Chat(client, server, Segments);
        Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(folder).Length > 1, Patience));
        CaptureSummary summary = recording.Stop();

        var packets = recording.Packets();
        InterfaceSummary place = Assert.Single(summary.Interfaces);
        Assert.True(packets.Count >= 1 && packets.Count < place.Packets, $"{packets.Count} packets kept, {recording.Length} bytes; {place}; {summary}");
        Assert.StartsWith("the ring holds the last ", Assert.Single(summary.Remarks), StringComparison.Ordinal);
        Assert.InRange(recording.Inspect().Interfaces.Count, 1, 1);

        // Who talks to whom, and which process, is told again in each piece.
        Assert.Contains(StackEventKind.ConnectionRundown, recording.Events(told => told.Kind));
        Assert.False(Directory.Exists(folder));
        Assert.InRange(recording.Length, RingBytes / 2, RingBytes * 2);
    }
}
