using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using TcpDiag.Capture.StandIns;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Wine.Tests;

/// <summary>
/// <c>tcpdiag troubleshoot</c> of the win-x64 build, from the question to the files, on a machine whose netsh, pktmon and PowerShell are stand-ins that take
/// only arguments that the real ones take. What was recorded is real TCP.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class TroubleshootTests : IDisposable
{
    const int ThisComputer = 10;
    const int FarEnd = 12;
    const int ExitFailed = 1;
    const string Client = "10.201.1.2"; // of the fixture, as its recorder saw it

    static readonly string[] Files = ["answer.html", "answer.txt", "recording.tcpdiag", "report.html", "ticket.txt"];

    static readonly string HalfWindow = ProjectFolder.PathOf("tests", "fixtures", "stories", "s4-half-window-receiver.pcapng");

    // The same seen by the sender, whom it cost more than a second.
    static readonly string HalfWindowOfReceiver = ProjectFolder.PathOf("tests", "fixtures", "stories", "s4-half-window-sender.pcapng");

    readonly string _folder = Directory.CreateTempSubdirectory("tcpdiag-wine-trouble-").FullName;
    readonly MachineState _machine;

    public TroubleshootTests() => _machine = new(Directory.CreateDirectory(PathOf("machine")).FullName);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [WineFact]
    public void Troubleshoot_SettingOfThisComputer_IsNamedWithItsUndoAndTheFilesAreThere()
    {
        _machine.Script("packets", WineProgram.There(HalfWindow));
        _machine.Script("autotuning", "off");
        ProgramResult run = Troubleshoot("--host", "10.201.1.1:5001", "--yes", "--limit", "2s");

        Assert.True(run.ExitCode == ThisComputer, run.Error);
        string answer = run.Output.ReplaceLineEndings("\n");
        Assert.StartsWith("It is this computer.\n  What: the receive window was smaller than what the path holds.\n", answer, StringComparison.Ordinal);
        Assert.Contains("command: Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal Normal\n", Unwrapped(answer), StringComparison.Ordinal);
        Assert.Contains("undo:    Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal Disabled\n", Unwrapped(answer), StringComparison.Ordinal);
        Assert.All(answer.Split('\n'), line => Assert.InRange(line.Length, 0, 80));
        Assert.Equal(Files, Directory.GetFiles(PathOf("out")).Select(path => Path.GetFileName(path)).Order(StringComparer.Ordinal));
        Assert.DoesNotContain(Client, File.ReadAllText(PathOf("out", "report.html")), StringComparison.Ordinal);
        AssertClean();
    }

    // What the log of the WLAN service tells of the time of the recording stands beside what it may be the cause of.
    [WineFact]
    public void Troubleshoot_WifiThatRoamed_IsToldWithItsTimeBesideTheFinding()
    {
        const string Link = "8e4162ad-6500-4899-ba95-24051405e207";
        DateTimeOffset before = TimeProvider.System.GetUtcNow().AddMinutes(-1);
        DateTimeOffset roamed = TimeProvider.System.GetUtcNow().AddMinutes(1); // the recording has begun by then
        _machine.Script("packets", WineProgram.There(ProjectFolder.PathOf("tests", "fixtures", "stories", "s1-not-adapting-sender.pcapng")));
        _machine.Script("wlan-log", $"11005 {roamed.Ticks} {Link}\n11004 {roamed.AddSeconds(-1).Ticks} {Link}\n11001 {before.Ticks} {Link}");
        ProgramResult run = Troubleshoot("--host", "10.201.1.1:5001", "--yes", "--limit", "2s");

        Assert.True(run.ExitCode is not ExitFailed, run.Error);
        Assert.Contains(
            $"The wireless link changed its access point, or joined it anew, while it was recorded: at {roamed:HH:mm:ss} UTC. Stay where you are,",
            Regex.Replace(run.Output, @"\s+", " ", default, TimeSpan.FromSeconds(1)), StringComparison.Ordinal);
        AssertClean();
    }

    [WineFact]
    public async Task Troubleshoot_Url_IsFetchedWhileItRecords()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        Task<string> asked = AnswerOnce(server);
        _machine.Script("packets", WineProgram.There(HalfWindow));
        ProgramResult run = Troubleshoot("--url", $"http://{server.LocalEndpoint}/file", "--yes", "--limit", "20s");

        Assert.StartsWith("GET /file HTTP/1.1\r\n", await asked, StringComparison.Ordinal);
        Assert.Contains("Fetched 5 B in ", run.Error, StringComparison.Ordinal);
        AssertClean();
    }

    // The recording is looked at while the session writes it: what its buffers hold is asked for before each look.
    [WineFact]
    public void Troubleshoot_CauseThatStaysClear_EndsLongBeforeTheLimit()
    {
        _machine.Script("packets", WineProgram.There(HalfWindowOfReceiver));
        ProgramResult run = Troubleshoot("--host", "10.201.1.1:5001", "--yes", "--limit", "600s");

        Assert.True(run.ExitCode == FarEnd, run.Error);
        Assert.Contains("Enough was seen after ", run.Error, StringComparison.Ordinal);
        Assert.Contains(_machine.Calls, call => call.StartsWith("flush session ", StringComparison.Ordinal));
        AssertClean();
    }

    // Nothing documents that Windows lets others read what a session writes.
    [WineFact]
    public void Troubleshoot_RecordingThatCannotBeReadBeforeItsEnd_EndsAtTheLimit()
    {
        _machine.Script("packets", WineProgram.There(HalfWindowOfReceiver));
        _machine.Script("flush", "refused");
        ProgramResult run = Troubleshoot("--host", "10.201.1.1:5001", "--yes", "--limit", "7s");

        Assert.Equal(FarEnd, run.ExitCode);
        Assert.DoesNotContain("Enough was seen after ", run.Error, StringComparison.Ordinal);
        AssertClean();
    }

    [WineFact]
    public async Task Troubleshoot_UrlThatGoesOn_IsNotFetchedToItsEndWhenTheCauseIsClear()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        Task sent = SendUntilClosed(server);
        _machine.Script("packets", WineProgram.There(HalfWindowOfReceiver));
        ProgramResult run = Troubleshoot("--url", $"http://{server.LocalEndpoint}/endless", "--yes", "--limit", "600s");

        Assert.True(run.ExitCode == FarEnd, run.Error);
        await sent;
        Assert.Matches("Fetched [0-9.]+ [kM]?B in [0-9.]+ s\\.\r?\nEnough was seen after ", run.Error);
        AssertClean();
    }

    [WineFact]
    public void Troubleshoot_WithoutConsent_RecordsNothing()
    {
        // Its input is at its end: nobody answers.
        ProgramResult run = Troubleshoot("--host", "10.201.1.1:5001");
        Assert.Equal(130, run.ExitCode);
        Assert.False(Directory.Exists(PathOf("out")));
        Assert.Empty(_machine.Calls);
    }

    [WineFact]
    public void Troubleshoot_RecorderThatRefuses_IsOneLine()
    {
        _machine.Script("rights", "none");
        ProgramResult run = Troubleshoot("--host", "10.201.1.1:5001", "--yes", "--limit", "2s");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("administrator", run.Error.ReplaceLineEndings("\n").TrimEnd('\n').Split('\n')[^1], StringComparison.Ordinal);
        AssertClean();
    }

    // The checks open connections too, on which nothing is asked.
    static async Task<string> AnswerOnce(TcpListener server)
    {
        using TcpClient client = await server.AcceptTcpClientAsync();
        byte[] request = new byte[4096];
        int length = await client.GetStream().ReadAsync(request);
        if (length == 0)
        {
            return await AnswerOnce(server);
        }

        await client.GetStream().WriteAsync("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"u8.ToArray());
        return Encoding.ASCII.GetString(request, 0, length);
    }

    // 10 kB ten times a second, of a gigabyte that was promised.
    static async Task SendUntilClosed(TcpListener server)
    {
        byte[] piece = new byte[10_000];
        while (true)
        {
            using TcpClient client = await server.AcceptTcpClientAsync();
            if (await client.GetStream().ReadAsync(piece) == 0)
            {
                continue; // a check's
            }

            await client.GetStream().WriteAsync("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\nConnection: close\r\n\r\n"u8.ToArray());
            try
            {
                while (true)
                {
                    await client.GetStream().WriteAsync(piece);
                    await Task.Delay(100);
                }
            }
            catch (IOException)
            {
                return;
            }
        }
    }

    ProgramResult Troubleshoot(params string[] arguments) => WineProgram.Run(
        "winehost",
        ["cli", There("machine"), There("captures"), WineProgram.There(WineProgram.PathOf("standin")),
            "troubleshoot", .. arguments, "--out", There("out"), "--language", "en"]);

    // A long command goes on in the next line.
    static string Unwrapped(string answer) => Regex.Replace(answer, @"\n {14,}", " ", default, TimeSpan.FromSeconds(1));

    void AssertClean()
    {
        Assert.Empty(_machine.Sessions());
        Assert.Empty(_machine.Filters);
        Assert.True(!Directory.Exists(PathOf("captures")) || Directory.GetFileSystemEntries(PathOf("captures")).Length == 0);
    }

    string There(string name) => WineProgram.There(PathOf(name));

    string PathOf(params string[] parts) => Path.Join([_folder, .. parts]);
}
