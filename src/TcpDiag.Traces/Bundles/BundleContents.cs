using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Input;

namespace TcpDiag.Traces.Bundles;

/// <summary>What a bundle holds besides its traces.</summary>
/// <param name="Manifest">The manifest.</param>
/// <param name="FailedSections">Sections of its snapshots from which facts are missing, the first of each name.</param>
/// <param name="Problems">What is wrong with its files other than traces, for people.</param>
public sealed record BundleContents(BundleManifest Manifest, IReadOnlyList<SnapshotSection> FailedSections, IReadOnlyList<string> Problems)
{
    /// <summary>The machine when the recording began; null where there is none that can be read.</summary>
    public SystemSnapshot? Snapshot { get; private init; }

    /// <summary>Reads all files of a bundle but its traces, and compares them with their hashes.</summary>
    /// <param name="path">Any file; standard input is none.</param>
    /// <returns>The contents; null when the file is no bundle, or its manifest is damaged.</returns>
    /// <exception cref="TraceInputException">It is a bundle that cannot be trusted.</exception>
    public static BundleContents? Of(string path)
    {
        if (TraceBundle.ReadManifest(path) is not { } manifest)
        {
            return null;
        }

        var snapshots = new List<SystemSnapshot>();
        var problems = new List<string>();
        foreach (BundleFile file in manifest.Files.Where(file => file.Kind is not BundleManifest.TraceKind))
        {
            Read(path, file, snapshots, problems);
        }

        IEnumerable<SnapshotSection> failed = snapshots.SelectMany(snapshot => snapshot.Sections).Where(section => section.Problem is not null);
        return new(manifest, [.. failed.DistinctBy(section => section.Name, StringComparer.Ordinal)], problems) { Snapshot = snapshots.FirstOrDefault() };
    }

    static void Read(string path, BundleFile file, List<SystemSnapshot> snapshots, List<string> problems)
    {
        try
        {
            byte[] bytes = TraceBundle.Read(path, file);
            if (file.Kind is not BundleManifest.SnapshotKind)
            {
                return;
            }

            if (TraceBundle.ParseSnapshot(bytes, out string? damage) is { } snapshot)
            {
                snapshots.Add(snapshot);
            }
            else
            {
                problems.Add($"{file.Name} cannot be read: {damage}");
            }
        }
        catch (TraceInputException exception)
        {
            problems.Add(exception.Message[(path.Length + 2)..]); // the message begins with the path
        }
    }
}
