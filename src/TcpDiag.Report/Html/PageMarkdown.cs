using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;

namespace TcpDiag.Report.Html;

/// <summary>
/// Turns a page of docs/findings into markup. It knows what those pages use: headings, paragraphs, lists within lists, code and links. Anything else would show
/// as it is written; a test holds the pages to that.
/// </summary>
sealed partial class PageMarkdown
{
    const int IndentOfList = 2;

    readonly StringBuilder _html = new();
    readonly List<string> _text = [];
    readonly Func<string, string?> _target;
    int _lists;

    PageMarkdown(Func<string, string?> target) => _target = target;

    /// <summary>Makes the markup of a page without its first heading.</summary>
    /// <param name="markdown">The page.</param>
    /// <param name="target">Where a link of the page leads within the report; null where it leads out of it, and becomes text.</param>
    public static string ToHtml(string markdown, Func<string, string?> target)
    {
        var page = new PageMarkdown(target);
        foreach (string line in markdown.Split('\n').SkipWhile(line => line.StartsWith("# ", StringComparison.Ordinal)))
        {
            page.Add(line.TrimEnd());
        }

        page.EndText();
        page.MoveTo(0);
        return page._html.ToString();
    }

    void Add(string line)
    {
        string text = line.TrimStart();
        if (text.StartsWith("- ", StringComparison.Ordinal))
        {
            EndText();
            MoveTo(((line.Length - text.Length) / IndentOfList) + 1);
            _html.Append("<li>");
            text = text[2..];
        }
        else if (text.Length == 0)
        {
            EndText();
        }
        else if (line.StartsWith("## ", StringComparison.Ordinal))
        {
            MoveTo(0);
            _html.Append("<h4>").Append(Inline(line[3..])).Append("</h4>\n");
            return;
        }
        else if (text.Length == line.Length && _text.Count == 0)
        {
            MoveTo(0);
        }

        if (text.Length > 0)
        {
            _text.Add(text);
        }
    }

    void EndText()
    {
        if (_text.Count > 0)
        {
            string text = Inline(string.Join(' ', _text));
            _html.Append(_lists > 0 ? text : $"<p>{text}</p>\n");
            _text.Clear();
        }
    }

    // Into a list within the item before, to the next item, or out of as many lists as have ended.
    void MoveTo(int lists)
    {
        if (lists > _lists)
        {
            _html.Append("<ul>\n");
            _lists++;
            return;
        }

        for (; _lists > lists; _lists--)
        {
            _html.Append("</li></ul>\n");
        }

        if (lists > 0)
        {
            _html.Append("</li>\n");
        }
    }

    string Inline(string text)
    {
        var html = new StringBuilder();
        int done = 0;
        foreach (Match match in CodeOrLink().Matches(text))
        {
            html.Append(HtmlText.Encode(text[done..match.Index]));
            done = match.Index + match.Length;
            string name = HtmlText.Encode(match.Groups["name"].Value);
            html.Append(match.Groups["code"].Success ? $"<code>{HtmlText.Encode(match.Groups["code"].Value)}</code>"
                : _target(match.Groups["target"].Value) is { } target ? $"<a href=\"{HtmlText.Encode(target)}\">{name}</a>"
                : name);
        }

        return html.Append(HtmlText.Encode(text[done..])).ToString();
    }

    [GeneratedRegex(@"`(?<code>[^`]+)`|\[(?<name>[^\]]+)\]\((?<target>[^)]+)\)", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex CodeOrLink();
}
