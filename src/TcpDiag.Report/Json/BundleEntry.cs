using System.Collections.Generic;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Report.Json;

/// <summary>What a bundle tells of its recording.</summary>
/// <param name="Tool">Program and version that wrote it.</param>
/// <param name="CreatedUtc">When it was written, ISO 8601.</param>
/// <param name="Engine">What recorded.</param>
/// <param name="OperatingSystem">System and version of the machine.</param>
/// <param name="Match">Which traffic was asked for.</param>
/// <param name="StopReason">Why the recording ended.</param>
/// <param name="Remarks">What went wrong or is missing.</param>
/// <param name="FailedSections">Sections of the snapshot from which facts are missing.</param>
public sealed record BundleEntry(
    string Tool,
    string CreatedUtc,
    string Engine,
    string OperatingSystem,
    string Match,
    string StopReason,
    IReadOnlyList<string> Remarks,
    IReadOnlyList<BundleEntry.Section> FailedSections)
{
    /// <summary>Makes the entry.</summary>
    /// <param name="bundle">What the bundle tells.</param>
    /// <returns>The entry.</returns>
    public static BundleEntry Of(BundleAccount bundle)
    {
        System.ArgumentNullException.ThrowIfNull(bundle);
        BundleManifest manifest = bundle.Manifest;
        return new(
            manifest.Tool,
            manifest.CreatedUtc.ToString("O", System.Globalization.CultureInfo.InvariantCulture),
            manifest.Engine,
            manifest.OperatingSystem,
            manifest.Match,
            manifest.StopReason,
            manifest.Remarks,
            [.. bundle.FailedSections.Select(section => new Section(section.Name, section.Problem!))]);
    }

    /// <summary>A section of the snapshot from which facts are missing.</summary>
    /// <param name="Name">Its name.</param>
    /// <param name="Problem">Why.</param>
    public sealed record Section(string Name, string Problem);
}
