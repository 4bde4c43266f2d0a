using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Sqlite;

/// <summary>An open file of SQLite. What fails is a <see cref="StoreException"/> of one line. Not thread-safe.</summary>
sealed class SqliteDatabase : IDisposable
{
    const int ReadWrite = 0x2;
    const int OneThread = 0x8000; // SQLITE_OPEN_NOMUTEX
    const int Busy = 5;
    const int WaitMilliseconds = 60_000;
    const int WaitOnceMilliseconds = 20;

    static readonly ManualResetEventSlim Never = new();

    // Writers of one process wait for each other here: SQLite would have each sleep and look again.
    static readonly ConcurrentDictionary<string, Lock> Writers = new(StringComparer.Ordinal);

    readonly string _path;
    readonly Lock _writers;
    IntPtr _handle;

    SqliteDatabase(string path)
    {
        _path = path;
        _writers = Writers.GetOrAdd(Path.GetFullPath(path), static _ => new());
    }

    /// <summary>Opens a file that is there.</summary>
    /// <exception cref="StoreException">It cannot be opened.</exception>
    public static SqliteDatabase Open(string path)
    {
        SqliteLibrary.Load();
        var database = new SqliteDatabase(path);
        try
        {
            database.Require(SqliteLibrary.Open(path, out database._handle, ReadWrite | OneThread, IntPtr.Zero));
            database.Require(SqliteLibrary.SetBusyTimeout(database._handle, WaitMilliseconds));
            return database;
        }
        catch
        {
            database.Dispose();
            throw;
        }
    }

    /// <summary>Prepares a statement.</summary>
    /// <exception cref="StoreException">The file cannot be read.</exception>
    public SqliteStatement Prepare(string sql)
    {
        byte[] text = Encoding.UTF8.GetBytes(sql);
        Require(SqliteLibrary.Prepare(_handle, text, text.Length, out IntPtr statement, IntPtr.Zero));
        return new(this, statement);
    }

    /// <summary>Runs a statement to its end.</summary>
    /// <exception cref="StoreException">It failed.</exception>
    public void Execute(string sql, params IReadOnlyList<StoreValue> parameters)
    {
        using SqliteStatement statement = Prepare(sql);
        statement.Bind(parameters);
        while (statement.Step())
        {
        }
    }

    /// <summary>The first value of the first row; none without a row.</summary>
    /// <exception cref="StoreException">It failed.</exception>
    public StoreValue Ask(string sql, params IReadOnlyList<StoreValue> parameters)
    {
        using SqliteStatement statement = Prepare(sql);
        statement.Bind(parameters);
        return statement.Step() ? statement.Value(0) : StoreValue.None;
    }

    /// <summary>
    /// Runs work that takes effect as a whole or not at all. It has the right to write before it begins: what it reads stays so until it ends.
    /// </summary>
    /// <exception cref="StoreException">It failed; nothing has changed.</exception>
    public T Write<T>(Func<T> work)
    {
        lock (_writers)
        {
            Execute("BEGIN IMMEDIATE");
            try
            {
                T result = work();
                Execute("COMMIT");
                return result;
            }
            catch
            {
                TryRollBack();
                throw;
            }
        }
    }

    /// <summary>Runs reading that sees the file as it was at one time, whatever others write meanwhile.</summary>
    /// <exception cref="StoreException">It failed.</exception>
    public T Read<T>(Func<T> work)
    {
        Execute("BEGIN");
        try
        {
            return work();
        }
        finally
        {
            TryRollBack();
        }
    }

    /// <summary>Runs one statement that writes.</summary>
    /// <exception cref="StoreException">It failed; nothing has changed.</exception>
    public void WriteOnce(string sql, params IReadOnlyList<StoreValue> parameters)
    {
        lock (_writers)
        {
            Execute(sql, parameters);
        }
    }

    /// <summary>
    /// Has the file written ahead (WAL). Of several that open a new file at once SQLite refuses all but one without waiting, as waiting could be for ever: they
    /// try again.
    /// </summary>
    /// <exception cref="StoreException">It cannot be.</exception>
    public void WriteAhead()
    {
        long end = Environment.TickCount64 + WaitMilliseconds;
        while (true)
        {
            try
            {
                Execute("PRAGMA journal_mode = WAL");
                return;
            }
            catch (StoreException) when ((SqliteLibrary.ExtendedError(_handle) & 0xFF) == Busy && Environment.TickCount64 < end)
            {
                Never.Wait(WaitOnceMilliseconds);
            }
        }
    }

    /// <summary>Sees that a call succeeded.</summary>
    /// <exception cref="StoreException">It did not.</exception>
    public void Require(int code)
    {
        if (code != 0)
        {
            int extended = _handle == IntPtr.Zero ? code : SqliteLibrary.ExtendedError(_handle);
            string? message = _handle == IntPtr.Zero ? null : Marshal.PtrToStringUTF8(SqliteLibrary.ErrorMessage(_handle));
            throw new StoreException($"{_path}: {SqliteFault.Describe(code, extended, message)}");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_handle != IntPtr.Zero)
        {
            _ = SqliteLibrary.Close(_handle);
            _handle = IntPtr.Zero;
        }
    }

    // What failed may have been rolled back by SQLite already.
    void TryRollBack()
    {
        try
        {
            Execute("ROLLBACK");
        }
        catch (StoreException)
        {
            // Closing the file does it.
        }
    }
}

/// <summary>Says what went wrong with a file of SQLite, and what to do. Codes: sqlite.org/rescode.html.</summary>
static class SqliteFault
{
    const int Primary = 0xFF; // an extended code has the plain one in its last byte
    const int Busy = 5;
    const int Locked = 6;
    const int ReadOnly = 8;
    const int InputOutput = 10;
    const int Corrupt = 11;
    const int Full = 13;
    const int CannotOpen = 14;
    const int NoDatabase = 26;

    // Extended: the file beside the store, by which its users know of each other, cannot grow.
    const int CannotGrowShared = InputOutput | (19 << 8);

    const string NoRoom = "the store could not grow: the disk is full. What was there before is whole.";

    /// <summary>What an error means, behind the name of the file.</summary>
    /// <param name="code">The error.</param>
    /// <param name="extended">The same in more detail.</param>
    /// <param name="message">SQLite's own words; null without any.</param>
    public static string Describe(int code, int extended, string? message) => (code & Primary) switch
    {
        Busy or Locked => "another program has been writing to the store for longer than a minute. Try again.",
        ReadOnly => "the store cannot be written: the file or its folder is read-only for this user.",
        Full => NoRoom,
        CannotOpen => "the store cannot be opened: see that the folder exists, and that this user may write there.",
        NoDatabase => "is no store: expected a file of SQLite, found something else.",
        Corrupt => "the store is damaged. sqlite3 FILE \".recover\" saves what can be read; recordings can be added again.",
        InputOutput when extended == CannotGrowShared => NoRoom,
        InputOutput => $"the store could not be read or written (error {extended}): see the disk, and whether it is full.",
        _ => $"SQLite says: {message ?? $"error {code}"}",
    };
}
