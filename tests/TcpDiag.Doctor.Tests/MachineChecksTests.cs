using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using TcpDiag.Capture;
using TcpDiag.Capture.Sessions;
using TcpDiag.Capture.StandIns;
using TcpDiag.Doctor.Checks;
using Xunit;

namespace TcpDiag.Doctor.Tests;

public sealed class MachineChecksTests
{
    static readonly string[] Quiet = ["operstate=up", "duplex=full", "speed=1000", "statistics/rx_packets=1000000", "statistics/tx_packets=0"];

    [Theory]
    [InlineData("statistics/rx_errors=0", CheckResult.Fine, "eth0 is up, 1000 Mbit/s, no errors to speak of")]
    [InlineData("statistics/rx_errors=100", CheckResult.Fine, "eth0 is up, 1000 Mbit/s, no errors to speak of")] // one in ten thousand
    [InlineData("statistics/rx_errors=101", CheckResult.Problem, "eth0 counts 101 rx_errors in 1000000 packets")]
    [InlineData("duplex=half", CheckResult.Problem, "eth0 is half duplex: it cannot send and receive at the same time")]
    public void LinuxAdapters_Interface_IsJudged(string changed, CheckResult result, string found)
    {
        using var folder = new TemporaryFolder();
        foreach (string[] setting in Quiet.Append(changed).Select(line => line.Split('=')))
        {
            string path = Path.Combine(folder.Path, "eth0", setting[0]);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, setting[1] + "\n");
        }

        Check check = LinuxAdapters.Check(folder.Path).Single();
        Assert.Equal((result, found), (check.Result, check.Found.Text));
    }

    [Theory]
    [InlineData("wlan0: 0000   54.  -56.  -256        0      0      0      0      0        0", CheckResult.Fine, "wlan0: signal -56 dBm")]
    [InlineData("wlan0: 0000   40.  -70.  -256        0      0      0      0      0        0", CheckResult.Note, "wlan0: signal -70 dBm, which is weak")]
    [InlineData("wlan0: 0000   20.  -85.  -256        0      0      0      0      0        0", CheckResult.Problem, "wlan0: signal -85 dBm, which is weak")]
    [InlineData("wlan0: 0000   20.  ", CheckResult.Unknown, "wlan0: its driver does not tell the signal")]
    public void LinuxWifi_Line_IsJudged(string line, CheckResult result, string found)
    {
        using var folder = new TemporaryFolder();
        string file = Path.Combine(folder.Path, "wireless");
        File.WriteAllText(file, $"Inter-| sta-\n face | tus\n{line}\n");
        Check check = LinuxWifi.Check(file, () => throw new InvalidOperationException()).Single();
        Assert.Equal((result, found), (check.Result, check.Found.Text));
    }

    const string Iw = "Station 02:00:00:00:01:00 (on wlan1)\n\tinactive time:\t4 ms\n\tsignal:  \t-71 [-74, -75] dBm\n\tsignal avg:\t-60 dBm\n"
        + "\tauthorized:\tyes\n\tconnected time:\t90 seconds\n";

    // iw 5.19; links that are not in /proc/net/wireless.
    [Theory]
    [InlineData(0, Iw, 89, "wlan1: signal -71 dBm, which is weak", null)]
    [InlineData(0, Iw, 91, "wlan1: signal -71 dBm, which is weak",
        "the wireless link changed its access point, or joined it anew, while it was recorded: at 11:58:30 UTC")]
    [InlineData(0, "Station 02:00:00:00:01:00 (on wlan1)\n", 91, "wlan1: its driver does not tell the signal", null)]
    [InlineData(0, "", 91, "no wireless link is in use", null)]
    [InlineData(0, Iw + Iw, 91, "no wireless link is in use", null)] // an access point
    [InlineData(237, "command failed: No such device (-19)\n", 91, "no wireless link is in use", null)]
    public void LinuxStations_OfIw_AreJudged(int exitCode, string said, int recordedSeconds, string found, string? roamed)
    {
        using var folder = new TemporaryFolder();
        Directory.CreateDirectory(Path.Combine(folder.Path, "wlan1", "phy80211"));
        Directory.CreateDirectory(Path.Combine(folder.Path, "eth0"));
        DateTimeOffset now = new(2026, 1, 1, 12, 0, 0, TimeSpan.Zero);
        IReadOnlyList<Station> stations = LinuxStations.Read(folder.Path, call =>
        {
            Assert.Equal("iw dev wlan1 station dump", call.ToString());
            return new(exitCode, said);
        }, now);
        Assert.Equal(found, LinuxWifi.Check(Path.Combine(folder.Path, "none"), () => stations).Single().Found.Text);
        Assert.Equal(roamed, WifiRoams.WhileRecorded(LinuxStations.JoinedSince(stations, now.AddSeconds(-recordedSeconds))).SingleOrDefault()?.Found.Text);
    }

    // Seconds after noon, newest first as the log gives them.
    [Theory]
    [InlineData("", null, null)]
    [InlineData("9:8001 8:11005 7:11001 5:8000", null, null)] // a connection begins
    [InlineData("9:8001 8:11005 7:11001 5:8000 4:8003", null, "12:00:04")] // and another had ended
    [InlineData("7:11005 6:11001 5:11004", "12:00:06", null)]
    [InlineData("7:11005 5:11004", "12:00:07", null)] // a driver that roams by itself
    [InlineData("7:11005", null, null)] // authenticated again
    [InlineData("40:11005 5:11004", null, null)]
    [InlineData("40:11001 15:11001 5:11001 3:8001 2:11001 1:8000", "12:00:05, 12:00:15, 12:00:40", null)]
    [InlineData("30:11001 5:8002 4:8000", "12:00:30", null)]
    [InlineData("90:11001 80:11001 70:11001 60:11001 50:11001 40:11001", "12:00:40, 12:00:50, 12:01:00, 12:01:10, 12:01:20, …", null)]
    public void WindowsWifi_Log_RoamsAndLosses(string events, string? roamed, string? lost)
    {
        DateTime noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
        string log = string.Concat(events.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(entry => entry.Split(':'))
            .Select(entry => $"{entry[1]} {noon.AddSeconds(int.Parse(entry[0], null)).Ticks} 8e4162ad-6500-4899-ba95-24051405e207\r\n"));
        IReadOnlyList<WifiMoment> moments = WindowsWifi.Read(
            new Answering(WindowsWifi.Call(TimeSpan.FromSeconds(61)).ToString(), new(0, log)), TimeSpan.FromSeconds(60.5), CancellationToken.None);
        string[] expected =
        [
            .. roamed is null ? (string[])[] : [$"the wireless link changed its access point, or joined it anew, while it was recorded: at {roamed} UTC"],
            .. lost is null ? (string[])[] : [$"the wireless link was lost while it was recorded: at {lost} UTC"],
        ];
        Assert.Equal(expected, WifiRoams.WhileRecorded(moments).Select(check => check.Found.Text));
        Assert.Equal(expected.Length, WifiRoams.InAnHour(moments).Count());
    }

    // Two cards: what one begins says nothing of the other.
    [Fact]
    public void WindowsWifi_TwoLinks_AreApart()
    {
        const string Log = "8000 10000000000 {00000000-0000-0000-0000-000000000001}\n11001 20000000000 00000000-0000-0000-0000-000000000002\ngarbage\n";
        var machine = new Answering(WindowsWifi.Call(TimeSpan.FromHours(1)).ToString(), new(0, Log));
        Assert.Equal([new(new(20000000000, TimeSpan.Zero), WifiChange.Roamed)], WindowsWifi.Read(machine, TimeSpan.FromHours(1), CancellationToken.None));
    }

    [Fact]
    public void WindowsWifi_LogThatCannotBeRead_SaysWhy()
    {
        var machine = new Answering(WindowsWifi.Call(TimeSpan.FromHours(1)).ToString(), new(1, "Zugriff verweigert"));
        CaptureException exception = Assert.Throws<CaptureException>(() => WindowsWifi.Read(machine, TimeSpan.FromHours(1), CancellationToken.None));
        Assert.Equal("PowerShell ended with exit code 1: 'Zugriff verweigert'", exception.Message);
    }

    // Windows shows 2 × (dBm + 100) percent: 80 % is -60 dBm, 50 % is -75 dBm, 30 % is -85 dBm.
    [Theory]
    [InlineData(0, "    Signal                 : 80%", CheckResult.Fine, "Wi-Fi: signal 80 %")]
    [InlineData(0, "    Señal                  : 50 %", CheckResult.Note, "Wi-Fi: signal 50 %, which is weak")]
    [InlineData(0, "    Signalstärke           : 30%", CheckResult.Problem, "Wi-Fi: signal 30 %, which is weak")]
    [InlineData(1, "The Wireless AutoConfig Service (wlansvc) is not running.", CheckResult.Fine, "no wireless link is in use")]
    public void WindowsWifi_AnyLanguage_IsReadByItsPercentage(int exitCode, string said, CheckResult result, string found)
    {
        var machine = new Answering("netsh wlan show interfaces", new(exitCode, said));
        Check check = WindowsPrograms.Wifi(machine, CancellationToken.None).Single();
        Assert.Equal((result, found), (check.Result, check.Found.Text));
    }

    [Fact]
    public void WindowsClock_StoppedService_IsNoted()
    {
        Assert.Equal(CheckResult.Fine,
            WindowsPrograms.Clock(new Answering("w32tm /query /status", new(0, "Stratum: 4")), CancellationToken.None).Single().Result);
        Check check = WindowsPrograms.Clock(new Answering("w32tm /query /status", new(1, "0x80070426")), CancellationToken.None).Single();
        Assert.Equal((CheckResult.Note, "net start w32time", "net stop w32time"), (check.Result, check.Remedy!.Command, check.Remedy.Undo));
    }

    [Theory]
    [InlineData("http://proxy:3128", "programs are told to use a proxy: https_proxy=http://proxy:3128")]
    [InlineData("http://me:secret@proxy:3128", "programs are told to use a proxy: https_proxy=…@proxy:3128")]
    public void ProxyVariables_Password_IsNotShown(string value, string found) =>
        Assert.Equal(found, ProxyVariables.Check(name => name is "https_proxy" ? value : null).Single().Found.Text);

    [Fact]
    public void Examination_CheckThatFails_CostsOnlyItself()
    {
        var sources = new DoctorSources(null, _ => throw new CaptureException("no rights"), Windows: null);
        IReadOnlyList<Check> checks = Examination.Run(sources, CancellationToken.None);
        Assert.Contains(new Check(CheckIds.TcpSettings, CheckResult.Unknown, "the system says: no rights"), checks.Select(check => check with { BearsOn = [] }),
            new SameText());
        Assert.Equal(checks.OrderBy(check => CheckIds.All.ToList().IndexOf(check.Id)), checks);
    }

    [Fact]
    public void Document_Json_NamesResultsInSmallLetters()
    {
        string json = DoctorDocument.Of(new("h", 443), [new(CheckIds.Clock, CheckResult.Problem, "x") { Remedy = new("y", null, null, Doer.FarEnd) }]).ToJson();
        Assert.Contains("\"target\": \"h:443\",\n  \"hasProblem\": true", json, StringComparison.Ordinal);
        Assert.Contains("\"result\": \"problem\"", json, StringComparison.Ordinal);
        Assert.Contains("\"who\": \"farEnd\"", json, StringComparison.Ordinal);
    }

    sealed class SameText : IEqualityComparer<Check>
    {
        public bool Equals(Check? x, Check? y) => x?.Result == y?.Result && string.Equals(x?.Found.Text, y?.Found.Text, StringComparison.Ordinal);

        public int GetHashCode(Check obj) => 0;
    }

    sealed class TemporaryFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("tcpdiag-doctor-").FullName;

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }

    // Fails on any program or argument but the one expected.
    sealed class Answering(string line, ProgramResult answer) : QuietMachine
    {
        public override ProgramResult Run(ProgramCall call, TimeSpan limit, Action<TimeSpan>? waiting = null)
        {
            Assert.Equal(line, call.ToString());
            return answer;
        }
    }
}
