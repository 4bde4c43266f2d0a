using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Serialization;
using TcpDiag.Store.Fleets;

namespace TcpDiag.Report.Fleets;

/// <summary>What <c>tcpdiag fleet report --json</c> prints (docs/schemas/fleet.json).</summary>
/// <param name="Schema">Name and number of the schema.</param>
/// <param name="Store">The store.</param>
/// <param name="By">What groups are.</param>
/// <param name="Week">Monday of the latest week with recordings; null where there is none.</param>
/// <param name="Since">Monday of the first week that was looked at.</param>
/// <param name="Scope">What was looked at.</param>
/// <param name="Changes">Every question and its answer, differences first.</param>
/// <param name="Latest">Findings and machines of the latest week.</param>
public sealed record FleetDocument(
    string Schema, string Store, string By, string? Week, string? Since, FleetScopeEntry Scope, IReadOnlyList<FleetChangeEntry> Changes, FleetWeekEntry Latest)
{
    /// <summary>Makes the document.</summary>
    public static FleetDocument Of(string store, FleetReport report)
    {
        ArgumentNullException.ThrowIfNull(report);
        return new(
            "tcpdiag/fleet/1",
            store,
            report.By,
            report.Week,
            report.Since,
            new(report.Machines, report.Transfers, report.Unknown),
            [.. report.Changes.Select(FleetChangeEntry.Of)],
            new(
                [.. report.Findings.Select(one => new FleetFindingEntry(one.Id, one.Machines, one.Prevalence, one.LostNanos, one.LostBeforeNanos, one.IsNew))],
                [.. report.Attention.Select(one => new FleetMachineEntry(one.Machine, one.LostNanos, one.Worst))]));
    }

    /// <summary>Writes it.</summary>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.WriteLine(JsonSerializer.Serialize(this, FleetJsonContext.Default.FleetDocument));
    }
}

/// <summary>What was looked at.</summary>
/// <param name="Machines">Machines.</param>
/// <param name="Transfers">Transfers that were compared.</param>
/// <param name="UnknownRecordings">Recordings left out: of which machine or when is not known.</param>
public sealed record FleetScopeEntry(int Machines, long Transfers, long UnknownRecordings);

/// <summary>A question and its answer.</summary>
/// <param name="Group">The group.</param>
/// <param name="Metric">goodput or timeLost.</param>
/// <param name="Baseline">weekBefore or others.</param>
/// <param name="Path">Class of paths, in words; null for all, each compared with itself.</param>
/// <param name="Machines">Machines of the group.</param>
/// <param name="Verdict">improved, regressed, equal or notEnoughEvidence.</param>
/// <param name="Figures">The figures; null where no machine has any.</param>
/// <param name="Reason">Why there is not enough evidence; null with another verdict.</param>
public sealed record FleetChangeEntry(
    string Group, string Metric, string Baseline, string? Path, int Machines, string Verdict, FleetRatioEntry? Figures, string? Reason)
{
    /// <summary>Makes the entry.</summary>
    public static FleetChangeEntry Of(FleetChange change)
    {
        ArgumentNullException.ThrowIfNull(change);
        bool isMeasured = change.Machines > 0 && double.IsFinite(change.Judgement.Ratio);
        return new(
            change.Group,
            Word(change.Metric),
            Word(change.Baseline),
            change.Path?.ToString(),
            change.Machines,
            Word(change.Judgement.Verdict),
            isMeasured
                ? new(change.Judgement.Ratio, change.Judgement.Interval.Low, change.Judgement.Interval.High, change.Judgement.PValue,
                    change.Judgement.CorrectedPValue)
                : null,
            change.Judgement.Reason);
    }

    static string Word(Enum value) => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());
}

/// <summary>A ratio to the baseline.</summary>
/// <param name="Ratio">The ratio.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end.</param>
/// <param name="P">p-value.</param>
/// <param name="CorrectedP">The same, corrected over the whole report; null where it was not tested.</param>
public sealed record FleetRatioEntry(double Ratio, double Low, double High, double P, double? CorrectedP);

/// <summary>The latest week.</summary>
/// <param name="Findings">Findings, the most time of the fleet first.</param>
/// <param name="Attention">Machines, the most time lost first.</param>
public sealed record FleetWeekEntry(IReadOnlyList<FleetFindingEntry> Findings, IReadOnlyList<FleetMachineEntry> Attention);

/// <summary>A finding.</summary>
/// <param name="Id">Its name.</param>
/// <param name="Machines">Machines that have it.</param>
/// <param name="Prevalence">Their share of the week's machines.</param>
/// <param name="LostNs">Time lost by all of them.</param>
/// <param name="LostBeforeNs">The same in the week before; null without any.</param>
/// <param name="IsNew">Whether no machine had it before.</param>
public sealed record FleetFindingEntry(string Id, int Machines, double Prevalence, long LostNs, long? LostBeforeNs, bool IsNew);

/// <summary>A machine.</summary>
/// <param name="Machine">Its name in the store.</param>
/// <param name="LostNs">Time it lost.</param>
/// <param name="Worst">The finding that cost it most.</param>
public sealed record FleetMachineEntry(string Machine, long LostNs, string Worst);

/// <summary>Serialises <see cref="FleetDocument"/> without reflection.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(FleetDocument))]
sealed partial class FleetJsonContext : JsonSerializerContext;
