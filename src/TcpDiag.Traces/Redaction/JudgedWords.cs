using System;
using System.Linq;
using TcpDiag.Traces.Bundles;

namespace TcpDiag.Traces.Redaction;

/// <summary>The words of <see cref="JudgedSettings"/>.</summary>
static class JudgedWords
{
    static readonly WordSet All = new(JudgedSettings.All.SelectMany(TextTokens.WordsOf));

    /// <summary>Whether a word is one of a setting by which an analysis judges.</summary>
    /// <param name="word">The word, in any case.</param>
    /// <returns>True when it is.</returns>
    public static bool Contains(ReadOnlySpan<char> word) => All.Contains(word);
}
