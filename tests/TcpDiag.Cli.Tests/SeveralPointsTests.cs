using System;
using System.IO;
using System.Threading;
using TcpDiag.Analysis.Findings;
using TcpDiag.Cli.Analyzing;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>Which of several traces are read together, and which are another sight of the same connections.</summary>
public sealed class SeveralPointsTests : IDisposable
{
    const int Segments = 40;
    const int SegmentBytes = 100;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-test-").FullName;
    readonly StringWriter _error = new();

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // An upload of a file, and another of the same file: other ports and sequence numbers, the same bytes.
    [Fact]
    public void Choose_SameFileSentTwice_KeepsBoth()
    {
        string[] files = [Upload("first", port: 40_000, isn: 1_000_000), Upload("second", port: 40_001, isn: 77_000_000)];
        Assert.Equal(files, Choose(files).Files);
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Choose_TheSameUploadSeenTwice_LeavesOneOut()
    {
        string[] files = [Upload("sender", port: 40_000, isn: 1_000_000), Upload("receiver", port: 40_000, isn: 1_000_000)];
        Assert.Equal([files[0]], Choose(files).Files);
        Assert.Contains("receiver.pcap holds the same connections as", _error.ToString(), StringComparison.Ordinal);
    }

    // The server is 20 ms away, and its answer is data too: what it sends shows best where it is.
    [Fact]
    public void Choose_BothEndsSendData_JudgesEachAtItsOwn()
    {
        string[] files = [Upload("client", port: 40_000, isn: 1_000_000, answers: 30), Upload("server", port: 40_000, isn: 1_000_000, answers: 30, away: 10_000)];
        SeveralPoints points = Choose(files);
        Assert.Equal([files[0]], points.Files);
        NearerPoint nearer = Assert.Single(points.Nearer);
        Assert.Equal((files[1], false), (nearer.File, nearer.IsFromClient));
        DirectionAtTwoPoints direction = Assert.Single(nearer.Directions);
        Assert.Equal((1, 1, false), (direction.FirstPacket, direction.OtherFirstPacket, direction.IsFromClient));
        Assert.Equal("10.0.0.1:40000", direction.Client.ToString());
        Assert.Contains("it shows best what the servers sent, and that is judged by it, all else by the latter.", _error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Choose_OfAPartOfTheTime_JudgesAllByOne() =>
        Assert.Empty(Choose([Upload("client", 40_000, 1_000_000, 30), Upload("server", 40_000, 1_000_000, 30, away: 10_000)], isWhole: false).Nearer);

    SeveralPoints Choose(string[] files, bool isWhole = true) => SeveralPoints.Choose(files, isWhole, _error, CancellationToken.None);

    // As seen so many microseconds from the client, of the 20,000 to the server and back.
    string Upload(string name, ushort port, uint isn, uint answers = 0, uint away = 0)
    {
        string path = Path.Combine(_folder, name + ".pcap");
        using var writer = new BinaryWriter(File.Create(path));
        Span<uint> header = [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, 1]; // libpcap 2.4, Ethernet
        foreach (uint field in header)
        {
            writer.Write(field);
        }

        uint answer = isn ^ 0x5555_5555;
        Write(writer, away, Client(port).Seq(isn).Flags(FrameBuilder.Syn));
        Write(writer, 20_000 - away, Server(port).Seq(answer).AckNumber(isn + 1).Flags(FrameBuilder.Syn | FrameBuilder.Ack));
        Write(writer, 20_000 + away, Client(port).Seq(isn + 1).AckNumber(answer + 1));
        var content = new Random(7);
        byte[] payload = new byte[SegmentBytes];
        for (uint i = 0; i < Segments; i++)
        {
            content.NextBytes(payload);
            uint seq = isn + 1 + (i * SegmentBytes);
            Write(writer, 30_000 + away + (i * 20_000), Client(port).Seq(seq).AckNumber(answer + 1).Payload([.. payload]));
            Write(writer, 50_000 - away + (i * 20_000), Server(port).Seq(answer + 1).AckNumber(seq + SegmentBytes));
        }

        uint end = isn + 1 + (Segments * SegmentBytes);
        for (uint i = 0; i < answers; i++)
        {
            content.NextBytes(payload);
            uint seq = answer + 1 + (i * SegmentBytes);
            Write(writer, 1_000_000 - away + (i * 40_000), Server(port).Seq(seq).AckNumber(end).Payload([.. payload]));
            Write(writer, 1_000_000 + away + (i * 40_000), Client(port).Seq(end).AckNumber(seq + SegmentBytes));
        }

        return path;
    }

    static FrameBuilder Client(ushort port) => new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(port, 443);

    static FrameBuilder Server(ushort port) => new FrameBuilder().Ip("10.0.0.2", "10.0.0.1").Tcp(443, port);

    static void Write(BinaryWriter writer, uint microseconds, FrameBuilder frame)
    {
        byte[] bytes = frame.Build();
        writer.Write(1_700_000_000u);
        writer.Write(microseconds);
        writer.Write(bytes.Length);
        writer.Write(bytes.Length);
        writer.Write(bytes);
    }
}
