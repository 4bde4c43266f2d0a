using System;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using TcpDiag.Analysis.Findings;
using TcpDiag.Report.Html;
using TcpDiag.Testing;
using Xunit;

namespace TcpDiag.Report.Tests.Html;

public sealed class PageMarkdownTests
{
    static readonly string[] Marks = ["`", "**", "](", "## ", "|", "\n- "];

    public static TheoryData<string> Pages =>
    [
        .. Directory.GetFiles(ProjectFolder.PathOf("docs/findings"), "*.md")
            .Select(path => Path.GetFileNameWithoutExtension(path)!)
            .Where(name => name is not "README"),
    ];

    static string Html(string markdown) => PageMarkdown.ToHtml(markdown, target => target is "known.md" ? "#about-known" : null).ReplaceLineEndings("");

    [Theory]
    [InlineData("# title\n\none\ntwo\n\nthree\n", "<p>one two</p><p>three</p>")]
    [InlineData("## What & why\n\ntext\n", "<h4>What &amp; why</h4><p>text</p>")]
    [InlineData("- one\n  goes on\n- two\n\nbehind\n", "<ul><li>one goes on</li><li>two</li></ul><p>behind</p>")]
    [InlineData("- one\n  - inner\n  - other\n- two\n", "<ul><li>one<ul><li>inner</li><li>other</li></ul></li><li>two</li></ul>")]
    [InlineData("a `b<c` d", "<p>a <code>b&lt;c</code> d</p>")]
    [InlineData("see [this](known.md), not [that](../limits.md)", "<p>see <a href=\"#about-known\">this</a>, not that</p>")]
    [InlineData("<script>", "<p>&lt;script&gt;</p>")]
    public void ToHtml_WhatPagesUse_BecomesMarkup(string markdown, string expected) => Assert.Equal(expected, Html(markdown));

    [Theory]
    [MemberData(nameof(Pages))]
    public void ToHtml_PageOfAFinding_LeavesNoMarkdown(string id)
    {
        string page = FindingPages.TextOf(id)!;
        Assert.Equal(File.ReadAllText(ProjectFolder.PathOf($"docs/findings/{id}.md")).ReplaceLineEndings("\n"), page);
        var html = XElement.Parse($"<article>{PageMarkdown.ToHtml(page, _ => null)}</article>");
        string text = string.Concat(html.DescendantNodes().OfType<XText>().Where(node => node.Parent!.Name.LocalName is not "code").Select(node => node.Value));
        Assert.DoesNotContain(Marks, mark => text.Contains(mark, StringComparison.Ordinal));
        Assert.Contains(html.Elements("h4"), heading => heading.Value is "How it is decided");
    }

    [Fact]
    public void Of_FindingsThatOccur_LinkToEachOtherOnly()
    {
        string html = FindingPages.Of([FindingIds.ZeroWindow, FindingIds.ReceiveWindowLimited]);
        Assert.Contains("id=\"about-zero-window\"", html, StringComparison.Ordinal);
        Assert.Contains("href=\"#about-receive-window-limited\"", html, StringComparison.Ordinal);
        Assert.DoesNotContain("href=\"#about-receive-window-limited\"", FindingPages.Of([FindingIds.ZeroWindow]), StringComparison.Ordinal);
        Assert.Empty(FindingPages.Of([]));
    }
}
