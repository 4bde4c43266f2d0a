using System.CommandLine;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Cli;

/// <summary><c>--match</c>, the same for every command: all words up to the next option, so that they need no quotes.</summary>
static class MatchOption
{
    /// <summary>Creates the option.</summary>
    /// <param name="description">What it chooses.</param>
    /// <returns>The option.</returns>
    public static Option<string[]> Create(string description) => new("--match") { AllowMultipleArgumentsPerToken = true, HelpName = "TERMS", Description = description };

    /// <summary>The words as one text.</summary>
    /// <param name="words">The option's value.</param>
    /// <returns>The text; null when there is none.</returns>
    public static string? Text(string[]? words) => words is { Length: > 0 } ? string.Join(' ', words) : null;

    /// <summary>The rule that the words make.</summary>
    /// <param name="words">The option's value.</param>
    /// <returns>The rule; null when there are no words.</returns>
    /// <exception cref="MatchException">They make none.</exception>
    public static MatchRule? Read(string[]? words) => Text(words) is { } text ? MatchParser.Parse(text) : null;
}
