using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Store.Queries;
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
    public void Add_SameTwice_CountsOnce()
    {
        using SqliteStore store = _folder.Open();
        Assert.Equal(AddOutcome.Added, store.Add(StoreAsking.MadeUp(1)));
        string before = store.Dump();
        Assert.Equal(AddOutcome.Kept, store.Add(StoreAsking.MadeUp(1)));
        Assert.Equal(before, store.Dump());
        Assert.Equal(1, store.CountOf("result"));
    }

    [Theory]
    [InlineData("1.0", "1.1", AddOutcome.Replaced, "1.1")]
    [InlineData("1.9", "1.10", AddOutcome.Replaced, "1.10")]
    [InlineData("1.1", "1.0", AddOutcome.Kept, "1.1")]
    [InlineData("1.10", "1.9", AddOutcome.Kept, "1.10")]
    public void Add_OtherVersion_TheNewerStays(string first, string second, AddOutcome expected, string stays)
    {
        using SqliteStore store = _folder.Open();
        store.Add(StoreAsking.MadeUp(1, Version.Parse(first)));
        Assert.Equal(expected, store.Add(StoreAsking.MadeUp(1, Version.Parse(second))));
        Assert.Equal(stays, Assert.Single(store.Column("result", "version")).Text);
        Assert.Equal(1, store.CountOf("finding"));
    }

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
    public void Rows_OfAnyNumbersAndTexts_ComeBackAsTheyWere() => Prop.ForAll(
        ArbMap.Default.ArbFor<long>(),
        ArbMap.Default.ArbFor<string>(),
        (number, text) =>
        {
            string word = new([.. (text ?? string.Empty).Where(letter => !char.IsSurrogate(letter) && letter != '\0')]);
            ResultRows result = StoreAsking.MadeUp(7);
            StoreValue[] row = result.Batches[0].Rows.Single();
            IReadOnlyList<StoreColumn> columns = result.Batches[0].Table.Columns;
            row[IndexOf(columns, "lost_ns")] = StoreValue.Of(number);
            row[IndexOf(columns, "finding")] = StoreValue.Of(word);
            File.Delete(_folder.Store);
            using SqliteStore store = _folder.Open();
            store.Add(result with { Batches = [new(result.Batches[0].Table, [row])] });
            return store.Column("finding", "lost_ns").Single().Number == number && string.Equals(store.Column("finding", "finding").Single().Text, word,
                StringComparison.Ordinal);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Query_Filters_ChooseRows()
    {
        using SqliteStore store = _folder.Open();
        for (int i = 1; i <= 20; i++)
        {
            store.Add(StoreAsking.MadeUp(i, begin: i));
        }

        Assert.Equal(6, Count(store, StoreFilter.All.And("started_ns", ConditionKind.AtLeast, StoreValue.Of(5)).And("started_ns", ConditionKind.AtMost,
            StoreValue.Of(10))));
        Assert.Equal(4, Count(store, StoreFilter.All.And("started_ns", ConditionKind.Below, StoreValue.Of(5))));
        Assert.Equal(1, Count(store, StoreFilter.All.And("source", ConditionKind.BeginsWith, StoreValue.Of(StoreAsking.MadeUp(3).Head.Source))));
        Assert.Equal(20, Count(store, StoreFilter.All.And("source", ConditionKind.BeginsWith, StoreValue.Of("000"))));
        Assert.Equal(0, Count(store, StoreFilter.All.And("build", ConditionKind.Is, StoreValue.Of("26100' OR '1'='1"))));
        Assert.Equal(0, Count(store, StoreFilter.All.And("site", ConditionKind.Is, StoreValue.Of("not known"))));
    }

    [Fact]
    public void Query_WrongColumnOrKind_IsToldInOneLine()
    {
        using SqliteStore store = _folder.Open();
        string noColumn = Assert.Throws<StoreException>(() => Count(store, StoreFilter.All.And("x; DROP TABLE result", ConditionKind.Is, StoreValue.Of(1))))
            .Message;
        Assert.StartsWith("the table finding has no column 'x; DROP TABLE result'. Its columns: source, started_ns", noColumn, StringComparison.Ordinal);
        string noNumber = Assert.Throws<StoreException>(() => Count(store, StoreFilter.All.And("lost_ns", ConditionKind.Is, StoreValue.Of("long")))).Message;
        Assert.StartsWith("lost_ns: expected a number, found 'long'.", noNumber, StringComparison.Ordinal);
    }

    [Fact]
    public void Prune_RemovesResultsWithAllRows()
    {
        using SqliteStore store = _folder.Open();
        for (int i = 1; i <= 10; i++)
        {
            store.Add(StoreAsking.MadeUp(i, begin: i));
        }

        Assert.Equal(4, store.Prune(StoreFilter.All.And("started_ns", ConditionKind.Below, StoreValue.Of(5))));
        Assert.Equal(6, store.CountOf("finding"));
        Assert.Equal(6, store.CountOf("result"));
        Assert.Contains("what is to be removed must be said", Assert.Throws<StoreException>(() => store.Prune(StoreFilter.All)).Message,
            StringComparison.Ordinal);
        store.Compact();
        Assert.Equal(6, store.CountOf("finding"));
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

    [Fact]
    public void Open_SeveralAtOnce_MakeOneStore()
    {
        for (int round = 0; round < 30; round++)
        {
            string path = _folder.FileOf(FormattableString.Invariant($"new-{round}.db"));
            Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, i =>
            {
                using SqliteStore store = SqliteStore.Open(path, isCreated: true);
                store.Add(StoreAsking.MadeUp(i));
            });
            using SqliteStore all = SqliteStore.Open(path);
            Assert.Equal(8, all.CountOf("finding"));
        }
    }

    [Fact]
    public void Key_IsOfTheStore()
    {
        using SqliteStore one = _folder.Open();
        using SqliteStore again = _folder.Open();
        using SqliteStore other = SqliteStore.Open(_folder.FileOf("other.db"), isCreated: true);
        Assert.Equal(one.Key.PseudonymOf("p", "host"), again.Key.PseudonymOf("p", "host"));
        Assert.NotEqual(one.Key.PseudonymOf("p", "host"), other.Key.PseudonymOf("p", "host"));
    }

    static int IndexOf(IReadOnlyList<StoreColumn> columns, string name) => columns.Select(column => column.Name).ToList().IndexOf(name);

    static long Count(SqliteStore store, StoreFilter filter) => store.Count(StoreSchema.Findings, filter);

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
