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
    public void Record_ProgramSaysYesAndRecordsNothing_IsNotBelieved(string engine)
    {
        _run.Machine.Script(engine + "-start", "garbage");

        Assert.Equal(1, Record(engine));
        Assert.StartsWith($"the recording did not start: {engine} says that it records, but no session writes ", _run.Said("error"), StringComparison.Ordinal);
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("netsh", "NetTrace-LAB-user", "netsh trace stop", "fails", Busy)]
    [InlineData("netsh", "NetTrace-LAB-user", "netsh trace stop", "hang", Hung)]
    [InlineData("pktmon", "PktMon", "pktmon stop", "fails", Busy)]
    [InlineData("pktmon", "PktMon", "pktmon stop", "hang", Hung)]
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
    public void Record_SessionsAreNotTold_FindsThemByTheirFileInAnyLanguage(string engine, string session, string language)
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
    public void Record_FilterIsNotListed_IsToldWhileItRecordsAndInTheResult()
    {
        _run.Machine.Script("pktmon-filter", "forgotten");

        Assert.Equal(0, Record("pktmon"));
        const string Missing = "the filter tcpdiag1 is not in force, more is recorded than was asked for: `pktmon filter list` ended with exit code 0: 'Packet Filters:'";
        Assert.Equal(Missing, _run.Said("tell"));
        Assert.Equal(Missing, _run.Said("remark"));
        Assert.True(_run.Lines.ToList().IndexOf($"tell: {Missing}") < _run.Lines.ToList().IndexOf("step: Stopping"));
    }

    [UnixFact]
    public void Record_EarlierBuild_TakesItsOwnArguments()
    {
        _run.Machine.Script("build", "19045");

        Assert.Equal(0, Record("pktmon"));
        Assert.Contains(_run.Machine.Calls, call => call.StartsWith("pktmon start --etw -c nics -p 120 -f ", StringComparison.Ordinal));
        Assert.True(_run.IsClean);
    }

    int Record(string engine) => _run.Record($"engine={engine}");
}
