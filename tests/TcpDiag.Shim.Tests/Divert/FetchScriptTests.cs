using System;
using System.IO;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

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
