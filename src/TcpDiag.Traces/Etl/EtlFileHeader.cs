using System;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// What the first record of an .etl file says about the session (TRACE_LOGFILE_HEADER; docs/formats/etl.md, "Log file
/// header"). Numbers as logged: 0 where the session did not fill them in.
/// </summary>
public sealed record EtlFileHeader
{
    /// <summary>Bytes of a session buffer, before compression.</summary>
    public uint BufferSize { get; init; }

    /// <summary>Major version of Windows, 10 since Windows 10.</summary>
    public byte OsMajorVersion { get; init; }

    /// <summary>Minor version of Windows.</summary>
    public byte OsMinorVersion { get; init; }

    /// <summary>Major version of the layout: 1 from a session, 2 from a relogger.</summary>
    public byte LayoutMajorVersion { get; init; }

    /// <summary>Minor version of the layout.</summary>
    public byte LayoutMinorVersion { get; init; }

    /// <summary>Build of Windows (ProviderVersion), e.g. 26100.</summary>
    public uint Build { get; init; }

    /// <summary>Processors of the machine.</summary>
    public uint Processors { get; init; }

    /// <summary>FILETIME at which the session was stopped; 0 in a log that was never closed.</summary>
    public long EndFileTime { get; init; }

    /// <summary>Resolution of the timer in 100 ns units.</summary>
    public uint TimerResolution { get; init; }

    /// <summary>Size limit in megabytes, in kilobytes with <see cref="EtlLogFileModes.SizeInKilobytes"/>; 0 for none.</summary>
    public uint MaximumFileSize { get; init; }

    /// <summary>How the session logged.</summary>
    public EtlLogFileModes LogFileMode { get; init; }

    /// <summary>Buffers the session says it wrote; more than the file holds after a circular wrap, fewer in a log that was not closed.</summary>
    public uint BuffersWritten { get; init; }

    /// <summary>Bytes of a pointer on the logging machine, 4 or 8; each record says its own.</summary>
    public uint PointerSize { get; init; }

    /// <summary>Events the session lost.</summary>
    public uint EventsLost { get; init; }

    /// <summary>Buffers the session lost.</summary>
    public uint BuffersLost { get; init; }

    /// <summary>Nominal speed of the processors in MHz.</summary>
    public uint CpuSpeedMegahertz { get; init; }

    /// <summary>Minutes to add to local time to get UTC.</summary>
    public int TimeZoneBiasMinutes { get; init; }

    /// <summary>FILETIME of the machine's start. Not an origin for time stamps: the tick origin drifts against it.</summary>
    public long BootFileTime { get; init; }

    /// <summary>Performance counter ticks per second.</summary>
    public long PerformanceFrequency { get; init; }

    /// <summary>FILETIME of the header record.</summary>
    public long StartFileTime { get; init; }

    /// <summary>Time stamp of the header record in ticks.</summary>
    public long StartTicks { get; init; }

    /// <summary>What the ticks count; 0 where the session did not say.</summary>
    public EtlClockType ClockType { get; init; }

    /// <summary>Whether the header record is of a 64-bit session.</summary>
    public bool Is64Bit { get; init; } = true;

    /// <summary>Name of the session; empty when unknown.</summary>
    public string SessionName { get; init; } = string.Empty;

    /// <summary>Name of the file as the session wrote it; empty when unknown.</summary>
    public string LogFileName { get; init; } = string.Empty;

    /// <summary>Whether the session was stopped properly; if not, buffers may be missing and counters stale.</summary>
    public bool IsClosed => EndFileTime != 0;
}

/// <summary>How a session logged (LogFileMode of TRACE_LOGFILE_HEADER; names of the Win32 logging mode constants).</summary>
[Flags]
public enum EtlLogFileModes
{
    /// <summary>No mode.</summary>
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
