using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Cuts a text into words, addresses, other identifiers and what separates them. Everything beyond ASCII belongs to words.
/// <code>
/// foreach (TextToken token in new TextTokens(text)) { … }
/// </code>
/// </summary>
ref struct TextTokens
{
    // The longest text form of an IPv6 address has 45 characters.
    const int LongestAddress = 45;

    // It, and a colon with five digits of a port: how far a text is looked at, so that each word costs the same however much follows.
    const int LongestRun = LongestAddress + 6;
    const int MacLength = 17;
    const int GuidLength = 36;

    /// <summary>Characters that belong to no word.</summary>
    internal static readonly SearchValues<char> Separators =
        SearchValues.Create([.. Enumerable.Range(0, 128).Select(code => (char)code).Where(character => !char.IsAsciiLetterOrDigit(character))]);

    static readonly SearchValues<char> AddressCharacters = SearchValues.Create("0123456789abcdefABCDEF.:");

    readonly ReadOnlySpan<char> _text;
    readonly TextRule _rule;
    int _next;

    /// <summary>Starts before the first token.</summary>
    /// <param name="text">The text.</param>
    /// <param name="rule">What stands in it.</param>
    public TextTokens(ReadOnlySpan<char> text, TextRule rule = TextRule.Ordinary)
    {
        _text = text;
        _rule = rule;
        _next = 0;
        Current = default;
    }

    /// <summary>The token last stepped to.</summary>
    public TextToken Current { get; private set; }

    /// <summary>What <c>foreach</c> calls.</summary>
    /// <returns>A copy of this.</returns>
    public readonly TextTokens GetEnumerator() => this;

    /// <summary>Steps to the next token.</summary>
    /// <returns>False at the end.</returns>
    public bool MoveNext()
    {
        if (_next == _text.Length)
        {
            return false;
        }

        int instance = DeviceInstance.Measure(_text, _next, _rule == TextRule.DevicePath);
        (TextTokenKind kind, int length) = instance > 0 ? (TextTokenKind.DeviceInstance, instance) : Measure(_text[_next..], _rule == TextRule.Networks);
        Current = new TextToken(kind, _next, length);
        _next += length;
        return true;
    }

    /// <summary>The words of a text.</summary>
    /// <param name="text">The text.</param>
    /// <returns>The words as they stand in it.</returns>
    public static IEnumerable<string> WordsOf(string text)
    {
        var words = new List<string>();
        foreach (TextToken token in new TextTokens(text))
        {
            if (token.Kind == TextTokenKind.Word)
            {
                words.Add(text.Substring(token.Start, token.Length));
            }
        }

        return words;
    }

    static (TextTokenKind Kind, int Length) Measure(ReadOnlySpan<char> rest, bool isListOfNetworks)
    {
        if (SecurityId.Measure(rest) is > 0 and int id)
        {
            return (TextTokenKind.SecurityId, id);
        }

        if (PrefixText.Measure(rest, isListOfNetworks) is > 0 and int network)
        {
            return (TextTokenKind.Network, network);
        }

        if (IsGuid(rest))
        {
            return (TextTokenKind.Guid, GuidLength);
        }

        int address = AddressGroups.Measure(rest);
        address = address > 0 ? address : AddressLength(rest);
        if (address > 0)
        {
            return (TextTokenKind.Address, address);
        }

        if (IsMac(rest))
        {
            return (TextTokenKind.Mac, MacLength);
        }

        int word = rest.IndexOfAny(Separators);
        return word == 0 ? (TextTokenKind.Separator, 1) : MeasureWord(rest, word < 0 ? rest.Length : word);
    }

    // Letters that an address is glued to are a word of their own.
    static (TextTokenKind Kind, int Length) MeasureWord(ReadOnlySpan<char> rest, int word)
    {
        int address = AddressGroups.MeasureGlued(rest, word, out int front);
        return (address > 0, front > 0) switch
        {
            (true, true) => (TextTokenKind.Word, front),
            (true, false) => (TextTokenKind.Address, address),
            _ => (TextTokenKind.Word, word),
        };
    }

    // The longest beginning that is an address; a port or a full stop may follow it.
    static int AddressLength(ReadOnlySpan<char> rest)
    {
        ReadOnlySpan<char> near = rest[..Math.Min(rest.Length, LongestRun)];
        int length = near.IndexOfAnyExcept(AddressCharacters);
        length = length < 0 ? near.Length : length;
        bool isWhole = length == rest.Length || Separators.Contains(rest[length]);
        ReadOnlySpan<char> run = rest[..length];
        for (ReadOnlySpan<char> part = run; part.Length > 1; part = part[..Math.Max(part.LastIndexOfAny('.', ':'), 0)])
        {
            bool endsHere = part.Length < length || isWhole;
            if (endsHere && IsAddress(part))
            {
                return part.Length;
            }
        }

        return 0;
    }

    static bool IsAddress(ReadOnlySpan<char> text) =>
        (text.Count('.') == 3 || text.Count(':') > 1) && char.IsAsciiLetterOrDigit(text[^1]) | text.EndsWith("::") && IpAddress.TryParse(text.ToString(), out _);

    static bool IsGuid(ReadOnlySpan<char> rest) =>
        rest.Length >= GuidLength && rest[8] == '-' && (rest.Length == GuidLength || Separators.Contains(rest[GuidLength])) && Guid.TryParseExact(rest[..GuidLength], "D", out _);

    static bool IsMac(ReadOnlySpan<char> rest)
    {
        if (rest.Length < MacLength || rest[2] is not (':' or '-') || (rest.Length > MacLength && !Separators.Contains(rest[MacLength])))
        {
            return false;
        }

        for (int i = 0; i < MacLength; i++)
        {
            bool isRight = i % 3 == 2 ? rest[i] == rest[2] : char.IsAsciiHexDigit(rest[i]);
            if (!isRight)
            {
                return false;
            }
        }

        return true;
    }
}
