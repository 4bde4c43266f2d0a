using System.IO;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Site;

/// <summary>A page that says one thing: what was refused, or does not exist.</summary>
public static class MessagePage
{
    /// <summary>Writes the page.</summary>
    /// <param name="output">Takes the page; stays open.</param>
    /// <param name="title">What is wrong, in two or three words.</param>
    /// <param name="text">A sentence or two.</param>
    /// <param name="hasNavigation">Whether links lead on: not for who has no token.</param>
    public static void Write(Stream output, string title, string text, bool hasNavigation = true)
    {
        using StreamWriter page = ScriptlessPage.Open(output);
        SitePage.Begin(page, hasNavigation ? SiteLinks.Served : SiteLinks.None, string.Empty, "serve", title);
        page.WriteLine($"<p>{HtmlText.Encode(text)}</p>");
        SitePage.End(page);
    }
}
