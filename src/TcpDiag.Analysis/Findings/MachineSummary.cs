using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using TcpDiag.Traces.Bundles;
using static TcpDiag.Analysis.Findings.FindingIds;

namespace TcpDiag.Analysis.Findings;

/// <summary>What the snapshot of a bundle says about the machine that recorded it, as far as it matters for findings.</summary>
/// <param name="OperatingSystem">System and version.</param>
/// <param name="Notes">Settings that are unusual and matter; empty when there are none.</param>
public sealed record MachineSummary(string OperatingSystem, IReadOnlyList<MachineNote> Notes)
{
    const string Measure = "setting of the recorded machine";

    /// <summary>Summarises a snapshot.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <returns>The summary.</returns>
    public static MachineSummary Of(SystemSnapshot snapshot)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        return new(snapshot.OperatingSystem, [.. snapshot.Sections.SelectMany(MachineRules.Judge).DistinctBy(note => note.What, StringComparer.Ordinal)]);
    }

    /// <summary>Adds the settings that may be the cause of a finding to its evidence, and how to change them to its advice.</summary>
    /// <param name="findings">The findings.</param>
    /// <returns>The findings in the same order.</returns>
    public IReadOnlyList<Finding> Explain(IReadOnlyList<Finding> findings) => [.. findings.Select(Explain)];

    Finding Explain(Finding finding)
    {
        MachineNote[] notes = [.. Notes.Where(note => note.BearsOn.Contains(finding.Id, StringComparer.Ordinal))];
        return notes.Length == 0 ? finding : finding with { Text = () => Explain(finding.Text(), notes) };
    }

    static FindingText Explain(FindingText text, MachineNote[] notes) => notes
        .Aggregate(text, static (explained, note) => explained.Shown(Measure, $"{note.What}"))
        .Advise([.. notes.Select(static note => note.Advice)]);
}

/// <summary>An unusual setting of the recorded machine that affects its connections.</summary>
/// <param name="What">The setting and where it is, a clause.</param>
/// <param name="Advice">How to change it.</param>
/// <param name="BearsOn">Findings that it may be the cause of (<see cref="Findings.FindingIds"/>).</param>
public sealed record MachineNote(string What, string Advice, IReadOnlyList<string> BearsOn)
{
    /// <summary>Section of the snapshot that shows it.</summary>
    public string Section { get; init; } = string.Empty;

    /// <summary>How to change it, and how to undo that.</summary>
    public required SettingChange Change { get; init; }
}

/// <summary>
/// Which settings of a snapshot matter. Their names are those of <see cref="JudgedSettings"/>, which redaction keeps; the defaults of a system are not
/// reported.
/// </summary>
static class MachineRules
{
    // Prefixes of components that belong to Windows: its protocols, and the switch of Hyper-V.
    static readonly string[] OwnBindings = [JudgedSettings.OwnBinding, JudgedSettings.SwitchBinding];

    static readonly string[] OfReordering = [PathReordering, CwndLimitedByReordering, SpuriousRetransmissions];

    static readonly Dictionary<string, (string Off, string[] BearsOn)> Sysctls = new(StringComparer.Ordinal)
    {
        [JudgedSettings.WindowScaling] = ("window scaling is off", [WindowScalingOff, ReceiveWindowLimited]),
        [JudgedSettings.Sack] = ("SACK is off", [SackOff, RtoStalls, LostRetransmissions]),
        [JudgedSettings.Dsack] = ("DSACK is off: peers do not learn that they resent needlessly",
            [SpuriousRetransmissions, DsackIgnored, CwndLimitedByReordering]),
        [JudgedSettings.Timestamps] = ("timestamps are off", [TimestampsStripped, SpuriousRetransmissions]),
        [JudgedSettings.ModerateRcvBuf] = ("the receive buffer does not grow by itself", [ReceiveWindowLimited, ReceiveWindowHalved]),
    };

    // MSFT_NetTCPSetting, AutoTuningLevelLocal: 3 is normal.
    static readonly string[] Autotuning = ["disabled", "highly restricted", "restricted"];
    static readonly string[] AutotuningValues = ["Disabled", "HighlyRestricted", "Restricted"];

    /// <summary>The facts of a section that matter.</summary>
    public static IEnumerable<MachineNote> Judge(SnapshotSection section) => Notes(section).Select(note => note with { Section = section.Name });

    static IEnumerable<MachineNote> Notes(SnapshotSection section) => section.Name switch
    {
        JudgedSettings.SysctlsSection => section.Facts.Select(Sysctl).OfType<MachineNote>(),
        JudgedSettings.InterfacesSection => section.Facts.Select(fact => FlowDirector(fact, section)).OfType<MachineNote>(),
        JudgedSettings.TemplatesSection => section.Facts.Select(Template).OfType<MachineNote>(),
        JudgedSettings.TcpRegistrySection or JudgedSettings.AfdRegistrySection => section.Facts.Select(Registry).OfType<MachineNote>(),
        JudgedSettings.BindingsSection => section.Facts.Select(Binding).OfType<MachineNote>(),
        _ => [],
    };

    static MachineNote? Sysctl(SnapshotFact fact) => fact.Value is "0" && Sysctls.TryGetValue(fact.Name, out (string Off, string[] BearsOn) known)
        ? Changed($"{known.Off} ({fact.Name} = 0)", SettingChange.Of(SettingKind.Sysctl, string.Empty, fact.Name, "0", "1"), string.Empty, known.BearsOn)
        : null;

    static MachineNote Changed(string what, SettingChange change, string then, string[] bearsOn) =>
        new(what, $"On the recorded machine: {change.Command}{then}.", bearsOn) { Change = change };

    // A NIC that moves flows between queues when its filter table is flushed lets packets overtake each other.
    static MachineNote? FlowDirector(SnapshotFact fact, SnapshotSection section)
    {
        if (fact is not { Name: JudgedSettings.FlowDirectorAtr, Value: "on" })
        {
            return null;
        }

        long flushes = section.Facts
            .Where(other => string.Equals(other.Subject, fact.Subject, StringComparison.Ordinal)
                && other.Name.EndsWith(JudgedSettings.FlowDirectorFlushes, StringComparison.Ordinal))
            .Sum(other => long.TryParse(other.Value, NumberStyles.None, CultureInfo.InvariantCulture, out long count) ? count : 0);
        return Changed(
            FormattableString.Invariant($"Flow Director ATR is on at {fact.Subject}, its table was flushed {flushes} times"),
            SettingChange.Of(SettingKind.PrivateFlag, fact.Subject, fact.Name, "on", "off"), ", then measure again", OfReordering);
    }

    static MachineNote? Template(SnapshotFact fact) =>
        fact.Name is JudgedSettings.AutoTuningLevelLocal
            && int.TryParse(fact.Value, NumberStyles.None, CultureInfo.InvariantCulture, out int level) && level < Autotuning.Length
            ? Changed(
                $"autotuning of the receive window is {Autotuning[level]} (template {fact.Subject})",
                SettingChange.Of(SettingKind.TcpTemplate, fact.Subject, fact.Name, AutotuningValues[level], "Normal"), string.Empty,
                [ReceiveWindowLimited, ReceiveWindowHalved])
            : null;

    static MachineNote? Registry(SnapshotFact fact) => (fact.Name, fact.Value) switch
    {
        (JudgedSettings.SackOpts, "0") => new(
            "SACK is off (SackOpts = 0)",
            @"On the recorded machine: remove SackOpts from HKLM\SYSTEM\CurrentControlSet\Services\Tcpip\Parameters, and restart.",
            [SackOff, RtoStalls, LostRetransmissions])
        {
            Change = Removed("Tcpip", fact),
        },
        (JudgedSettings.DefaultSendWindow, _) => new(
            $"the send buffer is set to {fact.Value} bytes for all sockets (DefaultSendWindow)", RemoveFromAfd(fact.Name), [SendBufferLimited])
        {
            Change = Removed("AFD", fact),
        },
        (JudgedSettings.DynamicSendBufferDisable, "1") => new(
            "the send buffer does not grow by itself (DynamicSendBufferDisable = 1)", RemoveFromAfd(fact.Name), [SendBufferLimited])
        {
            Change = Removed("AFD", fact),
        },
        (JudgedSettings.DefaultReceiveWindow, _) => new(
            $"the receive window is set to {fact.Value} bytes for all sockets (DefaultReceiveWindow)",
            RemoveFromAfd(fact.Name),
            [ReceiveWindowLimited, ReceiveWindowHalved])
        {
            Change = Removed("AFD", fact),
        },
        _ => null,
    };

    static SettingChange Removed(string service, SnapshotFact fact) =>
        SettingChange.Of(SettingKind.RegistryNumber, service, fact.Name, fact.Value, after: null);

    static string RemoveFromAfd(string name) =>
        $@"On the recorded machine: remove {name} from HKLM\SYSTEM\CurrentControlSet\Services\AFD\Parameters, and restart.";

    // The subject is the adapter and the component, with a space in between.
    static MachineNote? Binding(SnapshotFact fact)
    {
        int space = fact.Subject.LastIndexOf(' ');
        string component = fact.Subject[(space + 1)..];
        bool isForeign = space > 0 && fact is { Name: JudgedSettings.Enabled, Value: "true" }
            && !OwnBindings.Any(prefix => component.StartsWith(prefix, StringComparison.OrdinalIgnoreCase));
        SettingChange change = SettingChange.Of(SettingKind.Binding, fact.Subject[..Math.Max(space, 0)], component, "on", "off");
        return isForeign
            ? new(
                $"a driver that is not of Windows sits in the path: {component} at {fact.Subject[..space]}",
                $"Compare with it unbound: {change.Command}.",
                [.. OfReordering, PathLoss, TimestampsStripped, MssClamped, WindowScalingOff])
            {
                Change = change,
            }
            : null;
    }
}
