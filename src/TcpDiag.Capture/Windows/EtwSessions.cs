using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Session;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>Lists, flushes and stops event tracing sessions (QueryAllTracesW, ControlTraceW of advapi32).</summary>
[SupportedOSPlatform("windows")]
static unsafe partial class EtwSessions
{
    const int ErrorSuccess = 0;
    const uint EventTraceControlStop = 1;
    const uint EventTraceControlFlush = 3;

    /// <summary>The sessions that run.</summary>
    /// <returns>The sessions; null when the system does not list them.</returns>
    public static List<EtwSession>? Query() => EtwSessionList.Read(QueryAllTraces);

    /// <summary>Stops a session by its name.</summary>
    /// <returns>False when it could not be stopped.</returns>
    public static bool Stop(string name) => Control(name, EventTraceControlStop);

    /// <summary>Has a session write the events that it holds in memory, full buffer or not.</summary>
    /// <returns>False when it could not.</returns>
    public static bool Flush(string name) => Control(name, EventTraceControlFlush);

    static bool Control(string name, uint control)
    {
        byte* properties = stackalloc byte[EtwSessionList.Length];
        return ControlTrace(0, name, EtwSessionList.Prepare(properties), control) == ErrorSuccess;
    }

    [LibraryImport("advapi32.dll", EntryPoint = "QueryAllTracesW")]
    private static partial int QueryAllTraces(byte** properties, uint count, out uint found);

    [LibraryImport("advapi32.dll", EntryPoint = "ControlTraceW", StringMarshalling = StringMarshalling.Utf16)]
    private static partial int ControlTrace(ulong handle, string name, byte* properties, uint control);
}

/// <summary>Starts event tracing sessions that write a file and outlive this process: <see cref="EtwSessions"/> finds and stops them.</summary>
[SupportedOSPlatform("windows")]
static class EtwFileSession
{
    /// <summary>Whether an exception of TraceEvent means that Windows, or an emulation of it, refuses the session.</summary>
    public static bool IsRefusal(Exception exception) =>
        exception is COMException or UnauthorizedAccessException or TypeInitializationException or EntryPointNotFoundException or DllNotFoundException;

    /// <summary>Begins a session.</summary>
    /// <returns>What Windows says if it refuses it; null when it runs.</returns>
    public static string? Start(EtwSessionPlan plan)
    {
        try
        {
            using var session = new TraceEventSession(plan.Name, plan.LogFile)
            {
                StopOnDispose = false,
                BufferSizeMB = plan.BufferMebibytes,
                BufferQuantumKB = plan.BufferKilobytes,
            };
            if (plan.PieceMebibytes is { } piece)
            {
                // EVENT_TRACE_FILE_MODE_NEWFILE: trace1.etl, trace2.etl …
                session.MultiFileMB = piece;
            }
            else if (plan.IsCircular)
            {
                session.CircularBufferMB = plan.FileMebibytes;
            }
            else
            {
                // It must not fill the disk once this process is gone.
                session.MaximumFileMB = plan.FileMebibytes;
            }

            foreach (StackProvider provider in plan.Providers)
            {
                session.EnableProvider(provider.Id, (TraceEventLevel)provider.Level, ulong.MaxValue);
                if (provider.ReportsState)
                {
                    session.CaptureState(provider.Id, ulong.MaxValue);
                }
            }

            return null;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            _ = EtwSessions.Stop(plan.Name);
            return exception.Message;
        }
    }
}

/// <summary>An event tracing session of our own that writes a file.</summary>
/// <param name="Name">Its name.</param>
/// <param name="LogFile">Full path of the file.</param>
/// <param name="BufferKilobytes">Size of a buffer.</param>
/// <param name="BufferMebibytes">All buffers together, in memory that Windows never pages out.</param>
/// <param name="FileMebibytes">Size at which the file is full.</param>
/// <param name="IsCircular">Whether a full file is overwritten from its beginning, instead of taking no more.</param>
/// <param name="PieceMebibytes">Size at which a new, numbered file begins; null for one file.</param>
/// <param name="Providers">Whose events, all keywords.</param>
public sealed record EtwSessionPlan(
    string Name, string LogFile, int BufferKilobytes, int BufferMebibytes, int FileMebibytes, bool IsCircular, int? PieceMebibytes,
    IReadOnlyList<StackProvider> Providers);

/// <summary>
/// Reads the list of event tracing sessions (QueryAllTracesW). A Windows before 10 has 64 at most and refuses room for more; a later one may have more of them
/// (EtwMaxLoggers in the registry, up to 256) and reports when the buffer is too small.
/// </summary>
static unsafe class EtwSessionList
{
    /// <summary>Number of sessions that every Windows accepts.</summary>
    public const int UsualSessions = 64;

    const int MaxSessions = 1024;

    // EVENT_TRACE_PROPERTIES of a 64-bit process, then room for the two names.
    const int PropertiesBytes = 120;
    const int NameBytes = 2048;
    const int StructBytes = PropertiesBytes + (2 * NameBytes);

    const int ErrorSuccess = 0;
    const int ErrorMoreData = 234;

    /// <summary>QueryAllTracesW.</summary>
    /// <returns>A Win32 error code.</returns>
    public delegate int Query(byte** properties, uint count, out uint found);

    /// <summary>Reads the list.</summary>
    /// <returns>The sessions; null when the system does not list them.</returns>
    public static List<EtwSession>? Read(Query query)
    {
        int code = ErrorMoreData;
        for (int room = UsualSessions; code == ErrorMoreData && room <= MaxSessions; room *= 2)
        {
            code = Read(query, room, out List<EtwSession> sessions);
            if (code == ErrorSuccess)
            {
                return sessions;
            }
        }

        return null;
    }

    /// <summary>Bytes of the structure for one session.</summary>
    public static int Length => StructBytes;

    /// <summary>Makes the structure that asks for a session.</summary>
    /// <param name="memory">At least <see cref="Length"/> bytes.</param>
    public static byte* Prepare(byte* memory)
    {
        new Span<byte>(memory, StructBytes).Clear();
        var properties = (EventTraceProperties*)memory;
        properties->BufferSize = StructBytes;
        properties->LoggerNameOffset = PropertiesBytes;
        properties->LogFileNameOffset = PropertiesBytes + NameBytes;
        return memory;
    }

    static int Read(Query query, int room, out List<EtwSession> sessions)
    {
        sessions = [];
        byte[] memory = GC.AllocateUninitializedArray<byte>(StructBytes * room, pinned: true);
        fixed (byte* start = memory)
        {
            byte** pointers = stackalloc byte*[room];
            for (int i = 0; i < room; i++)
            {
                pointers[i] = Prepare(start + (i * StructBytes));
            }

            int code = query(pointers, (uint)room, out uint count);
            for (int i = 0; code == ErrorSuccess && i < Math.Min(count, room); i++)
            {
                sessions.Add(Read((EventTraceProperties*)pointers[i]));
            }

            return code;
        }
    }

    static EtwSession Read(EventTraceProperties* properties) => new(
        new string((char*)((byte*)properties + properties->LoggerNameOffset)),
        properties->LogFileNameOffset == 0 ? string.Empty : new string((char*)((byte*)properties + properties->LogFileNameOffset)),
        properties->EventsLost,
        properties->LogBuffersLost,
        (long)properties->BuffersWritten * properties->BufferKilobytes * 1024);

    // EVENT_TRACE_PROPERTIES (evntrace.h) behind its WNODE_HEADER of 48 bytes, of which only the size is ours to set.
    [StructLayout(LayoutKind.Explicit, Size = PropertiesBytes)]
    struct EventTraceProperties
    {
        [FieldOffset(0)]
        public uint BufferSize;

        [FieldOffset(48)]
        public uint BufferKilobytes;

        [FieldOffset(88)]
        public uint EventsLost;

        [FieldOffset(92)]
        public uint BuffersWritten;

        [FieldOffset(96)]
        public uint LogBuffersLost;

        [FieldOffset(112)]
        public uint LogFileNameOffset;

        [FieldOffset(116)]
        public uint LoggerNameOffset;
    }
}
