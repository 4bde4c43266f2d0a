using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>Lists and stops event tracing sessions (QueryAllTracesW, ControlTraceW of advapi32).</summary>
[SupportedOSPlatform("windows")]
static unsafe partial class EtwSessions
{
    // EVENT_TRACE_PROPERTIES of a 64-bit process, then room for the two names.
    const int PropertiesBytes = 120;
    const int NameBytes = 2048;
    const int StructBytes = PropertiesBytes + (2 * NameBytes);

    // The most sessions a Windows can have, and room to spare.
    const int MaxSessions = 128;

    const int ErrorSuccess = 0;
    const uint EventTraceControlStop = 1;

    /// <summary>The sessions that run.</summary>
    /// <returns>The sessions; null when the system does not tell.</returns>
    public static List<EtwSession>? Query()
    {
        byte[] memory = GC.AllocateUninitializedArray<byte>(StructBytes * MaxSessions, pinned: true);
        fixed (byte* start = memory)
        {
            byte** pointers = stackalloc byte*[MaxSessions];
            for (int i = 0; i < MaxSessions; i++)
            {
                pointers[i] = Prepare(start + (i * StructBytes));
            }

            if (QueryAllTraces(pointers, MaxSessions, out uint count) != ErrorSuccess)
            {
                return null;
            }

            var sessions = new List<EtwSession>();
            for (int i = 0; i < Math.Min(count, MaxSessions); i++)
            {
                sessions.Add(Read((EventTraceProperties*)pointers[i]));
            }

            return sessions;
        }
    }

    /// <summary>Stops a session by its name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>False when it could not be stopped.</returns>
    public static bool Stop(string name)
    {
        byte* properties = stackalloc byte[StructBytes];
        return ControlTrace(0, name, Prepare(properties), EventTraceControlStop) == ErrorSuccess;
    }

    static byte* Prepare(byte* memory)
    {
        new Span<byte>(memory, StructBytes).Clear();
        var properties = (EventTraceProperties*)memory;
        properties->BufferSize = StructBytes;
        properties->LoggerNameOffset = PropertiesBytes;
        properties->LogFileNameOffset = PropertiesBytes + NameBytes;
        return memory;
    }

    static EtwSession Read(EventTraceProperties* properties) => new(
        new string((char*)((byte*)properties + properties->LoggerNameOffset)),
        properties->LogFileNameOffset == 0 ? string.Empty : new string((char*)((byte*)properties + properties->LogFileNameOffset)),
        properties->EventsLost,
        properties->LogBuffersLost,
        (long)properties->BuffersWritten * properties->BufferKilobytes * 1024);

    [LibraryImport("advapi32.dll", EntryPoint = "QueryAllTracesW")]
    private static partial int QueryAllTraces(byte** properties, uint count, out uint found);

    [LibraryImport("advapi32.dll", EntryPoint = "ControlTraceW", StringMarshalling = StringMarshalling.Utf16)]
    private static partial int ControlTrace(ulong handle, string name, byte* properties, uint control);

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
