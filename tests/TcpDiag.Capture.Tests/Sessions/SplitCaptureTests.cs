using System;
using System.IO;
using System.Linq;
using TcpDiag.Capture.Sessions.Journal;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Bundles;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>Recordings whose session begins new files.</summary>
[Trait("Needs", "time")]
public sealed class SplitCaptureTests : IDisposable
{
    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    string Piece(int number) => Path.ChangeExtension(_run.Output, null) + FormattableString.Invariant($"-{number:D3}.etl");

    [UnixTheory]
    [InlineData("pktmon", "26100")]
    [InlineData("pktmon", "19045")]
    [InlineData("etw", "26100")]
    public void Record_Split_EachPieceOpensAlone(string engine, string build)
    {
        _run.Machine.Script("build", build);
        Assert.Equal(0, _run.Record("split", $"engine={engine}"));

        Assert.All([1, 2, 3], number => Assert.True(TraceInspector.Inspect(Piece(number)) is { Packets: 1, IsComplete: true }));
        Assert.Contains($"remark: the recording is in {Piece(1)} to {Piece(3)}; each opens alone, and commands read several as one", _run.Lines);
        Assert.False(File.Exists(_run.Output) || File.Exists(Piece(4)));
        Assert.True(_run.IsClean);
    }

    [UnixTheory]
    [InlineData("pktmon")]
    [InlineData("etw")]
    public void Record_SplitIntoABundle_HoldsAllPieces(string engine)
    {
        _run.Output = Path.ChangeExtension(_run.Output, BundleWriter.Extension);
        Assert.Equal(0, _run.Record("split", $"engine={engine}"));

        Assert.Equal(["trace-1.etl", "trace-2.etl", "trace-3.etl", "journal.jsonl"], TraceBundle.ReadManifest(_run.Output)!.Files.Select(file => file.Name));
        Assert.True(TraceInspector.Inspect(_run.Output) is { Packets: 3, IsComplete: true });
        Assert.True(_run.IsClean);
    }

    // Some pieces are at their places, some still where they were recorded.
    [UnixTheory]
    [InlineData("Recording")]
    [InlineData("Stopped")]
    [InlineData("Collecting")]
    public void Recover_Killed_CollectsAllPieces(string step)
    {
        _run.Record("split", "engine=pktmon", $"kill-at={step}");

        Assert.Equal(0, _run.Recover());
        Assert.All([1, 2, 3], number => Assert.Equal(1, TraceInspector.Inspect(Piece(number)).Packets));
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_SplitByAPktmonWithoutIt_IsNoRecording()
    {
        _run.Machine.Script("build", "18363");

        Assert.Equal(1, _run.Record("split", "engine=pktmon"));
        Assert.StartsWith("the recording did not start: ", _run.Said("error"), StringComparison.Ordinal);
        Assert.True(_run.IsClean);
    }

    [Theory]
    [InlineData("/c/trace.etl", true)]
    [InlineData("/C/TRACE.ETL", true)]
    [InlineData("/c/trace%d.etl", true)]
    [InlineData("/c/trace12.etl", true)]
    [InlineData("/c/trace0.etl", false)]
    [InlineData("/c/trace-1.etl", false)]
    [InlineData("/c/trace1.etl.part", false)]
    [InlineData("/c/trac.etl", false)]
    [InlineData("/c/d/trace1.etl", false)]
    [InlineData("", false)]
    public void AreOf_LogFile_RecognisesOurs(string logFile, bool expected)
    {
        Assert.Equal(expected, TracePieces.AreOf(logFile, "/c/trace.etl"));
        Assert.False(TracePieces.AreOf(logFile, string.Empty));
    }
}
