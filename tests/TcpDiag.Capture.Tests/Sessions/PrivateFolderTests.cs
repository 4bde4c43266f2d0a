using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using TcpDiag.Traces.Inspection;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>A folder that others can change is not trusted: its journal could name any file to be moved with our rights.</summary>
public sealed class PrivateFolderTests : IDisposable
{
    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    [UnixTheory]
    [SupportedOSPlatform("linux")]
    [InlineData(UnixFileMode.OtherWrite, "others may write it (OtherWrite)")]
    [InlineData(UnixFileMode.GroupWrite, "others may write it (GroupWrite)")]
    [Trait("Needs", "time")]
    public void Recover_FolderThatOthersMayWrite_IsNotTrusted(UnixFileMode more, string why)
    {
        _run.Record("kill-at=Stopped");
        foreach (string path in (string[])[Path.GetDirectoryName(_run.Root)!, _run.Root, Recording, Journal])
        {
            UnixFileMode mode = File.GetUnixFileMode(path);
            File.SetUnixFileMode(path, mode | more);

            Assert.Equal(1, _run.Recover());
            Assert.Equal($"{path} cannot be trusted: {why}. Whoever made it could have files moved or removed with our rights. Look into it, remove "
                + "it, and try again.", _run.Said("error"));
            Assert.Equal(1, _run.Record());
            File.SetUnixFileMode(path, mode);
        }

        Assert.Equal(0, _run.Recover());
        Assert.True(_run.IsClean);
    }

    [UnixFact]
    public void Record_FolderThatIsALink_IsNotTrusted()
    {
        string elsewhere = Directory.CreateDirectory(Path.Combine(_run.Machine.Folder, "elsewhere")).FullName;
        Directory.CreateSymbolicLink(_run.Root, elsewhere);

        Assert.Equal(1, _run.Record());
        Assert.StartsWith($"{_run.Root} cannot be trusted: it is a link to somewhere else.", _run.Said("error"), StringComparison.Ordinal);
        Assert.Empty(Directory.EnumerateFileSystemEntries(elsewhere));
        Directory.Delete(_run.Root);
    }

    [RootFact("chown")]
    public void Recover_FolderOfAnotherUser_IsNotTrusted()
    {
        _run.Record("kill-at=Stopped");
        ExternalProgram.Run("chown", "65534", Journal);

        Assert.Equal(1, _run.Recover());
        Assert.StartsWith($"{Journal} cannot be trusted: it belongs to user 65534.", _run.Said("error"), StringComparison.Ordinal);
        Assert.True(File.Exists(Journal));
    }

    string Recording => Directory.GetDirectories(_run.Root).Single();

    string Journal => Path.Combine(Recording, "journal.jsonl");
}

/// <summary>
/// What moves out of the folder of a recording, which is for administrators alone, gets the rights of the folder it moves to; what they are only
/// Windows tells.
/// </summary>
[Trait("Needs", "time")]
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
