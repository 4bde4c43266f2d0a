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
    /// <param name="fields">The fields in the order of the payload, members of a struct behind it. Owned by the schema from now on.</param>
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
    /// <param name="fields">The fields; copied.</param>
    /// <returns>A new schema.</returns>
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
