using System;
using System.IO;
using System.Linq;
using System.Text;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>What netsh and pktmon can answer, and whether the filters of pktmon are in force.</summary>
public sealed class EngineScenarioTests : IDisposable
{
    const string Denied = "exit code 1: 'The requested operation requires elevation (Run as administrator).'";
    const string WrongBuild = "exit code 1: 'perfMerge is not a valid argument for this command.'";
    const string Busy = "exit code 1: 'The resource is in use.'";
    const string Hung = "no end within its time limit, without a word";

    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    [UnixTheory]
    [InlineData("netsh", "netsh-start", "denied", Denied)]
    [InlineData("netsh", "netsh-start", "wrong-build", WrongBuild)]
    [InlineData("netsh", "netsh-start", "hang", Hung)]
    [InlineData("netsh", "netsh-start", "hang-started", Hung)]
    [InlineData("pktmon", "pktmon-start", "denied", Denied)]
    [InlineData("pktmon", "pktmon-start", "wrong-build", WrongBuild)]
    [InlineData("pktmon", "pktmon-start", "hang", Hung)]
    [InlineData("pktmon", "pktmon-start", "hang-started", Hung)]
    [InlineData("pktmon", "pktmon-filter", "denied", Denied)]
    [InlineData("pktmon", "pktmon-filter", "hang", Hung)]
    [Trait("Needs", "time")]
    public void Record_StartFails_SaysWhatTheProgramSaidAndLeavesNothing(string engine, string program, string answer, string said)
    {
        _run.Machine.Script(program, answer);

        Assert.Equal(1, Record(engine));
        Assert.EndsWith($"` ended with {said}", _run.Said("error"), StringComparison.Ordinal);
        Assert.StartsWith($"the recording did not start: `{engine} ", _run.Said("error"), StringComparison.Ordinal);
        Assert.True(_run.IsClean);
        Assert.False(File.Exists(_run.Output));
    }

    [UnixTheory]
    [InlineData("netsh")]
    [InlineData("pktmon")]
    [Trait("Needs", "time")]
    public void Record_ProgramSaysYesAndRecordsNothing_IsNotBelieved(string engine)
    {
        _run.Machine.Script(engine + "-start", "garbage");

        Assert.Equal(1, Record(engine));
        Assert.StartsWith($"the recording did not start: {engine} says that it records, but no session writes ", _run.Said("error"), StringComparison.Ordinal);
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("netsh")]
    [InlineData("pktmon")]
    [InlineData("etw")]
    [Trait("Needs", "time")]
    public void Record_WindowsNamesTheFileInItsOwnWay_IsRecognised(string engine)
    {
        _run.Machine.Script("sessions", "device-path");

        Assert.Equal(0, Record(engine));
        Assert.True(File.Exists(_run.Output));
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("netsh", "no-path")]
    [InlineData("netsh", "unlisted")]
    [InlineData("pktmon", "no-path")]
    [InlineData("pktmon", "unlisted")]
    [InlineData("etw", "no-path")]
    [InlineData("etw", "unlisted")]
    [Trait("Needs", "time")]
    public void Record_SessionIsNotRecognised_IsStoppedAllTheSame(string engine, string sessions)
    {
        _run.Machine.Script("sessions", sessions);

        Assert.Equal(1, Record(engine));
        Assert.StartsWith($"the recording did not start: {engine} says that it records, but no session writes ", _run.Said("error"), StringComparison.Ordinal);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_SessionIsNotRecognisedAndDoesNotStop_KeepsTheFolderUntilItEnds()
    {
        _run.Machine.Script("sessions", "no-path");
        _run.Machine.Script("netsh-stop", "fails");
        _run.Machine.Script("stop-session", "fails");

        Assert.Equal(1, Record("netsh"));
        Assert.StartsWith($"the recording still runs: `netsh trace stop` ended with {Busy}.", _run.Said("error"), StringComparison.Ordinal);
        Assert.Equal(1, _run.Recover());
        Assert.StartsWith("an earlier recording is not finished: NetTrace-LAB-user runs, which may be what was being started in ", _run.Said("tell"),
            StringComparison.Ordinal);
        Assert.Single(Directory.EnumerateDirectories(_run.Root));

        _run.Machine.End("NetTrace-LAB-user");
        Assert.Equal(0, _run.Recover());
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("en")]
    [InlineData("ja")]
    public void Record_FiltersOfSomebodyElse_AreLeftAlone(string language)
    {
        _run.Machine.Script("language", language);
        _run.Machine.AddFilter("SenseNdr", "TCP");
        _run.Machine.AddFilter("SenseNdr", "UDP");

        Assert.Equal(1, Record("pktmon"));
        Assert.Equal(
            "pktmon has filters that are not ours (SenseNdr), and pktmon has one list for all. They may belong to another person or to a security "
                + "program. Record with --engine netsh, or with --take-over if they may be lost.",
            _run.Said("error"));
        Assert.Equal(2, _run.Machine.Filters.Count);
        Assert.Equal(["pktmon status", "pktmon filter list"], _run.Machine.Calls);
        Assert.False(Directory.Exists(_run.Root));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_FiltersOfSomebodyElseTakenOver_AreRemoved()
    {
        const string Lost = "pktmon has filters that are not ours (SenseNdr): they are removed, as --take-over asks, and not put back: 1 SenseNdr "
            + "TCP; 2 SenseNdr UDP 53";
        _run.Machine.AddFilter("SenseNdr", "TCP");
        _run.Machine.AddFilter("SenseNdr", "UDP  53");

        Assert.Equal(0, _run.Record("engine=pktmon", "take-over"));
        Assert.Equal(Lost, _run.Said("tell"));
        Assert.Equal(Lost, _run.Said("remark"));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_FiltersAreUnknown_ChangesNothing()
    {
        _run.Machine.Script("pktmon-list", "denied");

        Assert.Equal(1, Record("pktmon"));
        Assert.StartsWith($"pktmon does not list its filters (`pktmon filter list` ended with {Denied})", _run.Said("error"), StringComparison.Ordinal);
        Assert.DoesNotContain("pktmon filter remove", _run.Machine.Calls);
    }

    // Counters need no session that Windows would list.
    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_CountersOfSomebodyElse_AreLeftAloneUnlessTakenOver()
    {
        _run.Machine.Script("pktmon-counters", "run");

        Assert.Equal(1, Record("pktmon"));
        Assert.StartsWith("another recording runs (pktmon without a session that Windows lists, as for counters), and pktmon has room for "
            + "one.", _run.Said("error"), StringComparison.Ordinal);
        Assert.Equal(["pktmon status"], _run.Machine.Calls);

        _run.Machine.Script("pktmon-stop", "fails");
        Assert.Equal(1, _run.Record("engine=pktmon", "take-over"));
        Assert.EndsWith($"could not be stopped: `pktmon stop` ended with {Busy}.", _run.Said("error"), StringComparison.Ordinal);

        _run.Machine.Script("pktmon-stop", "success");
        Assert.Equal(0, _run.Record("engine=pktmon", "take-over"));
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("en")]
    [InlineData("ja")]
    [Trait("Needs", "time")]
    public void Record_AutoAndFiltersOfSomebodyElse_RecordsWithNetshAndSaysWhy(string language)
    {
        const string Why = "pktmon has filters that are not ours (SenseNdr): netsh records instead of pktmon";
        _run.Machine.Script("language", language);
        _run.Machine.AddFilter("SenseNdr", "TCP");
        _run.Output = Path.ChangeExtension(_run.Output, BundleWriter.Extension);

        Assert.Equal(0, Record("auto"));
        Assert.Equal(Why, _run.Said("tell"));
        Assert.Equal(Why, _run.Said("remark"));
        Assert.Equal("netsh", _run.Said("engine"));
        BundleManifest manifest = TraceBundle.ReadManifest(_run.Output)!;
        Assert.Equal("netsh", manifest.Engine);
        Assert.Contains(Why, manifest.Remarks);
        Assert.Contains($"\"step\":\"Prepared\",\"detail\":\"{Why}\"", Encoding.UTF8.GetString(TraceBundle.Read(_run.Output, BundleManifest.JournalKind)!),
            StringComparison.Ordinal);
        Assert.Equal(["1 SenseNdr TCP"], _run.Machine.Filters);
        Assert.Equal(["pktmon status", "pktmon filter list"], _run.Machine.Calls.Where(call => call.StartsWith("pktmon", StringComparison.Ordinal)));
    }

    [UnixTheory]
    [InlineData("pktmon-counters", "run", "another recording runs (pktmon without a session that Windows lists, as for counters)")]
    [InlineData("pktmon-list", "denied", $"pktmon does not list its filters (`pktmon filter list` ended with {Denied})")]
    [Trait("Needs", "time")]
    public void Record_AutoAndPktmonIsInUse_RecordsWithNetsh(string what, string answer, string why)
    {
        _run.Machine.Script(what, answer);

        Assert.Equal(0, Record("auto"));
        Assert.Equal($"{why}: netsh records instead of pktmon", _run.Said("remark"));
        Assert.True(File.Exists(_run.Output));
        Assert.DoesNotContain("pktmon stop", _run.Machine.Calls);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_AutoAndSomebodyRecordsWithPktmon_LeavesHisRecordingAlone()
    {
        _run.Machine.Begin(new("PktMon", "/c/his.etl", 0, 0, 0));

        Assert.Equal(0, Record("auto"));
        Assert.Equal("another recording runs (PktMon to /c/his.etl): netsh records instead of pktmon", _run.Said("tell"));
        Assert.Equal("PktMon", Assert.Single(_run.Machine.Sessions()).Name);
    }

    [UnixFact]
    public void Record_AutoAndBothAreInUse_IsRefusedAndNamesBoth()
    {
        _run.Machine.AddFilter("SenseNdr", "TCP");
        _run.Machine.Begin(new("NetTrace-LAB-other", "/c/other.etl", 0, 0, 0));

        Assert.Equal(1, Record("auto"));
        Assert.Equal(
            "pktmon has filters that are not ours (SenseNdr), and for netsh another recording runs (NetTrace-LAB-other to /c/other.etl). They may "
                + "belong to another person or to a security program. "
                + "Stop one where it was started, or with --take-over that of pktmon if it may be lost.",
            _run.Said("error"));
        Assert.Equal(["pktmon status", "pktmon filter list"], _run.Machine.Calls);
        Assert.False(Directory.Exists(_run.Root));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_AutoAndNobodyElse_RecordsWithPktmon()
    {
        Assert.Equal(0, Record("auto"));
        Assert.Equal("pktmon", _run.Said("engine"));
        Assert.Null(_run.Said("tell"));
        Assert.Null(_run.Said("remark"));
        Assert.DoesNotContain(_run.Machine.Calls, call => call.StartsWith("netsh", StringComparison.Ordinal));
        Assert.True(_run.IsClean);
    }

    // netsh can neither begin new files nor record drops; and what is taken over does not conflict.
    [UnixTheory]
    [InlineData(1, "pktmon has filters that are not ours (SenseNdr), and pktmon has one list for all.", "split")]
    [InlineData(0, "pktmon has filters that are not ours (SenseNdr): they are removed, as --take-over asks", "take-over")]
    [Trait("Needs", "time")]
    public void Record_AutoAndNetshWillNotDo_IsAsForPktmon(int exitCode, string said, string option)
    {
        _run.Machine.AddFilter("SenseNdr", "TCP");

        Assert.Equal(exitCode, _run.Record("engine=auto", option));
        Assert.StartsWith(said, _run.Said(exitCode == 0 ? "tell" : "error"), StringComparison.Ordinal);
        Assert.DoesNotContain(_run.Machine.Calls, call => call.StartsWith("netsh", StringComparison.Ordinal));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_FirstCommandFails_TouchesNoFilterAfterwards()
    {
        _run.Machine.Script("pktmon-filter-remove", "denied");

        Assert.Equal(1, Record("pktmon"));
        Assert.Equal(["pktmon status", "pktmon filter list", "pktmon filter remove", "pktmon filter list"], _run.Machine.Calls);
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("netsh", "NetTrace-LAB-user", "netsh trace stop", "fails", Busy)]
    [InlineData("netsh", "NetTrace-LAB-user", "netsh trace stop", "hang", Hung)]
    [InlineData("pktmon", "PktMon", "pktmon stop", "fails", Busy)]
    [InlineData("pktmon", "PktMon", "pktmon stop", "hang", Hung)]
    [Trait("Needs", "time")]
    public void Record_StopFails_StopsTheSessionItself(string engine, string session, string command, string answer, string said)
    {
        _run.Machine.Script(engine + "-stop", answer);

        Assert.Equal(4, Record(engine));
        Assert.Equal($"`{command}` ended with {said}", _run.Said("remark"));
        Assert.Contains($"stop session {session}", _run.Machine.Calls);
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("netsh", "empty", "the trace cannot be read: ")]
    [InlineData("netsh", "garbage-file", "the trace cannot be read: ")]
    [InlineData("netsh", "partial", "the trace is damaged: ")]
    [InlineData("netsh", "events-only", "no packets were recorded: none matched, or another program holds the capture driver")]
    [InlineData("pktmon", "empty", "the trace cannot be read: ")]
    [InlineData("pktmon", "garbage-file", "the trace cannot be read: ")]
    [InlineData("pktmon", "partial", "the trace is damaged: ")]
    [InlineData("pktmon", "events-only", "no packets were recorded: none matched, or another program holds the capture driver")]
    [Trait("Needs", "time")]
    public void Record_TraceIsNotWhole_IsKeptAndSaysWhy(string engine, string answer, string why)
    {
        _run.Machine.Script(engine + "-stop", answer);

        Assert.Equal(4, Record(engine));
        Assert.StartsWith(why, _run.Lines.Last(line => line.StartsWith("remark: ", StringComparison.Ordinal))["remark: ".Length..], StringComparison.Ordinal);
        Assert.True(File.Exists(_run.Output));
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("netsh", "NetTrace-LAB-other", "de")]
    [InlineData("netsh", "NetTrace-LAB-other", "ja")]
    [InlineData("netsh", "NetTrace-LAB-other", "ru")]
    [InlineData("netsh", "NetTrace-LAB-other", "ar")]
    [InlineData("pktmon", "PktMon", "de")]
    [InlineData("pktmon", "PktMon", "ar")]
    [Trait("Needs", "time")]
    public void Record_SessionsAreNotListed_FindsThemByTheirFileInAnyLanguage(string engine, string session, string language)
    {
        _run.Machine.Script("sessions", "hidden");
        _run.Machine.Script("language", language);
        Assert.Equal(0, Record(engine));

        _run.Machine.Begin(new(session, "/Ordner mit Leerzeichen/トレース.etl", 0, 0, 0));
        Assert.Equal(1, Record(engine));
        Assert.StartsWith($"another recording runs ({engine} to /Ordner mit Leerzeichen/トレース.etl)", _run.Said("error"), StringComparison.Ordinal);
    }

    [UnixTheory]
    [InlineData("en")]
    [InlineData("ja")]
    [Trait("Needs", "time")]
    public void Record_FiltersAreListed_IsInTheJournal(string language)
    {
        _run.Machine.Script("language", language);
        _run.Output = Path.ChangeExtension(_run.Output, BundleWriter.Extension);

        Assert.Equal(0, Record("pktmon"));
        string journal = Encoding.UTF8.GetString(TraceBundle.Read(_run.Output, BundleManifest.JournalKind)!);
        Assert.Contains("\"step\":\"Recording\",\"detail\":\"\\u0060pktmon filter list\\u0060 lists tcpdiag1\"", journal, StringComparison.Ordinal);
        Assert.Null(_run.Said("tell"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_FilterIsNotListed_IsReportedWhileItRecordsAndInTheResult()
    {
        _run.Machine.Script("pktmon-filter", "forgotten");

        Assert.Equal(0, Record("pktmon"));
        const string Missing = "the filter tcpdiag1 is not in force, more is recorded than was asked for: `pktmon filter list` ended with exit code "
            + "0: 'Packet Filters: None'";
        Assert.Equal(Missing, _run.Said("tell"));
        Assert.Equal(Missing, _run.Said("remark"));
        Assert.True(_run.Lines.ToList().IndexOf($"tell: {Missing}") < _run.Lines.ToList().IndexOf("step: Stopping"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_EarlierBuild_TakesItsOwnArguments()
    {
        _run.Machine.Script("build", "19045");

        Assert.Equal(0, Record("pktmon"));
        Assert.Contains(_run.Machine.Calls, call => call.StartsWith("pktmon start --etw -c nics -p 120 -f ", StringComparison.Ordinal));
        Assert.True(_run.IsClean);
    }

    // netsh records at the adapter that was asked for, and has nothing to say.
    [UnixTheory]
    [InlineData("netsh", null)]
    [InlineData("pktmon", "pktmon numbers its interfaces anew at each start: packets of all are recorded")]
    [InlineData("etw", "a session knows no interfaces: packets of all are recorded, whatever --interface says")]
    [Trait("Needs", "time")]
    public void Record_MoreThanWasAskedFor_IsInTheResultAndTheJournal(string engine, string? remark)
    {
        _run.Output = Path.ChangeExtension(_run.Output, BundleWriter.Extension);

        Assert.Equal(0, _run.Record($"engine={engine}", "interface=Ethernet"));
        string journal = Encoding.UTF8.GetString(TraceBundle.Read(_run.Output, BundleManifest.JournalKind)!);
        if (remark is null)
        {
            Assert.Empty(TraceBundle.ReadManifest(_run.Output)!.Remarks);
            return;
        }

        Assert.Contains($"remark: {remark}", _run.Lines);
        Assert.Contains(remark, TraceBundle.ReadManifest(_run.Output)!.Remarks);
        Assert.Contains($"\"step\":\"Prepared\",\"detail\":\"{remark}\"", journal, StringComparison.Ordinal);
    }

    int Record(string engine) => _run.Record($"engine={engine}");
}
