using System;
using System.Collections.Generic;

namespace TcpDiag.Traces.Schemas;

/// <summary>What is known about one event: its names and the layout of its payload.</summary>
public sealed class EventSchema
{
    /// <summary>Lengths and counts may come from this many fields of one event; more are treated as unknown.</summary>
    internal const int MaxSlots = 32;

    readonly FieldSchema[] _fields;

    /// <summary>Creates a schema.</summary>
    /// <param name="fields">The fields in the order of the payload, members of a struct after it. Owned by the schema from now on.</param>
    public EventSchema(FieldSchema[] fields)
    {
        _fields = fields;
        AssignSlots(fields);
    }

    /// <summary>The provider, or the class of a classic event.</summary>
    public Guid Provider { get; init; }

    /// <summary>The provider's name; empty when unknown.</summary>
    public string ProviderName { get; init; } = string.Empty;

    /// <summary>The event's name; empty when the source has none.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Event id; 0 for classic and self-describing events.</summary>
    public int Id { get; init; }

    /// <summary>Version of the layout.</summary>
    public int Version { get; init; }

    /// <summary>Name of the opcode; empty when it has none.</summary>
    public string Opcode { get; init; } = string.Empty;

    /// <summary>Name of the task; empty when it has none.</summary>
    public string Task { get; init; } = string.Empty;

    /// <summary>Level: 1 critical, 2 error, 3 warning, 4 informational, 5 verbose; 0 none.</summary>
    public byte Level { get; init; }

    /// <summary>Names of the keywords.</summary>
    public IReadOnlyList<string> Keywords { get; init; } = [];

    /// <summary>The fields in the order of the payload; members of a struct follow it.</summary>
    public ReadOnlySpan<FieldSchema> Fields => _fields;

    /// <summary>The same event with other fields.</summary>
    internal EventSchema With(FieldSchema[] fields) => new(Array.ConvertAll(fields, field => field with { Slot = 0 }))
    {
        Provider = Provider,
        ProviderName = ProviderName,
        Name = Name,
        Id = Id,
        Version = Version,
        Opcode = Opcode,
        Task = Task,
        Level = Level,
        Keywords = Keywords,
    };

    /// <summary>Finds a field by its manifest name.</summary>
    /// <param name="name">The name, in any casing.</param>
    /// <returns>Its index, or -1.</returns>
    public int IndexOf(string name) => Array.FindIndex(_fields, field => field.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    /// <summary>The fewest bytes a whole payload can have.</summary>
    /// <param name="is64Bit">Whether pointers take 8 bytes.</param>
    /// <returns>Bytes.</returns>
    public int MinimumLength(bool is64Bit)
    {
        int length = 0;
        for (int i = 0; i < _fields.Length; i++)
        {
            FieldSchema field = _fields[i];
            length += MinimumLength(field, is64Bit);
            if (field.InType == InType.Struct && field.IsArray)
            {
                i += field.MemberCount;
            }
        }

        return length;
    }

    static int MinimumLength(FieldSchema field, bool is64Bit)
    {
        int count = field.Count.Source switch
        {
            FieldLengthSource.None => 1,
            FieldLengthSource.Constant => field.Count.Value,
            _ => 0,
        };
        int constant = field is { InType: InType.Binary, Length.Source: FieldLengthSource.Constant } ? field.Length.Value : 0;
        return count * Math.Max(constant, InTypes.FixedSize(field.InType, is64Bit));
    }

    static void AssignSlots(FieldSchema[] fields)
    {
        int used = 0;
        for (int i = 0; i < fields.Length; i++)
        {
            Assign(fields[i].Length, i);
            Assign(fields[i].Count, i);
        }

        void Assign(FieldLength length, int user)
        {
            if (length.Source == FieldLengthSource.Field && (uint)length.Value < (uint)user && fields[length.Value].Slot == 0 && used < MaxSlots)
            {
                fields[length.Value].Slot = ++used;
            }
        }
    }
}

/// <summary>One field of an event's payload.</summary>
/// <param name="Name">The manifest's name.</param>
/// <param name="InType">How it is stored.</param>
public sealed record FieldSchema(string Name, InType InType)
{
    /// <summary>How it is to be shown.</summary>
    public OutType OutType { get; init; }

    /// <summary>Names of its values, or null.</summary>
    public ValueMap? Map { get; init; }

    /// <summary>Length of one element: bytes of a binary, characters of a string. None where it is in the data.</summary>
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

/// <summary>Where a length or an element count comes from.</summary>
/// <param name="Source">The kind of source.</param>
/// <param name="Value">The constant, or the index of the field that holds the number.</param>
public readonly record struct FieldLength(FieldLengthSource Source, int Value)
{
    /// <summary>Not given.</summary>
    public static FieldLength None => default;

    /// <summary>The number precedes the data, 2 bytes.</summary>
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

/// <summary>The kinds of source of a length or count.</summary>
public enum FieldLengthSource
{
    /// <summary>Not given.</summary>
    None = 0,

    /// <summary>The schema fixes it.</summary>
    Constant,

    /// <summary>A field before holds it.</summary>
    Field,

    /// <summary>It precedes the data as 2 bytes.</summary>
    Prefix,
}
