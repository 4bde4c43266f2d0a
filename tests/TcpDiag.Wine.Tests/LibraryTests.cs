using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>The genuine WinDivert.dll, called through our binding.</summary>
public sealed class LibraryTests
{
    static readonly string Genuine = WineProgram.There(WineProgram.PathOf("genuine"));

    [DivertFact]
    public void Filters_OfRandomRules_CompileAndDecideAsOurMatch()
    {
        ProgramResult result = WineProgram.Run("winehost", "filters", Genuine, "1", "300", "150");

        Assert.Equal("300 rules, 150 packets, True matching, 0 differing", result.Output.Trim());
    }

    [DivertFact]
    public void Packets_AtRandom_AreReadAlikeAndGetRightChecksums()
    {
        ProgramResult result = WineProgram.Run("winehost", "packets", Genuine, "2", "2000");

        Assert.Equal("2000 packets, 0 differing", result.Output.Trim());
    }

    [DivertFact]
    public void Refusals_OfTheLibrary_AreSaidInWords()
    {
        ProgramResult result = WineProgram.Run("winehost", "refusals", Genuine);

        Assert.Equal(
            [
                "tcp.DstPort = 80 and: 20 Filter expression parse error",
                "tcp.Port == 1: 0 Filter expression contains a bad token",
                "processId == 4: 0 Filter expression contains a bad token for layer",
                "true: good",
                "flow processId == 4: good",
            ],
            result.Lines.Take(5));
    }

    [WineFact]
    public void Rights_OfDescriptors_AreJudged()
    {
        ProgramResult result = WineProgram.Run("winehost", "rights");

        Assert.Equal(
            [
                "program files: safe", "users read: safe", "users write: weak", "everyone adds files: weak", "users change rights: weak", "users own it: weak",
                "users denied: safe",
            ],
            result.Lines);
    }

    // What was checked must be what is loaded: as long as the files are held another program of Windows can neither remove nor write them.
    [DivertFact]
    public void Files_Held_CannotBeRemovedOrWritten()
    {
        string folder = Directory.CreateTempSubdirectory("tcpdiag-held-").FullName;
        string driver = Path.Join(folder, "WinDivert64.sys");
        File.Copy(WineProgram.PathOf("genuine", "WinDivert.dll"), Path.Join(folder, "WinDivert.dll"));
        File.WriteAllText(driver, "driver");
        using Process holder = WineProgram.Start(() => WineProgram.Start("winehost", [], ["files", WineProgram.There(folder)]), out string? begin);
        Assert.Equal("held", begin);
        WineProgram.RunShell($"del {WineProgram.There(driver)}");
        WineProgram.RunShell($"echo more>> {WineProgram.There(driver)}");
        string whileHeld = File.ReadAllText(driver);
        holder.StandardInput.Close();
        holder.WaitForExit();
        WineProgram.RunShell($"del {WineProgram.There(driver)}");

        Assert.Equal("driver", whileHeld);
        Assert.False(File.Exists(driver));
        Directory.Delete(folder, recursive: true);
    }

    [WineFact]
    public void Timer_Set_IsSignaledOnceAndNotEarly()
    {
        ProgramResult result = WineProgram.Run("winehost", "timer");

        Assert.Equal("signaled True, early False, again False", result.Output.Trim());
    }

    [WineFact]
    public void Shim_FilesNotFetched_SaysHowToGetThem()
    {
        ProgramResult result = WineProgram.Run("tcpdiag", "shim", "run", "--match", "tcp port 443", "--for", "1s", "--driver", @"C:\no-such-folder");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains(@"find C:\no-such-folder\WinDivert.dll: WinDivert has not been fetched (error 2).", result.Error, StringComparison.Ordinal);
    }

    // Every file under Wine belongs to the user who runs it: never a folder that only administrators can write.
    [DivertFact]
    public void Shim_FolderOthersCanWrite_IsRefused()
    {
        ProgramResult result = WineProgram.Run("tcpdiag", "shim", "run", "--match", "tcp port 443", "--for", "1s", "--driver", Genuine);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("A driver is loaded only from where ordinary users cannot write", result.Error, StringComparison.Ordinal);
    }
}
