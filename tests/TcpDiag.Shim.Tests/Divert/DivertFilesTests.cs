using System;
using System.IO;
using System.Text;
using TcpDiag.Shim.Divert;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>Which files are loaded: those that are meant, from where nobody else can write.</summary>
public sealed class DivertFilesTests : IDisposable
{
    // SHA-256 of "library" and of "driver".
    static readonly DivertPins Pins = new(
        DivertFiles.Hash(new MemoryStream(Encoding.ASCII.GetBytes("library"))), DivertFiles.Hash(new MemoryStream(Encoding.ASCII.GetBytes("driver"))));

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-divert-").FullName;

    public DivertFilesTests()
    {
        File.WriteAllText(Path.Join(_folder, "WinDivert.dll"), "library");
        File.WriteAllText(Path.Join(_folder, "WinDivert64.sys"), "driver");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    DivertFiles Open(string? weakness = null) => new(_folder, Pins, _ => weakness);

    [Fact]
    public void Open_FilesThatAreMeant_GivesTheLibrary()
    {
        using DivertFiles files = Open();
        Assert.Equal(Path.Join(_folder, "WinDivert.dll"), files.LibraryPath);
    }

    [Theory]
    [InlineData("WinDivert.dll")]
    [InlineData("WinDivert64.sys")]
    public void Open_OtherFile_IsNotLoaded(string name)
    {
        File.AppendAllText(Path.Join(_folder, name), " ");
        ShimException refused = Assert.Throws<ShimException>(() => Open());
        Assert.Matches(
            $"{name}: expected a file with SHA-256 [0-9a-f]{{64}}, found [0-9a-f]{{64}}\\. Fetch it again .*; it is not loaded\\.$", refused.Message);
    }

    [Theory]
    [InlineData("WinDivert.dll")]
    [InlineData("WinDivert64.sys")]
    public void Open_NoFile_SaysHowToGetIt(string name)
    {
        File.Delete(Path.Join(_folder, name));
        ShimException refused = Assert.Throws<ShimException>(() => Open());
        Assert.Equal(
            $"find {Path.Join(_folder, name)}: WinDivert has not been fetched (error 2). "
                + "It is not part of tcpdiag: run windivert\\fetch.ps1, beside tcpdiag.exe, or name its folder with --driver.",
            refused.Message);
    }

    [Fact]
    public void Open_NoFolder_SaysHowToGetIt()
    {
        ShimException refused = Assert.Throws<ShimException>(() => new DivertFiles(Path.Join(_folder, "none"), Pins, _ => "never asked"));
        Assert.Contains("WinDivert has not been fetched", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_FolderOthersCanWrite_IsRefused()
    {
        ShimException refused = Assert.Throws<ShimException>(() => Open("the folder may be changed by Everyone."));
        Assert.Equal(
            $"{_folder}: the folder may be changed by Everyone. "
                + "A driver is loaded only from where ordinary users cannot write, e.g. a folder below Program Files.",
            refused.Message);
    }

    [Theory]
    [InlineData("WinDivert.dll")]
    [InlineData("WinDivert64.sys")]
    public void Open_FileThatIsHeld_SaysWhatHelps(string name)
    {
        using FileStream held = new(Path.Join(_folder, name), FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        ShimException refused = Assert.Throws<ShimException>(() => Open());
        Assert.StartsWith($"{Path.Join(_folder, name)} cannot be opened: ", refused.Message, StringComparison.Ordinal);
        Assert.EndsWith(
            "Another program is writing it, or a security program holds it: wait or make an exception there, then try again.",
            refused.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Open_RightsThatCannotBeRead_IsRefusedAndHoldsNothing()
    {
        ShimException refused = Assert.Throws<ShimException>(
            () => new DivertFiles(_folder, Pins, _ => throw new UnauthorizedAccessException("Access is denied.")));
        Assert.StartsWith(
            $"{_folder}: who may change it is unknown (Access is denied.). A driver is loaded only", refused.Message, StringComparison.Ordinal);
        using FileStream free = new(Path.Join(_folder, "WinDivert.dll"), FileMode.Open, FileAccess.ReadWrite, FileShare.None);
        Assert.Equal("library".Length, free.Length);
    }

    [SharedFact]
    public void Pins_Release_AreTheGenuineFiles()
    {
        Assert.Equal(DivertPins.Release.Library, Hash("WinDivert64.dll"));
        Assert.Equal(DivertPins.Release.Driver, Hash("WinDivert64.sys"));
    }

    static string Hash(string name)
    {
        using FileStream file = File.OpenRead(SharedFolder.PathOf("windivert", name));
        return DivertFiles.Hash(file);
    }
}

/// <summary>The script that fetches WinDivert, from a folder: what it installs, and what it does not.</summary>
public sealed class FetchScriptTests : IDisposable
{
    static readonly string Script = ProjectFolder.PathOf("driver", "windivert", "fetch.sh");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-fetch-").FullName;

    string Destination => Path.Join(_folder, "windivert");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [SharedFact("sh", "sha256sum")]
    public void Fetch_GenuineFiles_AreThoseThatAreLoaded()
    {
        ExternalProgram.Run("sh", Script, Destination, SharedFolder.PathOf("windivert"));

        using TcpDiag.Shim.Divert.DivertFiles files = new(Destination, TcpDiag.Shim.Divert.DivertPins.Release, _ => null);
        Assert.Equal(2, Directory.GetFiles(Destination).Length);
    }

    [ToolFact("sh", "sha256sum")]
    public void Fetch_OtherFiles_InstallsNothing()
    {
        File.WriteAllText(Path.Join(_folder, "WinDivert.dll"), "other");
        File.WriteAllText(Path.Join(_folder, "WinDivert64.sys"), "other");
        ProgramResult result = ExternalProgram.TryRun("sh", [Script, Destination, _folder]);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("these are not the files of SHA256SUMS; nothing was installed", result.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(Destination));
    }
}
