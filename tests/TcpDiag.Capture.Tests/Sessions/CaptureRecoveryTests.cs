using System;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>A recorder killed at every step, and what the next start does: nothing is left, and nothing that was recorded is lost.</summary>
public sealed class CaptureRecoveryTests : IDisposable
{
    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    [UnixTheory]
    [InlineData(CaptureStep.Starting, false)]
    [InlineData(CaptureStep.Recording, true)]
    [InlineData(CaptureStep.Stopping, true)]
    [InlineData(CaptureStep.Stopped, true)]
    [InlineData(CaptureStep.Collecting, true)]
    [Trait("Needs", "time")]
    public void Recover_KilledAtAStep_KeepsWhatWasRecorded(CaptureStep step, bool hasRecorded)
    {
        _run.Record($"kill-at={step}");
        Assert.False(_run.IsClean);

        Assert.Equal(0, _run.Recover());
        Assert.Equal(hasRecorded ? _run.Output : null, _run.Said("recovered"));
        AssertRecovered(hasRecorded);
    }

    [UnixTheory]
    [InlineData(CaptureStep.Prepared, false)]
    [InlineData(CaptureStep.Collected, true)]
    [Trait("Needs", "time")]
    public void Recover_KilledWithNothingToDo_RemovesTheFolder(CaptureStep step, bool hasRecorded)
    {
        _run.Record($"kill-at={step}");

        Assert.Equal(0, _run.Recover());
        Assert.Null(_run.Said("recovered"));
        AssertRecovered(hasRecorded);
    }

    [UnixTheory]
    [InlineData("netsh-start", "kill-first", 1)]
    [InlineData("netsh-start", "kill-last", 1)]
    [InlineData("netsh-stop", "kill-first", 0)]
    [InlineData("netsh-stop", "kill-last", 0)]
    [Trait("Needs", "time")]
    public void Recover_KilledWhileAProgramRan_KeepsWhatWasRecorded(string program, string answer, int sessions)
    {
        _run.Machine.Script(program, answer);
        _run.Record();

        // A program goes on when its parent is gone.
        Assert.True(SpinWait.SpinUntil(() => _run.Machine.Sessions().Count == sessions, Patience.Limit));
        Assert.Equal(0, _run.Recover());
        AssertRecovered(hasRecorded: true);
    }

    [UnixTheory]
    [InlineData("pktmon", CaptureStep.Starting, false)]
    [InlineData("pktmon", CaptureStep.Recording, true)]
    [InlineData("pktmon", CaptureStep.Stopping, true)]
    [InlineData("pktmon", CaptureStep.Stopped, true)]
    [InlineData("pktmon", CaptureStep.Collecting, true)]
    [InlineData("etw", CaptureStep.Starting, false)]
    [InlineData("etw", CaptureStep.Recording, true)]
    [InlineData("etw", CaptureStep.Stopping, true)]
    [InlineData("etw", CaptureStep.Stopped, true)]
    [InlineData("etw", CaptureStep.Collecting, true)]
    [Trait("Needs", "time")]
    public void Recover_OtherEngineKilledAtAStep_KeepsWhatWasRecorded(string engine, CaptureStep step, bool hasRecorded)
    {
        _run.Record($"engine={engine}", $"kill-at={step}");
        Assert.False(_run.IsClean);

        Assert.Equal(0, _run.Recover());
        Assert.Equal(hasRecorded ? _run.Output : null, _run.Said("recovered"));
        AssertRecovered(hasRecorded);
    }

    [UnixTheory]
    [InlineData("pktmon-start", "kill-first", 1, true)]
    [InlineData("pktmon-start", "kill-last", 1, true)]
    [InlineData("pktmon-stop", "kill-first", 0, true)]
    [InlineData("pktmon-stop", "kill-last", 0, true)]
    [InlineData("pktmon-filter", "kill-last", 0, false)]
    [Trait("Needs", "time")]
    public void Recover_KilledWhilePktmonRan_KeepsWhatWasRecordedAndRemovesTheFilters(string program, string answer, int sessions, bool hasRecorded)
    {
        _run.Machine.Script(program, answer);
        _run.Record("engine=pktmon");

        Assert.True(SpinWait.SpinUntil(() => _run.Machine.Sessions().Count == sessions, Patience.Limit));
        Assert.Single(_run.Machine.Filters);
        Assert.Equal(0, _run.Recover());
        AssertRecovered(hasRecorded);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_PktmonKilledWhileRecording_KeepsTheTraceAndRemovesTheFilters()
    {
        _run.Record("engine=pktmon", "kill-at=Recording");

        Assert.Equal(0, _run.Recover());
        Assert.Equal(["pktmon stop", "pktmon filter list", "pktmon filter remove"], _run.Machine.Calls.TakeLast(3));
        AssertRecovered(hasRecorded: true);
    }

    [UnixFact]
    public void Recover_EtwKilledWhileRecording_KeepsTheTrace()
    {
        _run.Record("engine=etw", "kill-at=Recording");

        Assert.Equal(0, _run.Recover());
        Assert.StartsWith("stop session tcpdiag-2", _run.Machine.Calls[^1], StringComparison.Ordinal);
        AssertRecovered(hasRecorded: true);
    }

    [UnixFact]
    public void Recover_KilledWhileItWaitedForAnEvent_StopsTheRealTimeSession()
    {
        _run.Machine.Script("listen", "of-the-dead");
        _run.Record("until-reset", "kill-at=Starting");
        Assert.Contains(_run.Machine.Sessions(), session => session.Name.StartsWith(EtwSession.LivePrefix, StringComparison.Ordinal));

        Assert.Equal(0, _run.Recover());
        AssertRecovered(hasRecorded: false);
    }

    [UnixFact]
    public void Recover_RealTimeSessionOfALivingProcess_IsLeftAlone()
    {
        string name = FormattableString.Invariant($"{EtwSession.LivePrefix}{Environment.ProcessId}");
        _run.Machine.Begin(new(name, string.Empty, 0, 0, 0));

        Assert.Equal(0, _run.Recover());
        Assert.Equal(name, Assert.Single(_run.Machine.Sessions()).Name);
    }

    [UnixTheory]
    [InlineData(CaptureStep.Recording, "not JSON\n")]
    [InlineData(CaptureStep.Stopped, "not JSON\n")]
    [InlineData(CaptureStep.Stopped, "{}\n")]
    [InlineData(CaptureStep.Stopped, "{\"step\":\"recording\",\"engine\":\"of tomorrow\",\"output\":\"x.etl\"}\n")]
    [InlineData(CaptureStep.Stopped, "\0\0\0\0")] // a power cut on NTFS
    [Trait("Needs", "time")]
    public void Recover_JournalCannotBeRead_KeepsEverythingAndSaysSo(CaptureStep step, string journal)
    {
        _run.Record($"kill-at={step}");
        string folder = Directory.GetDirectories(_run.Root).Single();
        string path = Path.Combine(folder, "journal.jsonl");
        string[] files = [.. Directory.GetFiles(folder).Order(StringComparer.Ordinal)];
        File.WriteAllText(path, journal);

        Assert.Equal(0, _run.Recover());
        Assert.Null(_run.Said("recovered"));
        Assert.Equal(
            $"{folder} is left as it is: its journal cannot be read. If netsh or pktmon still record, stop them; take what you need, as a rule "
                + "trace.etl, and remove the folder",
            _run.Said("tell"));
        Assert.Equal(files, Directory.GetFiles(folder).Order(StringComparer.Ordinal));
        Assert.Equal(journal, File.ReadAllText(path));
    }

    [UnixFact]
    public void Recover_HalfOfTheFirstLineAndNoTrace_HadDoneNothing()
    {
        _run.Record("kill-at=Prepared");
        string path = Path.Combine(Directory.GetDirectories(_run.Root).Single(), "journal.jsonl");
        File.WriteAllText(path, File.ReadAllText(path)[..20]);

        Assert.Equal(0, _run.Recover());
        Assert.True(_run.IsClean);
    }

    // The result that is about to be written has the name; what was recorded before gets another.
    [UnixTheory]
    [InlineData("Recording", ".etl")]
    [InlineData("Stopped", ".etl")]
    [InlineData("Collecting", ".etl")]
    [InlineData("Recording", ".tcpdiag")]
    [InlineData("Collecting", ".tcpdiag")]
    [Trait("Needs", "time")]
    public void Record_AfterAKilledRecorder_FinishesThatFirst(string step, string extension)
    {
        _run.Output = Path.ChangeExtension(_run.Output, extension);
        _run.Record($"kill-at={step}");

        Assert.Equal(0, _run.Record());
        AssertKeptBoth(Beside(_run.Output, "-recovered-1"));
    }

    // Under its temporary name, or under its own.
    [UnixTheory]
    [InlineData(".part")]
    [InlineData("")]
    [Trait("Needs", "time")]
    public void Record_AfterOneThatWasKilledWhileTheTraceMoved_KeepsBoth(string end)
    {
        _run.Record("kill-at=Collecting");
        File.Move(Directory.GetFiles(_run.Root, "trace.etl", SearchOption.AllDirectories).Single(), _run.Output + end);

        Assert.Equal(0, _run.Record());
        AssertKeptBoth(Beside(_run.Output, "-recovered-1"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_AfterOneThatWasKilledBetweenTwoOfItsFiles_KeepsAll()
    {
        _run.Record("split", "engine=etw", "kill-at=Collecting");
        string trace = Directory.GetFiles(_run.Root, "trace1.etl", SearchOption.AllDirectories).Single();
        long pieces = Directory.GetFiles(Path.GetDirectoryName(trace)!, "trace*.etl").Length;
        File.Move(trace, Beside(_run.Output, "-001"));

        Assert.Equal(0, _run.Record("split", "engine=etw"));
        Assert.Equal(pieces, Directory.GetFiles(Path.GetDirectoryName(_run.Output)!, "result-0*.etl").Length);
        Assert.Equal(pieces, Directory.GetFiles(Path.GetDirectoryName(_run.Output)!, "result-recovered-1-0*.etl").Length);
        Assert.True(_run.IsClean);
    }

    // A second end of a recorder, while it recovers: by then the last step in the journal is another one.
    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_KilledOnceMoreWhileItRecovered_FindsTheTraceThatMoved()
    {
        _run.Record("kill-at=Collecting");
        File.Move(Directory.GetFiles(_run.Root, "trace.etl", SearchOption.AllDirectories).Single(), _run.Output + ".part");
        using (CaptureFolder folder = Assert.Single(CaptureFolder.TakeLeft(_run.Root, _ => null)))
        {
            folder.Write(new(DateTimeOffset.UnixEpoch, CaptureStep.Stopping));
        }

        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
        AssertRecovered(hasRecorded: true);
    }

    // What another recording has left under the temporary name may be all that there is of its trace.
    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_TemporaryNameIsTaken_KeepsBoth()
    {
        _run.Record("kill-at=Stopped");
        File.WriteAllText(_run.Output + ".part", "somebody's");

        Assert.Equal(0, _run.Recover());
        Assert.Equal(Beside(_run.Output, "-recovered-1"), _run.Said("recovered"));
        Assert.Equal("somebody's", File.ReadAllText(_run.Output + ".part"));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_ResultIsAnotherFileByNow_KeepsBoth()
    {
        _run.Record("kill-at=Stopped");
        File.WriteAllText(_run.Output, "somebody's");

        Assert.Equal(0, _run.Recover());
        Assert.Equal("somebody's", File.ReadAllText(_run.Output));
        Assert.Equal(1, TraceInspector.Inspect(_run.Said("recovered")!).Packets);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_FolderOfTheResultIsGone_BlocksNothing()
    {
        string output = _run.Output;
        _run.Output = Path.Combine(Path.GetDirectoryName(output)!, "share", "slow.etl");
        Directory.CreateDirectory(Path.GetDirectoryName(_run.Output)!);
        _run.Record("kill-at=Stopped");
        Directory.Delete(Path.GetDirectoryName(_run.Output)!);

        Assert.Equal(1, _run.Recover());
        Assert.StartsWith(
            $"an earlier recording is not finished: {_run.Output}: the folder to write it to does not exist. Make it, or name another. What was "
                + $"recorded is kept in {_run.Root}",
            _run.Lines.Last(line => line.StartsWith("tell: ", StringComparison.Ordinal))["tell: ".Length..],
            StringComparison.Ordinal);

        string gone = _run.Output;
        _run.Output = output;
        Assert.Equal(0, _run.Record());
        Assert.True(File.Exists(output));

        // Once there is a place again, nothing is lost.
        Directory.CreateDirectory(Path.GetDirectoryName(gone)!);
        Assert.Equal(0, _run.Recover());
        Assert.Equal(gone, _run.Said("recovered"));
        Assert.Equal(1, TraceInspector.Inspect(gone).Packets);
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Recover_KilledWhileTheTraceMoved_GivesItItsName()
    {
        _run.Record("kill-at=Collecting");
        File.Move(Directory.GetFiles(_run.Root, "trace.etl", SearchOption.AllDirectories).Single(), _run.Output + ".part");

        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
        AssertRecovered(hasRecorded: true);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_KilledAfterTheResultGotItsName_SaysWhereItIs()
    {
        _run.Record("kill-at=Collecting");
        File.Move(Directory.GetFiles(_run.Root, "trace.etl", SearchOption.AllDirectories).Single(), _run.Output);

        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
        AssertRecovered(hasRecorded: true);
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_JournalCutByAPowerFailure_KeepsWhatWasRecorded()
    {
        _run.Record("kill-at=Stopped");
        string journal = Directory.GetFiles(_run.Root, "journal.jsonl", SearchOption.AllDirectories).Single();
        byte[] bytes = File.ReadAllBytes(journal);
        File.WriteAllBytes(journal, bytes[..^10]);

        Assert.Equal(0, _run.Recover());
        AssertRecovered(hasRecorded: true);
    }

    // What follows must not be written behind the half line: the next power cut would find none of it.
    [Theory]
    [InlineData("{\"utc\":\"2026-0")]
    [InlineData("\0\0\0\0")]
    [InlineData("{\"utc\":\"2026-01-02T03:04:06+00:00\",\"step\":\"stopped\"}")]
    public void Journal_LastLineIsCut_IsGoneBeforeTheNextIsWritten(string cut)
    {
        string path;
        using (CaptureFolder folder = CaptureFolder.Create(_run.Root, DateTimeOffset.UnixEpoch, _ => null))
        {
            path = folder.JournalFile;
            folder.Write(new(DateTimeOffset.UnixEpoch, CaptureStep.Prepared, "netsh", _run.Output));
        }

        File.AppendAllText(path, cut);
        using (CaptureFolder folder = Assert.Single(CaptureFolder.TakeLeft(_run.Root, _ => null)))
        {
            Assert.Equal([CaptureStep.Prepared], folder.Journal.Select(entry => entry.Step));
            folder.Write(new(DateTimeOffset.UnixEpoch, CaptureStep.Stopping));
        }

        using CaptureFolder again = Assert.Single(CaptureFolder.TakeLeft(_run.Root, _ => null));
        Assert.Equal([CaptureStep.Prepared, CaptureStep.Stopping], again.Journal.Select(entry => entry.Step));
    }

    [UnixFact]
    [Trait("Needs", "time")]
    public void Recover_SessionThatRebootHasEnded_KeepsTheUnfinishedTrace()
    {
        _run.Record("kill-at=Recording");
        _run.Machine.End("NetTrace-LAB-user");

        Assert.Equal(0, _run.Recover());
        Assert.Equal(_run.Output, _run.Said("recovered"));
        Assert.True(_run.IsClean);
        Assert.DoesNotContain("netsh trace stop", _run.Machine.Calls);
    }

    [UnixFact]
    public void Recover_RecordingOfALivingProcess_IsLeftAlone()
    {
        using CaptureFolder living = CaptureFolder.Create(_run.Root, DateTimeOffset.UnixEpoch);
        living.Write(new(DateTimeOffset.UnixEpoch, CaptureStep.Prepared, "netsh", _run.Output));

        Assert.Equal(0, _run.Recover());
        Assert.Empty(_run.Lines);
        Assert.True(Directory.Exists(living.Path));
    }

    [UnixFact]
    public void Recover_FolderThatIsNoRecording_IsRemoved()
    {
        Directory.CreateDirectory(Path.Combine(_run.Root, "x"));
        File.WriteAllText(Path.Combine(_run.Root, "x", "journal.jsonl"), "{\"step\":\"none\"}\n");

        Assert.Equal(0, _run.Recover());
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Recover_NothingWasLeft_DoesNothing()
    {
        Assert.Equal(0, _run.Recover());
        Assert.Empty(_run.Lines);
    }

    static string Beside(string path, string end) => path[..^Path.GetExtension(path).Length] + end + Path.GetExtension(path);

    void AssertKeptBoth(string recovered)
    {
        Assert.Contains($"tell: recovered {recovered}", _run.Lines);
        Assert.Equal(1, TraceInspector.Inspect(recovered).Packets);
        AssertRecovered(hasRecorded: true);
    }

    void AssertRecovered(bool hasRecorded)
    {
        Assert.True(_run.IsClean);
        Assert.False(File.Exists(_run.Output + ".part"));
        Assert.Equal(hasRecorded, File.Exists(_run.Output));
        if (hasRecorded)
        {
            Assert.Equal(1, TraceInspector.Inspect(_run.Output).Packets);
        }
    }
}
