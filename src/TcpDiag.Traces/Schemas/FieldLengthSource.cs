namespace TcpDiag.Traces.Schemas;

/// <summary>The kinds of source of a length or count.</summary>
public enum FieldLengthSource
{
    /// <summary>Not given.</summary>
    None = 0,

    /// <summary>The schema fixes it.</summary>
    Constant,

    /// <summary>A field before holds it.</summary>
    Field,

    /// <summary>It stands in front of the data as 2 bytes.</summary>
    Prefix,
}
