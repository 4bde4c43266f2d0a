using System;
using System.Collections.Generic;
using System.Globalization;

namespace TcpDiag.Wire.Matching;

/// <summary>
/// Reads the match language (docs/impairment.md): tests such as <c>tcp port 443 out</c> joined by <c>and</c> (which may be left out), <c>or</c>, <c>not</c> and
/// parentheses; <c>not</c> binds closest, then <c>and</c>, then <c>or</c>. A comma between values of a test stands for <c>or</c>. Words are case-insensitive.
/// Recursive descent over at most 256 words.
/// </summary>
public sealed class MatchParser
{
    const int MaxWords = 256;
    const string AnyTest = "a test such as tcp, port 443, host 10.0.0.1, in, out or process curl";

    // A comma is split off as a word, so that a list counts as the words it stands for.
    const string Comma = ",";

    readonly List<string> _words;
    int _next;

    MatchParser(List<string> words) => _words = words;

    string? Peek => _next < _words.Count ? _words[_next] : null;

    /// <summary>Reads a rule.</summary>
    /// <param name="text">The rule, e.g. <c>tcp port 443,8000-8099 out and host 10.0.0.1</c>.</param>
    /// <returns>The rule as a tree.</returns>
    /// <exception cref="MatchException">The text is not a rule.</exception>
    public static MatchRule Parse(string text)
    {
        MatchParser parser = new(Split(text));
        MatchRule rule = parser.ReadOr();
        return parser.Peek is null ? rule : throw parser.Error("the end, and, or");
    }

    internal static string Text(MatchSide side) => side switch
    {
        MatchSide.Source => "src ",
        MatchSide.Destination => "dst ",
        _ => string.Empty,
    };

    static List<string> Split(string text)
    {
        List<string> words = [];
        string spaced = text.Replace("(", " ( ", StringComparison.Ordinal).Replace(")", " ) ", StringComparison.Ordinal)
            .Replace(Comma, $" {Comma} ", StringComparison.Ordinal);
        words.AddRange(spaced.ToLowerInvariant().Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries));
        return words.Count <= MaxWords
            ? words
            : throw new MatchException(
                "match", string.Create(CultureInfo.InvariantCulture, $"at most {MaxWords} words"), words.Count.ToString(CultureInfo.InvariantCulture));
    }

    MatchRule ReadOr()
    {
        MatchRule rule = ReadAnd();
        while (Accept("or"))
        {
            rule = new MatchOr(rule, ReadAnd());
        }

        return rule;
    }

    MatchRule ReadAnd()
    {
        MatchRule rule = ReadNot();
        while (Accept("and") || Peek is not (null or "or" or ")"))
        {
            rule = new MatchAnd(rule, ReadNot());
        }

        return rule;
    }

    MatchRule ReadNot() => Accept("not") ? new MatchNot(ReadNot()) : ReadTest();

    MatchRule ReadTest()
    {
        if (Accept("("))
        {
            MatchRule inner = ReadOr();
            return Accept(")") ? inner : throw Error("a closing parenthesis");
        }

        string word = Take(AnyTest);
        return word switch
        {
            "all" => new MatchAll(),
            "tcp" => new MatchProtocol(IpProtocol.Tcp),
            "udp" => new MatchProtocol(IpProtocol.Udp),
            "icmp" => new MatchProtocol(IpProtocol.Icmp),
            "ip4" => new MatchFamily(IsIpv4: true),
            "ip6" => new MatchFamily(IsIpv4: false),
            "in" => new MatchDirection(IsOut: false),
            "out" => new MatchDirection(IsOut: true),
            "process" => ReadList(ReadProcess),
            "src" => ReadEnd(MatchSide.Source, Take("host or port")),
            "dst" => ReadEnd(MatchSide.Destination, Take("host or port")),
            _ => ReadEnd(MatchSide.Either, word),
        };
    }

    MatchRule ReadEnd(MatchSide side, string word) => word switch
    {
        "host" => ReadList(() => ReadHost(side)),
        "port" => ReadList(() => ReadPort(side)),
        _ => throw ErrorBefore(side == MatchSide.Either ? AnyTest : "host or port"),
    };

    MatchRule ReadList(Func<MatchRule> readOne)
    {
        MatchRule rule = readOne();
        while (Accept(Comma))
        {
            rule = new MatchOr(rule, readOne());
        }

        return rule;
    }

    MatchProcess ReadProcess()
    {
        string word = Take("a process id or name");
        return int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out int id) && id > 0
            ? new MatchProcess(id, string.Empty)
            : new MatchProcess(0, word);
    }

    MatchPort ReadPort(MatchSide side)
    {
        const string Expected = "a port such as 443 or 8000-8099";
        return MatchPort.TryParse(side, Take(Expected)) ?? throw ErrorBefore(Expected);
    }

    MatchHost ReadHost(MatchSide side)
    {
        const string Expected = "an address such as 10.0.0.1, 10.0.0.0/8 or 2001:db8::1";
        return MatchHost.TryParse(side, Take(Expected)) ?? throw ErrorBefore(Expected);
    }

    bool Accept(string word)
    {
        bool found = string.Equals(Peek, word, StringComparison.Ordinal);
        _next += found ? 1 : 0;
        return found;
    }

    string Take(string expected) => _next < _words.Count ? _words[_next++] : throw Error(expected);

    MatchException Error(string expected) => ErrorAt(_next, expected);

    MatchException ErrorBefore(string expected) => ErrorAt(_next - 1, expected);

    MatchException ErrorAt(int word, string expected) => new(
        string.Create(CultureInfo.InvariantCulture, $"match, word {word + 1}"),
        expected,
        word < _words.Count ? $"'{_words[word]}'" : "the end");
}

/// <summary>A match that cannot be parsed or applied: where it fails, what was expected and what was found.</summary>
public sealed class MatchException : Exception
{
    /// <summary>Describes the error.</summary>
    /// <param name="where">Which word.</param>
    /// <param name="expected">What would be right, with an example.</param>
    /// <param name="found">What is there.</param>
    public MatchException(string where, string expected, string found)
        : base($"{where}: expected {expected}, found {found}.")
    {
    }
}
