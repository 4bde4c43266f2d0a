using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Cli.Tests;

/// <summary>The links of the documentation lead somewhere, and no command is without a page.</summary>
public sealed partial class DocumentationTests
{
    static readonly string Root = ProjectFolder.PathOf("docs");

    public static TheoryData<string> Pages =>
    [
        "README.md",
        .. Directory.GetFiles(Root, "*.md", SearchOption.AllDirectories).Select(path => Path.Combine("docs", Path.GetRelativePath(Root, path))),
    ];

    public static TheoryData<string> CommandNames => [.. CommandList.Create().Where(command => !command.Hidden).Select(command => command.Name)];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Links_LeadSomewhere(string page)
    {
        string path = ProjectFolder.PathOf(page);
        Assert.All(Links(File.ReadAllText(path)), link => Assert.True(LeadsSomewhere(path, link), $"{page}: {link}"));
    }

    [Theory]
    [MemberData(nameof(CommandNames))]
    public void Commands_HaveAPage(string name) =>
        Assert.Contains($"\n| {(name is "capture" ? name : $"[{name}]")}", File.ReadAllText(Path.Combine(Root, "commands", "README.md")),
            StringComparison.Ordinal);

    [Fact]
    public void Links_Wrong_AreFound()
    {
        string path = ProjectFolder.PathOf("README.md");
        Assert.False(LeadsSomewhere(path, "docs/no-such-page.md"));
        Assert.False(LeadsSomewhere(path, "docs/lab.md#no-such-heading"));
        Assert.True(LeadsSomewhere(path, "docs/lab.md#matrix-files"));
        Assert.True(LeadsSomewhere(path, "https://example.org/"));
    }

    static IEnumerable<string> Links(string text) => Link().Matches(Code().Replace(text, string.Empty)).Select(match => match.Groups["target"].Value);

    static bool LeadsSomewhere(string page, string link)
    {
        if (link.Contains("://", StringComparison.Ordinal))
        {
            return true;
        }

        string[] parts = link.Split('#', 2);
        string target = parts[0].Length == 0 ? page : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(page)!, parts[0]));
        return Path.Exists(target) && (parts.Length == 1 || Anchors(target).Contains(parts[1]));
    }

    // As GitHub makes them of headings: lower case, blanks to hyphens, anything but letters, digits, hyphens and underscores left out.
    static HashSet<string> Anchors(string page) => Heading().Matches(File.ReadAllText(page))
        .Select(match => string.Concat(match.Groups["text"].Value.Trim().ToLowerInvariant().Replace(' ', '-').Where(c => char.IsLetterOrDigit(c)
            || c is '-' or '_')))
        .ToHashSet(StringComparer.Ordinal);

    [GeneratedRegex(@"\]\((?<target>[^)\s]+)\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Link();

    [GeneratedRegex(@"^#+ (?<text>.+)$", RegexOptions.ExplicitCapture | RegexOptions.Multiline, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Heading();

    // What stands in code is no link.
    [GeneratedRegex(@"^```.*?^```|`[^`\n]*`", RegexOptions.ExplicitCapture | RegexOptions.Multiline | RegexOptions.Singleline, matchTimeoutMilliseconds: 1000)]
    private static partial Regex Code();
}
