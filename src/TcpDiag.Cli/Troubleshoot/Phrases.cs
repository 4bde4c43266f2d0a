using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text.RegularExpressions;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>
/// What checks and findings say, in another language. Checks keep their values apart from their words, so that the English words are the key. The advice of a
/// finding is a text with its values in it: that is found by its pattern, <c>Linux {0}: ss -ti</c>.
/// </summary>
/// <param name="messages">By the English of a check, with {0}, {1}.</param>
/// <param name="advice">By the English of a finding's advice, with {0}, {1}; words that fill them have entries of their own.</param>
sealed partial class Phrases(IReadOnlyDictionary<string, string> messages, IReadOnlyDictionary<string, string> advice)
{
    static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    readonly Lazy<(Regex Pattern, string Said)[]> _patterns =
        new(() => [.. advice.Where(entry => entry.Key.Contains('{', StringComparison.Ordinal)).Select(Pattern)]);

    /// <summary>By the English of a check.</summary>
    internal IReadOnlyDictionary<string, string> Messages => messages;

    /// <summary>By the English of a finding's advice.</summary>
    internal IReadOnlyDictionary<string, string> Advice => advice;

    /// <summary>The phrase, with holes where the English one has them.</summary>
    /// <param name="english">The English of a check or of a finding.</param>
    /// <returns>The English where there is no other.</returns>
    public string Of(string english) => messages.GetValueOrDefault(english) ?? advice.GetValueOrDefault(english) ?? ByPattern(english) ?? english;

    // Of an interface named {x} the braces are doubled, as composite formats want them.
    string? ByPattern(string english)
    {
        foreach ((Regex pattern, string said) in _patterns.Value)
        {
            if (pattern.Match(english) is { Success: true } match)
            {
                return string.Format(CultureInfo.InvariantCulture, said,
                    [.. match.Groups.Values.Skip(1).Select(group => advice.GetValueOrDefault(group.Value, group.Value))]);
            }
        }

        return null;
    }

    static (Regex Pattern, string Said) Pattern(KeyValuePair<string, string> entry) =>
        (new Regex($"^{Hole().Replace(Regex.Escape(entry.Key), "(.+?)")}$", RegexOptions.CultureInvariant, Patience), entry.Value);

    // As escaped for a pattern: only the opening brace is.
    [GeneratedRegex(@"\\\{\d\}", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Hole();
}
