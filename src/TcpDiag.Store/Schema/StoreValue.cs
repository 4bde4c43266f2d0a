using System.Globalization;

namespace TcpDiag.Store.Schema;

/// <summary>A value of a row: a number, a text, or neither where nothing is known.</summary>
/// <param name="Number">The number; null for a text and for nothing.</param>
/// <param name="Text">The text; null for a number and for nothing.</param>
public readonly record struct StoreValue(long? Number, string? Text)
{
    /// <summary>Nothing.</summary>
    public static StoreValue None => default;

    /// <summary>Whether nothing is known.</summary>
    public bool IsNone => Number is null && Text is null;

    /// <summary>A number, or nothing.</summary>
    public static StoreValue Of(long? number) => new(number, null);

    /// <summary>A text, or nothing.</summary>
    public static StoreValue Of(string? text) => new(null, text);

    /// <summary>The number in digits, or the text; empty where nothing is known.</summary>
    public override string ToString() => Number?.ToString(CultureInfo.InvariantCulture) ?? Text ?? string.Empty;
}
