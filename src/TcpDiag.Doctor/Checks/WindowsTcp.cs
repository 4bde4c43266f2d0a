using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Doctor.Checks;

/// <summary>
/// Settings of Windows' TCP that are not the default, of the templates that connections use (Get-NetTCPSetting, Get-NetTransportFilter) and of all connections
/// (Set-NetOffloadGlobalSetting, netsh). Values are numbers as MSFT_NetTCPSetting has them; defaults are those of Windows 10 and later, from Microsoft's "TCP
/// templates for Windows Server 2019" and the reference of the class. Each may be meant to be so.
/// </summary>
static class WindowsTcp
{
    const string FiltersSection = "tcp-template-filters";
    const string Automatic = "Automatic";
    const int UsualWindow = 10; // segments
    const int UsualMinRto = 300; // ms, of the Internet templates; those of data centers have 20 or 60
    const int LongestUsualAckDelay = 50; // ms; 40 since Windows 10 1709
    const int UsualAckFrequency = 2; // RFC 9293 §3.8.6.3

    static readonly Message Default = "Sets it back to the default.";

    // Those that are not the default of any Windows; the words are netsh's. 0 default, 2 CTCP, 3 DCTCP and 5 CUBIC are of some.
    static readonly Dictionary<string, string> UnusualProviders = new(StringComparer.Ordinal) { ["1"] = "newreno", ["4"] = "ledbat", ["6"] = "bbr2" };

    static readonly (string Name, string[] BearsOn)[] Offloads =
    [
        ("ReceiveSegmentCoalescing", [FindingIds.HostLimited]),
        ("ReceiveSideScaling", [FindingIds.HostLimited]),
        ("TaskOffload", [FindingIds.HostLimited]),
    ];

    static readonly Dictionary<string, string[]> Globals = new(StringComparer.Ordinal)
    {
        ["prr=disabled"] = [FindingIds.PathLoss, FindingIds.CwndLimitedByReordering],
        ["hystart=disabled"] = [FindingIds.PathLoss, FindingIds.Bufferbloat],
        ["timestamps=enabled"] = [FindingIds.TimestampsStripped],
    };

    /// <summary>Judges a snapshot.</summary>
    /// <returns>What is not the default.</returns>
    public static IEnumerable<Check> Judge(SystemSnapshot snapshot)
    {
        SnapshotFact[] templates = Facts(snapshot, JudgedSettings.TemplatesSection);
        Filter[] filters = [.. Facts(snapshot, FiltersSection).GroupBy(fact => fact.Subject, StringComparer.Ordinal).Select(Filter.Of).OfType<Filter>()];
        string[] used = [.. Used(templates, filters)];
        return
        [
            .. templates.Select(Choice).OfType<Check>(),
            .. filters.Where(filter => filter.Template is not Automatic).Select(Check),
            .. templates.Where(fact => used.Contains(fact.Subject, StringComparer.Ordinal)).Select(Template).OfType<Check>(),
            .. Facts(snapshot, "tcp-offload").Select(Offload).OfType<Check>(),
            .. Facts(snapshot, "tcp-global").Select(Global).OfType<Check>(),
        ];
    }

    // Automatic takes the one or the other of a pair by the round trip time of the handshake.
    static IEnumerable<string> Used(SnapshotFact[] templates, Filter[] filters)
    {
        bool isCustom = Array.Exists(templates, IsCustomChosen);
        return [isCustom ? "InternetCustom" : "Internet", isCustom ? "DatacenterCustom" : "Datacenter", .. filters.Select(filter => filter.Template)];
    }

    static bool IsCustomChosen(SnapshotFact fact) => fact is { Name: "AutomaticUseCustom", Value: "1" };

    static Check? Choice(SnapshotFact fact) => !IsCustomChosen(fact) ? null : Note(
        $"connections use the custom templates instead of those of Windows (AutomaticUseCustom, template {fact.Subject})",
        [FindingIds.RtoStalls, FindingIds.SlowStart, FindingIds.NagleDelayedAck],
        Remedy.By("Has connections use the templates of Windows.", Change(fact, "Enabled", "Disabled")));

    static Check Check(Filter filter) => Note(
        $"connections to {filter.Prefix}, ports {filter.RemoteStart} to {filter.RemoteEnd}, use the template {filter.Template} (Get-NetTransportFilter)",
        [FindingIds.RtoStalls, FindingIds.SlowStart, FindingIds.NagleDelayedAck, FindingIds.ReceiveWindowLimited],
        new Remedy("Has Windows choose the template by the round trip time.", filter.Removal, filter.Creation, Doer.Administrator));

    static Check? Template(SnapshotFact fact)
    {
        bool isInternet = fact.Subject.StartsWith("Internet", StringComparison.Ordinal);
        return fact.Name switch
        {
            "CongestionProvider" when UnusualProviders.TryGetValue(fact.Value, out string? provider) => Provider(fact, provider),
            "InitialCongestionWindow" when Number(fact) is > 0 and < UsualWindow => Number(
                $"connections begin with {fact.Value} segments instead of {UsualWindow} (template {fact.Subject})", fact, UsualWindow, [FindingIds.SlowStart]),
            "MinRto" when isInternet && Number(fact) is > 0 and < UsualMinRto => Number(
                $"the retransmission timer waits for {fact.Value} ms at least instead of {UsualMinRto} (template {fact.Subject})", fact, UsualMinRto,
                [FindingIds.SpuriousRetransmissions, FindingIds.RtoStalls]),
            "DelayedAckTimeout" when Number(fact) > LongestUsualAckDelay => Number(
                $"acknowledgments wait up to {fact.Value} ms for a second segment (template {fact.Subject})", fact, isInternet ? 40 : 10,
                    [FindingIds.NagleDelayedAck]),
            "DelayedAckFrequency" when Number(fact) > UsualAckFrequency => Number(
                $"only every {fact.Value}th segment is acknowledged at once (template {fact.Subject})", fact, UsualAckFrequency,
                [FindingIds.NagleDelayedAck, FindingIds.SlowStart]),
            "EcnCapability" when isInternet && fact.Value is "1" => Note(
                $"connections that begin here ask for ECN (template {fact.Subject}), for which some middleboxes drop the SYN",
                [FindingIds.SynRetransmitted, FindingIds.EcnMarks], Remedy.By(Default, Change(fact, "Enabled", "Disabled"))),
            "CwndRestart" when fact.Value is "1" => Note(
                $"after a pause connections begin slowly again (CwndRestart, template {fact.Subject})", [FindingIds.IdleRestart],
                Remedy.By(Default, Change(fact, "True", "False"))),
            JudgedSettings.AutoTuningLevelLocal when fact.Value is "4" => Note(
                $"autotuning of the receive window is experimental (template {fact.Subject}): it may grow far beyond what the path holds",
                [FindingIds.Bufferbloat], Remedy.By(Default, Change(fact, "Experimental", "Normal"))),
            "AutoTuningLevelGroupPolicy" when fact.Value is "0" or "1" or "2" => Policy(fact),
            _ => null,
        };
    }

    // Set-NetTCPSetting knows none of them.
    static Check Provider(SnapshotFact fact, string provider)
    {
        string command = FormattableString.Invariant($"netsh interface tcp set supplemental template={fact.Subject.ToLowerInvariant()} congestionprovider=");
        return Note(
            $"congestion control is {provider} (template {fact.Subject}), which no Windows has by itself",
            [FindingIds.PathLoss, FindingIds.CwndLimitedByReordering, FindingIds.Bufferbloat],
            new Remedy(Default, command + "cubic", command + provider, Doer.Administrator));
    }

    static Check Policy(SnapshotFact fact) =>
        new(CheckIds.TcpSettings, CheckResult.Problem, $"a group policy restricts autotuning of the receive window (template {fact.Subject})")
        {
            Remedy = new("Whoever makes the policies of your domain can take it out (AutoTuningLevelGroupPolicy).", null, null, Doer.Administrator),
            BearsOn = [FindingIds.ReceiveWindowLimited, FindingIds.ReceiveWindowHalved],
        };

    static Check? Offload(SnapshotFact fact) =>
        fact.Value is "0" && Array.Find(Offloads, offload => string.Equals(offload.Name, fact.Name, StringComparison.Ordinal)) is { Name: { } name } known
        ? new(CheckIds.Adapters, CheckResult.Note, $"{name} is off for all adapters, which takes the processor more work at high rates")
        {
            Remedy = new("Switches it on, as is usual.", $"Set-NetOffloadGlobalSetting -{name} Enabled", $"Set-NetOffloadGlobalSetting -{name} Disabled",
                Doer.Administrator),
            BearsOn = known.BearsOn,
        }
        : null;

    static Check? Global(SnapshotFact fact) => fact.Subject is "global" && Globals.TryGetValue($"{fact.Name}={fact.Value}", out string[]? bearsOn)
        ? Note(
            $"{fact.Name} is {fact.Value} for all connections, which is not the default",
            bearsOn,
            new Remedy(Default, $"netsh interface tcp set global {fact.Name}=default", $"netsh interface tcp set global {fact.Name}={fact.Value}",
                Doer.Administrator))
        : null;

    static Check Number(Message found, SnapshotFact fact, int usual, IReadOnlyList<string> bearsOn) =>
        Note(found, bearsOn, Remedy.By(Default, Change(fact, fact.Value, usual.ToString(CultureInfo.InvariantCulture))));

    static SettingChange Change(SnapshotFact fact, string before, string after) =>
        SettingChange.Of(SettingKind.TcpTemplate, fact.Subject, fact.Name, before, after);

    static Check Note(Message found, IReadOnlyList<string> bearsOn, Remedy remedy) =>
        new(CheckIds.TcpSettings, CheckResult.Note, found) { Remedy = remedy, BearsOn = bearsOn };

    static int? Number(SnapshotFact fact) => int.TryParse(fact.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : null;

    static SnapshotFact[] Facts(SystemSnapshot snapshot, string section) =>
        [.. snapshot.Sections.Where(found => string.Equals(found.Name, section, StringComparison.Ordinal)).SelectMany(found => found.Facts)];

    // Its first ports and its prefix are in the subject of the snapshot: template, protocol, local port, remote port, prefix.
    sealed record Filter(string Template, string LocalStart, string LocalEnd, string RemoteStart, string RemoteEnd, string Prefix)
    {
        public static Filter? Of(IGrouping<string, SnapshotFact> facts) => facts.Key.Split(' ') is [var template, _, var local, var remote, .. var prefix]
            ? new(template, local, End(facts, "LocalPortEnd"), remote, End(facts, "RemotePortEnd"), string.Concat(prefix) is { Length: > 0 } to ? to : "*")
            : null;

        public string Removal => $"Remove-NetTransportFilter -SettingName {Template} -LocalPortStart {LocalStart} -RemotePortStart {RemoteStart}{To}";

        public string Creation => $"New-NetTransportFilter -SettingName {Template} -Protocol TCP -LocalPortStart {LocalStart} -LocalPortEnd {LocalEnd} "
            + $"-RemotePortStart {RemoteStart} -RemotePortEnd {RemoteEnd}{To}";

        string To => Prefix is "*" ? string.Empty : $" -DestinationPrefix {Prefix}";

        static string End(IEnumerable<SnapshotFact> facts, string name) =>
            facts.FirstOrDefault(fact => string.Equals(fact.Name, name, StringComparison.Ordinal))?.Value ?? "65535";
    }
}
