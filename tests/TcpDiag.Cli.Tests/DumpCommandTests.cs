using System;
using System.Buffers.Binary;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class DumpCommandTests : IDisposable
{
    const long StartTicks = 5_000_000;
    const ulong Tcb = 0xFFFF_8000_0000_1111;

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly string Netsh = SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.etl");

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-dump-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("--provider nobody", ExitCode.NoResult)]
    [InlineData("--from 1000", ExitCode.NoResult)]
    [InlineData("--limit 0", ExitCode.Done)]
    [InlineData("--limit 1", ExitCode.Done)]
    public void Dump_NoEvent_SaysSo(string options, int exitCode)
    {
        string trace = ProjectFolder.PathOf("tests", "fixtures", "stories", "s1-fixed-sender.pcapng");
        Assert.Equal(exitCode, Run(["dump", trace, .. options.Split(' ')]));
        string expected = exitCode == ExitCode.NoResult ? $"tcpdiag: {trace}: no event passes. `tcpdiag info` shows what the trace holds.\n" : string.Empty;
        Assert.Equal(expected, _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Dump_ConnectionNamedByALaterRundown_ShowsItsEarlierEvents()
    {
        string path = WriteTrace();

        Assert.Equal([1332, 1300], IdsOf(path, "10.0.0.1:1000"));
        Assert.Equal([1332, 1300], IdsOf(path, "10.0.0.2"));

        // The Tcb is used again: what follows the second rundown is another connection's.
        Assert.Equal([1300, 1332], IdsOf(path, "10.0.0.9:1000"));
        Assert.Empty(IdsOf(path, "10.0.0.3"));
    }

    [Fact]
    public void Dump_ConnectionOfKernelEvents_MatchesEitherEnd()
    {
        string path = WriteTrace();

        Assert.Equal(["11"], OpcodesOf(path, "1.2.3.4:443"));
        Assert.Equal(["11"], OpcodesOf(path, "172.16.0.1:50000"));
    }

    [SharedFact]
    public void Dump_PcapngWithStackEvents_ShowsThemFromAFileAndFromStandardInput()
    {
        string path = Path.Combine(_folder, "a.pcapng");
        Assert.Equal(ExitCode.Done, Run("convert", Netsh, path, "--events"));
        Assert.Equal(ExitCode.Done, Run("dump", path, "--json", "--limit", "20"));
        string[] lines = _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(20, lines.Length);
        JsonSchema schema = JsonSchema.Read("dump.json");
        Assert.All(lines, line => Assert.Empty(schema.Check(line)));

        Assert.Equal(lines, FromStandardInput(path, "--json --limit 20"));
    }

    [SharedFact]
    public void Dump_EtlFromStandardInput_IsSpooled()
    {
        Assert.Equal(ExitCode.Done, Run("dump", Netsh, "--json", "--id", "1332", "--limit", "5"));
        string[] lines = _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

        Assert.Equal(lines, FromStandardInput(Netsh, "--json --id 1332 --limit 5"));
    }

    // An option that takes all words behind it would take the file as well.
    [SharedFact]
    public void Dump_FileBehindTheOptions_IsTheFile()
    {
        Assert.Equal(ExitCode.Done, Run("dump", "--json", "--id", "1002", "--id", "1033", Netsh));
        Assert.Equal(2, _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
    }

    static string[] FromStandardInput(string path, string options)
    {
        string program = typeof(CommandLine).Assembly.Location;
        return [.. ExternalProgram.Run("sh", "-c", $"cat '{path}' | dotnet '{program}' dump - {options}").Lines];
    }

    // An address in a SOCKADDR, port 1000.
    static byte[] Ipv4(byte last) => [2, 0, 3, 0xE8, 10, 0, 0, last, 0, 0, 0, 0, 0, 0, 0, 0];

    // 1300 v0: Tcb, length, local, length, remote, state, process.
    static byte[] Rundown(byte local, byte remote) =>
        [.. BitConverter.GetBytes(Tcb), 16, 0, 0, 0, .. Ipv4(local), 16, 0, 0, 0, .. Ipv4(remote), 4, 0, 0, 0, 7, 0, 0, 0];

    static byte[] Sent()
    {
        byte[] payload = new byte[36];
        BinaryPrimitives.WriteUInt64LittleEndian(payload, Tcb);
        return payload;
    }

    static EtlRecordHeader Event(ushort id, long ticks) => new() { Ticks = StartTicks + ticks, Provider = Tcpip, Id = id };

    // A segment, the rundown that names its connection, then another connection's rundown under the same Tcb, and its segment.
    string WriteTrace()
    {
        string path = Path.Combine(_folder, "a.etl");
        using FileStream stream = File.Create(path);
        using var writer = new EtlWriter(stream, new EtlFileHeader
        {
            BufferSize = 4096,
            Build = 22621,
            Processors = 1,
            PerformanceFrequency = 10_000_000,
            StartFileTime = 134_397_302_977_540_455,
            StartTicks = StartTicks,
            ClockType = EtlClockType.Qpc,
            SessionName = "t",
            LogFileName = "t.etl",
        });
        var builder = new EtlRecordBuilder();
        writer.Write(builder.Build(Event(1332, 1), Sent()), 0);
        writer.Write(builder.Build(Event(1300, 2), Rundown(1, 2)), 0);
        writer.Write(builder.Build(Event(1300, 3), Rundown(9, 8)), 0);
        writer.Write(builder.Build(Event(1332, 4), Sent()), 0);

        // Kernel TcpIp receive: process, size, peer 1.2.3.4, here 172.16.0.1, ports 443 and 50000, sequence number, connection.
        byte[] received = [7, 0, 0, 0, 0xE8, 3, 0, 0, 1, 2, 3, 4, 172, 16, 0, 1, 1, 0xBB, 0xC3, 0x50, .. new byte[12]];
        writer.Write(builder.Build(new EtlRecordHeader { HeaderType = EtlHeaderType.PerfInfo, Ticks = StartTicks + 5, Group = 6, Opcode = 11, Version = 2 },
            received), 0);
        writer.Complete(134_397_302_977_540_460, 0, 0);
        return path;
    }

    int[] IdsOf(string path, string connection) =>
        [.. LinesOf(path, connection).Select(line => JsonDocument.Parse(line).RootElement.GetProperty("id").GetInt32())];

    string[] OpcodesOf(string path, string connection) =>
        [.. LinesOf(path, connection).Select(line => JsonDocument.Parse(line).RootElement.GetProperty("opcode").GetRawText())];

    string[] LinesOf(string path, string connection)
    {
        _output.GetStringBuilder().Clear();
        int exitCode = Run("dump", path, "--json", "--connection", connection);
        string[] lines = _output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(lines.Length > 0 ? ExitCode.Done : ExitCode.NoResult, exitCode);
        return lines;
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
