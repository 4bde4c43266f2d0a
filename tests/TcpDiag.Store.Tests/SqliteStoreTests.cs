using System;
using System.IO;
using System.Linq;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Sqlite;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>What a store in a file keeps, and what it refuses.</summary>
public sealed class SqliteStoreTests : IDisposable
{
    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Add_FailsInTheMiddle_LeavesNothing()
    {
        using SqliteStore store = _folder.Open();
        ResultRows whole = StoreAsking.MadeUp(1);
        StoreValue[] row = whole.Batches[0].Rows.Single();
        ResultRows twice = whole with { Batches = [new(whole.Batches[0].Table, [row, row])] }; // the same key again
        Assert.Throws<StoreException>(() => store.Add(twice));
        Assert.Equal(string.Empty, store.Dump());
        Assert.Equal(AddOutcome.Added, store.Add(whole));
    }

    [Fact]
    public void Open_Missing_SaysHowItIsMade() =>
        Assert.Equal($"{_folder.Store}: there is no such store. tcpdiag store add makes it.", Assert.Throws<StoreException>(() =>
            SqliteStore.Open(_folder.Store)).Message);

    [Fact]
    public void Open_OtherFile_IsRefusedAndStaysAsItIs()
    {
        File.WriteAllText(_folder.Store, new string('x', 5000));
        Assert.Equal($"{_folder.Store}: is no store: expected a file of SQLite, found something else.",
            Assert.Throws<StoreException>(() => SqliteStore.Open(_folder.Store)).Message);
        Assert.Equal(new string('x', 5000), File.ReadAllText(_folder.Store));
    }

    [Fact]
    public void Open_DatabaseOfAnotherProgram_IsRefused()
    {
        Execute("CREATE TABLE other (x)");
        Assert.Equal($"{_folder.Store}: is no store of tcpdiag, but a database of another program.", Assert.Throws<StoreException>(() => _folder.Open())
            .Message);
    }

    [Fact]
    public void Open_NewerSchema_AsksForANewerProgram()
    {
        _folder.Open().Dispose();
        Execute("INSERT INTO schema_version VALUES (99, 0, '9.9')");
        Assert.StartsWith($"{_folder.Store}: is of schema 99, expected at most ", Assert.Throws<StoreException>(() => SqliteStore.Open(_folder.Store)).Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(4096)]
    [InlineData(9000)]
    public void Open_Cut_IsToldInOneLine(int length)
    {
        using (SqliteStore store = _folder.Open())
        {
            Enumerable.Range(1, 200).ToList().ForEach(i => store.Add(StoreAsking.MadeUp(i)));
        }

        using (FileStream file = File.OpenWrite(_folder.Store))
        {
            file.SetLength(length);
        }

        StoreException exception = Assert.Throws<StoreException>(() =>
        {
            using SqliteStore store = SqliteStore.Open(_folder.Store);
            return store.Dump();
        });
        Assert.StartsWith(_folder.Store, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Open_DamagedAnywhere_OnlyStoreExceptionsEscape()
    {
        using (SqliteStore store = _folder.Open())
        {
            Enumerable.Range(1, 100).ToList().ForEach(i => store.Add(StoreAsking.MadeUp(i)));
        }

        byte[] whole = File.ReadAllBytes(_folder.Store);
        var random = new Random(5);
        for (int round = 0; round < 100; round++)
        {
            byte[] damaged = [.. whole];
            for (int i = 0; i < 20; i++)
            {
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            }

            File.WriteAllBytes(_folder.Store, damaged);
            File.Delete(_folder.Store + "-wal");
            File.Delete(_folder.Store + "-shm");
            Try(() =>
            {
                using SqliteStore store = SqliteStore.Open(_folder.Store);
                _ = store.Dump();
                store.Add(StoreAsking.MadeUp(1000 + round));
            });
        }
    }

    [UnixFact]
    public void Open_New_IsReadableByItsOwnerAlone()
    {
        _folder.Open().Dispose();
        if (OperatingSystem.IsWindows())
        {
            return; // for the analyzer: the attribute says it already
        }

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(_folder.Store));
    }

    static void Try(Action work)
    {
        try
        {
            work();
        }
        catch (StoreException)
        {
            // What is asked for: one line.
        }
    }

    void Execute(string sql)
    {
        File.AppendAllText(_folder.Store, string.Empty); // an empty file is an empty database
        using var database = SqliteDatabase.Open(_folder.Store);
        database.Execute(sql);
    }
}
