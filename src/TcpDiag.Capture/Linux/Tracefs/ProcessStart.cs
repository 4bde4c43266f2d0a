using System;
using System.IO;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>When a process started, which tells it apart from a later one with the same id.</summary>
static class ProcessStart
{
    // proc_pid_stat(5): starttime is field 22; the first behind the name in parentheses is field 3.
    const int FieldsBehindName = 19;

    /// <summary>Reads the start time.</summary>
    /// <param name="process">The process id.</param>
    /// <returns>Clock ticks since boot, as text; empty when there is no such process.</returns>
    public static string Read(int process)
    {
        try
        {
            return Parse(File.ReadAllText(FormattableString.Invariant($"/proc/{process}/stat")));
        }
        catch (IOException)
        {
            return string.Empty;
        }
    }

    /// <summary>Finds the start time in the text of <c>/proc/PID/stat</c>.</summary>
    /// <param name="stat">The text; the name in it may hold spaces and parentheses.</param>
    /// <returns>Clock ticks since boot; empty when the text is something else.</returns>
    public static string Parse(string stat)
    {
        string[] fields = stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return fields.Length > FieldsBehindName ? fields[FieldsBehindName] : string.Empty;
    }
}
