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
        "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal Normal",
            "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal HighlyRestricted")]
    [InlineData("tcp-templates", "Internet", "ScalingHeuristics", "1", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -ScalingHeuristics Disabled", "Set-NetTCPSetting -SettingName Internet -ScalingHeuristics Enabled")]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelLocal", "4", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal Normal", "Set-NetTCPSetting -SettingName Internet -AutoTuningLevelLocal Experimental")]
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelGroupPolicy", "1", "tcp-settings", CheckResult.Problem, null, null)]
    [InlineData("tcp-templates", "Internet", "CongestionProvider", "6", "tcp-settings", CheckResult.Note,
        "netsh interface tcp set supplemental template=internet congestionprovider=cubic",
            "netsh interface tcp set supplemental template=internet congestionprovider=bbr2")]
    [InlineData("tcp-templates", "Datacenter", "InitialCongestionWindow", "4", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Datacenter -InitialCongestionWindow 10", "Set-NetTCPSetting -SettingName Datacenter -InitialCongestionWindow 4")]
    [InlineData("tcp-templates", "Internet", "MinRto", "299", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -MinRto 300", "Set-NetTCPSetting -SettingName Internet -MinRto 299")]
    [InlineData("tcp-templates", "Internet", "DelayedAckTimeout", "51", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -DelayedAckTimeout 40", "Set-NetTCPSetting -SettingName Internet -DelayedAckTimeout 51")]
    [InlineData("tcp-templates", "Datacenter", "DelayedAckTimeout", "200", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Datacenter -DelayedAckTimeout 10", "Set-NetTCPSetting -SettingName Datacenter -DelayedAckTimeout 200")]
    [InlineData("tcp-templates", "Internet", "DelayedAckFrequency", "3", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -DelayedAckFrequency 2", "Set-NetTCPSetting -SettingName Internet -DelayedAckFrequency 3")]
    [InlineData("tcp-templates", "Internet", "EcnCapability", "1", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -EcnCapability Disabled", "Set-NetTCPSetting -SettingName Internet -EcnCapability Enabled")]
    [InlineData("tcp-templates", "Internet", "CwndRestart", "1", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName Internet -CwndRestart False", "Set-NetTCPSetting -SettingName Internet -CwndRestart True")]
    [InlineData("tcp-templates", "InternetCustom", "AutomaticUseCustom", "1", "tcp-settings", CheckResult.Note,
        "Set-NetTCPSetting -SettingName InternetCustom -AutomaticUseCustom Disabled",
            "Set-NetTCPSetting -SettingName InternetCustom -AutomaticUseCustom Enabled")]
    [InlineData("tcp-template-filters", "Compat 6 0 5001 192.0.2.0/24", "RemotePortEnd", "5002", "tcp-settings", CheckResult.Note,
        "Remove-NetTransportFilter -SettingName Compat -LocalPortStart 0 -RemotePortStart 5001 -DestinationPrefix 192.0.2.0/24",
        "New-NetTransportFilter -SettingName Compat -Protocol TCP -LocalPortStart 0 -LocalPortEnd 65535 -RemotePortStart 5001 -RemotePortEnd 5002 "
            + "-DestinationPrefix 192.0.2.0/24")]
    [InlineData("tcp-template-filters", "Compat 6 1 0 *", "LocalPortEnd", "9", "tcp-settings", CheckResult.Note,
        "Remove-NetTransportFilter -SettingName Compat -LocalPortStart 1 -RemotePortStart 0",
        "New-NetTransportFilter -SettingName Compat -Protocol TCP -LocalPortStart 1 -LocalPortEnd 9 -RemotePortStart 0 -RemotePortEnd 65535")]
    [InlineData("tcp-offload", "", "ReceiveSegmentCoalescing", "0", "adapters", CheckResult.Note,
        "Set-NetOffloadGlobalSetting -ReceiveSegmentCoalescing Enabled", "Set-NetOffloadGlobalSetting -ReceiveSegmentCoalescing Disabled")]
    [InlineData("tcp-global", "global", "prr", "disabled", "tcp-settings", CheckResult.Note,
        "netsh interface tcp set global prr=default", "netsh interface tcp set global prr=disabled")]
    [InlineData("tcp-global", "global", "timestamps", "enabled", "tcp-settings", CheckResult.Note,
        "netsh interface tcp set global timestamps=default", "netsh interface tcp set global timestamps=enabled")]
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
    [InlineData("tcp-templates", "Internet", "AutoTuningLevelGroupPolicy", "254")] // not configured
    [InlineData("tcp-templates", "Internet", "CongestionProvider", "5")] // CUBIC
    [InlineData("tcp-templates", "Datacenter", "CongestionProvider", "3")] // DCTCP, of servers
    [InlineData("tcp-templates", "Internet", "InitialCongestionWindow", "10")]
    [InlineData("tcp-templates", "InternetCustom", "InitialCongestionWindow", "4")] // which nothing uses
    [InlineData("tcp-templates", "Compat", "InitialCongestionWindow", "4")]
    [InlineData("tcp-templates", "Internet", "MinRto", "300")]
    [InlineData("tcp-templates", "Datacenter", "MinRto", "20")]
    [InlineData("tcp-templates", "Internet", "DelayedAckTimeout", "50")]
    [InlineData("tcp-templates", "Internet", "DelayedAckFrequency", "2")]
    [InlineData("tcp-templates", "Datacenter", "EcnCapability", "1")] // of servers
    [InlineData("tcp-templates", "Internet", "CwndRestart", "0")]
    [InlineData("tcp-templates", "InternetCustom", "AutomaticUseCustom", "0")]
    [InlineData("tcp-template-filters", "Automatic 6 0 0 *", "LocalPortEnd", "65535")]
    [InlineData("tcp-offload", "", "ReceiveSegmentCoalescing", "1")]
    [InlineData("tcp-offload", "", "Chimney", "0")]
    [InlineData("tcp-global", "global", "prr", "enabled")]
    [InlineData("bindings", "Ethernet ms_tcpip", "Enabled", "true")]
    [InlineData("bindings", "Ethernet acme_lwf", "Enabled", "false")]
    [InlineData("power", "", "ActivePowerScheme", "381b4222-f694-41f0-9685-ff5bb260df2e")]
    [InlineData("adapters", "Ethernet", "InterfaceDescription", "Intel(R) Ethernet Controller I225-V")]
    public void Judge_UsualSetting_IsFine(string section, string subject, string name, string value) =>
        Assert.All(Judge(new(subject, name, value), section), check => Assert.Equal(CheckResult.Fine, check.Result));

    // A custom template counts where Windows was told to take it, by a filter or for all connections; then its pendant does not.
    [Theory]
    [InlineData("tcp-template-filters", "InternetCustom 6 0 443 *", "RemotePortEnd", "443", "InternetCustom")]
    [InlineData("tcp-templates", "Internet", "AutomaticUseCustom", "1", "InternetCustom")]
    [InlineData("tcp-templates", "Internet", "AutomaticUseCustom", "0", "Internet")]
    public void Judge_TemplateInUse_IsTheOneThatIsJudged(string section, string subject, string name, string value, string used)
    {
        SnapshotFact[] windows = [new("Internet", "InitialCongestionWindow", "2"), new("InternetCustom", "InitialCongestionWindow", "3")];
        var snapshot = new SystemSnapshot(SystemSnapshot.SchemaName, DateTimeOffset.UnixEpoch, "any",
            [new("tcp-templates", "test", 1, null, windows), new(section, "test", 1, null, [new(subject, name, value)])]);
        Check[] begin = [.. SnapshotChecks.Judge(snapshot).Where(check => check.Found.Text.StartsWith("connections begin with", StringComparison.Ordinal))];
        Assert.Contains(begin, check => check.Found.Text.EndsWith($"(template {used})", StringComparison.Ordinal));
        Assert.Equal(section is "tcp-template-filters" ? 2 : 1, begin.Length);
    }

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
