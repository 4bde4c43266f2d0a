using System;

namespace TcpDiag.Traces.Etl;

/// <summary>How a session logged (LogFileMode of TRACE_LOGFILE_HEADER; names of the Win32 logging mode constants).</summary>
[Flags]
public enum EtlLogFileModes
{
    /// <summary>Nothing told.</summary>
    None = 0,

    /// <summary>Stops at the size limit.</summary>
    Sequential = 0x1,

    /// <summary>Overwrites the oldest buffers at the size limit.</summary>
    Circular = 0x2,

    /// <summary>Continues an existing file.</summary>
    Append = 0x4,

    /// <summary>Starts a new file at the size limit.</summary>
    NewFile = 0x8,

    /// <summary>The file was sized in advance; its tail may be zeros.</summary>
    Preallocate = 0x20,

    /// <summary>Delivered to a consumer while logging.</summary>
    RealTime = 0x100,

    /// <summary>Kept in memory and written on demand.</summary>
    Buffering = 0x400,

    /// <summary>MaximumFileSize is in kilobytes.</summary>
    SizeInKilobytes = 0x2000,

    /// <summary>Rewritten by a merge or a relogger.</summary>
    Relog = 0x10000,

    /// <summary>Kernel events go here.</summary>
    SystemLogger = 0x02000000,

    /// <summary>Buffers may be compressed.</summary>
    Compressed = 0x04000000,

    /// <summary>Not affected by other sessions' failures.</summary>
    Independent = 0x08000000,

    /// <summary>All processors share one stream of buffers, so records may be slightly out of order.</summary>
    NoPerProcessorBuffering = 0x10000000,
}
