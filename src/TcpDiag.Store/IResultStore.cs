using System;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Redaction;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store;

/// <summary>
/// Results that stay: rows of the tables of <see cref="StoreSchema"/>, all of them whole numbers and words. An engine only keeps, counts, sums and sorts them;
/// whatever divides or rounds is done here, so that every engine gives the same figures to the last digit.
/// </summary>
public interface IResultStore : IDisposable
{
    /// <summary>Where it is, as the user named it.</summary>
    string Location { get; }

    /// <summary>The secret behind the pseudonyms in it: under one key a host is the same host over all recordings.</summary>
    RedactionKey Key { get; }

    /// <summary>Bytes that it takes on the disks.</summary>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    long Bytes { get; }

    /// <summary>
    /// Adds a result, all of its rows or none. One of the same kind and source is replaced where it is of an older version of the program, and else stays.
    /// </summary>
    /// <param name="result">The rows.</param>
    /// <returns>What became of it.</returns>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    AddOutcome Add(ResultRows result);

    /// <summary>What would become of a result, so that it need not be made in vain; another program may add it meanwhile.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="source">What it is made from.</param>
    /// <param name="version">The program's.</param>
    /// <returns>What <see cref="Add"/> would return.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    AddOutcome Expect(ResultKind kind, string source, Version version);

    /// <summary>Reads rows, those of a result together.</summary>
    /// <param name="query">Which.</param>
    /// <returns>The values of the columns asked for, in their order; read while it is enumerated.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    IEnumerable<StoreValue[]> Query(StoreQuery query);

    /// <summary>Writes rows as Apache Parquet, a column for each that is asked for.</summary>
    /// <param name="query">Which.</param>
    /// <param name="output">Takes the file.</param>
    /// <exception cref="StoreException">This engine has no such format, or the store cannot be read.</exception>
    void WriteParquet(StoreQuery query, Stream output) =>
        throw new StoreException($"{Location}: a server of ClickHouse writes Parquet, a file does not. Export with --csv or --ndjson.");

    /// <summary>Counts rows.</summary>
    /// <param name="table">Of this table.</param>
    /// <param name="filter">Which.</param>
    /// <returns>How many.</returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    long Count(StoreTable table, StoreFilter filter);

    /// <summary>Counts, sums and takes medians of rows by what they have in common.</summary>
    /// <param name="query">Which, and by what.</param>
    /// <returns>
    /// A row for each group, sorted by its keys: the keys, how many rows, the sums, and where one is asked for the median: the lower of the two in the middle,
    /// to within one percent.
    /// </returns>
    /// <exception cref="StoreException">The store cannot be read.</exception>
    IEnumerable<StoreValue[]> Aggregate(AggregateQuery query);

    /// <summary>Removes results with all their rows.</summary>
    /// <param name="filter">Which; one that asks for nothing is refused.</param>
    /// <returns>How many results.</returns>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    long Prune(StoreFilter filter);

    /// <summary>Gives the room of what was removed back to the system.</summary>
    /// <exception cref="StoreException">The store cannot be written.</exception>
    void Compact();
}

/// <summary>What became of a result that was to be added.</summary>
public enum AddOutcome
{
    /// <summary>It is new.</summary>
    Added,

    /// <summary>It replaced that of an older version of the program.</summary>
    Replaced,

    /// <summary>The same is there already, of this version or a newer one.</summary>
    Kept,

    /// <summary>The server cannot be reached: it waits in this machine's spool, and is added with the next one that can be.</summary>
    Spooled,
}

/// <summary>A store cannot be opened, read or written.</summary>
public class StoreException : Exception
{
    /// <summary>Makes one.</summary>
    /// <param name="message">Which store, what is wrong, and what to do.</param>
    /// <param name="inner">What it follows from; null where it was found out here.</param>
    public StoreException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }

    /// <summary>The server's code; 0 for none.</summary>
    internal int Code { get; init; }
}

/// <summary>The server of a store cannot be reached, or cannot work just now; what was asked may be asked again.</summary>
/// <param name="message">Which store, and what is wrong.</param>
/// <param name="inner">What it follows from; null where it was found out here.</param>
public sealed class StoreUnreachableException(string message, Exception? inner = null) : StoreException(message, inner);

/// <summary>A recording was changed while it was read; what was read of it is of neither form.</summary>
/// <param name="path">The recording.</param>
public sealed class RecordingChangedException(string path)
    : Exception($"{path}: was changed while it was read. Nothing of it is stored; add it again when it is complete.");
