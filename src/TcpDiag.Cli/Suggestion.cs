using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Linq;

namespace TcpDiag.Cli;

/// <summary>Finds what a mistyped word was meant to be.</summary>
static class Suggestion
{
    // A third of the letters may be wrong, two at most: beyond that words are other words.
    const int LettersPerError = 3;
    const int MaxErrors = 2;

    /// <summary>The command that was meant.</summary>
    /// <param name="command">The command in front of the word.</param>
    /// <param name="word">The word.</param>
    /// <returns>A sentence, with a blank in front of it; empty when no command is like it.</returns>
    public static string OfCommand(Command command, string word) => Ask(word, command.Subcommands.Where(child => !child.Hidden).Select(child => child.Name));

    /// <summary>The option that was meant.</summary>
    /// <param name="result">The command in front of the word.</param>
    /// <param name="word">The word.</param>
    /// <returns>A sentence, with a blank in front of it; empty when no option is like it.</returns>
    public static string OfOption(CommandResult result, string word) => Ask(
        word,
        result.Command.Options.Where(option => !option.Hidden).SelectMany(option => option.Aliases.Prepend(option.Name))
            .Where(name => name.Length > 2).Append("--help"));

    /// <summary>The word that is most like another.</summary>
    /// <returns>The word; null when none is alike.</returns>
    internal static string? Nearest(string word, IEnumerable<string> known)
    {
        string bare = word.TrimStart('-');
        int errors = Math.Clamp(bare.Length / LettersPerError, 1, MaxErrors);
        return known
            .Select(name => (Name: name, Errors: Distance(bare, name.TrimStart('-'))))
            .Where(candidate => candidate.Errors <= errors || IsBeginning(bare, candidate.Name))
            .OrderBy(candidate => candidate.Errors)
            .Select(candidate => candidate.Name)
            .FirstOrDefault();
    }

    static string Ask(string word, IEnumerable<string> known) => Nearest(word, known) is { } name ? $" Did you mean {name}?" : string.Empty;

    static bool IsBeginning(string word, string name) =>
        word.Length >= LettersPerError && name.TrimStart('-').StartsWith(word, StringComparison.OrdinalIgnoreCase);

    // Letters to insert, leave out, replace, or exchange with a neighbour (optimal string alignment).
    static int Distance(string one, string other)
    {
        int[,] errors = new int[one.Length + 1, other.Length + 1];
        for (int i = 0; i <= one.Length; i++)
        {
            for (int j = 0; j <= other.Length; j++)
            {
                errors[i, j] = i == 0 || j == 0 ? i + j : Step(errors, one, other, i, j);
            }
        }

        return errors[one.Length, other.Length];
    }

    static int Step(int[,] errors, string one, string other, int i, int j)
    {
        int replaced = errors[i - 1, j - 1] + (IsSame(one[i - 1], other[j - 1]) ? 0 : 1);
        int best = Math.Min(replaced, Math.Min(errors[i - 1, j], errors[i, j - 1]) + 1);
        bool isExchanged = i > 1 && j > 1 && IsSame(one[i - 1], other[j - 2]) && IsSame(one[i - 2], other[j - 1]);
        return isExchanged ? Math.Min(best, errors[i - 2, j - 2] + 1) : best;
    }

    static bool IsSame(char one, char other) => char.ToLowerInvariant(one) == char.ToLowerInvariant(other);
}
