using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Text.Json;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

public sealed class CaptureCommandTests : IDisposable
{
    const string Forms = "--until: expected goodput below 1mbit for 5s | retransmissions above 1pct for 5s | reset | event 1351 | event tcp_retransmit_skb | process start NAME | process exit NAME-OR-ID; ";

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
    [InlineData("capture --all --until", "Required argument missing for option: '--until'.")]
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
    [InlineData("netsh", "--split 10mb", "--split: netsh has no mode that begins new files (filemode is single, circular or append): use --engine pktmon or etw")]
    [InlineData("netsh", "--drops", "--drops: netsh does not know it, only pktmon does")]
    [InlineData("linux", "--drops", "--drops: linux does not know it, only pktmon does")]
    [InlineData("linux", "--take-over", "--take-over: linux does not know it, only an engine of Windows does")]
    [InlineData("linux", "--windows-build 26100", "--windows-build: linux does not know it, only an engine of Windows does")]
    [InlineData("netsh", "--until event tcp_retransmit_skb", "--until event tcp_retransmit_skb: not recorded here. Windows numbers its events, e.g. event 1351.")]
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
        Assert.Equal(ExitCode.Done, Run("capture", "--engine", "etw", "--match", "tcp", "port", "443", "--interface", "Ethernet", "--snap", "1500", "--dry-run", "--json"));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.StartsWith("packets as pktmon or netsh beside it cut them, which as a rule keeps payload", document.RootElement.GetProperty("privacy").GetString(), StringComparison.Ordinal);
        string remarks = string.Join('\n', document.RootElement.GetProperty("remarks").EnumerateArray());
        Assert.Contains("whatever --match says", remarks, StringComparison.Ordinal);
        Assert.Contains("whatever --interface says", remarks, StringComparison.Ordinal);
        Assert.Contains("whatever --snap says", remarks, StringComparison.Ordinal);
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
        Assert.Equal(ExitCode.Done, Run(["capture", "--all", "--engine", engine, "--out", output, "--dry-run", "--json", .. option.Split(' ', StringSplitOptions.RemoveEmptyEntries)]));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(bytes, document.RootElement.GetProperty("diskBytes").GetInt64());
    }

    [Theory]
    [InlineData("netsh", "; before it, 22 short runs of PowerShell for the snapshot", "; the snapshot: adapters and drivers, TCP settings, firewall, antivirus, DNS servers, routes, proxy")]
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
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "443", "--engine", "netsh", "--windows-build", "19041", "--dry-run", "--for", "10s"));

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
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "process", "nginx", "--engine", engine, "--windows-build", $"{build}", "--dry-run", "--json", "--until", "reset"));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        List<string?> remarks = [.. document.RootElement.GetProperty("remarks").EnumerateArray().Select(remark => remark.GetString())];
        Assert.Contains("no engine filters by process: what others send and receive is recorded too; `tcpdiag convert IN OUT --process NAME` keeps the connections of one, by the events", remarks);
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
        string[] words = ["goodput", "below", "1.5Mbit", "for", "5s", "or", "retransmissions above 1pct for 200ms", "or", "event", "1351", "or", "process", "exit", "77", "or", "process", "start", "curl"];
        Assert.Equal(ExitCode.Done, Run(["capture", "--match", "tcp", "--engine", "netsh", "--dry-run", "--json", "--until", .. words]));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(
            ["goodput below 1.5mbit for 5s", "retransmissions above 1pct for 0.2s", "event 1351", "process exit 77", "process start curl"],
            document.RootElement.GetProperty("until").EnumerateArray().Select(condition => condition.GetString()));
        Assert.Equal(3600, document.RootElement.GetProperty("durationSeconds").GetDouble());
        Assert.Contains(document.RootElement.GetProperty("remarks").EnumerateArray(), remark => remark.GetString()!.StartsWith("--until has a second, real-time session", StringComparison.Ordinal));
    }

    [RootFact]
    public void Run_ConditionDoesNotComeTrue_IsNotTold()
    {
        using var traffic = new RefusedConnections();
        string own = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        string[] line = ["capture", "--match", "tcp", "port", "9", "-i", "lo", "--until", "event", "tcp_retransmit_skb", "or", "process", "exit", own, "--for", "500ms", "--out", _file];
        Assert.Equal(ExitCode.Done, Run([.. line, "--json"]));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(JsonValueKind.Null, document.RootElement.GetProperty("trigger").ValueKind);
        Assert.Contains($"until event tcp_retransmit_skb or process exit {own}, for 0.5 s", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains($"--until has not come true: event tcp_retransmit_skb or process exit {own}", document.RootElement.GetProperty("remarks").EnumerateArray().Select(remark => remark.GetString()));
    }

    [RootFact]
    public void Run_SplitWithoutABundle_IsNumberedFilesThatAreReadAsOne()
    {
        using var traffic = new RefusedConnections();
        string folder = Directory.CreateTempSubdirectory("tcpdiag-split").FullName;
        string[] line = ["capture", "--match", "tcp", "port", "9", "-i", "lo", "--split", "20ms", "--for", "200ms", "--sample", "0s", "--out", Path.Combine(folder, "slow.pcapng")];
        try
        {
            Assert.Equal(ExitCode.Done, Run(line));
            string[] files = [.. Directory.GetFiles(folder).Select(Path.GetFileName).Order(StringComparer.Ordinal)!];
            Assert.Equal(Enumerable.Range(1, files.Length).Select(number => FormattableString.Invariant($"slow-{number:D3}.pcapng")), files);
            Assert.Equal(ExitCode.Done, Run(["info", .. Directory.GetFiles(folder)]));

            Assert.Equal(ExitCode.Failed, Run(line));
            Assert.Contains("slow-001.pcapng is there: it would be taken for a part of this recording.", _error.ToString(), StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [RootFact]
    public void Run_Ring_IsOneTraceAndLeavesNoPieces()
    {
        using var traffic = new RefusedConnections();
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--ring", "200ms", "--for", "600ms", "--out", _file, "--json"));
        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(new FileInfo(_file).Length, document.RootElement.GetProperty("bytes").GetInt64());
        Assert.Equal(ExitCode.Done, Run("info", _file));
        Assert.False(Directory.Exists(_file + ".ring"));
    }

    [LinuxFact]
    public void Run_EngineOfWindows_IsOneLine()
    {
        Assert.Equal(ExitCode.Usage, Run("capture", "--all", "--engine", "netsh", "--out", _other));
        Assert.Equal("tcpdiag: --engine: netsh records on Windows only; --dry-run shows what it would do there\nHelp: tcpdiag capture --help\n", _error.ToString().ReplaceLineEndings("\n"));
    }

    [Fact]
    public void Help_Options_TellWhatIsInForceUnlessGiven()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "--help"));
        string help = string.Join(' ', _output.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        Assert.All(["2min; 1min unless given", "2gib; 1gib unless given", "packet; 120, which is headers, unless given", "0s for none; 10ms unless given", "come true; 5s unless given"], text => Assert.Contains(text, help, StringComparison.Ordinal));
    }

    [LinuxFact]
    public void Recover_NothingWasLeft_SaysSo()
    {
        Assert.Equal(ExitCode.Done, Run("capture", "recover"));
        Assert.Equal("0 recordings recovered\n", _output.ToString().ReplaceLineEndings("\n"));
    }

    [RootFact]
    public void Run_Recording_SaysWhatItWillRecordAndWhatItHas()
    {
        Assert.Equal(ExitCode.Damaged, Run("capture", "--match", "tcp", "port", "1", "-i", "lo", "--for", "20ms", "--sample", "0s", "--out", _file));

        Assert.Equal(
            $"recording tcp port 1 at lo: 120 bytes of each packet, stack events; for 0.02 s or 1.07 GB to {_file}; Ctrl-C stops\n",
            _error.ToString().ReplaceLineEndings("\n"));
        Assert.StartsWith($"{_file}: 0 packets, 0 stack events, 0 samples in ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("no packet matched 'tcp port 1' at lo: there was no such traffic", _output.ToString().ReplaceLineEndings(" "), StringComparison.Ordinal);
    }

    [RootFact]
    public void Run_Json_HasTheFieldsOfItsSchema()
    {
        using var traffic = new RefusedConnections();
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--for", "500ms", "--no-events", "--out", _file, "--json"));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        using JsonDocument schema = JsonDocument.Parse(File.ReadAllText(ProjectFolder.PathOf("docs", "schemas", "capture.json")));
        IEnumerable<string?> required = schema.RootElement.GetProperty("required").EnumerateArray().Select(name => name.GetString());
        Assert.Equal(required, document.RootElement.EnumerateObject().Select(property => property.Name));
        Assert.Equal("tcpdiag/capture/1", document.RootElement.GetProperty("schema").GetString());
        Assert.Equal("duration", document.RootElement.GetProperty("stopReason").GetString());
        Assert.Equal(JsonValueKind.Null, document.RootElement.GetProperty("stackEvents").ValueKind);
    }

    [RootFact]
    public void Run_IntoABundle_HoldsTheTraceAndAManifestOfItsSchema()
    {
        using var traffic = new RefusedConnections();
        string bundle = _file + ".tcpdiag";
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--for", "500ms", "--out", bundle));

        using (ZipArchive zip = ZipFile.OpenRead(bundle))
        using (var manifest = new StreamReader(zip.GetEntry("manifest.json")!.Open()))
        {
            Assert.Empty(JsonSchema.Read("bundle.json").Check(manifest.ReadToEnd()));
        }

        using (ZipArchive zip = ZipFile.OpenRead(bundle))
        using (var snapshot = new StreamReader(zip.GetEntry("snapshot.json")!.Open()))
        {
            Assert.Empty(JsonSchema.Read("snapshot.json").Check(snapshot.ReadToEnd()));
        }

        Assert.Equal(ExitCode.Done, Run("info", bundle, "--json"));
        using JsonDocument info = JsonDocument.Parse(_output.ToString().TrimEnd().Split('\n')[^1]); // behind what the recorder said
        Assert.Equal("bundle", Assert.Single(info.RootElement.GetProperty("files").EnumerateArray()).GetProperty("format").GetString());
        File.Delete(bundle);
    }

    [RootFact]
    public void Run_NoSuchInterface_IsOneLine()
    {
        Assert.Equal(ExitCode.Failed, Run("capture", "--all", "-i", "nosuch0", "--out", _file));
        Assert.Equal("tcpdiag: no interface 'nosuch0'. `ip link` lists the interfaces; 'any' stands for all of them.\n", _error.ToString().ReplaceLineEndings("\n"));
    }

    [RootFact]
    public void Run_DoesNotBegin_LeavesTheFileAsItWas()
    {
        File.WriteAllText(_file, "precious");
        Assert.Equal(ExitCode.Failed, Run("capture", "--all", "-i", "nosuch0", "--out", _file));
        Assert.Equal(ExitCode.Usage, Run("capture", "--all", "-i", "lo", "--until", "event", "1351", "--out", _file));
        Assert.Equal("precious", File.ReadAllText(_file));
    }

    [RootFact]
    public void Run_IntoAFileThatIsBeingRecorded_IsRefused()
    {
        using Process first = Start();
        Assert.Equal(ExitCode.Failed, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--for", "20ms", "--out", _file));
        Assert.Equal($"tcpdiag: {_file} is being written by another recording: wait for it or choose another name.\n", _error.ToString().ReplaceLineEndings("\n"));
        first.StandardInput.Close();
        first.WaitForExit();
    }

    [RootFact]
    public void Run_KilledWithLittleToRecord_LeavesWhatItHad()
    {
        using Process recorder = Start();
        using (new RefusedConnections())
        {
            var patience = Stopwatch.StartNew();
            while (new FileInfo(_file).Length < 20_000 && patience.Elapsed < TimeSpan.FromSeconds(30))
            {
                Assert.False(recorder.WaitForExit(10));
            }
        }

        recorder.Kill();
        recorder.WaitForExit();
        Assert.Equal(ExitCode.Done, Run("info", _file, "--json"));
        using JsonDocument info = JsonDocument.Parse(_output.ToString());
        Assert.InRange(Assert.Single(info.RootElement.GetProperty("files").EnumerateArray()).GetProperty("packets").GetInt64(), 10, 1_000_000);
    }

    [RootFact("kill")]
    public void Run_TerminalClosed_EndsWithAWholeFile()
    {
        using Process recorder = Start();
        RefusedConnections.MakeOne();
        ExternalProgram.Run("kill", "-HUP", recorder.Id.ToString(CultureInfo.InvariantCulture));
        recorder.WaitForExit();

        Assert.Equal(ExitCode.Done, recorder.ExitCode);
        Assert.Equal(ExitCode.Done, Run("info", _file));
    }

    [RootFact]
    public void Run_ParentGone_EndsWithAWholeFile()
    {
        using Process recorder = Start();
        RefusedConnections.MakeOne();
        recorder.StandardInput.Close();
        recorder.WaitForExit();

        Assert.Equal(ExitCode.Done, recorder.ExitCode);
        Assert.Equal(ExitCode.Done, Run("info", _file));
        Assert.DoesNotContain(Instances(), name => IsOf(name, recorder));
    }

    [RootFact("kill")]
    public void Run_SignalledTwiceAtOnce_EndsWithAWholeFile()
    {
        using Process recorder = Start();
        RefusedConnections.MakeOne();
        string id = recorder.Id.ToString(CultureInfo.InvariantCulture);
        ExternalProgram.Run("sh", "-c", $"kill -TERM {id}; kill -TERM {id}");
        recorder.WaitForExit();

        Assert.Equal(ExitCode.Done, recorder.ExitCode);
        Assert.Equal(ExitCode.Done, Run("info", _file));
    }

    [RootFact]
    public void Run_AfterAKilledRing_CollectsItsPieces()
    {
        using var traffic = new RefusedConnections();
        string recovered = Path.Combine(Path.GetDirectoryName(_file)!, Path.GetFileNameWithoutExtension(_file) + "-recovered.pcapng");
        using Process killed = Start("--ring", "2s");
        killed.Kill();
        killed.WaitForExit();

        // A head that was still in memory is lost: as if one piece had been written.
        File.Copy(ProjectFolder.Fixture("reset.pcapng"), Path.Combine(_file + ".ring", "000001.pcapng"), overwrite: true);
        try
        {
            Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--ring", "--for", "500ms", "--out", _file));
            Assert.StartsWith($"{recovered}: what the ring of an earlier recording to {_file} held", _error.ToString(), StringComparison.Ordinal);
            Assert.Equal(File.ReadAllBytes(ProjectFolder.Fixture("reset.pcapng")), File.ReadAllBytes(recovered));
            Assert.False(Directory.Exists(_file + ".ring"));
            Assert.Equal(ExitCode.Done, Run("capture", "recover", _file));
            Assert.EndsWith("0 recordings recovered\n", _output.ToString().ReplaceLineEndings("\n"), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(recovered);
        }
    }

    [RootFact]
    public void Recover_KilledRingOfABundle_IsABundleWithItsSnapshot()
    {
        string bundle = _file + ".tcpdiag";
        string recovered = Path.ChangeExtension(_file, null) + ".tmp-recovered.tcpdiag";
        using Process killed = Start("--out", bundle, "--ring", "2s");
        killed.Kill();
        killed.WaitForExit();
        File.Copy(ProjectFolder.Fixture("reset.pcapng"), Path.Combine(bundle + ".ring", "000001.pcapng"), overwrite: true);
        try
        {
            Assert.Equal(ExitCode.Done, Run("capture", "recover", bundle));
            Assert.False(File.Exists(bundle)); // it was empty
            Assert.Equal(ExitCode.Done, Run("info", recovered));
            using ZipArchive zip = ZipFile.OpenRead(recovered);
            Assert.Equal(["trace.pcapng", "snapshot.json", "manifest.json"], zip.Entries.Select(entry => entry.Name));
            using var manifest = new StreamReader(zip.GetEntry("manifest.json")!.Open());
            Assert.Empty(JsonSchema.Read("bundle.json").Check(manifest.ReadToEnd()));
        }
        finally
        {
            File.Delete(recovered);
        }
    }

    [RootFact("mount", "umount")]
    public void Run_DiskNearlyFull_IsOneLineAndRecordsNothing()
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-disk").FullName;
        ExternalProgram.Run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder);
        try
        {
            Assert.Equal(ExitCode.Failed, Run("capture", "--all", "-i", "lo", "--out", Path.Combine(folder, "a.pcapng")));
            Assert.Equal($"tcpdiag: {folder} has 2 MB left; recording stops at 67 MB. Make room, or choose another folder with --out.\n", _error.ToString().ReplaceLineEndings("\n"));
            Assert.Empty(Directory.GetFiles(folder));
        }
        finally
        {
            ExternalProgram.Run("umount", folder);
            Directory.Delete(folder);
        }
    }

    [RootFact("unshare")]
    public void Run_AfterAKilledRecorder_RemovesWhatThatLeft()
    {
        using var traffic = new RefusedConnections();
        using Process killed = Start();
        killed.Kill();
        killed.WaitForExit();
        Assert.Contains(Instances(), name => IsOf(name, killed));

        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--for", "500ms", "--out", _file));
        Assert.DoesNotContain(Instances(), name => IsOf(name, killed));
    }

    // A recorder in a process of its own, recording.
    Process Start(params string[] more)
    {
        string program = Path.Join(AppContext.BaseDirectory, "tcpdiag");
        string[] arguments = ["capture", "--match", "tcp", "port", "9", "-i", "lo", "--until-eof", .. more.Contains("--out") ? more : ["--out", _file, .. more]];
        Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Assert.StartsWith("recording tcp port 9", process.StandardError.ReadLine(), StringComparison.Ordinal);
        return process;
    }

    static bool IsOf(string instance, Process process) =>
        instance.StartsWith(FormattableString.Invariant($"tcpdiag-{process.Id}-"), StringComparison.Ordinal);

    // Looked up through a mount that nobody else sees.
    static IReadOnlyList<string> Instances() =>
        ExternalProgram.Run("unshare", "-m", "sh", "-c", "mount -t tracefs tracefs /mnt && ls /mnt/instances").Lines;

    int Run(params string[] args) => new CommandLine(_output, _error).Run(args);
}
