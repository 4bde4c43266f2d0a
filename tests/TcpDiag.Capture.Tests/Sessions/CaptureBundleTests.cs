using System;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>A recording that ends as a bundle.</summary>
[Trait("Needs", "time")]
public sealed class CaptureBundleTests : IDisposable
{
    readonly StandInRun _run = new();

    public CaptureBundleTests() => _run.Output = Path.ChangeExtension(_run.Output, ".tcpdiag");

    public void Dispose() => _run.Dispose();

    [UnixFact]
    public void Record_IntoABundle_HoldsTraceAndJournal()
    {
        Assert.Equal(0, _run.Record());

        TraceInspection trace = TraceInspector.Inspect(_run.Output);
        Assert.True(trace is { IsBundled: true, IsComplete: true, Packets: 1 });
        BundleManifest manifest = TraceBundle.ReadManifest(_run.Output)!;
        Assert.Equal(("netsh", "tcp host 10.0.0.1", "time is up"), (manifest.Engine, manifest.Match, manifest.StopReason));
        Assert.Equal(["trace.etl", "journal.jsonl"], manifest.Files.Select(file => file.Name));
        string journal = Encoding.UTF8.GetString(TraceBundle.Read(_run.Output, BundleManifest.JournalKind)!);
        Assert.Equal(6, journal.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains("\"detail\":\"netsh trace start capture=yes ", journal, StringComparison.Ordinal);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_WithASnapshot_TakesItBeforeTheRecording()
    {
        Assert.Equal(0, _run.Record("snapshot"));

        Assert.Equal(["trace.etl", "snapshot.json", "journal.jsonl"], TraceBundle.ReadManifest(_run.Output)!.Files.Select(file => file.Name));
        Assert.StartsWith("{\n  \"schema\": \"tcpdiag/snapshot/1\",", Encoding.UTF8.GetString(TraceBundle.Read(_run.Output, BundleManifest.SnapshotKind)!),
            StringComparison.Ordinal);
        Assert.StartsWith("powershell ", _run.Machine.Calls[0], StringComparison.Ordinal);
        Assert.StartsWith("netsh trace stop", _run.Machine.Calls[^1], StringComparison.Ordinal);
    }

    [UnixFact]
    public void Recover_KilledWhileCollecting_WritesItAnew()
    {
        _run.Record("kill-at=Collecting");
        File.WriteAllText(_run.Output + ".part", "half a bundle");

        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
        Assert.Equal("found after its process had gone", TraceBundle.ReadManifest(_run.Output)!.StopReason);
        Assert.False(File.Exists(_run.Output + ".part"));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_DamagedTrace_IsKeptWithTheReasonInTheManifest()
    {
        _run.Machine.Script("netsh-stop", "garbage-file");

        Assert.Equal(4, _run.Record());
        Assert.StartsWith("the trace cannot be read: ", TraceBundle.ReadManifest(_run.Output)!.Remarks.Single(), StringComparison.Ordinal);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_DiskFillsWhileItRecords_SaysWhyItStopped()
    {
        _run.Machine.Script("free-later", "1048576");

        Assert.Equal(0, _run.Record("for=60000"));
        Assert.Equal("the disk is nearly full", TraceBundle.ReadManifest(_run.Output)!.StopReason);
        Assert.True(_run.IsClean);
    }

    // What stands in place of the result can be opened, but takes no byte.
    [LinuxFact]
    public void Record_DiskIsFullWhileTheBundleIsWritten_KeepsTheRecordingAndSaysWhere()
    {
        string temporary = _run.Output + ".part";
        File.CreateSymbolicLink(temporary, "/dev/full");

        Assert.Equal(1, _run.Record());
        string folder = Directory.GetDirectories(_run.Root).Single();
        Assert.StartsWith($"{_run.Output} cannot be written: No space left on device", _run.Said("error"), StringComparison.Ordinal);
        Assert.EndsWith(
            $" What was recorded is kept in {folder}: `tcpdiag capture recover` finishes it when the result can be written; else take trace.etl from "
                + "there and remove the folder.",
            _run.Said("error"),
            StringComparison.Ordinal);
        Assert.Equal("step: Collecting", _run.Lines[^2]);
        Assert.False(File.Exists(_run.Output));
        Assert.Equal(1, TraceInspector.Inspect(Path.Combine(folder, "trace.etl")).Packets);
        Assert.Empty(_run.Machine.Sessions());

        // As long as it is full, nothing changes.
        Assert.Equal(1, _run.Recover());
        Assert.Contains("No space left on device", _run.Lines[^1], StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(folder, "trace.etl")));

        File.Delete(temporary);
        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
        Assert.Equal(1, TraceInspector.Inspect(_run.Output).Packets);
        Assert.True(_run.IsClean);
    }
}
