using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

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
    /// <param name="expected">What should be there.</param>
    /// <param name="found">What is there.</param>
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

/// <summary>Something in a trace file that could not be read as it should, and was stepped over.</summary>
/// <param name="OffsetBytes">Where in the (decompressed) file.</param>
/// <param name="Message">One line: what was expected, what was found.</param>
public sealed record TraceProblem(long OffsetBytes, string Message);

/// <summary>The damage a reader met, bounded: a hostile file may hold a problem every few bytes.</summary>
sealed class ProblemLog
{
    /// <summary>What is wrong with records of <see cref="TcpDiag.Wire.TraceTime.IsBeyond"/>; their number goes in front.</summary>
    public const string TimesBeyond = "records of a time before 1678 or after 2261; they stand at the end of what can be expressed";

    const int Limit = 100;

    readonly List<TraceProblem> _problems = [];

    /// <summary>What was kept, in file order.</summary>
    public IReadOnlyList<TraceProblem> Problems => _problems;

    /// <summary>Whether a further problem would be kept; ask before composing its message.</summary>
    public bool IsOpen => _problems.Count <= Limit;

    /// <summary>Adds a problem, or once that there are more.</summary>
    public void Add(long offset, string message)
    {
        if (_problems.Count < Limit)
        {
            _problems.Add(new TraceProblem(offset, message));
        }
        else if (_problems.Count == Limit)
        {
            _problems.Add(new TraceProblem(offset, "more problems from here on, not listed"));
        }
    }
}

/// <summary>Says in messages what was found where something else was expected.</summary>
static class FoundBytes
{
    const int ShownBytes = 16;
    const int MinText = 4; // fewer may be numbers

    /// <summary>The first bytes: as text where they are some, else in hexadecimal.</summary>
    /// <returns>E.g. <c>7f454c46…</c>, <c>the text "hello"</c>, or <c>nothing</c>.</returns>
    public static string Describe(ReadOnlySpan<byte> bytes) => bytes.Length switch
    {
        0 => "nothing",
        >= MinText when TextOf(bytes[..Math.Min(bytes.Length, ShownBytes)]) is { } text => $"the text \"{text}{(bytes.Length > ShownBytes ? "…" : "")}\"",
        <= ShownBytes => Convert.ToHexStringLower(bytes),
        _ => $"{Convert.ToHexStringLower(bytes[..ShownBytes])}…",
    };

    // Printable ASCII, blanks and line ends; these are shown as blanks. Null for anything else.
    static string? TextOf(ReadOnlySpan<byte> bytes)
    {
        foreach (byte one in bytes)
        {
            if (one is not (>= 0x20 and < 0x7F or (byte)'\t' or (byte)'\n' or (byte)'\r'))
            {
                return null;
            }
        }

        return Encoding.ASCII.GetString(bytes).ReplaceLineEndings(" ").Replace('\t', ' ').Trim();
    }
}
