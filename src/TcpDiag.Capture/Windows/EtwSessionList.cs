using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using TcpDiag.Capture.Sessions;

namespace TcpDiag.Capture.Windows;

/// <summary>
/// Reads the list of event tracing sessions (QueryAllTracesW). A Windows before 10 has 64 at most and refuses room for more; a later one may have more of them
/// (EtwMaxLoggers in the registry, up to 256) and tells when the room does not do.
/// </summary>
static unsafe class EtwSessionList
{
    /// <summary>Sessions for which every Windows takes room.</summary>
    public const int UsualSessions = 64;

    const int MostSessions = 1024;

    // EVENT_TRACE_PROPERTIES of a 64-bit process, then room for the two names.
    const int PropertiesBytes = 120;
    const int NameBytes = 2048;
    const int StructBytes = PropertiesBytes + (2 * NameBytes);

    const int ErrorSuccess = 0;
    const int ErrorMoreData = 234;

    /// <summary>QueryAllTracesW.</summary>
    /// <param name="properties">Pointers to structures that are filled.</param>
    /// <param name="count">How many.</param>
    /// <param name="found">How many sessions there are.</param>
    /// <returns>A Win32 error code.</returns>
    public delegate int Query(byte** properties, uint count, out uint found);

    /// <summary>Reads the list.</summary>
    /// <param name="query">Asks the system.</param>
    /// <returns>The sessions; null when the system does not tell.</returns>
    public static List<EtwSession>? Read(Query query)
    {
        int code = ErrorMoreData;
        for (int room = UsualSessions; code == ErrorMoreData && room <= MostSessions; room *= 2)
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
    /// <param name="memory">Takes <see cref="Length"/> bytes.</param>
    /// <returns>The same memory.</returns>
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
