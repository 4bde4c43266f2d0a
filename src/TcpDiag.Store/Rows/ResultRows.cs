using System;
using System.Collections.Generic;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Rows;

/// <summary>A result that is added as a whole.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Head">What it was made from.</param>
/// <param name="Version">Version of the program that made it, e.g. <c>0.1.0</c>: a newer one replaces an older one.</param>
/// <param name="Batches">Its rows; enumerated anew where adding them is tried again.</param>
public sealed record ResultRows(ResultKind Kind, RowHead Head, Version Version, IReadOnlyList<RowBatch> Batches);

/// <summary>Rows of one table.</summary>
/// <param name="Table">The table.</param>
/// <param name="Rows">The rows: a value for each column.</param>
public sealed record RowBatch(StoreTable Table, IEnumerable<StoreValue[]> Rows);

/// <summary>The kinds of results. One file may have a result of each.</summary>
public enum ResultKind
{
    /// <summary>A recording, analysed.</summary>
    Analysis,

    /// <summary>Scores of the senders of a recording.</summary>
    Score,

    /// <summary>Runs of an experiment of the lab or the simulator.</summary>
    Lab,

    /// <summary>Two builds set side by side.</summary>
    Comparison,
}

/// <summary>The table of results: which are there, of which version.</summary>
static class ResultTable
{
    /// <summary>How a result is written down: with when that was, nanoseconds since the Unix epoch.</summary>
    public static TableMap<(ResultRows Result, long AddedNanos)> Map { get; } =
        new TableMap<(ResultRows Result, long AddedNanos)>("result", "a result that is in the store", entry => entry.Result.Head)
            .Key("kind", entry => Names.Of(entry.Result.Kind), "analysis, score, lab, comparison")
            .Word("version", entry => entry.Result.Version.ToString(), "of the program that made it")
            .Number("added_ns", entry => entry.AddedNanos, "when it was added, since 1970-01-01 UTC");
}
