using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture.Linux;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>A recording in several traces that are all kept.</summary>
[SupportedOSPlatform("linux")]
public sealed class SplitTests : IDisposable
{
    const int PieceBytes = 1 << 18;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-split-").FullName;
    readonly List<string> _pieces = [];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [RootFact("ip")]
    public void Run_Split_EachPieceStandsAloneAndTogetherTheyAreOne()
    {
        CaptureSummary summary = Record();

        Assert.True(_pieces.Count > 2, $"{_pieces.Count} pieces");
        TraceInspection[] alone = [.. _pieces.Select(TraceInspector.Inspect)];
        Assert.All(alone, piece => Assert.Equal((true, 1), (piece.IsComplete, piece.Interfaces.Count)));
        Assert.All(_pieces.SkipLast(1), piece => Assert.InRange(new FileInfo(piece).Length, PieceBytes, 2 * PieceBytes));
        Assert.Equal(summary.Bytes, _pieces.Sum(piece => new FileInfo(piece).Length));

        string joined = Path.Combine(_folder, "joined");
        File.WriteAllBytes(joined, [.. _pieces.SelectMany(File.ReadAllBytes)]);
        TraceInspection all = TraceInspector.Inspect(joined);
        Assert.Equal(summary.Interfaces.Single().Packets, all.Packets);
        Assert.Equal(all.Packets, Assert.Single(all.Interfaces).Packets);
        Assert.Equal(all.Packets, alone.Sum(piece => piece.Packets));
        Assert.Empty(all.Problems);
    }

    CaptureSummary Record()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using LinuxRecorder recorder = LinuxRecorder.Open(
            BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}")
                with
            { SplitBytes = PieceBytes, MaxBytes = 4 * PieceBytes },
            Open);
        using Socket client = network.Connect(port);
        using Socket server = listener.Accept();
        OverloadTests.Chat(client, server, 5_000);
        return recorder.Run(CancellationToken.None);
    }

    FileStream Open()
    {
        _pieces.Add(Path.Combine(_folder, FormattableString.Invariant($"{_pieces.Count}")));
        return File.Create(_pieces[^1]);
    }
}

/// <summary>A recording that keeps its last part, with a connection that is older than that.</summary>
[SupportedOSPlatform("linux")]
public sealed class RingTests
{
    const int RingBytes = 1 << 20;
    const int Segments = 20_000;

    [RootFact("ip")]
    public void Run_MoreThanTheRingHolds_KeepsTheLastOfItInOneFile()
    {
        string folder = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName() + ".ring");
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var recording = new BackgroundRecording(
            BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}")
                with
            { IsRing = true, MaxBytes = RingBytes, RingFolder = folder });

        using Socket client = network.Connect(port);
        using Socket server = listener.Accept();
        OverloadTests.Chat(client, server, Segments);
        Assert.True(SpinWait.SpinUntil(() => Directory.GetFiles(folder).Length > 1, Patience.Limit));
        CaptureSummary summary = recording.Stop();

        var packets = recording.Packets();
        InterfaceSummary place = Assert.Single(summary.Interfaces);
        Assert.True(packets.Count >= 1 && packets.Count < place.Packets, $"{packets.Count} packets kept, {recording.Length} bytes; {place}; {summary}");
        Assert.StartsWith("the ring holds the last ", Assert.Single(summary.Remarks), StringComparison.Ordinal);
        Assert.InRange(recording.Inspect().Interfaces.Count, 1, 1);

        // Connections and their processes are repeated in each piece.
        Assert.Contains(StackEventKind.ConnectionRundown, recording.Events(told => told.Kind));
        Assert.False(Directory.Exists(folder));
        Assert.InRange(recording.Length, RingBytes / 2, RingBytes * 2);
    }
}
