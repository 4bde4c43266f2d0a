using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using TcpDiag.Traces.StackEvents;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Recording;

/// <summary>Buffers that nobody empties while traffic fills them several times over: what is lost is counted, in the summary and in the file.</summary>
[SupportedOSPlatform("linux")]
public sealed class OverloadTests
{
    // Some 100 bytes each in a ring of 512 KiB for each processor, the least there is.
    const int Segments = 40_000;

    [RootFact("ip", "tcpdump")]
    public void Run_RingOverflows_PacketsKeptAndDroppedAreAllThereWere()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var tcpdump = new Tcpdump(network.Client, network.ClientInterface, port);
        using var recording = new BackgroundRecording(
            BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}") with { PacketBufferBytes = 1 << 20, WithEvents = false },
            meanwhile: () => Chat(network, listener, port));

        CaptureSummary summary = recording.Stop();
        InterfaceSummary place = Assert.Single(summary.Interfaces);
        tcpdump.Stop(place.Packets + place.Dropped);

        Assert.True(place.Dropped > 0, "the ring must overflow");
        Assert.Equal(place.Packets, recording.Packets().Count);
        Assert.Equal(recording.Packets(tcpdump.File).Count, place.Packets + place.Dropped);
        Assert.Equal(place.Dropped, recording.Inspect().Interfaces.Sum(found => found.Dropped));
    }

    [RootFact("ip")]
    public void Run_TraceBufferOverflows_LostEventsStandInTheFile()
    {
        using var network = new TestNetwork();
        using Socket listener = network.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        using var recording = new BackgroundRecording(
            BackgroundRecording.At($"tcp port {port}", $"{network.Client}/{network.ClientInterface}") with { EventBufferBytes = 1 },
            meanwhile: () => Chat(network, listener, port));

        CaptureSummary summary = recording.Stop();

        Assert.True(summary.LostEvents > 0, "the trace buffer must overflow");
        Assert.Equal(summary.LostEvents, recording.Events(LostBefore).Sum());
        TraceInspection file = recording.Inspect();
        Assert.Equal(summary.LostEvents, file.System.LostEvents);
    }

    static long LostBefore(StackEvent stackEvent) =>
        stackEvent.Kind == StackEventKind.EventsLost && stackEvent.TryGet(StackField.LostEvents, out long lost) ? lost : 0;

    static void Chat(TestNetwork network, Socket listener, int port)
    {
        using Socket client = network.Connect(port);
        using Socket server = listener.Accept();
        Chat(client, server, Segments);
    }

    /// <summary>One byte to and fro: a segment and an event each time.</summary>
    internal static void Chat(Socket client, Socket server, int segments)
    {
        client.NoDelay = true;
        server.NoDelay = true;
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
