using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json.Nodes;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Writing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>A bundle with several .etl, as <c>capture --split</c> writes it on Windows, is read as one trace: the first has one packet, the second
/// two.</summary>
public sealed class BundlePiecesTests : IDisposable
{
    const long StartTicks = 5_000_000;
    const long StartFileTime = 134_397_302_977_540_455;

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag pieces ").FullName;
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();

    public BundlePiecesTests()
    {
        using var bundle = new BundleWriter(new FileStream(Bundle, FileMode.Create));
        bundle.Add("trace-1.etl", BundleManifest.TraceKind, new MemoryStream(Piece(0, 1)));
        bundle.Add("trace-2.etl", BundleManifest.TraceKind, new MemoryStream(Piece(1, 2)));
        bundle.Complete(BundleWriter.Describe("pktmon", "tcp", "told to stop", [], DateTimeOffset.UnixEpoch));
    }

    string Bundle => Path.Combine(_folder, "in.tcpdiag");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Info_Pieces_CountsAll()
    {
        JsonNode file = Info(Bundle);
        Assert.Equal(Bundle, file["path"]!.GetValue<string>());
        Assert.Equal(3, file["packets"]!.GetValue<int>());
        Assert.Single(file["interfaces"]!.AsArray());
        Assert.Equal(1, file["providers"]!.AsArray().Count(provider => provider!["count"]!.GetValue<int>() == 3));
    }

    // From the packet at 0.1 s in the first piece to that at 0.3 s in the second.
    [Fact]
    public void Analyze_Pieces_IsOneConnection()
    {
        Assert.Equal(ExitCode.Done, Run("analyze", Bundle));
        Assert.Contains("3 packets, captured over 200 ms\n1 TCP connection with", _output.ToString(), StringComparison.Ordinal);
        Assert.Empty(_error.ToString());
    }

    [Fact]
    public void Convert_Pieces_WritesAll()
    {
        string target = Path.Combine(_folder, "out.pcapng");
        Assert.Equal(ExitCode.Done, Run("convert", Bundle, target));
        Assert.Equal(3, Info(target)["packets"]!.GetValue<int>());
    }

    // Seconds count from the start of the first piece: packets at 0.1, 0.2 and 0.3 s.
    [Theory]
    [InlineData(3)]
    [InlineData(2, "--limit", "2")]
    [InlineData(2, "--from", "0.15")]
    [InlineData(1, "--from", "0.25")]
    public void Dump_Pieces_ShowsAll(int lines, params string[] options)
    {
        Assert.Equal(ExitCode.Done, Run(["dump", Bundle, "--json", "--id", "1001", .. options]));
        Assert.Equal(lines, _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    [Fact]
    public void Redact_Pieces_KeepsAll()
    {
        string target = Path.Combine(_folder, "out.tcpdiag");
        Assert.Equal(ExitCode.Done, Run("redact", Bundle, target, "--verify"));
        Assert.Equal(3, Info(target)["packets"]!.GetValue<int>());
    }

    [Theory]
    [InlineData("info")]
    [InlineData("analyze")]
    [InlineData("dump")]
    [InlineData("convert", "out.pcapng")]
    [InlineData("redact", "out.tcpdiag")] // else its result, with hashes of its own, would look genuine
    public void Command_SecondPieceWasChanged_NamesIt(string command, params string[] output)
    {
        using (ZipArchive archive = ZipFile.Open(Bundle, ZipArchiveMode.Update))
        {
            archive.GetEntry("trace-2.etl")!.Delete();
            using Stream entry = archive.CreateEntry("trace-2.etl").Open();
            entry.Write(Piece(2, 2));
        }

        Assert.Equal(ExitCode.Damaged, Run([command, Bundle, .. output.Select(name => Path.Combine(_folder, name))]));
        string told = string.Join(' ', $"{_output} {_error}".Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal(2, told.Split("trace-2.etl has another SHA-256").Length); // once
    }

    JsonNode Info(string path)
    {
        _output.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Done, Run("info", path, "--json"));
        return JsonNode.Parse(_output.ToString())!["files"]![0]!;
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);

    // One packet each 0.1 s, of 10 bytes each.
    static byte[] Piece(int first, int count)
    {
        using var stream = new MemoryStream();
        using (var writer = new EtlWriter(stream, new EtlFileHeader
        {
            BufferSize = 4096,
            Build = 22621,
            Processors = 1,
            PerformanceFrequency = 10_000_000,
            StartFileTime = StartFileTime + (first * 1_000_000L),
            StartTicks = StartTicks + (first * 1_000_000L),
            ClockType = EtlClockType.Qpc,
            SessionName = "t",
            LogFileName = "t.etl",
        }))
        {
            var builder = new EtlRecordBuilder();
            for (int i = first; i < first + count; i++)
            {
                byte[] frame = new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(1000, 443).Seq((uint)(1 + (i * 10))).PayloadLength(10).Build();
                byte[] payload = [7, 0, 0, 0, 7, 0, 0, 0, (byte)frame.Length, 0, 0, 0, .. frame];
                writer.Write(builder.Build(new()
                {
                    Provider = new("2ed6006e-4729-4609-b423-3ee7bcd678ef"),
                    Id = 1001,
                    Level = 4,
                    Keywords = 0x1_C000_0000,
                    Ticks = StartTicks + ((i + 1) * 1_000_000L)
                }, payload), 0);
            }

            writer.Complete(StartFileTime + ((first + count) * 1_000_000L), eventsLost: 0);
        }

        return stream.ToArray();
    }
}
