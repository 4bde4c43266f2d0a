using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Doctor.Checks;
using TcpDiag.Traces.Bundles;
using Xunit;

namespace TcpDiag.Doctor.Tests;

public sealed class SnapshotChecksTests
{
    [Theory]
    [InlineData("sysctls", "", "net.ipv4.tcp_sack", "0", "tcp-settings", CheckResult.Problem, "sysctl -w net.ipv4.tcp_sack=1", "sysctl -w net.ipv4.tcp_sack=0")]
    [InlineData("sysctls", "", "net.ipv4.tcp_rmem", "4096 65536 131072", "tcp-settings", CheckResult.Problem,
        "sysctl -w net.ipv4.tcp_rmem=\"4096 65536 6291456\"", "sysctl -w net.ipv4.tcp_rmem=\"4096 65536 131072\"")]
    [InlineData("sysctls", "", "net.ipv4.tcp_congestion_control", "reno", "tcp-settings", CheckResult.Note,
        "sysctl -w net.ipv4.tcp_congestion_control=cubic", "sysctl -w net.ipv4.tcp_congestion_control=reno")]
    [InlineData("sysctls", "", "net.ipv4.tcp_ecn", "1", "tcp-settings", CheckResult.Note, "sysctl -w net.ipv4.tcp_ecn=2", "sysctl -w net.ipv4.tcp_ecn=1")]
    [InlineData("routes", "eth0", "route default", "via 192.0.2.1 initcwnd 4", "tcp-settings", CheckResult.Note, null, null)]
    [InlineData("interfaces", "eth0", "rx-gro", "off", "adapters", CheckResult.Note, "ethtool -K eth0 gro on", "ethtool -K eth0 gro off")]
    [InlineData("interfaces", "eth1", "flow-director-atr", "on", "tcp-settings", CheckResult.Problem,
        "ethtool --set-priv-flags eth1 flow-director-atr off", "ethtool --set-priv-flags eth1 flow-director-atr on")]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelLocal", "1", "tcp-settings", CheckResult.Problem,
        "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal Normal", "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal HighlyRestricted")]
    [InlineData("tcp-templates", "Internet", "ScalingHeuristics", "1", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -ScalingHeuristics Disabled", "Set-NetTCPSetting -SettingName Internet -ScalingHeuristics Enabled")]
    [InlineData("afd-registry", "", "DefaultReceiveWindow", "8192", "tcp-settings", CheckResult.Problem,
        @"reg delete ""HKLM\SYSTEM\CurrentControlSet\Services\AFD\Parameters"" /v DefaultReceiveWindow /f",
        @"reg add ""HKLM\SYSTEM\CurrentControlSet\Services\AFD\Parameters"" /v DefaultReceiveWindow /t REG_DWORD /d 8192 /f")]
    [InlineData("bindings", "Ethernet 2 acme_lwf", "Enabled", "true", "filters", CheckResult.Note,
        "Disable-NetAdapterBinding -Name \"Ethernet 2\" -ComponentID acme_lwf", "Enable-NetAdapterBinding -Name \"Ethernet 2\" -ComponentID acme_lwf")]
    [InlineData("rsc", "Ethernet", "IPv4Enabled", "false", "adapters", CheckResult.Note,
        "Enable-NetAdapterRsc -Name \"Ethernet\" -IPv4", "Disable-NetAdapterRsc -Name \"Ethernet\" -IPv4")]
    [InlineData("power", "", "ActivePowerScheme", "a1841308-3541-4fab-bc81-f71556f20b4a", "power", CheckResult.Note,
        "powercfg /setactive SCHEME_BALANCED", "powercfg /setactive SCHEME_MAX")]
    [InlineData("adapters", "Acme", "InterfaceDescription", "Wintun Userspace Tunnel", "vpn", CheckResult.Note,
        "Disable-NetAdapter -Name \"Acme\"", "Enable-NetAdapter -Name \"Acme\"")]
    public void Judge_UnusualSetting_HasCommandAndUndo(
        string section, string subject, string name, string value, string id, CheckResult result, string? command, string? undo)
    {
        Check check = Judge(new SnapshotFact(subject, name, value), section).Single(found => found.Remedy is not null);

        Assert.Equal((id, result), (check.Id, check.Result));
        Assert.Equal((command, undo), (check.Remedy!.Command, check.Remedy.Undo));
        Assert.Equal(Doer.Administrator, check.Remedy.Who);
        Assert.NotEmpty(check.BearsOn);
    }

    [Theory]
    [InlineData("sysctls", "", "net.ipv4.tcp_sack", "1")]
    [InlineData("sysctls", "", "net.ipv4.tcp_rmem", "4096 131072 6291456")]
    [InlineData("sysctls", "", "net.ipv4.tcp_congestion_control", "bbr")]
    [InlineData("sysctls", "", "net.ipv4.tcp_ecn", "2")]
    [InlineData("routes", "eth0", "route default", "via 192.0.2.1 initcwnd 10")]
    [InlineData("routes", "eth0", "route default", "via 192.0.2.1 initrwnd 4")]
    [InlineData("interfaces", "eth0", "rx-gro", "on")]
    [InlineData("interfaces", "eth0", "tx-tcp-segmentation", "off [fixed]")]
    [InlineData("interfaces", "lo", "rx-gro", "off")]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelLocal", "3")]
    [InlineData("bindings", "Ethernet ms_tcpip", "Enabled", "true")]
    [InlineData("bindings", "Ethernet acme_lwf", "Enabled", "false")]
    [InlineData("power", "", "ActivePowerScheme", "381b4222-f694-41f0-9685-ff5bb260df2e")]
    [InlineData("adapters", "Ethernet", "InterfaceDescription", "Intel(R) Ethernet Controller I225-V")]
    public void Judge_UsualSetting_IsFine(string section, string subject, string name, string value) =>
        Assert.All(Judge(new(subject, name, value), section), check => Assert.Equal(CheckResult.Fine, check.Result));

    [Fact]
    public void Judge_SectionThatCouldNotBeRead_SaysWhy()
    {
        var snapshot = new SystemSnapshot(SystemSnapshot.SchemaName, DateTimeOffset.UnixEpoch, "Windows build 26100",
            [new("tcp-templates", "MSFT_NetTCPSetting", 1, "access denied", [])]);
        Check check = SnapshotChecks.Judge(snapshot).Single(found => found.Id is CheckIds.TcpSettings);
        Assert.Equal((CheckResult.Unknown, "tcp-templates could not be read: access denied"), (check.Result, check.Found.Text));
    }

    static IEnumerable<Check> Judge(SnapshotFact fact, string section) => SnapshotChecks.Judge(
        new(SystemSnapshot.SchemaName, DateTimeOffset.UnixEpoch, "any", [new(section, "test", 1, Problem: null, [fact])]));
}
