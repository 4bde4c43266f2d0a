namespace TcpDiag.Traces.Schemas;

/// <summary>Where a length or an element count comes from.</summary>
/// <param name="Source">The kind of source.</param>
/// <param name="Value">The constant, or the index of the field that holds the number.</param>
public readonly record struct FieldLength(FieldLengthSource Source, int Value)
{
    /// <summary>Not given.</summary>
    public static FieldLength None => default;

    /// <summary>The number stands in front of the data, 2 bytes.</summary>
    public static FieldLength Prefix => new(FieldLengthSource.Prefix, 0);

    /// <summary>A number the schema fixes.</summary>
    /// <param name="value">The number.</param>
    /// <returns>The source.</returns>
    public static FieldLength Of(int value) => new(FieldLengthSource.Constant, value);

    /// <summary>A number in a field before.</summary>
    /// <param name="index">Index of the field.</param>
    /// <returns>The source.</returns>
    public static FieldLength In(int index) => new(FieldLengthSource.Field, index);
}
