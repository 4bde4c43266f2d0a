using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Text.RegularExpressions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>The examples of README are what the program prints, and its links lead somewhere.</summary>
public sealed partial class ReadmeTests
{
    static readonly string Text = File.ReadAllText(ProjectFolder.PathOf("README.md")).ReplaceLineEndings("\n");

    public static TheoryData<string> Examples => [.. Example().Matches(Text).Select(match => match.Groups["command"].Value)];

    [Theory]
    [MemberData(nameof(Examples))]
    public void Example_PrintsWhatReadmeShows(string command)
    {
        string shown = Example().Matches(Text).Single(match => string.Equals(match.Groups["command"].Value, command,
            StringComparison.Ordinal)).Groups["output"].Value;
        Assert.Equal(shown, Run(command));
    }

    [Fact]
    public void Picture_ShowsWhatDemoPrints()
    {
        string picture = File.ReadAllText(ProjectFolder.PathOf("docs", "images", "demo.svg"));
        IEnumerable<string> lines = PictureLine().Matches(picture).Select(match => WebUtility.HtmlDecode(match.Groups["text"].Value));
        Assert.Equal(["$ tcpdiag demo --recorded", .. Run("demo --recorded").TrimEnd('\n').Split('\n')], lines);
        Assert.Contains("<style>text { white-space: pre }</style>", picture, StringComparison.Ordinal);
    }

    [Fact]
    public void Readme_StaysShort() => Assert.InRange(Text.AsSpan().Count('\n'), 1, 150);

    // The examples name files below the project's root, wherever the tests run.
    static string Run(string command)
    {
        var output = new StringWriter();
        string root = ProjectFolder.PathOf("tests") + Path.DirectorySeparatorChar;
        string[] args = [.. command.Split(' ').Select(word => word.Replace("tests/", root, StringComparison.Ordinal))];
        Assert.Equal(ExitCode.Done, new CommandLine(output, TextWriter.Null).Run(args));
        return output.ToString().ReplaceLineEndings("\n").Replace(root, "tests/", StringComparison.Ordinal);
    }

    [GeneratedRegex(@"^```\n\$ tcpdiag (?<command>[^\n]+)\n(?<output>.*?)^```",
        RegexOptions.Multiline | RegexOptions.Singleline | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Example();

    [GeneratedRegex(@"<text [^>]*>(?<text>[^<]*)</text>", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex PictureLine();
}
