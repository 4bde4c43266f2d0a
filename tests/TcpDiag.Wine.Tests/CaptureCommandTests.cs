using System;
using System.IO;
using System.Runtime.Versioning;
using System.Text.Json;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// <c>tcpdiag capture</c> of the win-x64 build as somebody types it, on a machine whose netsh and pktmon are stand-ins: what it says while it records, and
/// what it leaves.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class CaptureCommandTests : IDisposable
{
    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-capture-").FullName;
    readonly MachineState _machine;

    public CaptureCommandTests() => _machine = new(Directory.CreateDirectory(PathOf("machine")).FullName);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WineTheory]
    [InlineData("netsh")]
    [InlineData("pktmon")]
    public void Capture_Engine_SaysWhatItRecordsAndLeavesABundle(string engine)
    {
        ProgramResult run = Run("capture", "--engine", engine, "--match", "tcp", "host", "10.0.0.1", "--for", "1s", "--out", There("out.tcpdiag"), "--json");

        Assert.True(run.ExitCode == 0, run.Error);
        string[] said = run.Error.ReplaceLineEndings("\n").Split('\n');
        Assert.StartsWith("preparing: nothing is recorded yet", said[0], StringComparison.Ordinal);
        Assert.Contains(said, line => line.StartsWith($"recording tcp host 10.0.0.1 at any with {engine}: 120 bytes of each packet, stack events; for 1 s or ",
            StringComparison.Ordinal) && line.EndsWith("; Ctrl-C stops", StringComparison.Ordinal));
        using JsonDocument document = JsonDocument.Parse(run.Output);
        Assert.Equal(engine, document.RootElement.GetProperty("engine").GetString());
        Assert.Equal(1, document.RootElement.GetProperty("packets").GetInt64());
        Assert.Equal("duration", document.RootElement.GetProperty("stopReason").GetString());

        using JsonDocument analysis = JsonDocument.Parse(WineProgram.Run("tcpdiag", "analyze", There("out.tcpdiag"), "--json").Output);
        Assert.Equal(1, analysis.RootElement.GetProperty("connections").GetArrayLength());
        Assert.NotEqual(JsonValueKind.Null, analysis.RootElement.GetProperty("machine").ValueKind);
        AssertClean();
    }

    [WineFact]
    public void Capture_WithoutRights_IsOneLine()
    {
        _machine.Script("rights", "none");
        ProgramResult run = Run("capture", "--engine", "netsh", "--match", "tcp", "--for", "1s", "--out", There("out.etl"));

        Assert.Equal(1, run.ExitCode);
        Assert.Matches("\ntcpdiag: [^\n]*administrator[^\n]*\n$", run.Error.ReplaceLineEndings("\n"));
        AssertClean();
    }

    ProgramResult Run(params string[] arguments) =>
        WineProgram.Run("winehost", ["cli", There("machine"), There("captures"), WineProgram.There(WineProgram.PathOf("standin")), .. arguments]);

    void AssertClean()
    {
        Assert.Empty(_machine.Sessions());
        Assert.Empty(_machine.Filters);
        Assert.True(!Directory.Exists(PathOf("captures")) || Directory.GetFileSystemEntries(PathOf("captures")).Length == 0);
    }

    string There(string name) => WineProgram.There(PathOf(name));

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
