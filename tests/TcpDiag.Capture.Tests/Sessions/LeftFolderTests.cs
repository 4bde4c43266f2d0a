using System;
using System.IO;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>A folder that cannot be removed, or not be taken over, is in nobody's way.</summary>
public sealed class LeftFolderTests : IDisposable
{
    // What is mounted by a recorder is mounted for it alone, and goes with it.
    readonly StandInRun _run = new(["unshare", "--mount", Path.Combine(AppContext.BaseDirectory, "standins")], path => path);

    public void Dispose() => _run.Dispose();

    [RootFact("unshare", "mount")]
    public void Record_FolderCannotBeRemoved_IsARemarkAndTheNextOneRemovesIt()
    {
        Assert.Equal(0, _run.Record("held"));
        string folder = Assert.Single(Directory.GetDirectories(_run.Root));
        Assert.StartsWith($"{folder} is left; the next capture removes it: ", _run.Said("remark"), StringComparison.Ordinal);
        Assert.Equal(1, TraceInspector.Inspect(_run.Output).Packets);

        Assert.Equal(0, _run.Recover());
        Assert.Null(_run.Said("recovered"));
        Assert.True(_run.IsClean);
    }

    // A bundle is a copy of the trace: what is left must not be taken for a recording that nobody has collected.
    [RootFact("unshare", "mount")]
    public void Record_FolderOfABundleCannotBeRemoved_IsNotRecoveredOnceMore()
    {
        _run.Output = Path.ChangeExtension(_run.Output, ".tcpdiag");

        Assert.Equal(0, _run.Record("held"));
        File.Delete(_run.Output);
        Assert.Equal(0, _run.Recover());
        Assert.False(File.Exists(_run.Output));
        Assert.True(_run.IsClean);
    }

    [RootFact("unshare", "mount")]
    public void Record_FolderIsHeldForAMoment_IsRemoved()
    {
        Assert.Equal(0, _run.Record("held-briefly"));
        Assert.Null(_run.Said("remark"));
        Assert.True(_run.IsClean);
    }

    [RootFact("unshare", "mount")]
    public void Record_NotStartedAndFolderCannotBeRemoved_SaysWhyItDidNotStart()
    {
        _run.Machine.Script("netsh-start", "denied");

        Assert.Equal(1, _run.Record("held"));
        Assert.StartsWith("the recording did not start: ", _run.Said("error"), StringComparison.Ordinal);
        Assert.StartsWith($"{Assert.Single(Directory.GetDirectories(_run.Root))} is left; the next capture removes it: ", _run.Said("tell"),
            StringComparison.Ordinal);
    }

    // A process that is dying gives its files back one by one.
    [UnixFact]
    public void TakeLeft_JournalIsStillHeld_IsARecordingThatStillRuns()
    {
        string path;
        using (CaptureFolder folder = CaptureFolder.Create(_run.Root, DateTimeOffset.UnixEpoch))
        {
            path = folder.JournalFile;
        }

        using (new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            Assert.Empty(CaptureFolder.TakeLeft(_run.Root, _ => null));
        }

        using CaptureFolder taken = Assert.Single(CaptureFolder.TakeLeft(_run.Root, _ => null));
        Assert.Equal(path, taken.JournalFile);
    }
}
