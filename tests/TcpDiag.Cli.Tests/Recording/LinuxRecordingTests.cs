using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Linq;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Linux;
using TcpDiag.Cli.Recording;
using TcpDiag.Testing;
using TcpDiag.Traces;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Inspection;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Cli.Tests.Recording;

/// <summary><c>tcpdiag capture</c> on Linux as its user meets it: what it says and leaves, also when it does not begin, is killed, or meets another.</summary>
public sealed class LinuxRecordingTests : IDisposable
{
    readonly StringWriter _output = new();
    readonly StringWriter _error = new();
    readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [RootFact]
    public void Run_ConditionDoesNotComeTrue_IsNotTold()
    {
        using var traffic = new RefusedConnections();
        string own = Environment.ProcessId.ToString(CultureInfo.InvariantCulture);
        string[] line = ["capture", "--match", "tcp", "port", "9", "-i", "lo", "--until", "event", "tcp_retransmit_synack", "or", "process", "exit", own,
            "--for", "500ms", "--out", _file];
        Assert.Equal(ExitCode.Done, Run([.. line, "--json"]));

        using JsonDocument document = JsonDocument.Parse(_output.ToString());
        Assert.Equal(JsonValueKind.Null, document.RootElement.GetProperty("trigger").ValueKind);
        Assert.Contains($"until event tcp_retransmit_synack or process exit {own}, for 0.5 s", _error.ToString(), StringComparison.Ordinal);
        Assert.Contains($"--until has not come true: event tcp_retransmit_synack or process exit {own}",
            document.RootElement.GetProperty("remarks").EnumerateArray().Select(remark => remark.GetString()));
    }

    [RootFact]
    public void Run_SplitWithoutABundle_IsNumberedFilesThatAreReadAsOne()
    {
        using var traffic = new RefusedConnections();
        string folder = Directory.CreateTempSubdirectory("tcpdiag-split").FullName;
        string[] line = ["capture", "--match", "tcp", "port", "9", "-i", "lo", "--split", "20ms", "--for", "200ms", "--sample", "0s", "--out",
            Path.Combine(folder, "slow.pcapng")];
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

    [RootFact]
    public void Run_Recording_SaysWhatItWillRecordAndWhatItHas()
    {
        Assert.Equal(ExitCode.Damaged, Run("capture", "--match", "tcp", "port", "1", "-i", "lo", "--for", "20ms", "--sample", "0s", "--out", _file));

        Assert.Equal(
            $"recording tcp port 1 at lo: 120 bytes of each packet, stack events; for 0.02 s or 1.07 GB to {_file}; Ctrl-C stops\n",
            _error.ToString().ReplaceLineEndings("\n"));
        Assert.StartsWith($"{_file}: 0 packets, 0 stack events, 0 samples in ", _output.ToString(), StringComparison.Ordinal);
        Assert.Contains("no packet matched 'tcp port 1' at lo: there was no such traffic", _output.ToString().ReplaceLineEndings(" "),
            StringComparison.Ordinal);
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
        Assert.Equal("tcpdiag: no interface 'nosuch0'. `ip link` lists the interfaces; 'any' stands for all of them.\n",
            _error.ToString().ReplaceLineEndings("\n"));
    }

    [RootFact]
    public void Run_DoesNotBegin_LeavesTheFileAsItWas()
    {
        File.WriteAllText(_file, "precious");
        Assert.Equal(ExitCode.Failed, Run("capture", "--all", "-i", "nosuch0", "--out", _file, "--force"));
        Assert.Equal(ExitCode.Usage, Run("capture", "--all", "-i", "lo", "--until", "event", "1351", "--out", _file, "--force"));
        Assert.Equal("precious", File.ReadAllText(_file));
    }

    [RootFact]
    public void Run_IntoAFileThatIsBeingRecorded_IsRefused()
    {
        using Process first = Start();

        // Forced, for the file is there already once the first has written to it.
        Assert.Equal(ExitCode.Failed, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--for", "20ms", "--force", "--out", _file));
        Assert.Equal($"tcpdiag: {_file} is being written by another recording: wait for it or choose another name.\n",
            _error.ToString().ReplaceLineEndings("\n"));
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
            while (new FileInfo(_file).Length < 20_000 && patience.Elapsed < Patience.Limit)
            {
                Assert.False(recorder.WaitForExit(10));
            }
        }

        recorder.Kill();
        recorder.WaitForExit();

        // The kill may come inside a write, which then leaves a part of its last block.
        Assert.Contains(Run("info", _file, "--json"), new[] { ExitCode.Done, ExitCode.Damaged });
        using JsonDocument info = JsonDocument.Parse(_output.ToString());
        Assert.InRange(Assert.Single(info.RootElement.GetProperty("files").EnumerateArray()).GetProperty("packets").GetInt64(), 10, 1_000_000);
    }

    [RootFact("kill")]
    public void Run_TerminalClosed_EndsWithAWholeFile() => EndBy("-HUP");

    // Ctrl-Break on Windows, Ctrl-\ here.
    [RootFact("kill")]
    public void Run_Quit_EndsWithAWholeFile() => EndBy("-QUIT");

    void EndBy(string signal)
    {
        using Process recorder = Start();
        RefusedConnections.MakeOne();
        ExternalProgram.Run("kill", signal, recorder.Id.ToString(CultureInfo.InvariantCulture));
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
        using Process killed = Start("--ring", "60s");
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
            Assert.Equal(ExitCode.Failed, Run("capture", "recover", _file));
            Assert.EndsWith("0 recordings recovered, 1 not finished\n", _output.ToString().ReplaceLineEndings("\n"), StringComparison.Ordinal);
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
            Assert.Equal(["snapshot.json", "trace.pcapng", "manifest.json"], zip.Entries.Select(entry => entry.Name));
            using var manifest = new StreamReader(zip.GetEntry("manifest.json")!.Open());
            Assert.Empty(JsonSchema.Read("bundle.json").Check(manifest.ReadToEnd()));
        }
        finally
        {
            File.Delete(recovered);
        }
    }

    [RootFact]
    [SupportedOSPlatform("linux")]
    public void Recover_KilledBundle_IsWholeWithItsSnapshotAndWhatWasRecorded()
    {
        using var traffic = new RefusedConnections();
        string bundle = _file + ".tcpdiag";
        string recovered = Path.ChangeExtension(_file, null) + ".tmp-recovered.tcpdiag";
        using Process killed = Start("--out", bundle);
        string folder = Path.GetDirectoryName(bundle)!;
        Assert.True(SpinWait.SpinUntil(() => BundlePackets(bundle) > 0, Patience.Limit));
        Assert.Throws<CaptureException>(() => BundleRecovery.Recover(bundle)); // it is alive
        Assert.DoesNotContain(bundle, BundleRecovery.FindLeft(folder, _ => { }));
        killed.Kill();
        killed.WaitForExit();
        Assert.Contains(bundle, BundleRecovery.FindLeft(folder, _ => { }));
        long packets = BundlePackets(bundle);
        try
        {
            Assert.Equal(ExitCode.Done, Run("capture", "recover", bundle));
            Assert.Equal($"{recovered}: what an earlier recording to {bundle} had recorded\n", _error.ToString().ReplaceLineEndings("\n"));
            Assert.False(File.Exists(bundle));
            BundleContents account = BundleContents.Of(recovered)!;
            Assert.Empty(account.Problems);
            Assert.Contains(account.Snapshot!.Sections, section => section.Name is "interfaces");
            Assert.Equal("found after its process had gone", account.Manifest.StopReason);
            Assert.Empty(account.Manifest.Remarks); // the end tells it all
            Assert.Equal(packets, TraceInspector.Inspect(recovered).Packets);
            Assert.Null(BundleRecovery.Recover(recovered)); // it is whole
        }
        finally
        {
            File.Delete(recovered);
        }
    }

    [LinuxFact]
    [SupportedOSPlatform("linux")]
    public void Run_InterruptedInTheSnapshot_LeavesNothing()
    {
        string bundle = _file + ".tcpdiag";
        var settings = new CaptureSettings { Match = MatchParser.Parse("tcp port 9") };
        Assert.Throws<OperationCanceledException>(
            () => LinuxRecording.Run(settings, new(bundle, IsForced: false), _error, new CancellationToken(canceled: true)));
        Assert.False(File.Exists(bundle));
        Assert.Empty(_error.ToString());
    }

    // 0 also while the trace has not begun.
    static long BundlePackets(string bundle)
    {
        try
        {
            return TraceInspector.Inspect(bundle).Packets;
        }
        catch (Exception exception) when (exception is TraceInputException or TraceFormatException)
        {
            return 0;
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
            Assert.Equal($"tcpdiag: {folder} has 2 MB left; recording stops at 67 MB. Make room, or choose another folder with --out.\n",
                _error.ToString().ReplaceLineEndings("\n"));
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
        Assert.Equal(ExitCode.Done, Run("capture", "--match", "tcp", "port", "9", "-i", "lo", "--for", "500ms", "--out", _file));
        Assert.DoesNotContain(Instances(), name => IsOf(name, killed));
    }

    // A recorder in a process of its own, recording.
    Process Start(params string[] more)
    {
        string program = Path.Join(AppContext.BaseDirectory, "tcpdiag");
        string[] arguments = ["capture", "--match", "tcp", "port", "9", "-i", "lo", "--until-eof", .. more.Contains("--out") ? more
            : ["--out", _file, .. more]];
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
