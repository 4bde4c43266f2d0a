namespace TcpDiag.Traces.Etl;

/// <summary>The families of record headers in an .etl file (docs/formats/etl.md, "Records").</summary>
public enum EtlHeaderType
{
    /// <summary>A record of an unknown type, kept opaque.</summary>
    Unknown = 0,

    /// <summary>SYSTEM_TRACE_HEADER: kernel record with thread and process, 32-byte header.</summary>
    System,

    /// <summary>Kernel record without processor times, 24-byte header.</summary>
    Compact,

    /// <summary>PERFINFO_TRACE_HEADER: kernel record, 16-byte header.</summary>
    PerfInfo,

    /// <summary>EVENT_TRACE_HEADER: classic (MOF) event, 48-byte header.</summary>
    Full,

    /// <summary>EVENT_INSTANCE_HEADER: classic event with instance ids, 72-byte header.</summary>
    Instance,

    /// <summary>EVENT_HEADER: manifest or TraceLogging event, 80-byte header and extended items.</summary>
    Event,

    /// <summary>WPP message.</summary>
    Message,

    /// <summary>An error while logging; layout unknown.</summary>
    Error,
}
