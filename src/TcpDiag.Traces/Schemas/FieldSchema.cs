namespace TcpDiag.Traces.Schemas;

/// <summary>One field of an event's payload.</summary>
/// <param name="Name">The manifest's name.</param>
/// <param name="InType">How it is stored.</param>
public sealed record FieldSchema(string Name, InType InType)
{
    /// <summary>How it is to be shown.</summary>
    public OutType OutType { get; init; }

    /// <summary>Names of its values, or null.</summary>
    public ValueMap? Map { get; init; }

    /// <summary>Length of one element: bytes of a binary, characters of a string. None where the data tell it.</summary>
    public FieldLength Length { get; init; }

    /// <summary>Number of elements; none when the field is no array.</summary>
    public FieldLength Count { get; init; }

    /// <summary>
    /// Of a struct: how many of the fields that follow are its members, those of inner structs included. 0 where the members
    /// are not known.
    /// </summary>
    public int MemberCount { get; init; }

    /// <summary>Whether it is an array.</summary>
    public bool IsArray => Count.Source != FieldLengthSource.None;

    /// <summary>1-based place in which the reader keeps its number for the fields that take length or count from it; 0 when none does.</summary>
    internal int Slot { get; set; }
}
