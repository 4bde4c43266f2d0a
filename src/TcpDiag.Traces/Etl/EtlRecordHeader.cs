using System;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// The header of a record to be written; the names and meanings are those of <see cref="EtlRecord"/>. What the family of
/// <see cref="HeaderType"/> has no place for is not written.
/// </summary>
public record struct EtlRecordHeader()
{
    /// <summary>The family.</summary>
    public EtlHeaderType HeaderType { get; set; } = EtlHeaderType.Event;

    /// <summary>Whether pointers in the payload take 8 bytes (else 4).</summary>
    public bool Is64Bit { get; set; } = true;

    /// <summary>Time stamp in ticks.</summary>
    public long Ticks { get; set; }

    /// <summary>Thread.</summary>
    public uint ThreadId { get; set; }

    /// <summary>Process.</summary>
    public uint ProcessId { get; set; }

    /// <summary>Provider, class or message GUID.</summary>
    public Guid Provider { get; set; }

    /// <summary>Event id or message number.</summary>
    public ushort Id { get; set; }

    /// <summary>Version of the payload.</summary>
    public byte Version { get; set; }

    /// <summary>Opcode.</summary>
    public byte Opcode { get; set; }

    /// <summary>Kernel group.</summary>
    public byte Group { get; set; }

    /// <summary>Level.</summary>
    public byte Level { get; set; }

    /// <summary>Channel.</summary>
    public byte Channel { get; set; }

    /// <summary>Task.</summary>
    public ushort Task { get; set; }

    /// <summary>Keywords.</summary>
    public ulong Keywords { get; set; }

    /// <summary>Activity id.</summary>
    public Guid ActivityId { get; set; }

    /// <summary>Copies the header of a record that was read.</summary>
    /// <param name="record">The record.</param>
    /// <returns>A header that <see cref="EtlRecordBuilder"/> turns into the same one, flags apart.</returns>
    public static EtlRecordHeader Of(EtlRecord record) => new()
    {
        HeaderType = record.HeaderType,
        Is64Bit = record.Is64Bit,
        Ticks = record.Ticks,
        ThreadId = record.ThreadId,
        ProcessId = record.ProcessId,
        Provider = record.Provider,
        Id = record.Id,
        Version = record.Version,
        Opcode = record.Opcode,
        Group = record.Group,
        Level = record.Level,
        Channel = record.Channel,
        Task = record.Task,
        Keywords = record.Keywords,
        ActivityId = record.ActivityId,
    };
}
