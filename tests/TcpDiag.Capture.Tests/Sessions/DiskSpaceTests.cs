using System;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>Room on the disk, before a recording and while it runs. A journal that finds no room is another matter: <see cref="FullDiskTests"/>.</summary>
public sealed class DiskSpaceTests : IDisposable
{
    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    [UnixFact]
    public void Record_SmallDisk_SaysHowMuchIsNeeded()
    {
        _run.Machine.Script("free", "1048576");

        Assert.Equal(1, _run.Record());
        Assert.Equal($"{_run.Root}: 1 MiB of disk are free, 257 MiB are needed for a trace of 1 MiB. Free some, or record less with "
            + "--size.", _run.Said("error"));
        Assert.Empty(_run.Machine.Calls);
    }

    [UnixFact]
    public void Record_SmallDiskForABundle_CountsTheCopy()
    {
        _run.Machine.Script("free", "1048576");
        _run.Output += ".tcpdiag";

        Assert.Equal(1, _run.Record());
        Assert.StartsWith($"{_run.Root}: 1 MiB of disk are free, 258 MiB are needed", _run.Said("error"), StringComparison.Ordinal);
    }

    // Enough at first, for that is looked at too; 255 MiB, below what Windows needs for itself, once it records.
    [UnixTheory]
    [InlineData("netsh")]
    [InlineData("pktmon")]
    [InlineData("etw")]
    [Trait("Needs", "time")]
    public void Record_DiskFillsWhileItRecords_StopsWithAWholeTrace(string engine)
    {
        _run.Machine.Script("free-later", "267386880");

        Assert.Equal(0, _run.Record("for=60000", $"engine={engine}"));
        Assert.Equal("Disk", _run.Said("reason"));
        Assert.Equal(1, TcpDiag.Traces.Inspection.TraceInspector.Inspect(_run.Output).Packets);
        Assert.True(_run.IsClean);
    }

    // What is left, 256 MiB, is just what Windows needs.
    [UnixFact]
    [Trait("Needs", "time")]
    public void Record_DiskHasItsReserve_GoesOn()
    {
        _run.Machine.Script("free-later", "268435456");

        Assert.Equal(0, _run.Record());
        Assert.Equal("Duration", _run.Said("reason"));
    }
}
