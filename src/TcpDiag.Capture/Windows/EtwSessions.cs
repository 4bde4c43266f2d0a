using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>Lists and stops event tracing sessions (QueryAllTracesW, ControlTraceW of advapi32).</summary>
[SupportedOSPlatform("windows")]
static unsafe partial class EtwSessions
{
    const int ErrorSuccess = 0;
    const uint EventTraceControlStop = 1;

    /// <summary>The sessions that run.</summary>
    /// <returns>The sessions; null when the system does not tell.</returns>
    public static List<EtwSession>? Query() => EtwSessionList.Read(QueryAllTraces);

    /// <summary>Stops a session by its name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>False when it could not be stopped.</returns>
    public static bool Stop(string name)
    {
        byte* properties = stackalloc byte[EtwSessionList.Length];
        return ControlTrace(0, name, EtwSessionList.Prepare(properties), EventTraceControlStop) == ErrorSuccess;
    }

    [LibraryImport("advapi32.dll", EntryPoint = "QueryAllTracesW")]
    private static partial int QueryAllTraces(byte** properties, uint count, out uint found);

    [LibraryImport("advapi32.dll", EntryPoint = "ControlTraceW", StringMarshalling = StringMarshalling.Utf16)]
    private static partial int ControlTrace(ulong handle, string name, byte* properties, uint control);
}
