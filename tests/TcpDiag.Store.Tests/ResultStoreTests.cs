using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Rows;
using TcpDiag.Store.Schema;
using TcpDiag.Store.Tests.Servers;
using Xunit;

namespace TcpDiag.Store.Tests;

/// <summary>What a store keeps, whatever its engine.</summary>
public sealed class ResultStoreTests : IDisposable
{
    readonly StoreFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Add_SameTwice_CountsOnce(StoreEngine engine)
    {
        using IResultStore store = _folder.Open(engine);
        Assert.Equal(AddOutcome.Added, store.Add(StoreAsking.MadeUp(1)));
        string before = store.Dump();
        Assert.Equal(AddOutcome.Kept, store.Add(StoreAsking.MadeUp(1)));
        Assert.Equal(before, store.Dump());
        Assert.Equal(1, store.CountOf("result"));
    }

    [Theory]
    [OnSqlite("1.0", "1.1", AddOutcome.Replaced, "1.1")]
    [OnSqlite("1.9", "1.10", AddOutcome.Replaced, "1.10")]
    [OnSqlite("1.1", "1.0", AddOutcome.Kept, "1.1")]
    [OnSqlite("1.10", "1.9", AddOutcome.Kept, "1.10")]
    [OnClickHouse("1.0", "1.1", AddOutcome.Replaced, "1.1")]
    [OnClickHouse("1.9", "1.10", AddOutcome.Replaced, "1.10")]
    [OnClickHouse("1.1", "1.0", AddOutcome.Kept, "1.1")]
    [OnClickHouse("1.10", "1.9", AddOutcome.Kept, "1.10")]
    public void Add_OtherVersion_TheNewerStays(StoreEngine engine, string first, string second, AddOutcome expected, string stays)
    {
        using IResultStore store = _folder.Open(engine);
        store.Add(StoreAsking.MadeUp(1, Version.Parse(first)));
        Assert.Equal(expected, store.Expect(ResultKind.Analysis, StoreAsking.MadeUp(1).Head.Source, Version.Parse(second)));
        Assert.Equal(expected, store.Add(StoreAsking.MadeUp(1, Version.Parse(second))));
        Assert.Equal(stays, Assert.Single(store.Column("result", "version")).Text);
        Assert.Equal(1, store.CountOf("finding"));
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Add_FailsInTheMiddle_LeavesNothing(StoreEngine engine)
    {
        using IResultStore store = _folder.Open(engine);
        ResultRows whole = StoreAsking.MadeUp(1);
        RowBatch first = whole.Batches[0];
        ResultRows broken = whole with { Batches = [first, new(StoreSchema.Recordings, Breaking())] };
        Assert.Throws<InvalidOperationException>(() => store.Add(broken));
        Assert.Equal(string.Empty, store.Dump());
        Assert.Equal(AddOutcome.Added, store.Add(whole));
        Assert.Equal(1, store.CountOf("finding"));
    }

    /// <summary>Numbers to the ends of 64 bits, and texts that a statement, a tab or a quote would break, a mark of bytes, and an empty one, which is not none.</summary>
    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Rows_OfAnyNumbersAndTexts_ComeBackAsTheyWere(StoreEngine engine)
    {
        var random = new Random(6);
        string[] texts =
        [
            string.Empty, "'; DROP TABLE result; --", "\"", "\\", "\\N", "a\tb\nc\r", "\u001b[31m", "{p0:String}", "(SELECT 1)", "\ufeff", "ä漢😀", new('x', 300),
            "\uffff", "%", "NULL", .. Enumerable.Range(0, 40).Select(_ => TextOf(random)),
        ];
        StoreValue[] numbers = [.. texts.Select((_, i) => i == 0 ? StoreValue.Of(long.MinValue) : i == 1 ? StoreValue.Of(long.MaxValue) : i == 2 ? StoreValue.None
            : StoreValue.Of(random.NextInt64(long.MinValue, long.MaxValue)))];
        using IResultStore store = _folder.Open(engine);
        IReadOnlyList<StoreColumn> columns = StoreSchema.Findings.Columns;
        for (int i = 0; i < texts.Length; i++)
        {
            ResultRows result = StoreAsking.MadeUp(i);
            StoreValue[] row = result.Batches[0].Rows.Single();
            row[IndexOf(columns, "lost_ns")] = numbers[i];
            row[IndexOf(columns, "finding")] = StoreValue.Of(texts[i]);
            row[IndexOf(columns, "site")] = i % 2 == 0 ? StoreValue.None : StoreValue.Of(texts[i]);
            store.Add(result with { Batches = [new(result.Batches[0].Table, [row])] });
        }

        Assert.Equal(numbers, store.Column("finding", "lost_ns"));
        Assert.Equal(texts, store.Column("finding", "finding").Select(value => value.Text));
        Assert.Equal(texts.Select((text, i) => i % 2 == 0 ? null : text), store.Column("finding", "site").Select(value => value.Text));
        Assert.All(texts, text => Assert.Equal(texts.Count(one => string.Equals(one, text, StringComparison.Ordinal)),
            store.Count(StoreSchema.Findings, StoreFilter.All.And("finding", ConditionKind.Is, StoreValue.Of(text)))));
        Assert.All(texts.Skip(1), text => Assert.Equal(texts.Count(one => Small(one).Contains(Small(text), StringComparison.Ordinal)),
            store.Count(StoreSchema.Findings, StoreFilter.All.And("finding", ConditionKind.Contains, StoreValue.Of(text)))));
        Assert.All(numbers.Where(number => !number.IsNone), number => Assert.Equal(1, store.Count(StoreSchema.Findings, StoreFilter.All.And("lost_ns",
            ConditionKind.Is, number))));
    }

    static string Small(string text) => string.Concat(text.Select(letter => char.IsAsciiLetterUpper(letter) ? char.ToLowerInvariant(letter) : letter));

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Query_Filters_ChooseRows(StoreEngine engine)
    {
        using IResultStore store = _folder.Open(engine);
        for (int i = 1; i <= 20; i++)
        {
            store.Add(StoreAsking.MadeUp(i, begin: i));
        }

        Assert.Equal(6, Count(store, StoreFilter.All.And("started_ns", ConditionKind.Min, StoreValue.Of(5)).And("started_ns", ConditionKind.Max,
            StoreValue.Of(10))));
        Assert.Equal(4, Count(store, StoreFilter.All.And("started_ns", ConditionKind.Below, StoreValue.Of(5))));
        Assert.Equal(1, Count(store, StoreFilter.All.And("source", ConditionKind.BeginsWith, StoreValue.Of(StoreAsking.MadeUp(3).Head.Source))));
        Assert.Equal(20, Count(store, StoreFilter.All.And("source", ConditionKind.BeginsWith, StoreValue.Of("000"))));
        Assert.Equal(20, Count(store, StoreFilter.All.And("build", ConditionKind.Is, StoreValue.Of("26100"))));
        Assert.Equal(0, Count(store, StoreFilter.All.And("build", ConditionKind.Is, StoreValue.Of("26100' OR '1'='1"))));
        Assert.Equal(0, Count(store, StoreFilter.All.And("site", ConditionKind.Is, StoreValue.Of("not known"))));
        Assert.Equal(20, Count(store, new([new("site", ConditionKind.Contains, StoreValue.Of("PATH")) { Or = ["finding", "machine"] }])));
        Assert.Equal(0, Count(store, new([new("site", ConditionKind.Contains, StoreValue.Of("PATH")) { Or = ["machine"] }])));
    }

    /// <summary>A row of no known week is in no range of weeks, and comes first where rows are grouped by weeks.</summary>
    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Week_NotKnown_IsNoWeek(StoreEngine engine)
    {
        using IResultStore store = _folder.Open(engine);
        store.Add(StoreAsking.MadeUp(1)); // its row has no week
        store.Add(StoreAsking.Finding(2, 0, "path-loss"));
        store.Add(StoreAsking.Finding(3, -3_000_000_000_000_000_000, "path-loss")); // a clock of 1874
        Assert.Equal(2, Count(store, StoreFilter.All.And("week", ConditionKind.Below, StoreValue.Of("9999"))));
        Assert.Equal(2, Count(store, StoreFilter.All.And("week", ConditionKind.Max, StoreValue.Of("9999"))));
        Assert.Equal(0, Count(store, StoreFilter.All.And("week", ConditionKind.Is, StoreValue.Of(string.Empty))));
        Assert.Equal(1, Count(store, StoreFilter.All.And("week", ConditionKind.Min, StoreValue.Of("1900"))));
        var weeks = new AggregateQuery(StoreSchema.Findings, [new(StoreSchema.Findings.Require("week"), [])], [], StoreFilter.All);
        Assert.Equal([null, "1874-12-07", "1969-12-29"], store.Aggregate(weeks).Select(row => row[0].Text));
        Assert.Equal([null, "1969-12-29", "1874-12-07"], store.Column("finding", "week").Select(value => value.Text));
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Query_LargestFirst_AndAtMostSoMany(StoreEngine engine)
    {
        using IResultStore store = _folder.Open(engine);
        Enumerable.Range(1, 9).ToList().ForEach(i => store.Add(StoreAsking.Finding(i, 0, "path-loss")));
        store.Add(StoreAsking.MadeUp(10)); // nothing lost is known of it
        StoreTable table = StoreSchema.Findings;
        var query = new StoreQuery(table, [table.Require("lost_ns")], StoreFilter.All) { Largest = table.Require("lost_ns") };
        Assert.Equal([1_000_000_000, 500_000_000, 333_333_333], store.Query(query with { Limit = 3 }).Select(row => row[0].Number ?? 0));
        Assert.True(store.Query(query).Last()[0].IsNone);
        Assert.Equal([500_000_000, 333_333_333], store.Query(query with { Limit = 2, Skipped = 1 }).Select(row => row[0].Number ?? 0));
        StoreFilter some = StoreFilter.All.And("finding", ConditionKind.Contains, StoreValue.Of("LOSS")).And("lost_ns", ConditionKind.Below, StoreValue.Of(400_000_000))
            .And("position", ConditionKind.Is, StoreValue.Of(0));
        Assert.Equal([333_333_333, 250_000_000], store.Query(query with { Limit = 2, Filter = some }).Select(row => row[0].Number ?? 0));
        Assert.Empty(store.Query(query with { Limit = 2, Filter = some.And("build", ConditionKind.Is, StoreValue.Of("none")) }));
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Query_WrongColumnOrKind_IsToldInOneLine(StoreEngine engine)
    {
        using IResultStore store = _folder.Open(engine);
        string noColumn = Assert.Throws<StoreException>(() => Count(store, StoreFilter.All.And("x; DROP TABLE result", ConditionKind.Is, StoreValue.Of(1))))
            .Message;
        Assert.StartsWith("the table finding has no column 'x; DROP TABLE result'. Its columns: source, started_ns", noColumn, StringComparison.Ordinal);
        string noNumber = Assert.Throws<StoreException>(() => Count(store, StoreFilter.All.And("lost_ns", ConditionKind.Is, StoreValue.Of("long")))).Message;
        Assert.StartsWith("lost_ns: expected a number, found 'long'.", noNumber, StringComparison.Ordinal);
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Prune_RemovesResultsWithAllRows(StoreEngine engine)
    {
        using IResultStore store = _folder.Open(engine);
        for (int i = 1; i <= 10; i++)
        {
            store.Add(StoreAsking.MadeUp(i, begin: i));
        }

        Assert.Equal(4, store.Prune(StoreFilter.All.And("started_ns", ConditionKind.Below, StoreValue.Of(5))));
        Assert.Equal(0, store.Prune(StoreFilter.All.And("started_ns", ConditionKind.Below, StoreValue.Of(5))));
        Assert.Equal(6, store.CountOf("finding"));
        Assert.Equal(6, store.CountOf("result"));
        Assert.Contains("what is to be removed must be said", Assert.Throws<StoreException>(() => store.Prune(StoreFilter.All)).Message,
            StringComparison.Ordinal);
        store.Compact();
        Assert.Equal(6, store.CountOf("finding"));
        Assert.Equal(AddOutcome.Added, store.Add(StoreAsking.MadeUp(1, begin: 1)));
        Assert.Equal(7, store.CountOf("finding"));
        Assert.True(store.Bytes > 0);
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Open_SeveralAtOnce_MakeOneStore(StoreEngine engine)
    {
        for (int round = 0; round < (engine == StoreEngine.Sqlite ? 30 : 5); round++)
        {
            string name = FormattableString.Invariant($"new-{round}");
            _ = _folder.LocationOf(engine, name);
            string[] keys = new string[8];
            Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, i =>
            {
                using IResultStore store = _folder.Open(engine, name);
                store.Add(StoreAsking.MadeUp(i));
                keys[i] = store.Key.PseudonymOf("p", "host");
            });
            using IResultStore all = _folder.Open(engine, name);
            Assert.Equal(8, all.CountOf("finding"));
            Assert.Single(keys.Distinct(StringComparer.Ordinal));
        }
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Add_SameByManyAtOnce_CountsOnce(StoreEngine engine)
    {
        _folder.Open(engine).Dispose();
        Parallel.For(0, 6, new ParallelOptions { MaxDegreeOfParallelism = 6 }, i =>
        {
            using IResultStore store = _folder.Open(engine);
            for (int number = 0; number < 20; number++)
            {
                store.Add(StoreAsking.MadeUp(number, new Version(1, number % 2 == 0 ? 0 : i)));
            }
        });
        using IResultStore all = _folder.Open(engine);
        Assert.Equal((20, 20), (all.CountOf("result"), all.CountOf("finding")));
        Assert.Equal(Enumerable.Range(0, 20).Select(number => number % 2 == 0 ? "1.0" : "1.5"), all.Column("result", "version").Select(value => value.Text));
        all.Compact();
        Assert.Equal((20, 20), (all.CountOf("result"), all.CountOf("finding")));
    }

    [Theory]
    [OnSqlite]
    [OnClickHouse]
    public void Key_IsOfTheStore(StoreEngine engine)
    {
        using IResultStore one = _folder.Open(engine);
        using IResultStore again = _folder.Open(engine);
        using IResultStore other = _folder.Open(engine, "other");
        Assert.Equal(one.Key.PseudonymOf("p", "host"), again.Key.PseudonymOf("p", "host"));
        Assert.NotEqual(one.Key.PseudonymOf("p", "host"), other.Key.PseudonymOf("p", "host"));
    }

    /// <summary>Real recordings: what comes back is the same from either engine but for the pseudonyms, which are of the store.</summary>
    [Theory]
    [OnClickHouse]
    public void Recordings_AreTheSameOnBothEngines(StoreEngine engine)
    {
        var labels = new RecordingLabels(Machine: "one", Site: "here", KeepsAddresses: true);
        using IResultStore file = _folder.Open(StoreEngine.Sqlite);
        using IResultStore server = _folder.Open(engine);
        foreach (string recording in StoreFolder.Recordings)
        {
            Assert.Equal(RecordingIntake.Add(file, recording, labels).Outcome, RecordingIntake.Add(server, recording, labels).Outcome);
        }

        Assert.Equal(StoreFolder.Recordings.Count, server.CountOf("recording"));
        Assert.Equal(file.Dump(), server.Dump());
    }

    static IEnumerable<StoreValue[]> Breaking()
    {
        yield return [.. StoreSchema.Recordings.Columns.Select(column => column.IsRequired ? StoreValue.Of("x") : StoreValue.None)];
        throw new InvalidOperationException("the recording cannot be read on");
    }

    static string TextOf(Random random)
    {
        var text = new StringBuilder();
        for (int i = random.Next(20); i > 0; i--)
        {
            text.Append((char)random.Next(1, 0xD7FF));
        }

        return text.ToString();
    }

    static int IndexOf(IReadOnlyList<StoreColumn> columns, string name) => columns.Select(column => column.Name).ToList().IndexOf(name);

    static long Count(IResultStore store, StoreFilter filter) => store.Count(StoreSchema.Findings, filter);
}
