using System;
using System.Globalization;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// Names of threads that tracing has met and kept (Documentation/trace/ftrace.rst, <c>saved_cmdlines</c>), also of those that have ended since.
/// Reading them takes a millisecond or two, so it is not done again and again.
/// </summary>
/// <param name="read">Reads the file; null when there is none.</param>
sealed class SavedNames(Func<string?> read)
{
    /// <summary>Least time between two readings, nanoseconds.</summary>
    public const long PauseNanoseconds = 25_000_000;

    string _text = string.Empty;
    long _nextRead;

    /// <summary>Finds a name.</summary>
    /// <param name="thread">The thread's id.</param>
    /// <param name="now">Monotonic clock, nanoseconds.</param>
    /// <returns>The name; null when it is not kept, or not read yet.</returns>
    public string? Find(int thread, long now)
    {
        if (now >= _nextRead)
        {
            _text = read() ?? string.Empty;
            _nextRead = now + PauseNanoseconds;
        }

        foreach (ReadOnlySpan<char> line in _text.AsSpan().EnumerateLines())
        {
            int space = line.IndexOf(' ');
            if (space > 0 && int.TryParse(line[..space], NumberStyles.None, CultureInfo.InvariantCulture, out int id) && id == thread)
            {
                return line[(space + 1)..].ToString();
            }
        }

        return null;
    }
}
