using TcpDiag.Capture.StandIns;
using Xunit;

namespace TcpDiag.Capture.Tests.Sessions;

/// <summary>A stand-in that took anything would prove nothing: what the real programs refuse it refuses.</summary>
public sealed class StandInArgumentsTests
{
    const string Netsh = "capture=yes tracefile=/t.etl overwrite=yes maxsize=1 filemode=single report=disabled provider=Microsoft-Windows-TCPIP "
        + "keywords=0xff level=5";
    const string Pktmon = "--capture --comp nics --pkt-size 120 --file-name /t.etl --file-size 16 --log-mode circular --trace --provider "
        + "Microsoft-Windows-TCPIP --keywords 0xff --level 5";

    [Theory]
    [InlineData("", "", true)]
    [InlineData("capture=yes", "capture=1", false)]
    [InlineData("tracefile=/t.etl", "tracefile=t.etl", false)]
    [InlineData("tracefile=/t.etl ", "", false)]
    [InlineData("maxsize=1", "maxsize=0", false)]
    [InlineData("maxsize=1", "maxsize=1mb", false)]
    [InlineData("filemode=single", "filemode=ring", false)]
    [InlineData("report=disabled", "report=off", false)]
    [InlineData("report=disabled", "report=disabled report=yes", false)]
    [InlineData("report=disabled", "ipv4.address=10.0.0.1", true)]
    [InlineData("report=disabled", "ipv4.address=(10.0.0.1,10.0.0.2)", true)]
    [InlineData("report=disabled", "ipv4.address=2001:db8::1", false)]
    [InlineData("report=disabled", "protocol=256", false)]
    [InlineData("keywords=0xff", "keywords=all", false)]
    [InlineData("keywords=0xff ", "", false)]
    [InlineData("level=5", "level=verbose", false)]
    public void NetshStart_Arguments_AreThoseOfTheRealOne(string part, string other, bool isTaken) =>
        Assert.Equal(isTaken,
            StandInArguments.IsNetshStart((part.Length == 0 ? Netsh : Netsh.Replace(part, other, System.StringComparison.Ordinal)).Split(' ')));

    [Theory]
    [InlineData("", "", true)]
    [InlineData("--comp nics", "--comp all", true)]
    [InlineData("--comp nics", "--comp cards", false)]
    [InlineData("--pkt-size 120", "--pkt-size x", false)]
    [InlineData("--pkt-size 120", "--packet-size 120", false)]
    [InlineData("/t.etl", "t.etl", false)]
    [InlineData("--log-mode circular", "--log-mode ring", false)]
    [InlineData("--log-mode circular ", "--log-mode ", false)]
    [InlineData("0xff", "255", false)]
    public void PktmonStart_Arguments_AreThoseOfTheRealOne(string part, string other, bool isTaken) =>
        Assert.Equal(isTaken,
            StandInArguments.IsPktmonStart((part.Length == 0 ? Pktmon : Pktmon.Replace(part, other, System.StringComparison.Ordinal)).Split(' '), 26100));

    [Theory]
    [InlineData("-d IPv4 -t TCP -i 10.0.0.1 10.1.0.0/16 -p 80 443", true)]
    [InlineData("-p 80", true)]
    [InlineData("-t SCTP", false)]
    [InlineData("-i 10.0.0.1 10.0.0.2 10.0.0.3", false)]
    [InlineData("-i 10.0.0.0/33", false)]
    [InlineData("-p 65536", false)]
    [InlineData("-p 80-90", false)]
    [InlineData("-p 80 -p 81", false)]
    [InlineData("-x 1", false)]
    [InlineData("-p", false)]
    public void PktmonFilter_Tests_AreThoseOfTheRealOne(string tests, bool isTaken) => Assert.Equal(isTaken, StandInArguments.IsPktmonFilter(tests.Split(' ')));
}
