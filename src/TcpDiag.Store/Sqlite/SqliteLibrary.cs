using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Store.Sqlite;

/// <summary>
/// The SQLite of the system: none is shipped, so that it is as new as the system keeps it. <c>TCPDIAG_SQLITE</c> names another library file. Functions:
/// sqlite.org/c3ref; texts are UTF-8.
/// </summary>
static partial class SqliteLibrary
{
    const string Variable = "TCPDIAG_SQLITE";
    const string Name = "sqlite3";

    static readonly Lazy<IntPtr> Handle = new(Find);

    static SqliteLibrary() => NativeLibrary.SetDllImportResolver(typeof(SqliteLibrary).Assembly, (name, _, _) => name is Name ? Handle.Value : IntPtr.Zero);

    /// <summary>Loads the library.</summary>
    /// <exception cref="StoreException">It is missing.</exception>
    public static void Load()
    {
        if (Handle.Value == IntPtr.Zero)
        {
            throw new StoreException(Given is { Length: > 0 } given
                ? $"SQLite cannot be loaded from {given}, which {Variable} names."
                : $"the store needs SQLite, and {string.Join(" or ", Names)} is not to be found. "
                    + "Debian, Ubuntu: apt install libsqlite3-0; Fedora: dnf install sqlite-libs; Alpine: apk add sqlite-libs. Or name the library with "
                    + $"{Variable}.");
        }
    }

    [LibraryImport(Name, EntryPoint = "sqlite3_open_v2", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, out IntPtr database, int flags, IntPtr fileSystem);

    [LibraryImport(Name, EntryPoint = "sqlite3_close_v2")]
    public static partial int Close(IntPtr database);

    [LibraryImport(Name, EntryPoint = "sqlite3_busy_timeout")]
    public static partial int SetBusyTimeout(IntPtr database, int milliseconds);

    [LibraryImport(Name, EntryPoint = "sqlite3_extended_errcode")]
    public static partial int ExtendedError(IntPtr database);

    [LibraryImport(Name, EntryPoint = "sqlite3_errmsg")]
    public static partial IntPtr ErrorMessage(IntPtr database);

    [LibraryImport(Name, EntryPoint = "sqlite3_prepare_v2")]
    public static partial int Prepare(IntPtr database, ReadOnlySpan<byte> sql, int length, out IntPtr statement, IntPtr tail);

    [LibraryImport(Name, EntryPoint = "sqlite3_finalize")]
    public static partial int Finish(IntPtr statement);

    [LibraryImport(Name, EntryPoint = "sqlite3_step")]
    public static partial int Step(IntPtr statement);

    [LibraryImport(Name, EntryPoint = "sqlite3_reset")]
    public static partial int Reset(IntPtr statement);

    [LibraryImport(Name, EntryPoint = "sqlite3_bind_int64")]
    public static partial int BindNumber(IntPtr statement, int index, long value);

    [LibraryImport(Name, EntryPoint = "sqlite3_bind_text")]
    public static partial int BindText(IntPtr statement, int index, ReadOnlySpan<byte> text, int length, IntPtr release);

    [LibraryImport(Name, EntryPoint = "sqlite3_bind_null")]
    public static partial int BindNone(IntPtr statement, int index);

    [LibraryImport(Name, EntryPoint = "sqlite3_column_type")]
    public static partial int TypeOf(IntPtr statement, int column);

    [LibraryImport(Name, EntryPoint = "sqlite3_column_int64")]
    public static partial long Number(IntPtr statement, int column);

    [LibraryImport(Name, EntryPoint = "sqlite3_column_text")]
    public static partial IntPtr Text(IntPtr statement, int column);

    [LibraryImport(Name, EntryPoint = "sqlite3_column_bytes")]
    public static partial int Bytes(IntPtr statement, int column);

    static string? Given => Environment.GetEnvironmentVariable(Variable);

    static string[] Names => OperatingSystem.IsWindows() ? ["winsqlite3.dll"]
        : OperatingSystem.IsMacOS() ? ["/usr/lib/libsqlite3.dylib", "libsqlite3.dylib"]
        : ["libsqlite3.so.0", "libsqlite3.so"];

    static IntPtr Find()
    {
        foreach (string name in Given is { Length: > 0 } given ? [given] : Names)
        {
            if (NativeLibrary.TryLoad(name, out IntPtr handle))
            {
                return handle;
            }
        }

        return IntPtr.Zero;
    }
}
