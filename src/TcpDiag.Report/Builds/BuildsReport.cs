using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Scores.Cards;
using TcpDiag.Store;
using TcpDiag.Store.Fleets;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Report.Builds;

/// <summary>What is documented of builds, and what a store has measured of them.</summary>
/// <param name="Fleet">The fleet by builds: each beside the others.</param>
/// <param name="Rows">The builds: those of Windows whose events are known, and those of the store; Windows first, each from the earliest on.</param>
public sealed record BuildsReport(FleetReport Fleet, IReadOnlyList<BuildRow> Rows)
{
    /// <summary>Makes the report.</summary>
    /// <param name="store">The store.</param>
    /// <param name="weeks">How many weeks are looked at, the latest with recordings the last; 2 or more.</param>
    /// <returns>The report.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    public static BuildsReport Of(IResultStore store, int weeks)
    {
        ArgumentNullException.ThrowIfNull(store);
        FleetReport fleet = FleetBuilder.Build(store, "build", weeks, StoreFilter.All);
        IReadOnlyList<MeasuredBuild> measured = fleet.Since is not { } since ? []
            : new BuildMeasures(store, StoreFilter.All.And("week", ConditionKind.Min, StoreValue.Of(since))).All();
        IEnumerable<BuildRow> unmeasured = DocumentedBuild.Known
            .Where(build => !measured.Any(one => one.Platform is not "linux" && BuildStep.NumberOf(one.Build) == build.Number))
            .Select(build => new BuildRow("windows", FormattableString.Invariant($"{build.Number}"), build, null, []));
        IEnumerable<BuildRow> rows = measured.Select(one => RowOf(one, fleet)).Concat(unmeasured);
        return new(fleet, [.. rows.OrderBy(row => row.Platform is "windows" ? 0 : 1).ThenBy(row => BuildStep.NumberOf(row.Build) ?? 0)
            .ThenBy(row => row.Build, StringComparer.Ordinal)]);
    }

    static BuildRow RowOf(MeasuredBuild measured, FleetReport fleet)
    {
        int? number = measured.Platform is "linux" ? null : BuildStep.NumberOf(measured.Build);
        FleetChange[] beside = [.. fleet.Changes.Where(change =>
            change.Baseline == FleetBaseline.Others && string.Equals(change.Group, measured.Build, StringComparison.Ordinal))];
        return new(measured.Platform, measured.Build, number is { } build ? DocumentedBuild.Of(build) : null, measured, beside);
    }
}

/// <summary>A build.</summary>
/// <param name="Platform">windows, linux; null where it is not known.</param>
/// <param name="Build">The build of Windows, or release of the kernel.</param>
/// <param name="Documented">What is documented of it; null where nothing is.</param>
/// <param name="Measured">What the store has measured of it; null where it has no recording.</param>
/// <param name="Beside">Its questions beside the machines of all other builds.</param>
public sealed record BuildRow(string? Platform, string Build, DocumentedBuild? Documented, MeasuredBuild? Measured, IReadOnlyList<FleetChange> Beside)
{
    /// <summary>How many senders detect losses as is documented, of those that show it; null where none does.</summary>
    public Proportion? Agreement
    {
        get
        {
            if (Documented is null || BuildExpectation.Find(Documented.Number) is not { } expected || Measured is null)
            {
                return null;
            }

            (bool Agrees, long Senders)[] told = [.. from one in Measured.Fingerprints
                                                     let agrees = expected.Agrees(one.Fingerprint, isFromEvents: false)
                                                     where agrees is not null
                                                     select (agrees.Value, one.Senders)];
            long all = told.Sum(one => one.Senders);
            return all == 0 ? null : new Proportion(told.Where(one => one.Agrees).Sum(one => one.Senders), all);
        }
    }
}
