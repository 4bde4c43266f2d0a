using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Fleets;

/// <summary>A share that is measured of each build.</summary>
/// <param name="Id">Its name in JSON.</param>
/// <param name="Title">What it is called.</param>
/// <param name="Parts">Columns of directions, or of findings for the time lost, that make the part.</param>
/// <param name="Whole">Columns of directions that make the whole.</param>
public sealed record BuildShare(string Id, string Title, IReadOnlyList<string> Parts, IReadOnlyList<string> Whole)
{
    /// <summary>Which end it tells of, as <c>recorded_at</c> has it; null where it is of the path.</summary>
    internal string? Of { get; init; }

    /// <summary>Whether directions count that were recorded there. Where it is not known which end was, they do: older rows do not say it.</summary>
    internal bool Counts(string? recordedAt) => Of is null || recordedAt is null or "unknown" || string.Equals(recordedAt, Of, StringComparison.Ordinal);
}

/// <summary>The shares that are measured of each build: what concerns a sender is of senders of that build, what concerns a receiver of receivers.</summary>
public static class BuildShares
{
    /// <summary>The column of findings that holds the time lost.</summary>
    internal const string Lost = "lost_ns";

    static readonly string[] Triggers = ["rtx_fast", "rtx_tlp", "rtx_rto", "rtx_lost_retransmission", "rtx_unknown_trigger"];
    static readonly string[] Needs = ["rtx_necessary", "rtx_spurious", "rtx_likely_spurious", "rtx_unknown_need"];

    // The times of all states; what is uncertain of them is in them already.
    static readonly string[] Limits = [.. StoreSchema.Directions.Columns.Select(column => column.Name)
        .Where(name => name.StartsWith("limited_", StringComparison.Ordinal) && name.EndsWith("_ns", StringComparison.Ordinal)
            && name is not "limited_uncertain_ns")];

    /// <summary>All of them.</summary>
    public static IReadOnlyList<BuildShare> All { get; } =
    [
        new("timeLost", "time lost", [Lost], ["active_ns"]),
        new("loss", "packets lost", ["loss_packets"], ["loss_samples"]),
        new("reordering", "packets reordered", ["reordered_packets"], ["reordered_samples"]),
        new("needless", "resent needlessly", ["rtx_spurious", "rtx_likely_spurious"], Needs) { Of = DirectionTable.RecordedSender },
        new("timeouts", "resent by timeout", ["rtx_rto"], Triggers) { Of = DirectionTable.RecordedSender },
        new("congestionWindow", "limited by cwnd", ["limited_congestion_window_ns"], Limits) { Of = DirectionTable.RecordedSender },
        new("receiveWindow", "limited by receive window", ["limited_receive_window_ns"], Limits) { Of = DirectionTable.RecordedReceiver },
        new("recovery", "in recovery", ["limited_recovery_ns", "limited_timeout_ns"], Limits) { Of = DirectionTable.RecordedSender },
    ];

    /// <summary>The columns of directions that they need, each once.</summary>
    internal static IReadOnlyList<StoreColumn> Columns { get; } =
        [.. All.SelectMany(share => share.Parts.Concat(share.Whole)).Where(name => name is not Lost).Distinct(StringComparer.Ordinal)
            .Select(StoreSchema.Directions.Require)];
}
