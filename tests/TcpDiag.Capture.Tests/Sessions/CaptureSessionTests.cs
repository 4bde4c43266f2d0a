using System;
using System.IO;
using System.Linq;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>
/// Every path of a recording but those after a crash (<see cref="CaptureRecoveryTests"/>). Transitions and their tests:
/// <code>
/// rights, disk, foreign session   refused before anything changes: Record_NoRights…, DiskSpaceTests, Record_ForeignSession…
/// Starting → gone                 Record_StartFails…
/// Recording → Stopping            by time, size, cancellation, ended by someone else: Record_…_Stops…; a full disk: DiskSpaceTests
/// Stopping → Stopped              Record_StopFails…, Record_StopHangs…
/// Stopped → Collected             Record_Trace…
/// </code>
/// </summary>
public sealed class CaptureSessionTests : IDisposable
{
    const string NoEvents = "no events of the TCP stack were recorded: no connection was busy, or a policy keeps the provider Microsoft-Windows-TCPIP off";

    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    [UnixFact]
    public void Record_AllGoesWell_LeavesTheTraceAndNothingElse()
    {
        Assert.Equal(0, _run.Record());

        Assert.Equal(
            ["engine: netsh", "step: Prepared", "step: Starting", "step: Recording", "step: Stopping", "step: Stopped", "step: Collecting",
                "step: Collected", "reason: Duration", "lost: 0 events, 0 buffers"],
            _run.Lines.Where(line => line.Split(':')[0] is not ("recording" or "stopping"))); // a slow machine says how far it is
        Assert.Equal(2, TcpDiag.Traces.Inspection.TraceInspector.Inspect(_run.Output).Records - 1);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_Netsh_RunsEachCommandOnce()
    {
        _run.Record("ring");

        string folder = _run.Machine.Calls[0].Split("tracefile=")[1].Split(' ')[0];
        Assert.StartsWith(_run.Root, folder, StringComparison.Ordinal);
        Assert.Equal(
            [
                $"netsh trace start capture=yes tracefile={folder} overwrite=yes maxsize=1 filemode=circular report=disabled correlation=disabled "
                    + "perfMerge=no persistent=no "
                    + "packettruncatebytes=120 protocol=6 ipv4.address=10.0.0.1 provider=Microsoft-Windows-TCPIP keywords=0xffffffffffffffff level=5 "
                    + "provider=Microsoft-Windows-Winsock-AFD keywords=0xffffffffffffffff level=4 provider=Microsoft-Windows-Winsock-NameResolution "
                        + "keywords=0xffffffffffffffff level=5",
                "netsh trace stop",
            ],
            _run.Machine.Calls);
    }

    [UnixFact]
    public void Record_Pktmon_FiltersAndTakesItsFiltersBack()
    {
        Assert.Equal(0, _run.Record("engine=pktmon"));

        Assert.Equal(
            [
                "pktmon status", "pktmon filter list", "pktmon filter remove", "pktmon filter add tcpdiag1 -t TCP -i 10.0.0.1", "pktmon start --capture",
                    "pktmon filter list",
                "pktmon stop", "pktmon filter list", "pktmon filter remove",
            ],
            _run.Machine.Calls.Select(call => call.StartsWith("pktmon start", StringComparison.Ordinal) ? call[..22] : call));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_Etw_BeginsAndStopsASessionOfItsOwn()
    {
        _run.Machine.Begin(new("NetTrace-LAB-other", "/their.etl", 0, 0, 0));

        Assert.Equal(0, _run.Record("engine=etw"));
        string id = _run.Machine.Calls[0]["start session tcpdiag-".Length..];
        Assert.Equal([$"start session tcpdiag-{id}", $"stop session tcpdiag-{id}"], _run.Machine.Calls);
        Assert.Equal(["NetTrace-LAB-other"], _run.Machine.Sessions().Select(session => session.Name));
        Assert.True(File.Exists(_run.Output));
    }

    [UnixTheory]
    [InlineData("events-only", 0)]
    [InlineData("packets-only", 0)]
    [InlineData("neither", 4)]
    [Trait("Needs", "time")]
    public void Record_EtwWithoutACaptureDriver_IsWholeWithEventsAlone(string trace, int exitCode)
    {
        _run.Machine.Script("etw-stop", trace);

        Assert.Equal(exitCode, _run.Record("engine=etw"));
        Assert.Equal(trace is not "packets-only", _run.Lines.Contains("remark: no packets were recorded: nobody kept pktmon or netsh capturing meanwhile"));
    }

    [UnixFact]
    public void Record_EtwRefused_SaysWhatWindowsSays()
    {
        _run.Machine.Script("etw-start", "denied");

        Assert.Equal(1, _run.Record("engine=etw"));
        Assert.Equal("the recording did not start: access is denied", _run.Said("error"));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_ConditionComesTrue_StopsAndEndsTheRealTimeSession()
    {
        Assert.Equal(0, _run.Record("until-reset", "for=60000"));

        Assert.Equal("Trigger", _run.Said("reason"));
        Assert.Equal("reset of 10.0.0.1:5000 → 10.0.0.2:443 (Microsoft-Windows-TCPIP/1183 v0)", _run.Said("trigger"));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_RealTimeSessionIsRefused_LeavesNothing()
    {
        _run.Machine.Script("listen", "refused");

        Assert.Equal(1, _run.Record("until-reset"));
        Assert.Equal("Windows refuses a real-time session: no room", _run.Said("error"));
        Assert.Empty(_run.Machine.Calls);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_FilterDidNotTake_IsSeenByThePackets()
    {
        _run.Machine.Script("netsh-stop", "others");

        Assert.Equal(0, _run.Record());
        Assert.Equal("1 of the first 1 packets were not asked for: the filter let them through. `tcpdiag convert` with --host or --port leaves them "
            + "out", _run.Said("remark"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_ProcessNamed_SaysThatAllAreRecordedAndBlamesNoFilter()
    {
        Assert.Equal(0, _run.Record("process=nginx"));
        Assert.Equal(
            ["remark: no engine filters by process: what others send and receive is recorded too; `tcpdiag convert IN OUT --process NAME` keeps the "
                + "connections of one, by the events"],
            _run.Lines.Where(line => line.StartsWith("remark: ", StringComparison.Ordinal)));
    }

    [UnixTheory]
    [InlineData("late", 60, "the ring holds the last 0.0 s, less than the 60 s asked for: raise --size")]
    [InlineData("late", 0, null)]
    [InlineData("success", 60, null)]
    [Trait("Needs", "time")]
    public void Record_RingIsShorterThanAskedFor_IsSaid(string trace, int seconds, string? remark)
    {
        _run.Machine.Script("netsh-stop", trace);

        Assert.Equal(0, _run.Record("ring", $"ring-time={seconds}"));
        Assert.Equal(remark, _run.Said("remark"));
    }

    [UnixFact]
    public void Record_PktmonOfSomebodyElse_IsLeftAloneWithItsFilters()
    {
        _run.Machine.Begin(new("PktMon", "/defender.etl", 0, 0, 0));

        Assert.Equal(1, _run.Record("engine=pktmon"));
        Assert.StartsWith("another recording runs (PktMon to /defender.etl), and pktmon has room for one.", _run.Said("error"), StringComparison.Ordinal);
        Assert.Empty(_run.Machine.Calls);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_PktmonDoesNotStart_TakesItsFiltersBack()
    {
        _run.Machine.Script("pktmon-start", "denied");

        Assert.Equal(1, _run.Record("engine=pktmon"));
        Assert.Equal("pktmon filter remove", _run.Machine.Calls[^1]);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_NoRights_SaysHowToGetThem()
    {
        _run.Machine.Script("rights", "none");

        Assert.Equal(1, _run.Record());
        Assert.StartsWith("recording needs an elevated prompt: start cmd.exe or PowerShell with \"Run as administrator\"", _run.Said("error"),
            StringComparison.Ordinal);
        Assert.Empty(_run.Machine.Calls);
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("missing/slow.etl", "the folder to write it to does not exist. Make it, or name another.")]
    [InlineData("machine", "is a folder. Name the file to write.")]
    public void Record_NoFolderForTheResult_IsSaidBeforeAnythingIsRecorded(string output, string why)
    {
        _run.Output = Path.Combine(Path.GetDirectoryName(_run.Output)!, output);

        Assert.Equal(1, _run.Record());
        Assert.Equal($"{_run.Output}: {why}", _run.Said("error"));
        Assert.Empty(_run.Machine.Calls);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_TemporaryNameIsAFolder_IsSaidBeforeAnythingIsRecorded()
    {
        Directory.CreateDirectory(_run.Output + ".part");

        Assert.Equal(1, _run.Record());
        Assert.StartsWith($"{_run.Output} cannot be written: ", _run.Said("error"), StringComparison.Ordinal);
        Assert.Empty(_run.Machine.Calls);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_FolderOfTheResultGoesWhileItRecords_KeepsTheRecordingAndSaysWhere()
    {
        _run.Machine.Script("netsh-stop", "output-gone");
        _run.Output = Path.Combine(_run.Machine.Folder, "share", "slow.etl");
        Directory.CreateDirectory(Path.GetDirectoryName(_run.Output)!);

        Assert.Equal(1, _run.Record());
        Assert.Contains($"What was recorded is kept in {_run.Root}", _run.Said("error"), StringComparison.Ordinal);
        Directory.CreateDirectory(Path.GetDirectoryName(_run.Output)!);
        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_SessionEndedBySomebodyElse_KeepsTheTrace()
    {
        _run.Machine.Script("netsh-start", "ends-soon");

        _run.Record("for=60000");
        Assert.Equal("Ended", _run.Said("reason"));
        Assert.True(File.Exists(_run.Output));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_ForeignSession_IsLeftAlone()
    {
        _run.Machine.Begin(new("NetTrace-LAB-other", "/their.etl", 0, 0, 0));

        Assert.Equal(1, _run.Record());
        Assert.StartsWith("another recording runs (NetTrace-LAB-other to /their.etl), and netsh has room for one.", _run.Said("error"),
            StringComparison.Ordinal);
        Assert.Single(_run.Machine.Sessions());
        Assert.Empty(_run.Machine.Calls);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_OtherKindOfSession_DoesNotMatter()
    {
        _run.Machine.Begin(new("EventLog-System", "/system.etl", 0, 0, 0));

        Assert.Equal(0, _run.Record());
        Assert.Equal(["EventLog-System"], _run.Machine.Sessions().Select(session => session.Name));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_ForeignSessionTakenOver_IsStoppedAndThenRecords()
    {
        _run.Machine.Begin(new("NetTrace-LAB-user", Path.Combine(_run.Machine.Folder, "their.etl"), 0, 0, 0));

        Assert.Equal(0, _run.Record("take-over"));
        Assert.Equal(["netsh trace stop", "netsh trace start", "netsh trace stop"], _run.Machine.Calls
            .Select(call => string.Join(' ', call.Split(' ').Take(3))));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_ForeignSessionThatDoesNotStop_IsSaid()
    {
        _run.Machine.Begin(new("NetTrace-LAB-user", "/their.etl", 0, 0, 0));
        _run.Machine.Script("netsh-stop", "fails");

        Assert.Equal(1, _run.Record("take-over"));
        Assert.Equal(
            "the recording that runs (NetTrace-LAB-user to /their.etl) could not be stopped: `netsh trace stop` ended with exit code 1: 'The resource "
                + "is in use.'.",
            _run.Said("error"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_TraceHasItsSize_Stops()
    {
        _run.Machine.Script("bytes", "1048576");

        Assert.Equal(0, _run.Record("for=60000"));
        Assert.Equal("Size", _run.Said("reason"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_RingHasItsSize_GoesOn()
    {
        _run.Machine.Script("bytes", "1048576");

        Assert.Equal(0, _run.Record("for=10", "ring"));
        Assert.Equal("Duration", _run.Said("reason"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_ParentGone_StopsWithAWholeTrace()
    {
        Assert.Equal(0, _run.Record("for=60000", "until-eof"));
        Assert.Equal("Stopped", _run.Said("reason"));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_InterruptedBeforeItRecords_StartsNothing()
    {
        Assert.Equal(130, _run.Record("interrupt-at=Prepared"));
        Assert.Equal(["engine: netsh", "step: Prepared", "interrupted"], _run.Lines);
        Assert.Empty(_run.Machine.Calls);
        Assert.True(_run.IsClean);
        Assert.False(File.Exists(_run.Output));
    }

    // Two dozen PowerShell that hang would take half a minute each.
    [LinuxFact]
    [Trait("Needs", "time")]
    public void Record_InterruptedInTheSnapshot_EndsItsProgramsAndStartsNothing()
    {
        _run.Output = Path.ChangeExtension(_run.Output, ".tcpdiag");
        _run.Machine.Script("powershell", "hang");

        Assert.Equal(130, _run.Record("snapshot", "interrupt-snapshot"));
        Assert.Equal(["engine: netsh", "step: Prepared", "interrupted"], _run.Lines);
        Assert.All(_run.Machine.Calls, call => Assert.StartsWith("powershell ", call, StringComparison.Ordinal));
        Assert.DoesNotContain(Directory.GetDirectories("/proc"), process => CommandOf(process).Contains(_run.Machine.Folder, StringComparison.Ordinal));
        Assert.True(_run.IsClean);
        Assert.False(File.Exists(_run.Output));
    }

    static string CommandOf(string process)
    {
        try
        {
            return File.ReadAllText(Path.Join(process, "cmdline"));
        }
        catch (IOException)
        {
            return string.Empty; // no process, or one that has ended
        }
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_StopFailsButHasStopped_KeepsTheTraceAndSaysSo()
    {
        _run.Machine.Script("netsh-stop", "fails-stopped");

        Assert.Equal(0, _run.Record());
        Assert.Equal("`netsh trace stop` ended with exit code 1: 'The resource is in use.'", _run.Said("remark"));
        Assert.True(File.Exists(_run.Output));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_NothingStopsTheSession_SaysWhatStillRunsAndKeepsTheJournal()
    {
        _run.Machine.Script("netsh-stop", "fails");
        _run.Machine.Script("stop-session", "fails");

        Assert.Equal(1, _run.Record());
        Assert.EndsWith("`logman stop \"NetTrace-LAB-user\" -ets` stops it by hand.", _run.Said("error"), StringComparison.Ordinal);
        Assert.False(_run.IsClean);

        // Once it can be stopped, nothing is lost.
        _run.Machine.Script("netsh-stop", "success");
        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
        Assert.True(_run.IsClean);
    }

    // A trace without events misses nothing where none were asked for, and pktmon of early builds has none to give.
    [UnixTheory]
    [InlineData("netsh", "26100", "", NoEvents)]
    [InlineData("pktmon", "26100", "", NoEvents)]
    [InlineData("pktmon", "19045", "", "pktmon of this build records no events of the TCP stack: use --engine netsh for them")]
    [InlineData("netsh", "26100", "no-events", null)]
    [InlineData("pktmon", "26100", "no-events", null)]
    [InlineData("pktmon", "19045", "no-events", null)]
    [Trait("Needs", "time")]
    public void Record_NoTcpEvents_SaysTheTrueReason(string engine, string build, string option, string? remark)
    {
        _run.Machine.Script("build", build);
        _run.Machine.Script(engine + "-stop", "packets-only");

        Assert.Equal(0, _run.Record($"engine={engine}", option));
        Assert.Equal(remark is null ? [] : [$"remark: {remark}"], _run.Lines.Where(line => line.StartsWith("remark: ", StringComparison.Ordinal)));
    }

    // What was asked for is gone with its process, but not the command that it ran.
    [UnixTheory]
    [InlineData("netsh", "", NoEvents)]
    [InlineData("etw", "", NoEvents)]
    [InlineData("pktmon", "", NoEvents)]
    [InlineData("netsh", "no-events", null)]
    [InlineData("pktmon", "no-events", null)]
    [InlineData("etw", "no-events", null)]
    [Trait("Needs", "time")]
    public void Recover_NoTcpEvents_SaysSoWhereTheyWereAskedFor(string engine, string option, string? remark)
    {
        _run.Machine.Script(engine + "-stop", "packets-only");
        _run.Output = Path.ChangeExtension(_run.Output, BundleWriter.Extension);
        _run.Record($"engine={engine}", option, "kill-at=Recording");

        Assert.Equal(0, _run.Recover());
        Assert.Equal(remark is null ? [] : [remark], TraceBundle.ReadManifest(_run.Output)!.Remarks);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_NoTraceAtAll_SaysSo()
    {
        _run.Machine.Script("netsh-stop", "missing");

        Assert.Equal(4, _run.Record());
        Assert.False(File.Exists(_run.Output));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_EventsWereLost_AreCounted()
    {
        _run.Machine.Script("netsh-stop", "lost");

        _run.Record();
        Assert.Equal("7 events, 0 buffers", _run.Said("lost"));
    }

    // Known from the session; the trace has them only if its header was written at the end.
    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_BuffersWereLost_AreCountedAndShown()
    {
        _run.Machine.Script("buffers", "lost");

        _run.Record();
        Assert.Equal("0 events, 7 buffers", _run.Said("lost"));
        Assert.EndsWith(" 0 7", _run.Said("recording"), StringComparison.Ordinal);
    }
}
