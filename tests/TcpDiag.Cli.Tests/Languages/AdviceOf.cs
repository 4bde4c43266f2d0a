using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using TcpDiag.Testing;

namespace TcpDiag.Cli.Tests.Languages;

/// <summary>
/// The templates of all advice that findings can give, read from the source of the rules: what stands in <c>.Advise(…)</c> and in lists of steps, with {0}, {1}
/// for what is filled in.
/// </summary>
static partial class AdviceOf
{
    const string OneLiteral = @"\$?""(?<text>([^""\\]|\\.)*)""";

    /// <summary>The templates.</summary>
    public static IReadOnlyCollection<string> Rules() =>
    [
        .. Directory.GetFiles(ProjectFolder.PathOf("src", "TcpDiag.Analysis", "Findings", "Rules"), "*.cs").Select(File.ReadAllText)
            .SelectMany(source => Begin().Matches(source).SelectMany(begin => Lines(Block(source, begin.Index + begin.Length)))).Distinct(StringComparer.Ordinal),
    ];

    // To the bracket that closes it; brackets in strings do not count.
    static string Block(string source, int begin)
    {
        int depth = 1;
        int at = begin;
        while (depth > 0)
        {
            Match literal = Literal().Match(source, at);
            if (literal.Success && literal.Index == at)
            {
                at += literal.Length;
                continue;
            }

            depth += source[at] switch { '(' or '[' => 1, ')' or ']' => -1, _ => 0 };
            at++;
        }

        return source[begin..at];
    }

    static IEnumerable<string> Lines(string block) => Joined().Matches(block).Select(joined =>
    {
        var line = new StringBuilder();
        int holes = 0;
        foreach (Match literal in Literal().Matches(joined.Value))
        {
            string text = Regex.Unescape(literal.Groups["text"].Value);
            line.Append(literal.Value[0] is '$' ? Hole().Replace(text, _ => $"{{{holes++}}}") : text);
        }

        return line.ToString();
    });

    [GeneratedRegex(@"\.Advise\(|static string\[\] \w+\([^)]*\) =>\s*\[|Advice = \[", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Begin();

    [GeneratedRegex(OneLiteral, RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Literal();

    [GeneratedRegex($@"{OneLiteral}(\s*\+\s*{OneLiteral})*", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Joined();

    [GeneratedRegex(@"\{[^}]*\}", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Hole();
}
