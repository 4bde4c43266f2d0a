using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace TcpDiag.Architecture.Tests;

/// <summary>
/// Redaction leaves our own sentences in a bundle as they are, by a list of their words: it must have those of every sentence that a recording can write.
/// </summary>
public sealed partial class SentenceWordsTests
{
    static readonly string[] Writers =
    [
        "src/TcpDiag.Capture/", "src/TcpDiag.Cli/Recording/LinuxRecording.cs", "src/TcpDiag.Cli/Recording/WindowsRecording.cs",
        "src/TcpDiag.Platform/Linux/FileOwner.cs",
    ];

    // A text of fewer words is a name or a format, one without a blank a path.
    const int FewestWords = 2;

    [Fact]
    public void SentencesOfRecordings_AreOfListedWords()
    {
        HashSet<string> listed = WordsOf("src/TcpDiag.Redaction/KeptWords.cs");
        string[] missing =
        [
            .. from file in SourceTree.Code
               where Writers.Any(folder => file.StartsWith(folder, StringComparison.Ordinal))
               from text in TextsOf(file)
               where LowerWord().Count(text) >= FewestWords && text.Trim('"', ' ').Contains(' ', StringComparison.Ordinal)
               from Match word in Word().Matches(text)
               where !listed.Contains(word.Value)
               select $"{file}: {word.Value}",
        ];
        Assert.True(missing.Length == 0, "Add to SentenceWords, unless it names somebody:\n" + string.Join('\n', missing.Distinct()));
    }

    static IEnumerable<string> TextsOf(string file) =>
        from line in SourceTree.Read(file).Split('\n')
        where !line.TrimStart().StartsWith("//", StringComparison.Ordinal)
        from Match text in Text().Matches(line)
        select Hole().Replace(text.Value, " ");

    static HashSet<string> WordsOf(string file) =>
        new(TextsOf(file).SelectMany(text => Word().Matches(text).Select(word => word.Value)), StringComparer.OrdinalIgnoreCase);

    [GeneratedRegex("\"(?:[^\"\\\\]|\\\\.)*\"", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Text();

    [GeneratedRegex("\\{[^{}]*(\\}|\"$)|^\"[^{}]*\\}|\\\\[nrt]", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Hole();

    [GeneratedRegex("[A-Za-z][A-Za-z0-9]+", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Word();

    [GeneratedRegex("\\b[a-z]{2,}\\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LowerWord();
}
