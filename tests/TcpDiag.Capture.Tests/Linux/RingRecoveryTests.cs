using System;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Capture.Linux;
using TcpDiag.Testing;
using TcpDiag.Wire.Matching;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux;

[SupportedOSPlatform("linux")]
public sealed class RingRecoveryTests : IDisposable
{
    readonly string _parent = Directory.CreateTempSubdirectory("tcpdiag-recovery-").FullName;

    public void Dispose() => Directory.Delete(_parent, recursive: true);

    [LinuxFact]
    public void Recover_Pieces_BecomeOneTraceInTheirOrder()
    {
        Leave(("000010.pcapng", "cc"), ("000002.pcapng", "aa"), ("000009.pcapng", "bb"));

        Assert.Equal(In("slow-recovered.pcapng"), RingRecovery.Recover(In("slow.tcpdiag")));
        Assert.Equal("aabbcc", File.ReadAllText(In("slow-recovered.pcapng")));
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(In("slow-recovered.pcapng")));
        Assert.False(Directory.Exists(Folder));
    }

    [LinuxFact]
    public void Recover_NothingLeftOrRecorded_IsNothing()
    {
        Assert.Null(RingRecovery.Recover(In("slow.tcpdiag")));
        Leave(("000001.pcapng", string.Empty));
        Assert.Null(RingRecovery.Recover(In("slow.tcpdiag")));
        Assert.Empty(Directory.GetFileSystemEntries(_parent));
    }

    [LinuxFact]
    public void Recover_EarlierResultIsThere_TakesAnotherName()
    {
        File.WriteAllText(In("slow-recovered.pcapng"), "kept");
        Leave(("000001.pcapng", "aa"));

        Assert.Equal(In("slow-recovered-2.pcapng"), RingRecovery.Recover(In("slow.tcpdiag")));
        Assert.Equal("kept", File.ReadAllText(In("slow-recovered.pcapng")));
    }

    [LinuxFact]
    public void Recover_RecordingGoesOn_IsRefusedAlsoBetweenTwoPieces()
    {
        using var ring = new RingOutput(new CaptureSettings { Match = new MatchAll(), IsRing = true, RingFolder = Folder }, static () => Stream.Null);
        using (Stream piece = ring.Open())
        {
            piece.WriteByte(1);
            ring.Begin(0, headBytes: 0, previousBytes: 0);
        }

        var exception = Assert.Throws<CaptureException>(() => RingRecovery.Recover(In("slow.tcpdiag")));
        Assert.StartsWith($"{Path.Combine(Folder, "000001.pcapng")} cannot be collected: ", exception.Message, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(Folder, "000001.pcapng")));
    }

    [LinuxFact]
    public void Recover_FolderThatOthersMayWrite_IsRefused()
    {
        Leave(("000001.pcapng", "aa"));
        File.SetUnixFileMode(Folder, (UnixFileMode)0b111_111_111);

        var exception = Assert.Throws<CaptureException>(() => RingRecovery.Recover(In("slow.tcpdiag")));
        Assert.Equal(
            $"{Folder} is not taken for pieces of a ring: others may write it (OtherWrite, GroupWrite). Look into it, remove it, and try again.",
            exception.Message);
    }

    // A folder may have such a name for reasons of its own.
    [UnixTheory]
    [InlineData("photo.jpg")]
    [InlineData("wedding.pcapng")]
    public void Recover_FolderHoldsOtherThings_StaysAsItIs(string other)
    {
        Leave(("000001.pcapng", "aa"), (other, "bb"));

        Assert.Empty(RingRecovery.FindLeft(_parent));
        Assert.Contains($"it holds {other} too", Assert.Throws<CaptureException>(() => RingRecovery.Recover(In("slow.tcpdiag"))).Message,
            StringComparison.Ordinal);
        Assert.Equal("bb", File.ReadAllText(Path.Combine(Folder, other)));
        Assert.Single(Directory.GetFileSystemEntries(_parent));
    }

    [LinuxFact]
    public void FindLeft_Pieces_AreFoundByWhatTheyWereToBecome()
    {
        Leave(("000001.pcapng", "aa"), ("snapshot.json", "{}"));
        Directory.CreateDirectory(Path.Combine(In("photos.ring"), "2026"));

        Assert.Equal([In("slow.tcpdiag")], RingRecovery.FindLeft(_parent));
    }

    [LinuxFact]
    public void Recover_FolderIsALink_IsRefused()
    {
        Directory.CreateSymbolicLink(Folder, Path.GetTempPath());
        Assert.Contains("it is a link", Assert.Throws<CaptureException>(() => RingRecovery.Recover(In("slow.tcpdiag"))).Message, StringComparison.Ordinal);
    }

    string Folder => In("slow.tcpdiag.ring");

    string In(string name) => Path.Combine(_parent, name);

    void Leave(params (string Name, string Text)[] pieces)
    {
        Directory.CreateDirectory(Folder);
        foreach ((string name, string text) in pieces)
        {
            File.WriteAllText(Path.Combine(Folder, name), text);
        }
    }
}
