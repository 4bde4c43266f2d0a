using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using System.Threading.Tasks;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// <c>--apply</c> and <c>--undo</c> of the win-x64 build. PowerShell is a stand-in that takes what Set-NetTCPSetting takes, and holds the settings as files;
/// the web server is slow as long as autotuning is not normal.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class ApplyTests : IDisposable
{
    const string Disabled = "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal Disabled";

    const string Afd = @"HKLM\SYSTEM\CurrentControlSet\Services\AFD\Parameters";
    const string Before = "AutoTuningLevelLocal Disabled, DefaultSendWindow not set";

    // Of each of two changes: read, written, read again, then twice written and read, with a moment before and after; and one before they are kept.
    const int Moments = 29;

    static readonly string HalfWindow = ProjectFolder.PathOf("tests", "fixtures", "stories", "s4-half-window-receiver.pcapng");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-apply-").FullName;
    readonly MachineState _machine;
    readonly TcpListener _server = new(IPAddress.Loopback, 0);
    readonly CancellationTokenSource _end = new();
    TimeSpan _slow = TimeSpan.FromMilliseconds(300);

    public ApplyTests()
    {
        _machine = new(Directory.CreateDirectory(PathOf("machine")).FullName);
        _machine.Script("packets", WineProgram.There(HalfWindow));
        _machine.Script("autotuning", "off");
        _server.Start();
        _ = Task.Run(Serve);
    }

    public void Dispose()
    {
        _end.Cancel();
        _server.Dispose();
        _end.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [WineFact]
    public void Apply_SettingThatIsTheCause_StaysAndIsUndone()
    {
        ProgramResult run = Apply();
        Assert.True(run.ExitCode == 0, run.Output + run.Error);
        Assert.Contains("\nIt helps: took ", run.Output, StringComparison.Ordinal);
        Assert.Equal("Normal", Autotuning);

        ProgramResult undo = Run("troubleshoot", "--undo", "--language", "en");
        Assert.Equal((0, $"Taken back: {Disabled}"), (undo.ExitCode, undo.Output.TrimEnd()));
        Assert.Equal("Disabled", Autotuning);
        Assert.Equal("There is nothing to take back.", Run("troubleshoot", "--undo", "--language", "en").Output.TrimEnd());
    }

    [WineFact]
    public void Apply_SettingThatDoesNotMatter_IsTakenBack()
    {
        _slow = TimeSpan.Zero;
        ProgramResult run = Apply();
        Assert.True(run.ExitCode == 3, run.Output + run.Error);
        Assert.Equal("Disabled", Autotuning);
    }

    // While PowerShell makes the change, which goes on without it; after it, before it was read again; in the middle of the measurement, without it and with
    // it.
    [WineTheory]
    [InlineData("kill-first-1", "Normal")]
    [InlineData("kill-last-1", "Normal")]
    [InlineData("kill-last-2", "Disabled")]
    [InlineData("kill-last-3", "Normal")]
    public void Apply_Killed_IsTakenBackByTheNextStart(string moment, string left)
    {
        _machine.Script("setting", moment);
        Assert.DoesNotContain("It helps", Apply().Output, StringComparison.Ordinal); // Wine tells no exit code of what was killed
        Assert.Equal(left, Autotuning);

        _machine.Script("setting", "success");
        ProgramResult next = Run("troubleshoot", "--recorded", WineProgram.There(HalfWindow), "--language", "en");
        Assert.StartsWith($"An earlier --apply was interrupted.\nTaken back: {Disabled}\n", next.Error.ReplaceLineEndings("\n"), StringComparison.Ordinal);
        Assert.Equal("Disabled", Autotuning);
        Assert.DoesNotContain("interrupted", Run("troubleshoot", "--recorded", WineProgram.There(HalfWindow), "--language", "en").Error,
            StringComparison.Ordinal);
    }

    // Before and after each time that a setting is read or written, and so before and after each line of the journal. The next start says what it found once
    // all was taken back.
    [WineFact]
    public void Change_KilledAtEveryMoment_IsTakenBackByTheNextStart()
    {
        for (int moment = 1; moment <= Moments; moment++)
        {
            Assert.Equal(Before, Change(moment));
        }

        Assert.Equal(Before, Change(Moments + 1)); // killed once they are to stay
        Assert.Equal(("Normal", "65536"), (Autotuning, _machine.Setting(Afd, "DefaultSendWindow")));
    }

    [WineFact]
    public void Undo_KilledAtEveryMoment_IsFinishedByTheNextStart()
    {
        const int Reads = 12; // two changes, each read, written and read again
        for (int moment = 1; moment <= Reads; moment++)
        {
            Assert.Equal(Before, Change(Moments)); // all is made, and not yet kept
            Assert.Equal("Normal", Autotuning);
            Assert.Equal(string.Empty, StandIn("undo", moment)); // killed before it could say a word
        }

        Assert.Equal(Before, StandIn("undo", Reads + 1));
    }

    string Change(int moment) => StandIn("change", moment);

    string StandIn(string verb, int moment) => ExternalProgram.TryRun("env", [.. WineProgram.Launcher("standins").Skip(1),
        verb, WineProgram.There(_machine.Folder), WineProgram.There(PathOf("changes")), FormattableString.Invariant($"{moment}")]).Output.Trim();

    string? Autotuning => _machine.Setting("Internet", "AutoTuningLevelLocal");

    ProgramResult Apply() => Run(
        "troubleshoot", "--url", $"http://{_server.LocalEndpoint}/file", "--apply", "1", "--yes", "--limit", "20s", "--out", WineProgram.There(PathOf("out")),
            "--language", "en");

    ProgramResult Run(params string[] arguments) => WineProgram.Run(
        "winehost", ["cli", WineProgram.There(_machine.Folder), WineProgram.There(PathOf("captures")), WineProgram.There(WineProgram.PathOf("standin")),
            .. arguments]);

    async Task Serve()
    {
        while (!_end.IsCancellationRequested)
        {
            TcpClient client = await _server.AcceptTcpClientAsync(_end.Token);
            _ = Task.Run(() => Answer(client));
        }
    }

    // The checks open connections too, on which nothing is asked.
    async Task Answer(TcpClient client)
    {
        using (client)
        {
            NetworkStream stream = client.GetStream();
            if (await stream.ReadAsync(new byte[4096]) > 0)
            {
                await Task.Delay(Autotuning is "Normal" ? TimeSpan.FromMilliseconds(20) : TimeSpan.FromMilliseconds(20) + _slow);
                await stream.WriteAsync("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"u8.ToArray());
            }
        }
    }

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
