using System;
using System.IO;
using System.Runtime.Versioning;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// The win-x64 build that starts itself again by ShellExecuteEx with the verb <c>runas</c>, in a console of its own. Wine asks for no consent; which of the two
/// has rights, and what is typed, is scripted.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class ElevationTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-elevation-").FullName;
    readonly MachineState _machine;

    public ElevationTests()
    {
        _machine = new(Directory.CreateDirectory(PathOf("machine")).FullName);
        _machine.Script("start-rights", "none");
        _machine.Script("terminal", "there");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WineFact]
    public void Troubleshoot_WithoutRights_RecordsInAProgramThatHasThem()
    {
        _machine.Script("typed", "y\ny\n\n"); // start it; record; close the window
        _machine.Script("packets", WineProgram.There(ProjectFolder.PathOf("tests", "fixtures", "stories", "s4-half-window-receiver.pcapng")));
        _machine.Script("autotuning", "off");
        ProgramResult run = Run("troubleshoot", "--host", "10.201.1.1:5001", "--limit", "2s", "--out", There("a 'quoted' end") + "\\", "--language", "en");

        Assert.EndsWith("It runs in another window; this one waits for its end.\nIt has ended, with exit code 10.\n", run.Error.ReplaceLineEndings("\n"),
            StringComparison.Ordinal);
        Assert.Equal(10, run.ExitCode);
        string answer = File.ReadAllText(PathOf("a 'quoted' end", "answer.txt"));
        Assert.StartsWith("It is this computer.", answer, StringComparison.Ordinal);
    }

    // What came through says how it was quoted: blanks, quotes, and backslashes in front of them and at the end.
    [WineTheory]
    [InlineData(@"a b\")]
    [InlineData(@"C:\x\")]
    [InlineData("a\\\\\"b c\"\\")]
    [InlineData("a\"")]
    [InlineData("\t%PATH%^&|<>'")]
    [InlineData("")]
    public void Arguments_OfTheOtherProgram_AreTheSame(string argument)
    {
        string file = PathOf("arguments");
        ProgramResult run = WineProgram.Run("winehost", ["elevate", WineProgram.There(file), There("machine"), argument, "last"]);
        Assert.True(run.Output.TrimEnd() is "7", run.Output + run.Error);
        Assert.Equal([There("machine"), argument, "last"], File.ReadAllText(file).ReplaceLineEndings("\n").TrimEnd('\n').Split('\n'));
    }

    [WineFact]
    public void Program_ThatIsNotThere_IsToldInOneLine()
    {
        _machine.Script("typed", "y\n");
        _machine.Script("own-program", There("no-such.exe"));
        ProgramResult run = Run("troubleshoot", "--language", "en");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("no-such.exe cannot be started with administrator's rights: ", run.Error.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n')[^1],
            StringComparison.Ordinal);
    }

    ProgramResult Run(params string[] arguments) => WineProgram.Run(
        "winehost", ["cli", There("machine"), There("captures"), WineProgram.There(WineProgram.PathOf("standin")), .. arguments]);

    string There(string name) => WineProgram.There(PathOf(name));

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
