using TcpDiag.Report.Html;

namespace TcpDiag.Report.Locations;

/// <summary>How the page of a location looks: that of a comparison, and its own drawings.</summary>
static class LocationStyle
{
    /// <summary>The style sheet.</summary>
    public const string Text = ComparisonStyle.Text + """

        :root{--s0:#0b62c4;--s1:#b3541e;--s2:#17693f;--s3:#6a3fa0}
        @media (prefers-color-scheme:dark){:root{--s0:#74b3ff;--s1:#f2a45f;--s2:#5fd39a;--s3:#c7a6f5}}
        h3{font-size:.95rem;margin:1.1rem 0 .4rem}
        h2{overflow-wrap:anywhere}
        ul{margin:.4rem 0;padding-left:1.2rem;overflow-wrap:anywhere}
        .way{list-style:none;display:flex;flex-wrap:wrap;align-items:stretch;gap:.3rem;margin:.8rem 0;padding:0}
        .way li{display:flex;align-items:center;color:var(--muted)}
        .way .point{font-weight:600;color:var(--text);background:var(--card);border:1px solid var(--line);padding:.2rem .7rem}
        .way .step{flex:1 1 9rem;flex-direction:column;justify-content:center;align-items:center;gap:.1rem;font-size:.85rem;padding:.2rem .5rem;
        border-top:2px solid var(--line);border-bottom:2px solid var(--line)}
        .way .trouble{border-color:var(--worse);color:var(--text)}
        @media (max-width:560px){.way{flex-direction:column}.way li{justify-content:center}.way .step{flex:none}}
        path.line.s0{stroke:var(--s0)}
        path.line.s1{stroke:var(--s1)}
        path.line.s2{stroke:var(--s2)}
        path.line.s3{stroke:var(--s3)}
        .bar.s0{fill:var(--s0)}
        .bar.s1{fill:var(--s1)}
        .bar.s2{fill:var(--s2)}
        .bar.s3{fill:var(--s3)}
        .bar.wide,.bar.far{opacity:.35}
        rect.middle{fill:var(--text)}
        figcaption b{white-space:nowrap}
        b.s0{color:var(--s0)}
        b.s1{color:var(--s1)}
        b.s2{color:var(--s2)}
        b.s3{color:var(--s3)}
        td:last-child,th:last-child{text-align:right}
        .grid{stroke:var(--line)}
        """;

    /// <summary>The class of a step; colours repeat after four.</summary>
    public static string ClassOf(int step) => $"s{step % 4}";
}
