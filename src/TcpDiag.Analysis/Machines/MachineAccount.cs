using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Analysis.Machines;

/// <summary>What the snapshot of a bundle tells about the machine that recorded it, as far as it bears on what is found.</summary>
/// <param name="OperatingSystem">System and version.</param>
/// <param name="Notes">Settings that are unusual and matter; empty when there are none.</param>
public sealed record MachineAccount(string OperatingSystem, IReadOnlyList<MachineNote> Notes)
{
    const string Measure = "setting of the recorded machine";

    /// <summary>Reads a snapshot.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <returns>What it tells.</returns>
    public static MachineAccount Of(SystemSnapshot snapshot)
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
        .Aggregate(text, static (told, note) => told.Shown(Measure, $"{note.What}"))
        .Advise([.. notes.Select(static note => note.Advice)]);
}
