using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Doctor.Checks;

/// <summary>
/// Judges a snapshot: settings by which an analysis explains findings (<see cref="MachineSummary"/>), and those that matter before anything is recorded.
/// Needs no machine: the snapshot of a bundle will do.
/// </summary>
static class SnapshotChecks
{
    // 2 MB in flight fill 100 Mbit/s over 160 ms; systems allow 4 to 6 MB.
    const long SmallBuffer = 1 << 20;

    static readonly string[] Judged = [CheckIds.TcpSettings, CheckIds.Filters, CheckIds.Adapters, CheckIds.Power, CheckIds.Vpn, CheckIds.Proxy];

    // Active schemes of Windows: power saver (powercfg /aliases: SCHEME_MAX).
    const string PowerSaver = "a1841308-3541-4fab-bc81-f71556f20b4a";

    static readonly Message Unbound = "Takes the driver out of the path, to compare; what it protects is not protected meanwhile.";
    static readonly Message ReceiveBuffers = "Lets receive buffers grow to 6 MB, as is usual.";
    static readonly Message SendBuffers = "Lets send buffers grow to 6 MB, as is usual.";
    static readonly Message Default = "Sets it back to the default.";

    static readonly Dictionary<string, string> Offloads = new(StringComparer.Ordinal)
    {
        ["tx-tcp-segmentation"] = "tso",
        ["tx-generic-segmentation"] = "gso",
        ["rx-gro"] = "gro",
    };

    static readonly string[] TunnelWords =
        ["TAP-", "Wintun", "WireGuard", "VPN", "AnyConnect", "PANGP", "Fortinet", "Juniper", "Zscaler", "WAN Miniport (IKEv2)"];

    /// <summary>Judges a snapshot.</summary>
    /// <returns>What stands out, what could not be read, and that the rest is as it should be.</returns>
    public static IEnumerable<Check> Judge(SystemSnapshot snapshot)
    {
        bool isWindows = snapshot.Sections.Any(section => section.Name is JudgedSettings.TemplatesSection);
        List<Check> found = [.. MachineSummary.Of(snapshot).Notes.Select(Of), .. snapshot.Sections.SelectMany(Others), .. WindowsTcp.Judge(snapshot)];
        found.AddRange(snapshot.Sections.Where(section => section.Problem is not null && IdOf(section.Name) is not null)
            .Select(section => new Check(IdOf(section.Name)!, CheckResult.Unknown, $"{section.Name} could not be read: {section.Problem}")));
        IEnumerable<string> quiet = Judged.Where(id => !found.Exists(check => string.Equals(check.Id, id, StringComparison.Ordinal)));
        return [.. found, .. quiet.Select(id => Quiet(id, isWindows)).OfType<Check>()];
    }

    static Check Of(MachineNote note)
    {
        bool isFilter = note.Section is JudgedSettings.BindingsSection;
        return new(isFilter ? CheckIds.Filters : CheckIds.TcpSettings, isFilter ? CheckResult.Note : CheckResult.Problem, Message.Whole(note.What))
        {
            Remedy = Remedy.By(isFilter ? Unbound : Default, note.Change),
            BearsOn = note.BearsOn,
        };
    }

    // Which check the facts of a section belong to; null for those of none.
    static string? IdOf(string section) => section switch
    {
        JudgedSettings.SysctlsSection or JudgedSettings.TemplatesSection or JudgedSettings.TcpRegistrySection or JudgedSettings.AfdRegistrySection
            or "tcp-template-filters" or "tcp-global" => CheckIds.TcpSettings,
        JudgedSettings.BindingsSection => CheckIds.Filters,
        JudgedSettings.InterfacesSection or "rsc" or "lso" or "tcp-offload" => CheckIds.Adapters,
        "power" => CheckIds.Power,
        "adapters" => CheckIds.Vpn,
        "proxy" or "winhttp-proxy" => CheckIds.Proxy,
        _ => null,
    };

    static IEnumerable<Check> Others(SnapshotSection section) => section.Name switch
    {
        JudgedSettings.SysctlsSection => section.Facts.SelectMany(fact => (Check?[])[Buffer(fact), SenderSettings.Of(fact)]).OfType<Check>(),
        "routes" => section.Facts.Select(SenderSettings.OfRoute).OfType<Check>(),
        JudgedSettings.InterfacesSection => section.Facts.Select(Offload).OfType<Check>(),
        JudgedSettings.TemplatesSection => section.Facts.Select(Heuristics).OfType<Check>(),
        "lso" or "rsc" => section.Facts.Select(fact => WindowsOffload(fact, section.Name)).OfType<Check>(),
        "power" => section.Facts.Select(Scheme).OfType<Check>(),
        "machine" => section.Facts.Select(Governor).OfType<Check>(),
        "adapters" => section.Facts.Select(Tunnel).OfType<Check>(),
        "proxy" or "winhttp-proxy" => section.Facts.Select(Proxy).OfType<Check>(),
        _ => [],
    };

    // Minimum, default and maximum, bytes.
    static Check? Buffer(SnapshotFact fact)
    {
        bool isReceive = fact.Name is "net.ipv4.tcp_rmem";
        if ((!isReceive && fact.Name is not "net.ipv4.tcp_wmem") || fact.Value.Split(' ') is not [var least, var usual, var most]
            || !long.TryParse(most, NumberStyles.None, CultureInfo.InvariantCulture, out long bytes) || bytes >= SmallBuffer)
        {
            return null;
        }

        return new(CheckIds.TcpSettings, CheckResult.Problem,
            isReceive
                ? (Message)$"the receive buffer of a connection may have {bytes} bytes at most ({fact.Name}): that is the most for each round trip"
                : $"the send buffer of a connection may have {bytes} bytes at most ({fact.Name}): that is the most for each round trip")
        {
            Remedy = Remedy.By(
                isReceive ? ReceiveBuffers : SendBuffers,
                SettingChange.Of(SettingKind.Sysctl, string.Empty, fact.Name, fact.Value, $"{least} {usual} 6291456")),
            BearsOn = isReceive ? [FindingIds.ReceiveWindowLimited, FindingIds.WindowOrBuffer] : [FindingIds.SendBufferLimited, FindingIds.WindowOrBuffer],
        };
    }

    // One that the driver cannot change is marked, and is its nature.
    static Check? Offload(SnapshotFact fact) => fact.Value is "off" && fact.Subject is not "lo" && Offloads.TryGetValue(fact.Name, out string? flag)
        ? new(CheckIds.Adapters, CheckResult.Note, $"{fact.Subject}: {flag} is off, which takes the processor several times the work at high rates")
        {
            Remedy = Remedy.By("Switches it on, as is usual.", SettingChange.Of(SettingKind.Feature, fact.Subject, flag, "off", "on")),
            BearsOn = [FindingIds.HostLimited],
        }
        : null;

    static Check? WindowsOffload(SnapshotFact fact, string kind)
    {
        bool isOff = fact is { Value: "false", Name: "IPv4Enabled" };
        string noun = kind is "lso" ? "Lso" : "Rsc";
        return isOff
            ? new(CheckIds.Adapters, CheckResult.Note, $"{fact.Subject}: {kind.ToUpperInvariant()} is off, which takes the processor more work at high rates")
            {
                Remedy = Remedy.By("Switches it on, as is usual.", SettingChange.Of(SettingKind.AdapterOffload, fact.Subject, noun, "off", "on")),
                BearsOn = [FindingIds.HostLimited],
            }
            : null;
    }

    // MSFT_NetTCPSetting: 1 is enabled; scaling heuristics restrict the window where a router was once found to be broken.
    static Check? Heuristics(SnapshotFact fact) => fact is { Name: "ScalingHeuristics", Value: "1" }
        ? new(CheckIds.TcpSettings, CheckResult.Note, $"scaling heuristics may restrict the receive window (template {fact.Subject})")
        {
            Remedy = Remedy.By("Switches them off, as is usual.", SettingChange.Of(SettingKind.TcpTemplate, fact.Subject, fact.Name, "Enabled", "Disabled")),
            BearsOn = [FindingIds.ReceiveWindowLimited],
        }
        : null;

    static Check? Scheme(SnapshotFact fact) => fact.Name is "ActivePowerScheme" && fact.Value.Contains(PowerSaver, StringComparison.OrdinalIgnoreCase)
        ? Saving("the power plan is \"power saver\"", "powercfg /setactive SCHEME_BALANCED", "powercfg /setactive SCHEME_MAX")
        : null;

    // Drivers of newer processors call their usual, adaptive governor powersave too.
    static Check? Governor(SnapshotFact fact) => fact.Name.EndsWith("/scaling_governor", StringComparison.Ordinal) && fact.Value is "powersave"
        ? Saving("processors are governed by \"powersave\"", "cpupower frequency-set -g schedutil", "cpupower frequency-set -g powersave")
        : null;

    static Check Saving(Message found, string command, string undo) => new(CheckIds.Power, CheckResult.Note, found)
    {
        Remedy = new("Lets processors and adapters run faster; takes more power.", command, undo, Doer.Administrator),
        BearsOn = [FindingIds.HostLimited],
    };

    static Check? Tunnel(SnapshotFact fact) =>
        fact.Name is "InterfaceDescription" && Array.Exists(TunnelWords, word => fact.Value.Contains(word, StringComparison.OrdinalIgnoreCase))
            ? new(CheckIds.Vpn, CheckResult.Note, $"{fact.Subject} is a tunnel ({fact.Value})")
            {
                Remedy = new("Compare without it: a tunnel takes room in each packet, and its far end may be a detour.",
                    $"Disable-NetAdapter -Name \"{fact.Subject}\"", $"Enable-NetAdapter -Name \"{fact.Subject}\"", Doer.Administrator),
                BearsOn = [FindingIds.MtuBlackHole, FindingIds.MssClamped, FindingIds.PathReordering],
            }
            : null;

    static Check? Proxy(SnapshotFact fact) =>
        fact.Name is "ProxyServer" or "AutoConfigURL" or "Proxy" or "AutoConfigUrl" ? ProxyFound.Of($"{fact.Name} {fact.Value}") : null;

    // Of Linux, other checks look at tunnels, adapters and proxies.
    static Check? Quiet(string id, bool isWindows) => (id, isWindows) switch
    {
        (CheckIds.TcpSettings, _) => new(id, CheckResult.Fine, "nothing that matters differs from the default"),
        (CheckIds.Power, _) => new(id, CheckResult.Fine, "no saving of power that slows transfers down is set"),
        (CheckIds.Filters, true) => new(id, CheckResult.Fine, "only drivers of Windows see the packets"),
        (CheckIds.Adapters, true) => new(id, CheckResult.Fine, "offloads are on"),
        (CheckIds.Vpn, true) => new(id, CheckResult.Fine, "no tunnel (VPN) is known"),
        (CheckIds.Proxy, true) => new(id, CheckResult.Fine, "no proxy is set"),
        _ => null,
    };
}
