using System;
using System.Buffers.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcapng;

/// <summary>The time of a journal entry: the field __REALTIME_TIMESTAMP, microseconds since the Unix epoch (systemd.io/JOURNAL_EXPORT_FORMATS).</summary>
static class JournalTimestamp
{
    /// <summary>Finds the time.</summary>
    /// <param name="entry">Fields, one per line.</param>
    /// <param name="time">The time.</param>
    /// <returns>False when the entry has none.</returns>
    public static bool TryRead(ReadOnlySpan<byte> entry, out TraceTime time)
    {
        ReadOnlySpan<byte> name = "__REALTIME_TIMESTAMP="u8;
        int at = entry.IndexOf(name);
        if (at >= 0 && (at == 0 || entry[at - 1] == '\n') && Utf8Parser.TryParse(entry[(at + name.Length)..], out long microseconds, out _))
        {
            time = new TraceTime(Math.Clamp(microseconds, long.MinValue / 1000, long.MaxValue / 1000) * 1000);
            return true;
        }

        time = default;
        return false;
    }
}
