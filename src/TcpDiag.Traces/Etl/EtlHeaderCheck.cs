using System.Globalization;

namespace TcpDiag.Traces.Etl;

/// <summary>
/// Holds what the log file header says against the file: was the session stopped, are all its buffers here, can its
/// time stamps be converted (docs/formats/etl.md, "Log file header").
/// </summary>
static class EtlHeaderCheck
{
    /// <summary>Notes what does not fit.</summary>
    /// <param name="header">The header.</param>
    /// <param name="buffers">Buffers found in the file.</param>
    /// <param name="length">Bytes of the file.</param>
    /// <param name="problems">Where to note it.</param>
    internal static void Run(EtlFileHeader header, int buffers, long length, EtlProblemLog problems)
    {
        if (!header.IsClosed)
        {
            problems.Add(0, "expected the time at which the session was stopped, found none: the log was never closed, its last buffers are missing");
        }
        else if (problems.Problems.Count == 0 && IsCut(header, buffers)) // else what is missing has been told
        {
            problems.Add(length, string.Create(
                CultureInfo.InvariantCulture, $"expected {header.BuffersWritten} buffers, found {buffers} and the end of the file: it was cut"));
        }

        if (EtlFileHeaderLayout.ClockTypeOf(header) == EtlClockType.Qpc && header.PerformanceFrequency <= 0)
        {
            problems.Add(0, string.Create(
                CultureInfo.InvariantCulture, $"expected a clock frequency above 0, found {header.PerformanceFrequency}: one tick is taken for one second"));
        }
    }

    // A circular log counts the buffers it has overwritten as well; one that was never closed has not counted yet.
    static bool IsCut(EtlFileHeader header, int buffers) =>
        (header.LogFileMode & EtlLogFileModes.Circular) == 0 && header.BuffersWritten > (uint)buffers;
}
