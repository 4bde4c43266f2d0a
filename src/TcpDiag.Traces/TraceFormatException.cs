using System;
using System.Globalization;

namespace TcpDiag.Traces;

/// <summary>
/// A trace file is not what its format says, so that reading cannot go on. The message is one line that names the file,
/// the record, the offset, what was expected and what was found.
/// </summary>
public sealed class TraceFormatException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="path">The file as the user named it, <c>-</c> for standard input.</param>
    /// <param name="offsetBytes">Offset in the decompressed file.</param>
    /// <param name="record">Number of the record, counted from 0; negative when no record is concerned.</param>
    /// <param name="expected">What should stand there.</param>
    /// <param name="found">What stands there.</param>
    public TraceFormatException(string path, long offsetBytes, long record, string expected, string found)
        : base(Describe(path, offsetBytes, record, expected, found))
    {
        Path = path;
        OffsetBytes = offsetBytes;
    }

    /// <summary>The file as the user named it.</summary>
    public string Path { get; }

    /// <summary>Offset in the decompressed file.</summary>
    public long OffsetBytes { get; }

    static string Describe(string path, long offset, long record, string expected, string found)
    {
        string place = record < 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $":{record}");
        return string.Create(CultureInfo.InvariantCulture, $"{path}{place}@0x{offset:x}: expected {expected}, found {found}");
    }
}
