using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using TcpDiag.Redaction;
using TcpDiag.Store.ClickHouse;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;

namespace TcpDiag.Store.Spool;

/// <summary>The file in which results wait for a server: a store in SQLite, of the same tables and under the server's key.</summary>
sealed class SpoolFile : IDisposable
{
    /// <summary>Names the folder of spools.</summary>
    public const string FolderVariable = "TCPDIAG_SPOOL";

    const int ResultsAtOnce = 64;

    SpoolFile(SqliteStore store) => Store = store;

    /// <summary>The store that it is.</summary>
    public SqliteStore Store { get; }

    /// <summary>The server's key, as it was when it was last reached.</summary>
    public RedactionKey Key => Store.Key;

    /// <summary>Where the spool of a location is.</summary>
    public static string PathOf(string location)
    {
        string hash = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(location)));
        return Path.Combine(FolderOf(), $"spool-{hash[..16]}.db");
    }

    /// <summary>Opens the spool of a location.</summary>
    /// <param name="path">Its file.</param>
    /// <param name="location">The server's store.</param>
    /// <param name="key">The server's key; null while it cannot be reached.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="StoreException">It cannot be opened, or what waits in it is of another key.</exception>
    public static SpoolFile Open(string path, string location, string? key, TimeProvider time)
    {
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new StoreException($"{path}: what waits for the server cannot be kept there: {exception.Message} {FolderVariable} names another folder.",
                exception);
        }

        SqliteStore store = SqliteStore.Open(path, isCreated: true, time);
        try
        {
            return new(key is null || string.Equals(store.KeyText, key, StringComparison.Ordinal) ? store : WithKey(store, key, location));
        }
        catch
        {
            store.Dispose();
            throw;
        }
    }

    /// <summary>Adds what waits to the server. What was sent and not yet taken away is sent again, and counts once.</summary>
    /// <exception cref="StoreUnreachableException">The server cannot be reached; what it has not yet waits on.</exception>
    public void Drain(ClickHouseStore server)
    {
        if (Store.Count(StoreSchema.Results, StoreFilter.All) == 0)
        {
            return;
        }

        using FileStream? turn = TakeTurn();
        while (turn is not null && Waiting() is { Length: > 0 } some)
        {
            server.AddAll(some);
            foreach (ResultRows result in some)
            {
                Store.Remove(result.Kind, result.Head.Source, result.Version);
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => Store.Dispose();

    // One process at a time: what one sends and takes away another must not be reading. The other goes on without.
    FileStream? TakeTurn()
    {
        try
        {
            return new(Store.Location + ".turn", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException)
        {
            return null;
        }
    }

    ResultRows[] Waiting()
    {
        StoreTable results = StoreSchema.Results;
        return [.. Store.Query(new StoreQuery(results, StoreFilter.All) { Limit = ResultsAtOnce }).Select(row => ResultOf(results, row))];
    }

    ResultRows ResultOf(StoreTable results, StoreValue[] row)
    {
        StoreValue Of(string column) => row[results.Columns.ToList().FindIndex(one => string.Equals(one.Name, column, StringComparison.Ordinal))];
        var kind = Enum.Parse<ResultKind>(Of("kind").Text!, ignoreCase: true);
        string source = Of(RowHead.SourceName).Text!;
        var head = new RowHead(source, Of("started_ns").Number, Of("machine").Text, Of("site").Text, Of("platform").Text, Of("build").Text, Of("nic").Text);
        StoreFilter same = StoreFilter.All.And(RowHead.SourceName, ConditionKind.Is, StoreValue.Of(source));
        IEnumerable<RowBatch> batches = StoreSchema.TablesOf(kind).Select(table => new RowBatch(table, Store.Query(new StoreQuery(table, same))));
        return new(kind, head, Version.Parse(Of("version").Text!), [.. batches]);
    }

    static SqliteStore WithKey(SqliteStore store, string key, string location)
    {
        if (store.Count(StoreSchema.Results, StoreFilter.All) > 0)
        {
            throw new StoreException($"{store.Location}: waits for another store than {location} is now: its pseudonyms are of another key. "
                + $"Move the file away, or look into it with tcpdiag store list --store {store.Location}.");
        }

        store.ReplaceKey(key);
        return store;
    }

    static string FolderOf()
    {
        if (Environment.GetEnvironmentVariable(FolderVariable) is { Length: > 0 } folder)
        {
            return folder;
        }

        string state = Environment.GetEnvironmentVariable("XDG_STATE_HOME") is { Length: > 0 } given ? given
            : OperatingSystem.IsWindows() ? Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData)
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".local", "state");
        return Path.Combine(state, "tcpdiag");
    }
}
