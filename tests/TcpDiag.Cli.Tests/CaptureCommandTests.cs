using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class CaptureCommandTests : IDisposable
{
    const string Forms = "--until: expected goodput below 1mbit for 5s | retransmissions above 1pct for 5s | reset | event 1351 | event tcp_retransmit_skb | "
        + "process start NAME | process exit NAME-OR-ID; ";

    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _file = Path.GetTempFileName();
    readonly string _other = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName() + ".etl");

    public void Dispose() => File.Delete(_file);

    [Theory]
    [InlineData("capture", "expected either --match TERMS, e.g. --match tcp port 443, or --all")]
    [InlineData("capture --all --match tcp", "expected either --match TERMS, e.g. --match tcp port 443, or --all")]
    [InlineData("capture --match all", "expected either --match TERMS, e.g. --match tcp port 443, or --all")]
    [InlineData("capture --match port x", "match, word 2: expected a port such as 443 or 8000-8099, found 'x'.")]
    [InlineData("capture --all --for 10", "--for: expected a time of at most a day such as 10s, 200ms or 2min, found '10'")]
    [InlineData("capture --all --for 0s", "--for: expected a time of at most a day such as 10s, 200ms or 2min, found '0s'")]
    [InlineData("capture --all --size 5", "--size: expected a size such as 500mb or 2gib, found '5'")]
    [InlineData("capture --all --snap 63", "--snap: expected 64 … 262144 bytes, found '63'")]
    [InlineData("capture --all --engine x", "--engine: expected auto, linux, netsh, pktmon, etw; found 'x'")]
    [InlineData("capture --all --until", "--until: its value is missing")]
    [InlineData("capture --all --until goodput below 1 for 5s", Forms + "found 'goodput below 1 for 5s'")]
    [InlineData("capture --all --until reset or", Forms + "found ''")]
    [InlineData("capture --all --until retransmissions above 101pct for 5s", Forms + "found 'retransmissions above 101pct for 5s'")]
    [InlineData("capture --all --until event 65536", Forms + "found 'event 65536'")]
    [InlineData("capture --all --no-events --until reset", "--until: waits for events, which --no-events leaves out")]
    [InlineData("capture --all --ring 0s", "--ring: expected a time of at most a day such as 2min, or none, found '0s'")]
    [InlineData("capture --all --split x", "--split: expected a size such as 100mb or a time such as 10min, found 'x'")]
    [InlineData("capture --all --split 10s --ring", "--split keeps all of a recording, --ring the last of it: give one of them")]
    [InlineData("capture --all --for 1000s --split 1s", "--split: expected at most 1000 traces within --size or --for; make each larger than '1s'")]
    [InlineData("capture --all --size 1mb --split 1kb", "--split: expected at most 1000 traces within --size or --for; make each larger than '1kb'")]
    [InlineData("capture --all --split 1mb --out -", "--split makes several traces, which one standard output cannot take: name a file")]
    [InlineData("capture --all --json --out -", "--json and --out - both need standard output")]
    public void Run_WrongOptions_AreWrongUsage(string line, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(line.Split(' ')));
        Assert.Equal($"tcpdiag: {message}", _error.ToString().Split('\n')[0]);
        Assert.Empty(_output.ToString());
    }

    // What is planned is what would be done: the plan refuses what the recording refuses, in the same words.

    [Theory]
    [InlineData("netsh", "--sample 10ms", "--sample: netsh does not know it, only the recorder of Linux does")]
    [InlineData("pktmon", "--reads", "--reads: pktmon does not know it, only the recorder of Linux does")]
    [InlineData("pktmon", "--split 10s", "--split: pktmon begins a new file by size alone: give --split a size such as 100mb")]
    [InlineData("netsh", "--split 10mb",
        "--split: netsh has no mode that begins new files (filemode is single, circular or append): use --engine pktmon or etw")]
    [InlineData("netsh", "--drops", "--drops: netsh does not know it, only pktmon does")]
    [InlineData("linux", "--drops", "--drops: linux does not know it, only pktmon does")]
    [InlineData("linux", "--take-over", "--take-over: linux does not know it, only an engine of Windows does")]
    [InlineData("linux", "--windows-build 26100", "--windows-build: linux does not know it, only an engine of Windows does")]
    [InlineData("netsh", "--until event tcp_retransmit_skb",
        "--until event tcp_retransmit_skb: not recorded here. Windows numbers its events, e.g. event 1351.")]
    [InlineData("linux", "--until event 1351", "--until event 1351: not recorded here. On Linux these are: tcp_probe, tcp_retransmit_skb, ")]
    [InlineData("etw", "--out -", "--out -: etw records into a file, not to standard output; name one")]
    [InlineData("netsh", "--out slow.pcapng", "--out slow.pcapng: netsh writes .etl, or a bundle (.tcpdiag); name it so")]
    [InlineData("linux", "--out slow.etl", "--out slow.etl: linux writes .pcapng, or a bundle (.tcpdiag); name it so")]
    [InlineData("linux", "--out slow.PCAP", "--out slow.PCAP: linux writes .pcapng, or a bundle (.tcpdiag); name it so")]
    public void Run_WhatOnlyAnotherRecorderKnows_IsWrongUsageAlsoInAPlan(string engine, string options, string message)
    {
        Assert.Equal(ExitCode.Usage, Run(["capture", "--all", "--engine", engine, .. options.Split(' '), "--dry-run"]));
        Assert.StartsWith($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
        _error.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Usage, Run(["capture", "--all", "--engine", engine, .. options.Split(' ')]));
        Assert.Contains($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
        Assert.Empty(_output.ToString());
    }

    [Theory]
    [InlineData("--out", "", "--out: expected a file, found ''")]
    [InlineData("--after", "5s", "--after: how long to go on when --until has come true, which is not given")]
    public void Run_OptionForNothing_IsWrongUsage(string option, string value, string message)
    {
        Assert.Equal(ExitCode.Usage, Run("capture", "--all", option, value));
        Assert.StartsWith($"tcpdiag: {message}", _error.ToString(), StringComparison.Ordinal);
    }

    [UnixTheory]
    [InlineData("/nonexistent/x.pcapng", "the folder to write it to does not exist. Make it, or name another.")]
    [InlineData(".", "is a folder. Name the file to write.")]
    public void Run_NoPlaceForTheResult_IsOneLineAlsoInAPlan(string output, string why)
    {
        string line = $"tcpdiag: {output}: {why}\n";
        Assert.Equal(ExitCode.Failed, Run("capture", "--all", "--out", output, "--dry-run"));
        Assert.Equal(ExitCode.Failed, Run("capture", "--all", "--out", output));
        Assert.Equal(line + line, _error.ToString().ReplaceLineEndings("\n"));
    }

    [UnixTheory]
    [InlineData("--dry-run")]
    [InlineData("--no-events")]
    public void Run_ExitOfAProcessThatIsNot_IsNotWaitedFor(string option)
    {
        Assert.Equal(ExitCode.Failed, Run("capture", "--all", option, "--until", "process", "exit", "99999999"));
        Assert.Equal("tcpdiag: --until process exit 99999999: no process of this id runs.\n", _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void DryRun_Etw_SaysThatPacketsAreNeitherCutNorFiltered()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--engine", "etw", "--match", "tcp", "port", "443", "--interface", "Ethernet", "--snap", "1500",
            "--dry-run", "--json"));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.StartsWith("packets as pktmon or netsh beside it cut them, which as a rule keeps payload",
            document.RootElement.GetProperty("privacy").GetString(), StringComparison.Ordinal);
        string remarks = string.Join('\n', document.RootElement.GetProperty("remarks").EnumerateArray());
        Assert.Contains("whatever --match says", remarks, StringComparison.Ordinal);
        Assert.Contains("whatever --interface says", remarks, StringComparison.Ordinal);
        Assert.Contains("whatever --snap says", remarks, StringComparison.Ordinal);
        Assert.Equal(57_671_680, document.RootElement.GetProperty("memoryBytes").GetInt64());
        Assert.Empty(JsonSchema.Read("capture-plan.json").Check(_output.ToString()));
    }

    // A trace of 1 GiB and 16 MiB, once where it is moved and twice where it is packed; the pieces of a ring beside what is made of them.

    [Theory]
    [InlineData("netsh", "x.etl", "", 1090519040)]
    [InlineData("netsh", "x.tcpdiag", "", 2181038080)]
    [InlineData("linux", "x.pcapng", "", 1073741824)]
    [InlineData("linux", "x.tcpdiag", "", 1073741824)]
    [InlineData("linux", "x.pcapng", "--ring", 2147483648)]
    public void DryRun_Disk_IsWhatStandsThereAtOnce(string engine, string output, string option, long bytes)
    {
        Assert.Equal(ExitCode.Done, Run(["capture", "--all", "--engine", engine, "--out", output, "--dry-run", "--json",
            .. option.Split(' ', StringSplitOptions.RemoveEmptyEntries)]));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(bytes, document.RootElement.GetProperty("diskBytes").GetInt64());
    }

    [Theory]
    [InlineData("netsh", "; before it, 24 short runs of PowerShell for the snapshot",
        "; the snapshot: adapters and drivers, TCP settings, firewall, antivirus, DNS servers, routes, proxy")]
    [InlineData("linux", "", "; the snapshot: interfaces and their settings, sysctls, routes, name servers, and every connection of this machine")]
    public void DryRun_Bundle_CountsTheSnapshotAsWorkAndAsPrivate(string engine, string work, string isPrivate)
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--all", "--engine", engine, "--dry-run", "--json"));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.EndsWith(work, document.RootElement.GetProperty("processor").GetString(), StringComparison.Ordinal);
        Assert.EndsWith(isPrivate, document.RootElement.GetProperty("privacy").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public void DryRun_Split_ShowsTheModeThatBeginsNewFiles()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--all", "--split", "100mb", "--no-events", "--windows-build", "26100", "--dry-run"));
        Assert.Contains(@"pktmon start --capture --comp nics --pkt-size 120 --file-name C:\ProgramData\tcpdiag\captures\ID\trace.etl --file-size 96 --log-mode multi-file", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void DryRun_Text_ShowsCommandsWholeAndWhatTheyCost()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "443", "--engine", "netsh", "--windows-build", "19041", "--dry-run", "--for",
            "10s"));

        string[] lines = _output.ToString().ReplaceLineEndings("\n").Split('\n');
        Assert.Equal("netsh for Windows build 19041 (asked for): tcp port 443 for 10 s", lines[0]);
        Assert.Equal(@"  netsh trace start capture=yes tracefile=C:\ProgramData\tcpdiag\captures\ID\trace.etl overwrite=yes maxsize=1040 filemode=single report=disabled correlation=disabled perfMerge=no persistent=no packettruncatebytes=120 protocol=6 provider=Microsoft-Windows-TCPIP keywords=0xffffffffffffffff level=5 provider=Microsoft-Windows-Winsock-AFD keywords=0xffffffffffffffff level=4 provider=Microsoft-Windows-Winsock-NameResolution keywords=0xffffffffffffffff level=5", lines[3]);
        Assert.Contains("  disk: at most 2.18 GB", lines);
        Assert.Contains("Note: netsh cannot filter by port: packets of all ports are recorded", lines);
    }

    [Theory]
    [InlineData("netsh", 19041)]
    [InlineData("pktmon", 26100)]
    public void DryRun_ProcessOnWindows_SaysThatAllAreRecorded(string engine, int build)
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "process", "nginx", "--engine", engine, "--windows-build", $"{build}", "--dry-run",
            "--json", "--until", "reset"));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        List<string?> remarks = [.. document.RootElement.GetProperty("remarks").EnumerateArray().Select(remark => remark.GetString())];
        Assert.Contains("no engine filters by process: what others send and receive is recorded too; `tcpdiag convert IN OUT --process NAME` keeps the "
            + "connections of one, by the events", remarks);
        Assert.Contains("--until looks at the connections of all processes", remarks);
        Assert.DoesNotContain($"{engine} cannot filter by all of the match: what it cannot express is recorded too", remarks);
    }

    [Fact]
    public void DryRun_ProcessOnLinux_SaysThatRecordsWait()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "process", "nginx", "--engine", "linux", "--dry-run"));
        Assert.Contains("Note: processes are told apart while it records: packets and events wait for two", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void DryRun_Conditions_AreReadBackInTheirWords()
    {
        string[] words = ["goodput", "below", "1.5Mbit", "for", "5s", "or", "retransmissions above 1pct for 200ms", "or", "event", "1351", "or", "process",
            "exit", "77", "or", "process", "start", "curl"];
        Assert.Equal(ExitCode.Done, Run(["capture", "--match", "tcp", "--engine", "netsh", "--dry-run", "--json", "--until", .. words]));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(
            ["goodput below 1.5mbit for 5s", "retransmissions above 1pct for 0.2s", "event 1351", "process exit 77", "process start curl"],
            document.RootElement.GetProperty("until").EnumerateArray().Select(condition => condition.GetString()));
        Assert.Equal(3600, document.RootElement.GetProperty("durationSeconds").GetDouble());
        Assert.Contains(document.RootElement.GetProperty("remarks").EnumerateArray(),
            remark => remark.GetString()!.StartsWith("--until has a second, real-time session", StringComparison.Ordinal));
    }

    [LinuxFact]
    public void Run_EngineOfWindows_IsOneLine()
    {
        Assert.Equal(ExitCode.Usage, Run("capture", "--all", "--engine", "netsh", "--out", _other));
        Assert.Equal("tcpdiag: --engine: netsh records on Windows only; --dry-run shows what it would do there\nHelp: tcpdiag capture --help\n",
            _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Help_Options_TellWhatIsInForceUnlessGiven()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--help"));
        string help = string.Join(' ', _output.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.All(["2min (default: 1min)", "2gib (default: 1gib)", "headers unless given (default: 120)", "for none (default: 10ms)",
            "come true (default: 5s)"], text => Assert.Contains(text, help, StringComparison.Ordinal));
    }

    [UnixTheory]
    [InlineData("26100", "", true)]
    [InlineData("26100", "--take-over", false)]
    [InlineData("26100", "--engine pktmon", false)]
    [InlineData("19045", "", false)]
    public void Plan_PktmonThatNobodyAskedFor_TellsWhatRecordsWhereItIsInUse(string build, string options, bool isTold)
    {
        const string Told = "where somebody else uses pktmon, netsh records instead, and the result says why";
        Assert.Equal(ExitCode.Done, Run(["capture", "--all", "--windows-build", build, "--dry-run", "--json",
            .. options.Split(' ', StringSplitOptions.RemoveEmptyEntries)]));
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(isTold, document.RootElement.GetProperty("remarks").EnumerateArray().Any(remark => remark.GetString() is Told));
    }

    [LinuxFact]
    public void Recover_NothingWasLeft_SaysSo()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "recover"));
        Assert.Equal("0 recordings recovered\n", _output.ToString().ReplaceLineEndings("\n"));
    }

    [LinuxFact]
    public void Recover_NameOfWhichNothingWasLeft_Fails()
    {
        Assert.Equal(ExitCode.Failed, Run("capture", "recover", "no-such.tcpdiag"));
        Assert.Equal("no-such.tcpdiag: nothing of a recording to this name is left\n", _error.ToString().ReplaceLineEndings("\n"));
    }

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
