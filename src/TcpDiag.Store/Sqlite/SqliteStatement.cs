using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using TcpDiag.Store.Schema;

namespace TcpDiag.Store.Sqlite;

/// <summary>A prepared statement; its parameters are <c>@p0</c>, <c>@p1</c> …, and stand in it in this order, by which SQLite counts them.</summary>
sealed class SqliteStatement : IDisposable
{
    const int Row = 100;
    const int Done = 101;
    const int NumberType = 1;
    const int NoneType = 5;
    static readonly IntPtr Copied = -1; // SQLITE_TRANSIENT: the library copies the text

    readonly SqliteDatabase _database;
    IntPtr _handle;

    /// <summary>Takes a statement over.</summary>
    public SqliteStatement(SqliteDatabase database, IntPtr handle)
    {
        _database = database;
        _handle = handle;
    }

    /// <summary>Gives it its parameters, and begins it anew.</summary>
    /// <exception cref="StoreException">One is too long.</exception>
    public void Bind(IReadOnlyList<StoreValue> values)
    {
        _ = SqliteLibrary.Reset(_handle); // repeats the error of the last step, which was reported
        for (int i = 0; i < values.Count; i++)
        {
            _database.Require(Bind(i + 1, values[i]));
        }
    }

    /// <summary>Goes on to the next row.</summary>
    /// <returns>False at the end.</returns>
    /// <exception cref="StoreException">It failed.</exception>
    public bool Step()
    {
        int code = SqliteLibrary.Step(_handle);
        if (code is not (Row or Done))
        {
            _database.Require(code);
        }

        return code == Row;
    }

    /// <summary>A value of the row.</summary>
    public StoreValue Value(int column) => SqliteLibrary.TypeOf(_handle, column) switch
    {
        NoneType => StoreValue.None,
        NumberType => StoreValue.Of(SqliteLibrary.Number(_handle, column)),
        _ => StoreValue.Of(Text(column)),
    };

    /// <summary>A value of the row that is mostly the one before: its text is then the same object.</summary>
    public StoreValue Value(int column, ref StoreValue before)
    {
        if (SqliteLibrary.TypeOf(_handle, column) is not (NoneType or NumberType) && before.Text is { } known && IsText(column, known))
        {
            return before;
        }

        return before = Value(column);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_handle != IntPtr.Zero)
        {
            _ = SqliteLibrary.Finish(_handle);
            _handle = IntPtr.Zero;
        }
    }

    int Bind(int index, StoreValue value)
    {
        if (value.Number is { } number)
        {
            return SqliteLibrary.BindNumber(_handle, index, number);
        }

        if (value.Text is not { } text)
        {
            return SqliteLibrary.BindNone(_handle, index);
        }

        byte[] bytes = Encoding.UTF8.GetBytes(text.Length == 0 ? "\0" : text); // an empty span is a null pointer, which is none
        return SqliteLibrary.BindText(_handle, index, bytes, text.Length == 0 ? 0 : bytes.Length, Copied);
    }

    unsafe bool IsText(int column, string known)
    {
        var text = (byte*)SqliteLibrary.Text(_handle, column);
        return new ReadOnlySpan<byte>(text, SqliteLibrary.Bytes(_handle, column)) is var bytes && bytes.Length == known.Length
            && System.Text.Ascii.Equals(bytes, known);
    }

    string Text(int column)
    {
        IntPtr text = SqliteLibrary.Text(_handle, column); // before the length, which is that of this form
        return text == IntPtr.Zero ? string.Empty : Marshal.PtrToStringUTF8(text, SqliteLibrary.Bytes(_handle, column));
    }
}
