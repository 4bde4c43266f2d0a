namespace TcpDiag.Traces.Etl;

/// <summary>Clock of an .etl file's time stamps (ReservedFlags of TRACE_LOGFILE_HEADER).</summary>
public enum EtlClockType
{
    /// <summary>Performance counter.</summary>
    Qpc = 1,

    /// <summary>System time: ticks are FILETIME.</summary>
    SystemTime = 2,

    /// <summary>CPU cycle counter.</summary>
    CpuCycles = 3,
}
