using System;
using System.IO;
using System.Threading;
using TcpDiag.Cli.Commands;
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
        Assert.Equal(files, SeveralPoints.Choose(files, _error, CancellationToken.None).Files);
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Choose_TheSameUploadSeenTwice_LeavesOneOut()
    {
        string[] files = [Upload("sender", port: 40_000, isn: 1_000_000), Upload("receiver", port: 40_000, isn: 1_000_000)];
        Assert.Equal([files[0]], SeveralPoints.Choose(files, _error, CancellationToken.None).Files);
        Assert.Contains("receiver.pcap holds the same connections as", _error.ToString(), StringComparison.Ordinal);
    }

    string Upload(string name, ushort port, uint isn)
    {
        string path = Path.Combine(_folder, name + ".pcap");
        using var writer = new BinaryWriter(File.Create(path));
        Span<uint> header = [0xA1B2_C3D4, 0x0004_0002, 0, 0, 65_535, 1]; // libpcap 2.4, Ethernet
        foreach (uint field in header)
        {
            writer.Write(field);
        }

        uint answer = isn ^ 0x5555_5555;
        Write(writer, 0, Client(port).Seq(isn).Flags(FrameBuilder.Syn));
        Write(writer, 10_000, Server(port).Seq(answer).AckNumber(isn + 1).Flags(FrameBuilder.Syn | FrameBuilder.Ack));
        Write(writer, 20_000, Client(port).Seq(isn + 1).AckNumber(answer + 1));
        var content = new Random(7);
        byte[] payload = new byte[SegmentBytes];
        for (uint i = 0; i < Segments; i++)
        {
            content.NextBytes(payload);
            uint seq = isn + 1 + (i * SegmentBytes);
            Write(writer, 30_000 + (i * 20_000), Client(port).Seq(seq).AckNumber(answer + 1).Payload([.. payload]));
            Write(writer, 40_000 + (i * 20_000), Server(port).Seq(answer + 1).AckNumber(seq + SegmentBytes));
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
