using System;

namespace TcpDiag.Traces.Etl;

/// <summary>BufferFlag of a buffer header.</summary>
[Flags]
enum EtlBufferFlags
{
    /// <summary>An ordinary buffer.</summary>
    None = 0,

    /// <summary>Set in the first buffer and the one flushed last.</summary>
    FlushMarker = 0x01,

    /// <summary>Events were lost before or in this buffer.</summary>
    EventsLost = 0x02,

    /// <summary>A buffer was lost.</summary>
    BufferLost = 0x04,

    /// <summary>A backup of a real-time session, damaged.</summary>
    BackupCorrupt = 0x08,

    /// <summary>A backup of a real-time session.</summary>
    Backup = 0x10,

    /// <summary>The processor index takes 16 bits; without this flag, 8.</summary>
    ProcessorIndex = 0x20,

    /// <summary>The records are compressed.</summary>
    Compressed = 0x40,

    /// <summary>Every flag that has a meaning.</summary>
    All = FlushMarker | EventsLost | BufferLost | BackupCorrupt | Backup | ProcessorIndex | Compressed,
}
