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
        Check check = LinuxWifi.Check(file).Single();
        Assert.Equal((result, found), (check.Result, check.Found.Text));
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
        Assert.Equal(CheckResult.Fine, WindowsPrograms.Clock(new Answering("w32tm /query /status", new(0, "Stratum: 4")), CancellationToken.None).Single().Result);
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
        Assert.Contains(new Check(CheckIds.TcpSettings, CheckResult.Unknown, "the system says: no rights"), checks.Select(check => check with { BearsOn = [] }), new SameText());
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
