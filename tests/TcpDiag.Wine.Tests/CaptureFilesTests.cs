using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>What Windows does otherwise than Linux with the files of a recording: rights that are inherited, and files that are open.</summary>
[SupportedOSPlatform("linux")]
public sealed class CaptureFilesTests : IDisposable
{
    const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    const UnixFileMode ReadableFolder =
        OwnerAlone | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    readonly StandInRun _run = new(WineProgram.Launcher("standins"), WineProgram.There);

    public void Dispose() => _run.Dispose();

    // Wine makes access lists of the modes of Linux: S-1-1-0, WD, is everybody, who may read (0x1200a9) and no more.
    [WineFact]
    public void InheritRights_FileOfItsOwnerAlone_IsAsOneThatIsMadeThere()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_run.Machine.Folder, "readable"), ReadableFolder).FullName;
        string file = Path.Combine(folder, "trace.etl");
        File.WriteAllText(file, "trace");
        File.SetUnixFileMode(file, OwnerAlone);

        ProgramResult result = WineProgram.Run("standins", "rights", WineProgram.There(file));
        Assert.Equal((0, 3), (result.ExitCode, result.Lines.Count));
        string[] rights = [.. result.Lines.Select(line => line.Split(": ")[1])];
        Assert.DoesNotContain(";;;WD)", rights[0], StringComparison.Ordinal);
        Assert.Contains("(A;;0x1200a9;;;WD)", rights[1], StringComparison.Ordinal);
        Assert.Equal(rights[2], rights[1]);
    }

    [WineFact]
    public void Record_FileIsOpenInItsFolder_IsARemarkAndTheNextOneRemovesIt()
    {
        Assert.True(_run.Record("held") == 0, string.Join("; ", _run.Lines));
        Assert.Contains(" is left; the next capture removes it: ", _run.Said("remark"), StringComparison.Ordinal);
        Assert.Equal(1, TraceInspector.Inspect(_run.Output).Packets);

        Assert.Equal(0, _run.Recover());
        Assert.Null(_run.Said("recovered"));
        Assert.True(_run.IsClean);
    }

    [WineFact]
    public void Record_FileIsOpenForAMoment_LeavesNothing()
    {
        Assert.True(_run.Record("held-briefly") == 0, string.Join("; ", _run.Lines));
        Assert.Null(_run.Said("remark"));
        Assert.True(_run.IsClean);
    }
}
