using System;
using System.IO;
using System.Threading;
using TcpDiag.Capture.Windows.Snapshots;
using TcpDiag.Report.Json;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Scripts.Tests;

/// <summary>
/// The functions of windows-check.ps1 that need no Windows, run by PowerShell: how it starts a recorder, waits for it and reads what it leaves. The recorder
/// is a script that says and leaves what ours does; <c>info</c> and <c>analyze</c> are ours.
/// </summary>
public sealed class WindowsCheckTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag script ").FullName;
    readonly ScriptRun _run = new(Script.OfWindowsCheck);

    public void Dispose()
    {
        _run.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("Quote 'a b'", "\"a b\"")]
    [InlineData("Quote 'a'", "a")]
    [InlineData("Check 'one' $true 'x'", "PASS  one")]
    [InlineData("Check 'one' @() 'found'; $failed", "FAIL  one: found", "1")]
    [InlineData("Check 'one' ('a', 'b' -match 'b') 'found'; $failed", "PASS  one", "0")]
    [InlineData("Skip 'one' 'why'", "SKIP  one: why")]
    [InlineData("(FromJson '{\"a\":[1,{\"b\":\"c\"}]}').a[1].b", "c")]
    [InlineData("$null -eq (FromJson 'no json')", "True")]
    [InlineData("$null -eq (FromJson '')", "True")]
    [InlineData("Run 'part' { throw 'broken' }; $failed", "FAIL  part: broken at 1", "1")]
    public void Run_Function_Gives(string text, params string[] expected) => Assert.Equal(expected, _run.Run(text));

    [UnixFact]
    public void Record_Recorder_IsWaitedForAndRead()
    {
        StartAs("echo preparing >&2; echo \"recording tcp; Ctrl-C stops\" >&2; echo \"stopping\" >&2; echo '{\"packets\":3}'; exit 4");

        Assert.Equal(
            ["4", "3", "7", "preparing|recording tcp; Ctrl-C stops|stopping|"],
            _run.Run("$r = Record 'netsh' 'a b.etl' @() { 7 }; $r.ExitCode; $r.Document.packets; $r.Sent; $r.Error -replace \"`r?`n\", '|'"));
    }

    // Its arguments arrive as they were given, one with a blank too; what does not record is sent nothing.
    [UnixFact]
    public void Record_RecorderRefuses_IsNotSentAnything()
    {
        StartAs("for word in \"$@\"; do echo \"$word\" >&2; done; exit 1");

        Assert.Equal(
            ["1", "0", "capture|--engine|netsh|--out|a b.etl|--json|--for|2s|--match|tcp|", "True"],
            _run.Run("$r = Record 'netsh' 'a b.etl' @('--for', '2s') { 7 }; $r.ExitCode; $r.Sent; $r.Error -replace \"`r?`n\", '|'; $null -eq $r.Document"));
    }

    // Each line says PASS, but for events and adapters that a recording of Linux has not.
    [UnixFact]
    public void CheckEngine_WholeRecording_Passes()
    {
        string bundle = WriteBundle();
        StringWriter document = new();
        CaptureJson.Write(document, new(
            CaptureDocument.SchemaName, "x", "pktmon", "tcp", DateTimeOffset.UnixEpoch, 8, "duration", null, 1000, 120, 12, 0, [], StackEvents: 5, 0, 0, 0, 0,
                IsWhole: true, []));
        File.WriteAllText(Path.Combine(_folder, "document.json"), document.ToString());
        StartAs($"if [ \"$1\" != capture ]; then exec '{Path.Combine(AppContext.BaseDirectory, "tcpdiag")}' \"$@\"; fi; cp '{bundle}' \"$5\"; echo "
            + $"'recording tcp; Ctrl-C stops' >&2; cat '{_folder}/document.json'");

        string[] lines = [.. _run.Run("Check-Engine 'pktmon' $true")];
        Assert.DoesNotContain(lines, line => !line.StartsWith("PASS  ", StringComparison.Ordinal));
        Assert.Contains("PASS  pktmon trace is whole", lines);
        Assert.Contains("PASS  pktmon shows connections", lines);
        Assert.Contains("PASS  pktmon snapshot is used by analyze", lines);
        Assert.Contains("PASS  snapshot winhttp-proxy", lines);
        Assert.Contains("PASS  snapshot names the adapters in their own letters", lines);
    }

    // Redaction and analysis are ours; the bundle has no findings of a name that is searched for.
    [UnixFact]
    public void CheckRedactedBundle_RealSnapshot_Passes()
    {
        StartAs($"exec '{Path.Combine(AppContext.BaseDirectory, "tcpdiag")}' \"$@\"");
        File.Move(WriteBundle(), Path.Combine(_folder, "netsh.tcpdiag"));

        Assert.Equal(
            [
                "PASS  redact leaves no name and no address of a bundle",
                "PASS  the snapshot does not name ALICEHOST",
                "PASS  the snapshot does not name alice",
                "PASS  the same is found in a redacted bundle",
            ],
            _run.Run("$env:COMPUTERNAME = 'ALICEHOST'; $env:USERNAME = 'alice'; Check-RedactedBundle"));
    }

    // The count is of what info lists, the guid as it writes it.
    [SharedFact]
    public void Info_TraceOfWindows_HasWhatTheScriptCompares()
    {
        _run.Set("Tcpdiag", Path.Combine(AppContext.BaseDirectory, "tcpdiag"));
        _run.Set("trace", SharedFolder.PathOf("traces", "windows", "sample-22621-netsh", "sample-22621-netsh.etl"));
        _run.Set("tcpip", "2f07e2ee-15db-40f1-90ef-9d7ba282188a");

        string[] found = [.. _run.Run("$info = Info $trace; $info.complete; $info.packets; (@($info.providers) | Where-Object { $_.guid -eq $tcpip }).count")];
        Assert.Equal("True", found[0]);
        Assert.All(found[1..], number => Assert.True(int.Parse(number, null) > 100));
    }

    // The program that the script starts.
    void StartAs(string text)
    {
        string program = Path.Combine(_folder, "tcpdiag");
        File.WriteAllText(program, $"#!/bin/sh\n{text}\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        _run.Set("Tcpdiag", program);
        _run.Set("folder", _folder);
        _run.Set("left", Path.Combine(_folder, "captures"));
        _run.Set("build", 26100);
        _run.Set("Url", "http://localhost/");
    }

    // As a recorder leaves it, but that trace and snapshot are of different systems.
    string WriteBundle()
    {
        string path = Path.Combine(_folder, "made.tcpdiag");
        using var bundle = new BundleWriter(File.Create(path));
        using FileStream trace = File.OpenRead(ProjectFolder.Fixture("reset.pcapng"));
        bundle.Add("trace.pcapng", BundleManifest.TraceKind, trace);
        bundle.Add(BundleManifest.SnapshotName, BundleManifest.SnapshotKind,
            new MemoryStream(SnapshotJson.ToBytes(WindowsSnapshot.Take(new AskedMachine(), TimeProvider.System, CancellationToken.None))));
        bundle.Complete(BundleWriter.Describe("pktmon", "tcp", "time", [], DateTimeOffset.UnixEpoch));
        return path;
    }
}
