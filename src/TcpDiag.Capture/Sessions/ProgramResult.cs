using System;

namespace TcpDiag.Capture.Sessions;

/// <summary>How a program ended.</summary>
/// <param name="ExitCode">Its exit code; null when it was still running at its time limit and was ended.</param>
/// <param name="Output">What it printed on both streams, at most 4 MiB. In the language of the machine: shown to people, never parsed for words.</param>
public sealed record ProgramResult(int? ExitCode, string Output)
{
    const int QuotedLength = 300;

    /// <summary>Whether it says that it did what it was asked to.</summary>
    public bool Succeeded => ExitCode == 0;

    /// <summary>One line for people: how it ended and what it said.</summary>
    /// <returns>E.g. <c>exit code 1: 'Access denied.'</c>.</returns>
    public string Describe()
    {
        string end = ExitCode is { } code ? FormattableString.Invariant($"exit code {code}") : "no end within its time limit";
        string said = string.Join(' ', Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return said.Length == 0 ? $"{end}, without a word" : $"{end}: '{(said.Length > QuotedLength ? said[..QuotedLength] + "…" : said)}'";
    }
}
