using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using TcpDiag.Analysis.Intake;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Lab.Tests;

/// <summary>The field stories in small (tools/record-stories.sh) show what they were recorded for, and agree with the kernel that sent them.</summary>
public sealed class StoryFixtureTests
{
    const int ClientIsReceiver = 5001;

    const long NanosPerSecond = 1_000_000_000;

    public static TheoryData<string> Stories =>
        [.. Directory.GetFiles(ProjectFolder.Fixture("stories"), "*.truth.json").Select(file => Path.GetFileName(file).Split('.')[0])];

    [Theory]
    [MemberData(nameof(Stories))]
    public void Sender_Story_AgreesWithTheKernelAndHasItsEvents(string story)
    {
        JsonElement kernel = Truth(story).GetProperty("sender").GetProperty("kernel");
        Connection connection = Analyze($"{story}-sender");
        ConnectionDirection sent = Sent(connection);

        Assert.Equal(Number(kernel, "dataSegmentsOut"), sent.WireSegments);
        Assert.Equal(Number(kernel, "bytesSent"), sent.PayloadBytes);
        Assert.Equal(Number(kernel, "bytesRetransmitted"), sent.PayloadBytes - sent.UniqueBytes);

        // The kernel counts a resent FIN too.
        Assert.InRange(Number(kernel, "retransmissions") - sent.Retransmissions, 0, 1);
        Assert.Equal(Number(kernel, "dsacks"), sent.Dsacks);
        Assert.Equal(Evidence.Packets | Evidence.Events, connection.Evidence);
        Assert.True(CountEvents(story, StackEventKind.CwndSample) > 10);
    }

    [Theory]
    [MemberData(nameof(Stories))]
    public void Receiver_Story_HasWhatArrived(string story)
    {
        Connection connection = Analyze($"{story}-receiver");

        Assert.Equal(Evidence.Packets, connection.Evidence);
        Assert.True(Sent(connection).UniqueBytes >= Number(Truth(story).GetProperty("receiver"), "bytes"));
    }

    [Fact]
    public void S1_ReorderingOnly_HoldsTheWindowDown()
    {
        double adaptive = Goodput("s1-adaptive");

        Assert.True(adaptive > 3 * Goodput("s1-fixed"));
        Assert.True(adaptive > 3 * Goodput("s1-not-adapting"));
        Assert.True(Sent(Analyze("s1-fixed-sender")).Dsacks > 5);
        Assert.Equal(0, Sent(Analyze("s1-not-adapting-sender")).Dsacks);
    }

    [Fact]
    public void S2_EarlyPackets_CostTheBlindSenderMore() => Assert.True(Goodput("s2-adaptive") > 2 * Goodput("s2-not-adapting"));

    [Fact]
    public void S3_SmallBuffer_AsksInVainAndSendsEightKilobytesEachRoundTrip()
    {
        Connection connection = Analyze("s3-small-buffer-sender");
        double roundTrips = (double)Sent(connection).ActiveTime!.Value / Sent(connection).Rtt.Min;

        // 2 s from the first query to the SYN; 120 kB in batches of 8 KiB are 15.
        Assert.InRange(connection.Start - FirstPacket("s3-small-buffer-sender"), 2 * NanosPerSecond, 5 * NanosPerSecond / 2);
        Assert.InRange(roundTrips, 14, 18);
        Assert.True(Goodput("s3-large-buffer") > 3 * Goodput("s3-small-buffer"));
    }

    [Fact]
    public void S4_HalfTheWindow_IsClosedByItsClientAfterTwoSeconds()
    {
        Connection half = Analyze("s4-half-window-receiver");

        Assert.Equal(ConnectionEnd.Rst, half.End);
        Assert.Equal(ConnectionEnd.Fin, Analyze("s4-whole-window-receiver").End);
        Assert.InRange(half.Last - half.Start, 2 * NanosPerSecond, 5 * NanosPerSecond / 2);
        Assert.Equal(ClientIsReceiver, half.Server.Port);
        Assert.True(half.FromServer.PayloadBytes > half.FromClient.PayloadBytes);
    }

    static ConnectionDirection Sent(Connection connection) =>
        connection.FromClient.PayloadBytes > connection.FromServer.PayloadBytes ? connection.FromClient : connection.FromServer;

    static double Goodput(string story) => Number(Truth(story), "goodputBitsPerSecond");

    static JsonElement Truth(string story) =>
        JsonDocument.Parse(File.ReadAllText(ProjectFolder.Fixture($"stories/{story}.truth.json"))).RootElement.GetProperty("result");

    static Connection Analyze(string name)
    {
        using TraceReader reader = Open(name);
        return TraceAnalyzer.Analyze(reader, cancellation: CancellationToken.None).Connections.Single();
    }

    static TraceTime FirstPacket(string name)
    {
        using TraceReader reader = Open(name);
        TraceRecord record = default;
        Assert.True(reader.TryRead(ref record));
        return record.Time;
    }

    static int CountEvents(string story, StackEventKind kind)
    {
        using TraceReader reader = Open($"{story}-sender");
        int count = 0;
        TraceRecord record = default;
        while (reader.TryRead(ref record))
        {
            count += record.Event?.Kind == kind ? 1 : 0;
        }

        return count;
    }

    static TraceReader Open(string name) => TraceFile.Open([ProjectFolder.Fixture($"stories/{name}.pcapng")]);

    static double Number(JsonElement element, string name) => element.GetProperty(name).GetDouble();
}
