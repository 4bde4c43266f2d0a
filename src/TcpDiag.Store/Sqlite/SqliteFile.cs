using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using TcpDiag.Redaction;
using TcpDiag.Store.Ingest;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Sqlite;

/// <summary>Opens files of stores, makes new ones, and brings older ones to this program's schema.</summary>
static class SqliteFile
{
    const string KeyName = "redaction_key";
    static readonly System.Threading.Lock Creating = new();

    /// <summary>Opens a file, and adds to its schema what it lacks.</summary>
    /// <exception cref="StoreException">There is none, it is no store, or it is of a newer program.</exception>
    public static SqliteDatabase Open(string path, bool isCreated, TimeProvider time)
    {
        SqliteLibrary.Load();
        if (isCreated)
        {
            CreateFor(path);
        }
        else if (!File.Exists(path))
        {
            throw new StoreException($"{path}: there is no such store. tcpdiag store add makes it.");
        }

        var database = SqliteDatabase.Open(path);
        try
        {
            Prepare(path, database, time);
            return database;
        }
        catch
        {
            database.Dispose();
            throw;
        }
    }

    /// <summary>The secret behind the store's pseudonyms, as it is written.</summary>
    /// <exception cref="StoreException">It is missing.</exception>
    public static string ReadKey(string path, SqliteDatabase database)
    {
        string? text = database.Ask("SELECT \"value\" FROM \"store_setting\" WHERE \"name\" = @p0", StoreValue.Of(KeyName)).Text;
        _ = KeyOf(path, text);
        return text!;
    }

    /// <summary>The key that a text is.</summary>
    /// <exception cref="StoreException">It is none.</exception>
    public static RedactionKey KeyOf(string path, string? text) => RedactionKey.TryParse(text, out RedactionKey? key) && key is not null
        ? key
        : throw new StoreException($"{path}: is damaged: the key of its pseudonyms is missing.");

    /// <summary>Writes another key.</summary>
    public static void WriteKey(SqliteDatabase database, string key) =>
        database.WriteOnce("UPDATE \"store_setting\" SET \"value\" = @p0 WHERE \"name\" = @p1", StoreValue.Of(key), StoreValue.Of(KeyName));

    // Only its owner may read it: it holds the key, and may hold addresses. A file that is there is not touched: closing it would take the locks away that
    // other connections of this process hold on it (fcntl(2)), and two writers then destroy it.
    static void CreateFor(string path)
    {
        lock (Creating)
        {
            if (!File.Exists(path))
            {
                Create(path);
            }
        }
    }

    static void Create(string path)
    {
        try
        {
            var options = new FileStreamOptions { Mode = FileMode.OpenOrCreate, Access = FileAccess.ReadWrite, Share = FileShare.ReadWrite | FileShare.Delete };
            if (!OperatingSystem.IsWindows())
            {
                options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
            }

            new FileStream(path, options).Dispose();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new StoreException($"{path}: the store cannot be made: {exception.Message}", exception);
        }
    }

    static void Prepare(string path, SqliteDatabase database, TimeProvider time)
    {
        int found = database.Read(() => VersionOf(path, database)); // before anything is written to what may be another program's
        if (database.Ask("PRAGMA journal_mode").Text is not "wal")
        {
            database.WriteAhead();
        }

        database.Execute("PRAGMA synchronous = FULL"); // what was said to be added is there after a power cut
        if (found < StoreSchema.Version)
        {
            // Of several that open a new store one makes it; the others find it made.
            database.Write(() =>
            {
                for (int version = VersionOf(path, database) + 1; version <= StoreSchema.Version; version++)
                {
                    Upgrade(database, version, time);
                }

                return true;
            });
        }
    }

    static void Upgrade(SqliteDatabase database, int version, TimeProvider time)
    {
        foreach (string step in SqliteSchema.Steps(version))
        {
            database.Execute(step);
        }

        if (version == 1)
        {
            database.Execute(FormattableString.Invariant($"PRAGMA application_id = {SqliteSchema.ApplicationId}"));
            StoreValue key = StoreValue.Of(Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(RedactionKey.Bytes)));
            database.Execute("INSERT INTO \"store_setting\" VALUES (@p0, @p1)", StoreValue.Of(KeyName), key);
        }

        StoreValue[] entry = [StoreValue.Of(version), StoreValue.Of(time.NowNanos()), StoreValue.Of(RecordingRows.ProgramVersion.ToString())];
        database.Execute("INSERT INTO \"schema_version\" VALUES (@p0, @p1, @p2)", entry);
    }

    static int VersionOf(string path, SqliteDatabase database)
    {
        bool isOurs = Number(database, "PRAGMA application_id") == SqliteSchema.ApplicationId;
        if (!isOurs)
        {
            return Number(database, "SELECT COUNT(*) FROM sqlite_master") == 0
                ? 0
                : throw new StoreException($"{path}: is no store of tcpdiag, but a database of another program.");
        }

        long version = Number(database, "SELECT MAX(\"version\") FROM \"schema_version\"");
        return version <= StoreSchema.Version
            ? (int)version
            : throw new StoreException(FormattableString.Invariant(
                $"{path}: is of schema {version}, expected at most {StoreSchema.Version}. A newer tcpdiag has written it: use that."));
    }

    static long Number(SqliteDatabase database, string sql) => database.Ask(sql).Number ?? 0;
}

/// <summary>The schema as SQLite has it: tables that are sorted by their key, so that the rows of a result lie together.</summary>
public static class SqliteSchema
{
    /// <summary>What tells a store from other files of SQLite (PRAGMA application_id): "tcpd".</summary>
    internal const int ApplicationId = 0x74637064;

    // What a store knows of itself, and how it came to its version.
    static readonly string[] Own =
    [
        "CREATE TABLE \"store_setting\" (\"name\" TEXT PRIMARY KEY, \"value\" TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE \"schema_version\" (\"version\" INTEGER PRIMARY KEY, \"applied_ns\" INTEGER NOT NULL, \"program\" TEXT NOT NULL)",
    ];

    /// <summary>The statements that bring a store to a version from the one before it; from 0, an empty file.</summary>
    /// <param name="version">The version.</param>
    /// <returns>The statements.</returns>
    public static IEnumerable<string> Steps(int version) =>
    [
        .. version switch { 1 => Own, 2 => [WorkLeases.Definition], _ => [] },
        .. StoreSchema.Tables.Where(table => table.Since == version).Select(table => Create(table, version)),
        .. from table in StoreSchema.Tables
           where table.Since < version
           from column in table.Columns
           where column.Since == version
           select $"ALTER TABLE {SelectSql.Quoted(table.Name)} ADD COLUMN {Define(column)}",
    ];

    static string Create(StoreTable table, int version)
    {
        IEnumerable<string> columns = table.Columns.Where(column => column.Since <= version).Select(Define);
        string key = string.Join(", ", table.Key.Select(SelectSql.Quoted));
        return $"CREATE TABLE {SelectSql.Quoted(table.Name)} ({string.Join(", ", columns)}, PRIMARY KEY ({key})) WITHOUT ROWID";
    }

    static string Define(StoreColumn column) =>
        $"{SelectSql.Quoted(column.Name)} "
            + $"{(column.Kind is ColumnKind.Number or ColumnKind.Flag ? "INTEGER" : "TEXT")}{(column.IsRequired ? " NOT NULL" : string.Empty)}";
}
