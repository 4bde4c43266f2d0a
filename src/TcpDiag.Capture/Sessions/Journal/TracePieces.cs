using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace TcpDiag.Capture.Sessions.Journal;

/// <summary>
/// The files that a session writes: trace.etl alone, or trace1.etl, trace2.etl … where it begins new ones, as ETW (EVENT_TRACE_FILE_MODE_NEWFILE,
/// with the pattern trace%d.etl) and pktmon number them.
/// </summary>
static class TracePieces
{
    const string Extension = ".etl";
    const string Pattern = "%d";

    /// <summary>The files that are there, in their order.</summary>
    /// <returns>Numbers, 0 for a trace that is alone, and full paths; none when nothing was recorded.</returns>
    public static IReadOnlyList<(int Number, string Path)> Of(string traceFile)
    {
        string folder = Path.GetDirectoryName(traceFile)!;
        if (!Directory.Exists(folder))
        {
            return [];
        }

        (int Number, string Path)[] numbered =
            [.. Directory.EnumerateFiles(folder)
                .Select(path => (Number: NumberOf(path, traceFile) ?? 0, path))
                .Where(piece => piece.Number > 0)
                .OrderBy(piece => piece.Number)];

        // An empty first file under the plain name may remain.
        bool isPlain = File.Exists(traceFile) && (numbered.Length == 0 || FileLength.Of(traceFile) > 0);
        return isPlain ? [(0, traceFile), .. numbered] : numbered;
    }

    /// <summary>Bytes of all files.</summary>
    /// <returns>Bytes; 0 when nothing was recorded.</returns>
    public static long Length(string traceFile) => Of(traceFile).Sum(piece => FileLength.Of(piece.Path));

    /// <summary>
    /// Whether a session that writes a file writes a trace of ours. Windows may name a file differently (<c>\\?\C:\…</c>, <c>\Device\HarddiskVolume3\…</c>), so
    /// the folder and the name in it decide: the folder of a recording has a name of its own, made of time and process.
    /// </summary>
    /// <param name="logFile">What the session says it writes.</param>
    /// <param name="traceFile">The name of the trace; empty is none.</param>
    /// <returns>True for the trace, one of its numbered files, or their pattern.</returns>
    public static bool AreOf(string logFile, string traceFile) => NumberOf(InFolder(logFile), InFolder(traceFile)) is not null;

    /// <summary>The name of a numbered piece of the output: NAME-001.etl, as on Linux.</summary>
    /// <param name="output">As the user named it.</param>
    /// <param name="number">The file's number; 0 is the trace alone.</param>
    public static string NameOf(string output, int number) => number == 0
        ? output
        : FormattableString.Invariant($"{output[..^Path.GetExtension(output).Length]}-{number:D3}{Path.GetExtension(output)}");

    /// <summary>The pattern for all numbered files of a trace.</summary>
    /// <returns>E.g. trace%d.etl.</returns>
    public static string PatternOf(string traceFile) => traceFile[..^Extension.Length] + Pattern + Extension;

    // The last two parts. A plan may be made on another system, so both separators are accepted.
    static string InFolder(string path) => string.Join('/', path.Split('\\', '/').TakeLast(2));

    // 0 for the trace itself and for the name of all of them; null for another file. Paths of Windows, compared without regard to case.
    static int? NumberOf(string file, string traceFile)
    {
        if (!traceFile.EndsWith(Extension, StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        string start = traceFile[..^Extension.Length];
        bool isBetween = file.Length >= traceFile.Length && file.StartsWith(start, StringComparison.OrdinalIgnoreCase)
            && file.EndsWith(Extension, StringComparison.OrdinalIgnoreCase);
        string middle = isBetween ? file[start.Length..^Extension.Length] : " ";
        return middle is "" or Pattern ? 0
            : int.TryParse(middle, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number > 0 ? number
            : null;
    }
}

/// <summary>The length of a file that another process is writing; NTFS directories show it late, an open handle at once.</summary>
static class FileLength
{
    /// <summary>Asks for the length.</summary>
    /// <returns>Bytes; 0 when there is no such file or it cannot be opened.</returns>
    public static long Of(string path)
    {
        try
        {
            using var handle = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return RandomAccess.GetLength(handle);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return 0;
        }
    }
}
