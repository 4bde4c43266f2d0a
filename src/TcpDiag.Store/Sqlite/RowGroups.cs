using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using TcpDiag.Store.Queries;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Sqlite;

/// <summary>
/// Groups rows in one pass: SQLite would sort all of them for every group and again for every median. Takes eight bytes for each row of which a median is
/// asked for.
/// </summary>
/// <param name="query">What is asked for.</param>
sealed class RowGroups(AggregateQuery query)
{
    readonly Dictionary<StoreValue[], RowGroup> _groups = new(KeyComparer.Instance);
    readonly StoreValue[] _key = new StoreValue[query.Keys.Count];
    readonly StoreValue[] _before = new StoreValue[query.Keys.Count];

    /// <summary>Writes the statement that reads the rows: keys, sums, median.</summary>
    /// <exception cref="StoreException">The table does not have what is asked for.</exception>
    public static SqlText Rows(AggregateQuery query)
    {
        SqlText where = SelectSql.Where(query.Table, query.Filter);
        IEnumerable<StoreColumn> columns = query.Keys.Select(key => key.Column).Concat(query.Sums).Concat(query.Median is { } median ? [median] : []);
        string names = string.Join(", ", columns.Select(column => SelectSql.Quoted(column.Name)));
        return where with { Text = $"SELECT {names} FROM {SelectSql.Quoted(query.Table.Name)}{where.Text}" };
    }

    /// <summary>Adds the row that a statement stands at.</summary>
    public void Add(SqliteStatement row)
    {
        for (int i = 0; i < _key.Length; i++)
        {
            _key[i] = ClassOf(query.Keys[i], row.Value(i, ref _before[i]));
        }

        if (!_groups.TryGetValue(_key, out RowGroup? group))
        {
            _groups[[.. _key]] = group = new(query.Sums.Count);
        }

        group.Count++;
        for (int i = 0; i < query.Sums.Count; i++)
        {
            group.Add(i, row.Value(_key.Length + i).Number);
        }

        if (query.Median is not null)
        {
            group.Values.Add(row.Value(_key.Length + query.Sums.Count).Number ?? 0);
        }
    }

    /// <summary>The groups by their keys.</summary>
    public IEnumerable<StoreValue[]> InOrder() => _groups.OrderBy(group => group.Key, KeyComparer.Instance).Select(group => (StoreValue[])
    [
        .. group.Key, StoreValue.Of(group.Value.Count), .. group.Value.Sums.Select(StoreValue.Of), .. query.Median is null ? (StoreValue[])[]
            : [StoreValue.Of(group.Value.LowerMedian())],
    ]);

    static StoreValue ClassOf(GroupKey key, StoreValue value)
    {
        if (key.Bounds.Count == 0 || value.Number is not { } number)
        {
            return value;
        }

        int reached = 0;
        while (reached < key.Bounds.Count && number >= key.Bounds[reached])
        {
            reached++;
        }

        return StoreValue.Of(reached);
    }

    /// <summary>Keys that are equal, and their order: nothing, then numbers, then texts by their bytes, as SQLite has them.</summary>
    sealed class KeyComparer : IEqualityComparer<StoreValue[]>, IComparer<StoreValue[]>
    {
        public static KeyComparer Instance { get; } = new();

        public bool Equals(StoreValue[]? one, StoreValue[]? other) => one.AsSpan().SequenceEqual(other);

        public int GetHashCode(StoreValue[] key)
        {
            var hash = default(HashCode);
            foreach (StoreValue value in key)
            {
                hash.Add(value.Number ?? value.Text?.GetHashCode(StringComparison.Ordinal) ?? 0);
            }

            return hash.ToHashCode();
        }

        public int Compare(StoreValue[]? one, StoreValue[]? other)
        {
            for (int i = 0; i < one!.Length; i++)
            {
                if (Compare(one[i], other![i]) is not 0 and var order)
                {
                    return order;
                }
            }

            return 0;
        }

        static int Compare(StoreValue one, StoreValue other) =>
            one.Text is { } text && other.Text is { } second ? Encoding.UTF8.GetBytes(text).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(second))
            : RankOf(one) != RankOf(other) ? RankOf(one) - RankOf(other)
            : (one.Number ?? 0).CompareTo(other.Number ?? 0);

        static int RankOf(StoreValue value) => value.IsNone ? 0 : value.Text is null ? 1 : 2;
    }
}

/// <summary>Rows that have their keys in common.</summary>
/// <param name="sums">Numbers that are added up.</param>
sealed class RowGroup(int sums)
{
    /// <summary>How many rows.</summary>
    public long Count { get; set; }

    /// <summary>The sums; null where no row knows the number.</summary>
    public long?[] Sums { get; } = new long?[sums];

    /// <summary>The numbers of which the median is asked for.</summary>
    public List<long> Values { get; } = [];

    /// <summary>Adds to a sum.</summary>
    public void Add(int sum, long? value)
    {
        if (value is { } known)
        {
            Sums[sum] = unchecked((Sums[sum] ?? 0) + known); // a sum beyond 64 bits is one of damaged figures, in every engine
        }
    }

    /// <summary>The lower of the two in the middle, to within one percent.</summary>
    public long LowerMedian()
    {
        Values.Sort();
        return CoarseNumber.Of(Values[(Values.Count - 1) / 2]);
    }
}
