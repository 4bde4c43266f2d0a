using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Capture.Sessions;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Capture.Windows.Snapshots;

/// <summary>What a snapshot of Windows reads: build, adapters and their offloads, TCP, packet filters, power, names, routes, proxy.</summary>
public static class WindowsSnapshot
{
    const string Net = "root/StandardCimv2/";

    // Starting PowerShell takes most of a second of processor time.
    const int MaxStarting = 4;

    const string Tcpip = @"HKLM:\SYSTEM\CurrentControlSet\Services\";
    const string Interfaces = Tcpip + @"Tcpip\Parameters\Interfaces";

    internal static IReadOnlyList<WindowsQuery> Queries { get; } =
    [
        new("system", @"HKLM:\SOFTWARE\Microsoft\Windows NT\CurrentVersion", [], "CurrentBuildNumber", "UBR", "DisplayVersion", "EditionID",
            "InstallationType", "BuildLabEx"),
        new("machine", "root/cimv2/Win32_ComputerSystem", [], "Manufacturer", "Model", "NumberOfLogicalProcessors", "TotalPhysicalMemory", "HypervisorPresent"),
        new("adapters", Net + "MSFT_NetAdapter", ["Name"], "InterfaceDescription", "DriverName", "DriverVersionString", "DriverDate", "DriverProvider",
            "MajorDriverVersion", "MinorDriverVersion", "TransmitLinkSpeed", "ReceiveLinkSpeed", "FullDuplex", "MtuSize", "InterfaceOperationalStatus",
            "HardwareInterface", "Virtual", "PnPDeviceID"),
        new("firmware", "DEVPKEY_Device_FirmwareVersion of network devices", ["InstanceId"], "Data")
        {
            Source = "Get-PnpDevice -Class Net -PresentOnly | Get-PnpDeviceProperty -KeyName '{540b947e-8b40-45bc-a8a2-6a0b894cbda2} 18' | "
                + "Where-Object { $_.Data }",
        },
        new("hardware", Net + "MSFT_NetAdapterHardwareInfoSettingData", ["Name"], "PciExpressCurrentLinkSpeedEncoded", "PciExpressCurrentLinkWidth",
            "NumaNode", "MaxInterruptMessages"),
        new("rss", Net + "MSFT_NetAdapterRssSettingData", ["Name"], "Enabled", "Profile", "NumberOfReceiveQueues", "BaseProcessorNumber", "MaxProcessors"),
        new("rsc", Net + "MSFT_NetAdapterRscSettingData", ["Name"], "IPv4Enabled", "IPv6Enabled", "IPv4OperationalState", "IPv6OperationalState",
            "IPv4FailureReason", "IPv6FailureReason"),
        new("lso", Net + "MSFT_NetAdapterLsoSettingData", ["Name"], "V1IPv4Enabled", "IPv4Enabled", "IPv6Enabled"),
        new("checksum-offload", Net + "MSFT_NetAdapterChecksumOffloadSettingData", ["Name"], "IpIPv4Enabled", "TcpIPv4Enabled", "TcpIPv6Enabled",
            "UdpIPv4Enabled", "UdpIPv6Enabled"),

        // Interrupt moderation, jumbo frames, buffers, Flow Director: whatever the driver makes configurable.
        new("adapter-settings", Net + "MSFT_NetAdapterAdvancedPropertySettingData", ["Name", "RegistryKeyword"], "RegistryValue", "DefaultRegistryValue"),

        // Filter drivers (LWF) and protocols bound to an adapter.
        new("bindings", Net + "MSFT_NetAdapterBindingSettingData", ["Name", "ComponentID"], "Enabled", "ComponentClassName"),
        new("tcp-templates", Net + "MSFT_NetTCPSetting", ["SettingName"], "CongestionProvider", "AutoTuningLevelLocal", "AutoTuningLevelGroupPolicy",
            "AutoTuningLevelEffective", "EcnCapability", "Timestamps", "InitialCongestionWindow", "InitialRto", "MinRto", "ScalingHeuristics", "CwndRestart",
            "DelayedAckTimeout", "DelayedAckFrequency", "MemoryPressureProtection", "NonSackRttResiliency", "MaxSynRetransmissions", "ForceWS",
                "AutomaticUseCustom"),

        // Which connections a template applies to, by protocol, ports and destination.
        new("tcp-template-filters", Net + "MSFT_NetTransportFilter", ["SettingName", "Protocol", "LocalPortStart", "RemotePortStart", "DestinationPrefix"],
            "LocalPortEnd", "RemotePortEnd"),
        new("tcp-offload", Net + "MSFT_NetOffloadGlobalSetting", [], "ReceiveSideScaling", "ReceiveSegmentCoalescing", "Chimney", "TaskOffload",
            "NetworkDirect", "PacketCoalescingFilter"),
        new("tcp-registry", Tcpip + @"Tcpip\Parameters", [], "TcpTimedWaitDelay", "Tcp1323Opts", "TcpWindowSize", "GlobalMaxTcpWindowSize", "SackOpts",
            "TcpMaxDupAcks", "EnableWsd", "MaxUserPort", "DefaultTTL", "DisableTaskOffload"),

        // Settings of single adapters, by the id of their configuration.
        new("tcp-interface-registry", Interfaces, ["PSChildName"], "TcpAckFrequency", "TcpDelAckTicks", "TCPNoDelay", "TcpWindowSize", "MTU")
        {
            Source = $"&{{ if (Test-Path -LiteralPath '{Interfaces}') {{ Get-ChildItem -LiteralPath '{Interfaces}' | Get-ItemProperty }} }}",
        },
        new("afd-registry", Tcpip + @"AFD\Parameters", [], "DefaultReceiveWindow", "DefaultSendWindow", "FastSendDatagramThreshold",
            "DynamicSendBufferDisable"),
        new("firewall", Net + "MSFT_NetFirewallProfile", ["InstanceID"], "Enabled", "DefaultInboundAction", "DefaultOutboundAction"),
        new("antivirus", "root/SecurityCenter2/AntiVirusProduct", ["displayName"], "productState", "pathToSignedProductExe"),
        new("power", @"HKLM:\SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes", [], "ActivePowerScheme", "ActiveOverlayAcPowerScheme",
            "ActiveOverlayDcPowerScheme"),
        new("dns", Net + "MSFT_DNSClientServerAddress", ["InterfaceAlias", "AddressFamily"], "ServerAddresses"),
        new("routes", Net + "MSFT_NetRoute", ["InterfaceAlias", "DestinationPrefix"], "NextHop", "RouteMetric", "InterfaceMetric"),
        new("proxy", @"HKCU:\Software\Microsoft\Windows\CurrentVersion\Internet Settings", [], "ProxyEnable", "ProxyServer", "ProxyOverride", "AutoConfigURL"),
        new("winhttp-proxy", @"HKLM:\SOFTWARE\Microsoft\Windows\CurrentVersion\Internet Settings\Connections", [], "WinHttpSettings")
        {
            Decode = WinHttpProxy.Facts,
        },
    ];

    // What no class reports: HyStart, PRR, pacing, Fast Open.
    static SnapshotReader Dump(ICaptureMachine machine, CancellationToken cancel) =>
        new("tcp-global", TcpDump.Call.ToString(), TimeSpan.FromSeconds(10), () => TcpDump.Read(machine, cancel));

    [SupportedOSPlatform("windows")]
    static SnapshotReader Callouts() => new("wfp-callouts", "FwpmCalloutEnum0", TimeSpan.FromSeconds(10), WfpCallouts.Read);

    /// <summary>Takes a snapshot.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancel">Ends it, and the programs that it asks.</param>
    /// <returns>The snapshot.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public static SystemSnapshot Take(ICaptureMachine machine, TimeProvider time, CancellationToken cancel) => Take(machine, time, sections: null, cancel);

    /// <summary>Takes a part of a snapshot.</summary>
    /// <param name="machine">The machine.</param>
    /// <param name="time">The clock.</param>
    /// <param name="sections">The names of the sections to take; null for all.</param>
    /// <param name="cancel">Ends it, and the programs that it asks.</param>
    /// <returns>The snapshot.</returns>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
    public static SystemSnapshot Take(ICaptureMachine machine, TimeProvider time, IReadOnlySet<string>? sections, CancellationToken cancel)
    {
        ArgumentNullException.ThrowIfNull(machine);
        IEnumerable<ISnapshotReader> readers = Queries.Select(query => query.On(machine, cancel)).Append(Dump(machine, cancel));
        return SnapshotTaker.Take(
            (OperatingSystem.IsWindows() ? readers.Append(Callouts()) : readers).Where(reader => sections?.Contains(reader.Name) is not false),
            FormattableString.Invariant($"Windows build {machine.Build}"), time, MaxStarting, cancel);
    }
}

/// <summary>
/// The TCP settings as netsh dumps them for restoring: commands such as <c>set global hystart=enabled prr=enabled pacingprofile=off</c>, the same in
/// every language. Among them are those that no CIM class reports. What this Windows does not know is absent.
/// </summary>
static class TcpDump
{
    static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    public static ProgramCall Call { get; } = ProgramCall.Of("netsh", "interface", "tcp", "dump");

    /// <summary>Reads the facts.</summary>
    /// <returns>The facts; their subject is what is set, e.g. global.</returns>
    /// <exception cref="CaptureException">netsh failed.</exception>
    public static IEnumerable<SnapshotFact> Read(ICaptureMachine machine, CancellationToken cancel)
    {
        cancel.ThrowIfCancellationRequested(); // before there is anything to end
        ProgramResult result = machine.Run(Call, Limit, _ => cancel.ThrowIfCancellationRequested());
        return result.Succeeded
            ? result.Output.Split('\n').SelectMany(line => Facts(line.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)))
            : throw new CaptureException($"`{Call}` ended with {result.Describe()}");
    }

    static IEnumerable<SnapshotFact> Facts(string[] words)
    {
        if (words is not ["set", var subject, .. var settings])
        {
            yield break;
        }

        foreach (string[] setting in settings.Select(word => word.Split('=', 2)))
        {
            if (setting is [var name, var value])
            {
                yield return new(subject, name, value);
            }
        }
    }
}
