using System;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using TcpDiag.Capture.StandIns;
using TcpDiag.Rights;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>A folder that others can change is not trusted: its journal could name any file to be moved with our rights.</summary>
public sealed class PrivateFolderTests : IDisposable
{
    const string Administrators = "S-1-5-32-544";
    const string Alice = "S-1-5-21-1-2-3-1001";
    const int FullControl = 0x1F01FF;
    const int ReadAndExecute = 0x1200A9;

    readonly StandInRun _run = new();

    public void Dispose() => _run.Dispose();

    [Theory]
    [InlineData(Administrators, "S-1-5-18", FullControl, null)]
    [InlineData("S-1-5-18", "S-1-3-0", FullControl, null)]
    [InlineData(Administrators, "S-1-5-32-545", ReadAndExecute, null)]
    [InlineData(Administrators, "S-1-5-32-545", 0x1301BF, "S-1-5-32-545 may change it")]
    [InlineData(Administrators, "S-1-5-11", 0x4, "S-1-5-11 may change it")]
    [InlineData(Administrators, Alice, 0x80000, "S-1-5-21-1-2-3-1001 may change it")]
    [InlineData(Administrators, Alice, 0x40, "S-1-5-21-1-2-3-1001 may change it")]
    [InlineData(Administrators, "S-1-1-0", 0x10000000, "S-1-1-0 may change it")]
    [InlineData(Alice, Administrators, FullControl, "it belongs to S-1-5-21-1-2-3-1001")]
    [InlineData("nobody", Administrators, FullControl, "it belongs to nobody")]
    public void WhyNotPrivate_OwnerAndGrants_NamesWhoElseCanChangeIt(string owner, string who, int rights, string? expected) =>
        Assert.Equal(expected, AccessCheck.WhyNotPrivate(owner, [new(Administrators, FullControl), new(who, rights)], Administrators));

    [Fact]
    public void WhyNotPrivate_WhomThisProcessMakesOwner_IsTrusted() =>
        Assert.Null(AccessCheck.WhyNotPrivate(Alice, [new(Alice, FullControl)], self: Alice));

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
