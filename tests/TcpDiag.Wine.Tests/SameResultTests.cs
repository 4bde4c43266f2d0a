using System;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text;
using TcpDiag.Cli.Tests;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>Commands of the win-x64 build, under Wine, print byte for byte what they print on Linux.</summary>
public sealed class SameResultTests
{
    static readonly string Here = Path.Join(AppContext.BaseDirectory, "tcpdiag");

    [WineTheory]
    [InlineData("info bulk-loss.pcapng ipv6.pcapng --json")]
    [InlineData("analyze bulk-loss.pcapng --json")]
    [InlineData("analyze zero-window.pcapng ipv6.pcapng --json")]
    [InlineData("analyze no-such.pcapng --json")]
    [InlineData("events --json")]
    [InlineData("events diff 22000 22621 --json")]
    [InlineData("capture --match tcp host 10.0.0.1 --dry-run --engine netsh --windows-build 22621 --json")]
    [InlineData("capture --all --dry-run --windows-build 19045 --json")]
    [InlineData("capture --all --dry-run --windows-build 26100 --json")]
    [InlineData("capture --all --dry-run --split 100mb --windows-build 26100 --json")]
    [InlineData("capture --all --dry-run --engine etw --windows-build 26100 --json")]
    public void Command_OnFixtures_PrintsTheSame(string command) => AssertSame(ProjectFolder.PathOf("tests", "fixtures"), command.Split(' '));

    [DivertTheory]
    [InlineData("info", "sample-19041-netsh-rundown/sample-19041-netsh-rundown.etl.zip")]
    [InlineData("info", "sample-26100-pktmon/sample-26100-pktmon.etl")]
    [InlineData("analyze", "sample-22621-netsh/sample-22621-netsh.etl")]
    [InlineData("analyze", "sample-26100-pktmon/sample-26100-pktmon.etl")]
    public void Command_OnWindowsTraces_PrintsTheSame(string command, string trace) =>
        AssertSame(SharedFolder.PathOf("traces", "windows"), command, trace, "--json");

    [WineTheory]
    [InlineData("convert in.pcapng out.pcapng", "reset.pcapng")]
    [InlineData("convert in.pcapng out.pcapng", "ipv6.pcapng")]
    [InlineData("redact in.pcapng out.pcapng --key-file key --json --verify", "reset.pcapng")]
    [InlineData("redact in.pcapng out.pcapng --key-file key --json --verify", "bulk-loss.pcapng")]
    public void Command_ThatWritesAFile_WritesTheSame(string command, string fixture) => AssertSameFile(command, ProjectFolder.Fixture(fixture));

    [DivertTheory]
    [InlineData("convert in.etl out.pcapng --events", "sample-22621-netsh/sample-22621-netsh.etl")]
    [InlineData("convert in.etl out.pcapng", "sample-26100-pktmon/sample-26100-pktmon.etl")]
    [InlineData("redact in.etl out.etl --key-file key --json --verify", "sample-22621-netsh/sample-22621-netsh.etl")]
    [InlineData("redact in.etl out.etl --key-file key --json --verify", "sample-26100-pktmon/sample-26100-pktmon.etl")]
    public void Command_ThatReadsAWindowsTrace_WritesTheSame(string command, string trace) =>
        AssertSameFile(command, SharedFolder.PathOf("traces", "windows", trace));

    [WineTheory]
    [InlineData("info in.tcpdiag --json")]
    [InlineData("analyze in.tcpdiag --json")]
    [InlineData("redact in.tcpdiag --dry-run --key-file key --json")]
    public void Command_OnABundle_PrintsTheSame(string command)
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-same-").FullName;
        WriteBundle(Path.Join(folder, "in.tcpdiag"));
        WriteKey(folder);
        AssertSame(folder, command.Split(' '));
        Directory.Delete(folder, recursive: true);
    }

    [WineTheory]
    [InlineData("convert in.tcpdiag out.pcapng --events")]
    [InlineData("redact in.tcpdiag out.tcpdiag --key-file key --json --verify")]
    public void Command_ThatReadsABundle_WritesTheSame(string command)
    {
        string bundle = Path.GetTempFileName();
        WriteBundle(bundle);
        AssertSameFile(command, bundle);
        File.Delete(bundle);
    }

    // What a snapshot of either system may tell.
    static void WriteBundle(string path) => TestBundle.Write(
        path,
        TestBundle.Snapshot(
            new SnapshotSection("adapters", "MSFT_NetAdapter", 7, null,
                [new("WLAN of Bob", "PnPDeviceID", @"USB\VID_0BDA&PID_8153\112233445566778"), new("WLAN of Bob", "DriverVersionString", "10.63")]),
            new SnapshotSection("proxy", "registry", 7, null,
                [new("", "ProxyOverride", "*.contoso.example;198.51.*;<local>"), new("", "owner", "S-1-5-21-1004336348-1177238915-682003330-1001")]),
            new SnapshotSection("sysctls", "proc", 7, "permission denied", [new("", JudgedSettings.Sack, "0")])),
        remarks: ["the trace is damaged: Bob"],
        journal: """{"utc":"2026-01-01T00:00:00Z","step":"Prepared","detail":"host 198.51.100.7"}""" + "\n");

    static void WriteKey(string folder) => File.WriteAllText(Path.Join(folder, "key"), new string('7', 64));

    // The command's second and third words are input and output.
    static void AssertSameFile(string command, string trace)
    {
        string[] words = command.Split(' ');
        string folder = Directory.CreateTempSubdirectory("tcpdiag-same-").FullName;
        string[] places = [Path.Join(folder, "here"), Path.Join(folder, "there")];
        foreach (string place in places)
        {
            Directory.CreateDirectory(place);
            File.Copy(trace, Path.Join(place, words[1]));
            WriteKey(place);
        }

        ProgramResult here = ExternalProgram.Run("env", ["-C", places[0], Here, .. words]);
        ProgramResult there = WineProgram.Run(() => ExternalProgram.TryRun("env", ["-C", places[1], .. WineProgram.Launcher("tcpdiag").Skip(1), .. words],
            Patience.Limit));

        Assert.Equal(here.Output, there.Output);
        Assert.Equal(ContentOf(Path.Join(places[0], words[2])), ContentOf(Path.Join(places[1], words[2])));
        Directory.Delete(folder, recursive: true);
    }

    // A zip says which system has made it, and when: what counts is what it holds.
    static byte[] ContentOf(string path)
    {
        if (Path.GetExtension(path) is not ".tcpdiag")
        {
            return File.ReadAllBytes(path);
        }

        using ZipArchive bundle = ZipFile.OpenRead(path);
        using var content = new MemoryStream();
        foreach (ZipArchiveEntry entry in bundle.Entries)
        {
            content.Write(Encoding.UTF8.GetBytes(entry.FullName));
            using Stream file = entry.Open();
            file.CopyTo(content);
        }

        return content.ToArray();
    }

    // Paths are relative, so that both name them alike.
    static void AssertSame(string folder, params string[] arguments)
    {
        ProgramResult here = ExternalProgram.TryRun("env", ["-C", folder, Here, .. arguments]);
        ProgramResult there = WineProgram.Run(() => ExternalProgram.TryRun("env", ["-C", folder, .. WineProgram.Launcher("tcpdiag").Skip(1), .. arguments],
            Patience.Limit));

        Assert.Equal((here.ExitCode, here.Output), (there.ExitCode, there.Output));
        Assert.True(here.Output.Length > 0 || here.ExitCode != 0);
    }
}
