using System;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Store.Rows;

namespace TcpDiag.Store.Schema;

/// <summary>
/// A table and how its rows are made, column by column: the one place that knows both. Every table begins with the columns of <see cref="RowHead"/>, by which
/// rows are chosen and grouped without looking into another table.
/// </summary>
/// <typeparam name="T">What a row is made from.</typeparam>
sealed class TableMap<T>
{
    readonly List<(StoreColumn Column, Func<T, StoreValue> Value)> _columns = [];
    readonly string _name;
    readonly string _about;
    StoreTable? _table;

    public TableMap(string name, string about, Func<T, RowHead> head)
    {
        _name = name;
        _about = about;
        foreach ((StoreColumn column, Func<RowHead, StoreValue> value) in RowHead.Columns)
        {
            _columns.Add((column, subject => value(head(subject))));
        }
    }

    /// <summary>The table; no column comes after it was asked for.</summary>
    public StoreTable Table => _table ??= new(_name, _about, [.. _columns.Select(entry => entry.Column)], [RowHead.SourceName, .. _keys]);

    readonly List<string> _keys = [];
    int _since = 1;

    /// <summary>Says of the columns that follow which version of the schema brought them.</summary>
    public TableMap<T> Since(int version)
    {
        _since = version;
        return this;
    }

    /// <summary>Adds a number that tells rows of a result apart.</summary>
    public TableMap<T> Key(string name, Func<T, long> value, string about)
    {
        _keys.Add(name);
        return Add(new(name, ColumnKind.Number, about) { IsRequired = true }, subject => StoreValue.Of(value(subject)));
    }

    /// <summary>Adds a word that tells rows of a result apart.</summary>
    public TableMap<T> Key(string name, Func<T, string> value, string about)
    {
        _keys.Add(name);
        return Add(new(name, ColumnKind.Word, about) { IsRequired = true }, subject => StoreValue.Of(value(subject)));
    }

    /// <summary>Adds a number.</summary>
    public TableMap<T> Number(string name, Func<T, long?> value, string about) =>
        Add(new(name, ColumnKind.Number, about), subject => StoreValue.Of(value(subject)));

    /// <summary>Adds a fraction of the whole, 0 … 1, in millionths.</summary>
    public TableMap<T> Share(string name, Func<T, double?> value, string about) => Number(name, subject => Whole(value(subject) * 1e6), about);

    /// <summary>Adds a number that is measured as a fraction, rounded.</summary>
    public TableMap<T> Rounded(string name, Func<T, double?> value, string about) => Number(name, subject => Whole(value(subject)), about);

    /// <summary>Adds yes or no.</summary>
    public TableMap<T> Flag(string name, Func<T, bool?> value, string about) =>
        Add(new(name, ColumnKind.Flag, about), subject => StoreValue.Of(value(subject) is { } flag ? (flag ? 1 : 0) : null));

    /// <summary>Adds a word.</summary>
    public TableMap<T> Word(string name, Func<T, string?> value, string about) =>
        Add(new(name, ColumnKind.Word, about), subject => StoreValue.Of(value(subject)));

    /// <summary>Adds a text.</summary>
    public TableMap<T> Text(string name, Func<T, string?> value, string about) =>
        Add(new(name, ColumnKind.Text, about), subject => StoreValue.Of(value(subject)));

    /// <summary>Adds what names somebody; the value is a pseudonym already unless addresses are kept.</summary>
    public TableMap<T> Personal(string name, Func<T, string?> value, string about) =>
        Add(new(name, ColumnKind.Text, about) { IsPersonal = true }, subject => StoreValue.Of(value(subject)));

    /// <summary>Makes rows.</summary>
    /// <param name="subjects">What of.</param>
    /// <returns>The rows, made while they are enumerated.</returns>
    public RowBatch Rows(IEnumerable<T> subjects) => new(Table, subjects.Select(Row));

    StoreValue[] Row(T subject)
    {
        var values = new StoreValue[_columns.Count];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = _columns[i].Value(subject);
        }

        return values;
    }

    TableMap<T> Add(StoreColumn column, Func<T, StoreValue> value)
    {
        _columns.Add((column with { Since = _since }, value));
        return this;
    }

    // Of a damaged trace a figure may be anything; what no column holds is not known.
    static long? Whole(double? value) => value is { } number && Math.Abs(number) < 9e18 ? (long)Math.Round(number) : null;
}
