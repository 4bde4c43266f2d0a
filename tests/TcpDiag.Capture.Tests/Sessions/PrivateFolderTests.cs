using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
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
    public void Recover_FolderThatOthersMayWrite_IsNotTrusted(UnixFileMode more, string why)
    {
        _run.Record("kill-at=Stopped");
        foreach (string path in (string[])[Path.GetDirectoryName(_run.Root)!, _run.Root, Recording, Journal])
        {
            UnixFileMode mode = File.GetUnixFileMode(path);
            File.SetUnixFileMode(path, mode | more);

            Assert.Equal(1, _run.Recover());
            Assert.Equal($"{path} cannot be trusted: {why}. Whoever made it could have files moved or removed with our rights. Look into it, remove it, and try again.", _run.Said("error"));
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
