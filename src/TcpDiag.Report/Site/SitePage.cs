using System.Globalization;
using System.IO;
using TcpDiag.Report.Html;

namespace TcpDiag.Report.Site;

/// <summary>Begin and end of every page over a store. None has a script.</summary>
public static class SitePage
{
    const string Rules = """
        header{background:var(--card);border-bottom:1px solid var(--line)}
        nav{max-width:100rem;margin:0 auto;padding:.3rem 1rem;display:flex;flex-wrap:wrap;gap:.2rem .4rem}
        nav a{padding:.35rem .6rem;text-decoration:none;border-radius:.3rem}
        nav a[aria-current]{background:color-mix(in srgb,var(--accent) 14%,transparent);color:var(--text);font-weight:600}
        a:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,button:focus-visible,
        .wide:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
        .skip{position:absolute;left:-100vw}
        .skip:focus{position:static;display:block;padding:.5rem 1rem}
        main.matrix th[scope=row]{overflow-wrap:anywhere}
        td.left,th.left,.map th.left:last-child,.map td.text:last-child{text-align:left}
        td.text{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:12rem}
        svg.bar{height:.3rem;margin-top:.15rem}
        main.matrix,main.matrix+footer{max-width:80rem}
        main.matrix .axis{width:17rem;min-width:11rem}
        main.matrix .axis svg{max-width:22rem;margin:0 auto}
        td details{border:0;margin:0;padding:0;background:none}
        td summary{font-weight:400;color:var(--accent)}
        .tag{font-size:.8rem;padding:.05rem .4rem;border:1px solid currentColor;border-radius:.6rem;white-space:nowrap}
        .heat .use1{background:color-mix(in srgb,var(--moved) 9%,transparent)}
        .heat .use2{background:color-mix(in srgb,var(--moved) 18%,transparent)}
        .heat .use3{background:color-mix(in srgb,var(--moved) 30%,transparent)}
        .heat td.text{min-width:9rem}
        .heat td.long{min-width:22rem}
        form{display:flex;flex-wrap:wrap;gap:.6rem;align-items:end;margin:.8rem 0}
        label{display:flex;flex-direction:column;flex:1 1 9rem;max-width:14rem;font-size:.85rem;color:var(--muted);gap:.15rem}
        input,select{width:100%}
        input,select,button{font:inherit;color:var(--text);background:var(--card);border:1px solid var(--muted);border-radius:.25rem;
        padding:.3rem .5rem;max-width:100%}
        button{cursor:pointer;font-weight:600}
        .asof{margin:-.4rem 0 .6rem;font-size:.85rem;color:var(--muted)}
        .pager{display:flex;gap:1rem;margin:.8rem 0}
        ul{padding-left:1.2rem}
        p,h2,li,figcaption{overflow-wrap:anywhere}
        td.number,.figures td,.figures th:last-child,.rows td.number:last-child{text-align:right}
        .rows th[scope=row]{white-space:nowrap}
        td.value{overflow-wrap:anywhere;white-space:normal;min-width:6rem}
        table.facts th[scope=row]{white-space:nowrap}
        figure.limits{max-width:none;margin:.5rem 0}
        .part{stroke:var(--card);stroke-width:1}
        .limit0{fill:#7c8aa0}.limit1{fill:#b9c2cf}.limit2{fill:#c98a1b}.limit3{fill:#2f7ed8}.limit4{fill:#8a5cc7}
        .limit5{fill:#3aa6a0}.limit6{fill:#d9604c}.limit7{fill:#b3261e}.limit8{fill:#c2508b}
        """;

    /// <summary>The style sheet, the same for all pages, so that their policies are the same too.</summary>
    internal const string Style = ComparisonStyle.Text + ComparisonStyle.Map + "\n" + Rules;

    /// <summary>What a browser may do with the pages that are served.</summary>
    public static string Policy { get; } = ScriptlessPage.Policy(Style, hasForms: true);

    /// <summary>Writes what comes before the content.</summary>
    internal static void Begin(StreamWriter page, SiteLinks links, string path, string command, string title)
    {
        ScriptlessPage.Begin(page, command, title, Style, "matrix", links.Navigation(path));
        if (links.AsOf is { } time)
        {
            string shown = time.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture);
            page.WriteLine($"<p class=\"asof\">As of <time datetime=\"{time.UtcDateTime:yyyy-MM-ddTHH:mm:ssZ}\">{shown} UTC</time></p>");
        }
    }

    /// <summary>Writes what comes behind the content.</summary>
    internal static void End(StreamWriter page) => ScriptlessPage.End(page);

    /// <summary>Opens a table that scrolls sideways where it is wider than the window, also by keyboard.</summary>
    /// <param name="name">What it is called by programs that read aloud.</param>
    /// <param name="kind">Its class.</param>
    /// <param name="headings">Markup of the headings.</param>
    internal static string Table(string name, string kind, params string[] headings) =>
        $"<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{HtmlText.Encode(name)}\"><table class=\"{kind}\"><thead><tr>"
        + string.Concat(headings) + "</tr></thead><tbody>";

    /// <summary>A heading of a column.</summary>
    internal static string Heading(string text) => $"<th scope=\"col\">{HtmlText.Encode(text)}</th>";

    /// <summary>A heading of a column of text.</summary>
    internal static string TextHeading(string text) => $"<th scope=\"col\" class=\"left\">{HtmlText.Encode(text)}</th>";

    /// <summary>Closes what <see cref="Table"/> opened.</summary>
    internal const string EndTable = "</tbody></table></div>";
}
