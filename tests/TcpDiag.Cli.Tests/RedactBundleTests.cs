using System;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json.Nodes;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>
/// What <c>redact</c> makes of bundles as recordings write them: our own words and those of the system stay, names go, and the machine is judged as before.
/// </summary>
public sealed class RedactBundleTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-redact6-").FullName;

    /// <summary>Every setting that is judged, as it is in a snapshot that tells of it.</summary>
    public static TheoryData<string, string, string, string> Judged => new()
    {
        { "sysctls", "", JudgedSettings.WindowScaling, "0" },
        { "sysctls", "", JudgedSettings.Sack, "0" },
        { "sysctls", "", JudgedSettings.Dsack, "0" },
        { "sysctls", "", JudgedSettings.Timestamps, "0" },
        { "sysctls", "", JudgedSettings.ModerateRcvBuf, "0" },
        { "interfaces", "eth0", JudgedSettings.FlowDirectorAtr, "on" },
        { "interfaces", "eth0", "stat:port." + JudgedSettings.FlowDirectorFlushes, "7" },
        { "tcp-templates", "InternetCustom", JudgedSettings.AutoTuningLevelLocal, "1" },
        { "tcp-registry", "", JudgedSettings.SackOpts, "0" },
        { "afd-registry", "", JudgedSettings.DefaultSendWindow, "8192" },
        { "afd-registry", "", JudgedSettings.DefaultReceiveWindow, "8192" },
        { "afd-registry", "", JudgedSettings.DynamicSendBufferDisable, "1" },
        { "bindings", "vEthernet (Alice) vms_pp", JudgedSettings.Enabled, "true" },
        { "bindings", "Ethernet ms_tcpip", JudgedSettings.Enabled, "true" },
        { "bindings", "Ethernet acme_lwf", JudgedSettings.Enabled, "true" },
    };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("time is up")]
    [InlineData("told to stop")]
    [InlineData("the trace has its size")]
    [InlineData("the disk is nearly full")]
    [InlineData("the session was ended by somebody else")]
    [InlineData("found after its process had gone")]
    [InlineData("duration")]
    [InlineData("duration", "the ring holds the last 2.2 s; what is counted here is of the whole time")]
    [InlineData("found after its process had gone", "the recording did not come to its end: this is what its ring held")]
    [InlineData("stopped", "no events of the TCP stack were recorded: no connection was busy, or a policy keeps the provider Microsoft-Windows-TCPIP off")]
    [InlineData("time is up", "pktmon of this build records no events of the TCP stack: use --engine netsh for them")]
    [InlineData("time is up", "pktmon numbers its interfaces anew at each start: packets of all are recorded",
        "pktmon cannot filter by all of the match: what it cannot express is recorded too")]
    [InlineData("time is up", "netsh cannot filter by port: packets of all ports are recorded",
        "netsh cannot filter by all of the match: what it cannot express is recorded too")]
    [InlineData("time is up", "netsh filters by whole addresses of one family only: packets of all addresses are recorded")]
    [InlineData("time is up", "netsh records at one interface or at all: packets of all are recorded")]
    [InlineData("time is up", "a session cannot filter: packets of all that pktmon or netsh let through are recorded, whatever --match says")]
    [InlineData("time is up", "a session knows no interfaces: packets of all are recorded, whatever --interface says",
        "a session cannot cut packets: they come as long as pktmon or netsh make them, whatever --snap says")]
    public void Redact_OrdinaryRecording_VerifiesAndKeepsItsSentences(string stopReason, params string[] remarks)
    {
        TestBundle.Write(In("in.tcpdiag"), TestBundle.Snapshot(), stopReason: stopReason, remarks: remarks);
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("out.tcpdiag"), "--verify");

        BundleManifest manifest = TraceBundle.ReadManifest(In("out.tcpdiag"))!;
        Assert.Equal(stopReason, manifest.StopReason);
        Assert.Equal([.. remarks, "Redacted by tcpdiag: names and addresses are pseudonyms, payload is removed."], manifest.Remarks);
        Run(ExitCode.Done, "redact", In("out.tcpdiag"), In("again.tcpdiag"), "--verify");
    }

    // The trace has these ports, and the bundle tells of them in five places.
    [Fact]
    public void Redact_MappedPorts_AreTheSameInAllFiles()
    {
        const string ends = "127.0.0.1:5201 127.0.0.1:40000";
        TestBundle.Write(
            In("in.tcpdiag"),
            TestBundle.Snapshot(new SnapshotSection("sockets", "t", 1, null, [new(ends, "queues", "state=1 receive=5201 send=40000")])),
            stopReason: "127.0.0.1:5201 → 127.0.0.1:40000 retransmitted 5 of 20 segments within 5 s",
            match: "tcp port 5201,40000 or src port 1024-5201",
            remarks: ["pktmon filter add tcpdiag -p 5201 40000: not in force"],
            journal: "{\"step\":\"Starting\",\"detail\":\"pktmon filter add tcpdiag -d IPv4 -i 127.0.0.1 -p 5201 40000; pktmon start --etw -p 5201\"}\n");
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("out.tcpdiag"), "--map-ports", "--verify");

        BundleContents account = BundleContents.Of(In("out.tcpdiag"))!;
        SnapshotFact fact = account.Snapshot!.Sections[0].Facts[0];
        string[] mapped = [.. fact.Subject.Split(' ').Select(end => end.Split(':')[1])];
        Assert.DoesNotContain("5201", mapped);
        Assert.DoesNotContain("40000", mapped);
        Assert.Equal("state=1 receive=5201 send=40000", fact.Value);
        Assert.Matches($"^127.0.0.1:{mapped[0]} → 127.0.0.1:{mapped[1]} retransmitted 5 of 20 segments within 5 s$", account.Manifest.StopReason);
        Assert.Matches($"^tcp port {mapped[0]},{mapped[1]} or src port [0-9]+-{mapped[0]}$", account.Manifest.Match);
        Assert.Contains($"-p {mapped[0]} {mapped[1]}: not in force", account.Manifest.Remarks[0], StringComparison.Ordinal);
        string journal = Encoding.UTF8.GetString(TraceBundle.Read(In("out.tcpdiag"), BundleManifest.JournalKind)!);
        Assert.Contains($" -p {mapped[0]} {mapped[1]}; pktmon start --etw -p 5201\"", journal, StringComparison.Ordinal);
    }

    [Fact]
    public void Redact_NameInARemark_Goes()
    {
        TestBundle.Write(In("in.tcpdiag"), TestBundle.Snapshot(), stopReason: "process alice (12) exited", match: "tcp and process bobby",
            remarks: ["the trace is damaged: bobby"]);
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("out.tcpdiag"), "--verify");

        BundleManifest manifest = TraceBundle.ReadManifest(In("out.tcpdiag"))!;
        Assert.Matches("^process [a-z0-9]{5} \\(12\\) exited$", manifest.StopReason);
        Assert.Matches("^tcp and process [a-z0-9]{5}$", manifest.Match);
        Assert.DoesNotContain("alice", manifest.StopReason, StringComparison.Ordinal);
        Assert.DoesNotContain("bobby", manifest.Match + manifest.Remarks[0], StringComparison.Ordinal);
        Assert.StartsWith("the trace is damaged: ", manifest.Remarks[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("l1", "l2")]
    [InlineData("l2", "l1")]
    public void Redact_NameInOneOfSeveralInputs_StaysInNone(string first, string second)
    {
        TestBundle.Write(In("l1.tcpdiag"), TestBundle.Snapshot(new SnapshotSection("interfaces", "t", 1, null, [new("eth0", "stat:alicecorp_drops", "1")])));
        TestBundle.Write(In("l2.tcpdiag"), TestBundle.Snapshot(new SnapshotSection("dns", "t", 1, null,
            [new("/etc/resolv.conf", "search", "alicecorp.example")])));
        Directory.CreateDirectory(In("out"));
        Run(ExitCode.Done, "redact", In(first + ".tcpdiag"), In(second + ".tcpdiag"), In("out"), "--verify");

        Assert.DoesNotContain("alicecorp", SnapshotText("out/l1.tcpdiag") + SnapshotText("out/l2.tcpdiag"), StringComparison.OrdinalIgnoreCase);
        Assert.EndsWith("_drops", BundleContents.Of(In("out/l1.tcpdiag"))!.Snapshot!.Sections[0].Facts[0].Name, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Judged))]
    public void Redact_JudgedSetting_IsJudgedAsBefore(string section, string subject, string name, string value)
    {
        // The worst case: somebody bears every word of the name.
        string search = string.Join('.', (section + " " + name + " ms vms").Split(' ', '.', '-', '_', ':')) + ".example";
        TestBundle.Write(In("in.tcpdiag"), TestBundle.Snapshot(
            new SnapshotSection(section, "t", 1, null, [new(subject, name, value)]),
            new SnapshotSection("dns", "t", 1, null, [new("/etc/resolv.conf", "search", search)])));
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("out.tcpdiag"), "--verify");

        Assert.Equal(NotesOf("in.tcpdiag"), NotesOf("out.tcpdiag"));
    }

    [Fact]
    public void JudgedSettings_AreAllTried()
    {
        string tried = string.Join(' ', Judged.Select(row => string.Join(' ', row)));
        Assert.All(JudgedSettings.All, name => Assert.Contains(name, tried, StringComparison.Ordinal));
    }

    [Fact]
    public void Redact_Snapshot_KeepsWhatTheSystemSaysAndNothingThatSomebodyTyped()
    {
        TestBundle.Write(In("in.tcpdiag"), TestBundle.Snapshot(
            new SnapshotSection("machine", "/proc", 1, "Access to the path '/sys/x' is denied.",
                [new("", "/proc/version", "Linux version 6.1.7-cloud (bobby@alicehost) (gcc 12)"), new("/proc/modules", "tcp_bbr", "loaded")]),
            new SnapshotSection("sysctls", "/proc/sys/net", 1, null,
                [new("", "net.ipv4.tcp_tso_win_divisor", "3"), new("", "net.ipv4.tcp_max_syn_backlog", "2048"), new("", "net.core.default_qdisc", "fq_pie")]),
            new SnapshotSection("interfaces", "t", 1, null, [new("alicelan", "driver", "ixgbe"), new("alicelan", "rx-gro", "on"),
                new("alicelan", "tx-gso-robust", "on"), new("alicelan", "stat:rx_drops", "7")]),
            new SnapshotSection("bindings", "t", 1, null, [new("Alice office ms_lltdio", "Enabled", "true")]),
            new SnapshotSection("adapters", "t", 1, null, [new("Alice office", "DriverProvider", "Intel"),
                new("Alice office", "InterfaceDescription", "Bobby's adapter")]),
            new SnapshotSection("adapter-settings", "t", 1, null,
                [new("Alice office NetworkAddress", "RegistryValue", "020011223344"), new("Alice office *JumboPacket", "RegistryValue", "9014")]),
            new SnapshotSection("proxy", "t", 1, null, [new("", "ProxyServer", "alicehost.example:8080")])));
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("out.tcpdiag"), "--verify");

        string text = SnapshotText("out.tcpdiag");
        string[] kept =
        [
            "Linux version 6.1.7-cloud (", "net.ipv4.tcp_tso_win_divisor", "tcp_max_syn_backlog", "fq_pie", "ixgbe", "rx-gro", "tx-gso-robust",
                "stat:rx_drops", "/proc/version", "/proc/sys/net", " ms_lltdio",
            "Intel", "*JumboPacket", "9014", "loaded", "Access to the path '/sys/", "' is denied.", "Linux 6.18.44 x64",
        ];
        Assert.All(kept, word => Assert.Contains(word, text, StringComparison.Ordinal));
        Assert.All(["alice", "bobby", "office", "020011223344"], word => Assert.DoesNotContain(word, text, StringComparison.OrdinalIgnoreCase));
    }

    [Fact]
    public void Redact_SnapshotThatIsNone_IsDamage()
    {
        TestBundle.Write(In("in.tcpdiag"), TestBundle.Snapshot() with { Schema = "tcpdiag/snapshot/2" });
        Run(ExitCode.Damaged, "redact", In("in.tcpdiag"), In("out.tcpdiag"));
    }

    [Fact]
    public void Redact_Journal_KeepsItsCommandsAndNoPath()
    {
        string[] lines =
        [
            """{"utc":"2026-11-21T23:57:21+00:00","step":"Prepared","engine":"netsh","output":"C:\\Users\\alice\\carolscase.tcpdiag","detail":"tcp and process bobby"}""",
            """{"utc":"2026-11-21T23:57:22+00:00","step":"Starting","detail":"netsh trace start capture=yes tracefile=C:\\Users\\alice\\trace.etl maxsize=17 filemode=single packettruncatebytes=120 provider=Microsoft-Windows-Winsock-NameResolution"}""",
            """{"utc":"2026-11-21T23:57:22+00:00","step":"Stopping","detail":"time is up"}""",
        ];
        TestBundle.Write(In("in.tcpdiag"), TestBundle.Snapshot(), journal: string.Join('\n', lines) + "\n");
        Run(ExitCode.Done, "redact", In("in.tcpdiag"), In("out.tcpdiag"), "--verify");

        string journal = Encoding.UTF8.GetString(TraceBundle.Read(In("out.tcpdiag"), BundleManifest.JournalKind)!);
        string[] kept = ["\"2026-11-21T23:57:21+00:00\"", "netsh trace start capture=yes tracefile=",
            "maxsize=17 filemode=single packettruncatebytes=120 provider=Microsoft-Windows-Winsock-NameResolution", "time is up"];
        Assert.All(kept, word => Assert.Contains(word, journal, StringComparison.Ordinal));
        Assert.All(["alice", "bobby", "carol"], word => Assert.DoesNotContain(word, journal, StringComparison.OrdinalIgnoreCase));
    }

    // What the notes are about, without the names in them.
    string NotesOf(string file)
    {
        JsonNode machine = JsonNode.Parse(Run(ExitCode.Done, "analyze", In(file), "--json"))!["machine"]!;
        return string.Join('\n', machine["notes"]!.AsArray().Select(note => note!["bearsOn"]!.ToJsonString()));
    }

    string SnapshotText(string file) =>
        Encoding.UTF8.GetString(TraceBundle.Read(In(file), BundleManifest.SnapshotKind)!).Replace("\\u0027", "'", StringComparison.Ordinal);

    static string Run(int expected, params string[] args)
    {
        var output = new StringWriter();
        var error = new StringWriter();
        int code = new CommandLine(output, error).Run(args);
        Assert.True(code == expected, $"{string.Join(' ', args)}: exit code {code}, expected {expected}\n{error}{output}");
        return output.ToString();
    }

    string In(string name) => Path.Combine(_folder, name);
}
