using System;
using System.IO;
using System.Linq;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>What moves out of the folder of a recording, which is for administrators alone, gets the rights of the folder it moves to; what they are only Windows tells.</summary>
public sealed class ResultRightsTests : IDisposable
{
    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    // Before it has its name: a process that is killed in between leaves no result that nobody can open.
    [UnixFact]
    public void Record_TraceAlone_InheritsBeforeItHasItsName()
    {
        Assert.Equal(0, _run.Record());
        Assert.Equal([_run.Output + ".part"], _run.Machine.Inheriting);
    }

    [UnixFact]
    public void Record_Bundle_IsWrittenWhereItIs()
    {
        _run.Output = Path.ChangeExtension(_run.Output, ".tcpdiag");

        Assert.Equal(0, _run.Record());
        Assert.Empty(_run.Machine.Inheriting);
    }

    [UnixFact]
    public void Record_SeveralFiles_AllInherit()
    {
        Assert.Equal(0, _run.Record("split", "engine=etw"));
        string[] results = [.. Directory.GetFiles(Path.GetDirectoryName(_run.Output)!, "result-0*.etl").Order(StringComparer.Ordinal)];
        Assert.NotEmpty(results);
        Assert.Equal(results, _run.Machine.Inheriting);
    }

    [UnixFact]
    public void Record_RightsAreRefused_IsARemark()
    {
        _run.Machine.Script("inherit", "refused");

        Assert.Equal(0, _run.Record());
        Assert.Equal("only administrators can open the result: No rights here. `icacls FILE /reset` gives it the rights of its folder.", _run.Said("remark"));
        Assert.Equal(1, TraceInspector.Inspect(_run.Output).Packets);
    }

    // The first time for what a killed recorder had already moved there, the second for the new result.
    [UnixFact]
    public void Record_WhatMovesAside_InheritsToo()
    {
        _run.Record("kill-at=Collecting");
        File.Move(Directory.GetFiles(_run.Root, "trace.etl", SearchOption.AllDirectories).Single(), _run.Output + ".part");

        Assert.Equal(0, _run.Record());
        Assert.Equal([_run.Output + ".part", _run.Output + ".part"], _run.Machine.Inheriting);
    }
}
