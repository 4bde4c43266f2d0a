using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>
/// Splits a text into words, addresses, other identifiers and separators. Characters beyond ASCII belong to words.
/// <code>
/// foreach (TextToken token in new TextTokens(text)) { … }
/// </code>
/// </summary>
ref struct TextTokens
{
    // Characters of the longest text form of an IPv6 address.
    const int LongestAddress = 45;

    // With a colon and five digits of a port. Bounds the look-ahead, so that each word costs the same however much follows.
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

    public TextTokens(ReadOnlySpan<char> text, TextRule rule = TextRule.Ordinary)
    {
        _text = text;
        _rule = rule;
        _next = 0;
        Current = default;
    }

    public TextToken Current { get; private set; }

    public readonly TextTokens GetEnumerator() => this;

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

    // Letters directly in front of an address are a separate word.
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

    // The longest prefix that is an address; a port or a full stop may follow it.
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
        (text.Count('.') == 3 || text.Count(':') > 1)
        && char.IsAsciiLetterOrDigit(text[^1]) | text.EndsWith("::") && IpAddress.TryParse(text.ToString(), out _);

    static bool IsGuid(ReadOnlySpan<char> rest) =>
        rest.Length >= GuidLength && rest[8] == '-' && (rest.Length == GuidLength || Separators.Contains(rest[GuidLength]))
        && Guid.TryParseExact(rest[..GuidLength], "D", out _);

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

/// <summary>A piece of a text.</summary>
readonly record struct TextToken(TextTokenKind Kind, int Start, int Length);

/// <summary>What a piece of a text is.</summary>
enum TextTokenKind
{
    /// <summary>ASCII punctuation, blanks and control characters.</summary>
    Separator,

    /// <summary>Letters and digits.</summary>
    Word,

    /// <summary>An IPv4 or IPv6 address.</summary>
    Address,

    /// <summary>A MAC address, its bytes separated by colons or hyphens.</summary>
    Mac,

    /// <summary>A network, or a reversed address (<see cref="PrefixText"/>).</summary>
    Network,

    /// <summary>A security identifier that may name somebody (<see cref="SecurityId"/>).</summary>
    SecurityId,

    /// <summary>A GUID in its usual form of 36 characters.</summary>
    Guid,

    /// <summary>The instance of a device (<see cref="DeviceInstance"/>).</summary>
    DeviceInstance,
}

/// <summary>
/// The last component of a device instance path, which distinguishes devices of one model, often by their serial number:
/// <c>USB\VID_0BDA&amp;PID_8153\112233445566778</c>, or with <c>#</c> for the backslash as in symbolic links.
/// </summary>
static class DeviceInstance
{
    // The limit of Windows for a path (MAX_DEVICE_ID_LEN).
    const int LongestPath = 200;

    static readonly SearchValues<char> Ends = SearchValues.Create("\\# \t\r\n\0\"'<>|,;()");

    /// <summary>The length of the component at a position of a text; 0 if none begins there.</summary>
    /// <param name="text">The text.</param>
    /// <param name="start">The position.</param>
    /// <param name="isPath">Whether the text is known to be a path; otherwise the component before must name vendor and device.</param>
    public static int Measure(ReadOnlySpan<char> text, int start, bool isPath)
    {
        if (start == 0 || text[start - 1] is not ('\\' or '#') || !(isPath ? IsLast(text, start) : IsBehindDevice(text[..start])))
        {
            return 0;
        }

        int length = text[start..].IndexOfAny(Ends);
        return isPath || length < 0 ? text.Length - start : length;
    }

    static bool IsLast(ReadOnlySpan<char> text, int start) => text[start - 1] == '\\' && !text[start..].Contains('\\');

    static bool IsBehindDevice(ReadOnlySpan<char> before)
    {
        char separator = before[^1];
        ReadOnlySpan<char> near = before[Math.Max(0, before.Length - LongestPath)..].TrimEnd(separator);
        ReadOnlySpan<char> device = near[(near.LastIndexOf(separator) + 1)..];
        return device.StartsWith("VID_", StringComparison.OrdinalIgnoreCase) || device.StartsWith("VEN_", StringComparison.OrdinalIgnoreCase);
    }
}
