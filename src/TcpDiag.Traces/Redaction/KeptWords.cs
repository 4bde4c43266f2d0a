using System;

namespace TcpDiag.Traces.Redaction;

/// <summary>Which words and numbers of a text stay, by the place it stands at.</summary>
/// <param name="originals">What was replaced so far: names that are among it stay nowhere.</param>
/// <param name="keepsNames">Whether names of settings may stay.</param>
sealed class KeptWords(OriginalValues originals, bool keepsNames)
{
    // Of 64 bits.
    const int LongestCount = 20;

    // Three of them.
    const int LongestValue = 64;

    /// <summary>Whether a token stands where its rule expects a name.</summary>
    /// <param name="text">The text.</param>
    /// <param name="token">The token.</param>
    /// <param name="rule">Which words stay.</param>
    /// <returns>True for a name.</returns>
    public static bool IsName(string text, TextToken token, TextRule rule) => rule switch
    {
        TextRule.Names => true,
        TextRule.NameAtEnd => token.Start > text.LastIndexOf(' '),
        TextRule.NameAtStart => token.Start < (text + '(').IndexOf('('),
        _ => false,
    };

    /// <summary>Whether a token stays.</summary>
    /// <param name="text">The text.</param>
    /// <param name="token">The token.</param>
    /// <param name="rule">Which words stay.</param>
    /// <returns>True when it stays.</returns>
    public bool IsKept(string text, TextToken token, TextRule rule)
    {
        ReadOnlySpan<char> word = text.AsSpan(token.Start, token.Length);
        return (token.Kind, rule) switch
        {
            (TextTokenKind.Guid, _) => IsName(text, token, rule) && keepsNames && !originals.Guids.Places.ContainsKey(Guid.Parse(word)),
            (not TextTokenKind.Word, _) or (_, TextRule.Ordinary or TextRule.Networks) => false,
            (_, TextRule.Own) => true,
            (_, TextRule.Settings) => IsCount(word) && IsValue(text.AsSpan(0, token.Start)),
            _ when IsName(text, token, rule) => IsKeptName(word),
            (_, TextRule.Sentence) => IsCount(word) || IsOption(word) || SentenceWords.Contains(word),
            _ => IsCount(word),
        };
    }

    // -p in a command; one letter names nobody.
    static bool IsOption(ReadOnlySpan<char> word) => word is [>= 'a' and <= 'z'];

    // Of one or several numbers, as net.ipv4.tcp_rmem has.
    static bool IsValue(ReadOnlySpan<char> before) => before[Math.Max(0, before.Length - LongestValue)..].TrimEnd("0123456789 .") is [.., '='];

    // A number that is somebody's serial number elsewhere counts nothing, nor does one that no counter can hold.
    bool IsCount(ReadOnlySpan<char> word) =>
        word.Length <= LongestCount && !word.ContainsAnyExceptInRange('0', '9') && (WordMap.IsKept(word) || !originals.Contains(word));

    bool IsKeptName(ReadOnlySpan<char> word) => JudgedWords.Contains(word) || (keepsNames && !originals.Contains(word));
}
