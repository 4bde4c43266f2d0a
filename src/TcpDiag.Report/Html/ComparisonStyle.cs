namespace TcpDiag.Report.Html;

/// <summary>How the page of a comparison looks: light or dark as the reader's system is, and from 320 pixels on.</summary>
static class ComparisonStyle
{
    /// <summary>The style sheet.</summary>
    public const string Text = """
        :root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--text:#1b2430;--muted:#566273;--line:#d5dae1;--accent:#0b62c4;
        --a:#566273;--b:#0b62c4;--better:#17693f;--worse:#b3261e;--moved:#6a3fa0;--equal:#44546a;--margin:#0000000f}
        @media (prefers-color-scheme:dark){:root{--page:#12161c;--card:#1a2029;--text:#e4e9f0;--muted:#9aa7b8;--line:#323c4a;--accent:#74b3ff;
        --a:#9aa7b8;--b:#74b3ff;--better:#5fd39a;--worse:#ff8a80;--moved:#c7a6f5;--equal:#aab7c8;--margin:#ffffff14}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--text);font:15px/1.45 system-ui,sans-serif}
        main{max-width:60rem;margin:0 auto;padding:1rem}
        h1{font-size:1.25rem;overflow-wrap:anywhere}
        h2{font-size:1.05rem;margin:1.6rem 0 .5rem}
        p{margin:.4rem 0}
        a{color:var(--accent)}
        code{overflow-wrap:anywhere}
        footer{max-width:60rem;margin:0 auto;padding:0 1rem 1.5rem;color:var(--muted);font-size:.85rem}
        .answer{font-size:1.1rem;padding:.7rem .9rem;background:var(--card);border-left:4px solid var(--muted);color:var(--text)!important}
        .answer.better{border-color:var(--better)}
        .answer.worse{border-color:var(--worse)}
        .answer.moved{border-color:var(--moved)}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem .8rem;margin:.6rem 0}
        dt{color:var(--muted)}
        dd{margin:0;overflow-wrap:anywhere;min-width:0}
        .wide{overflow-x:auto;background:var(--card);border:1px solid var(--line)}
        table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
        th,td{padding:.3rem .55rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
        tbody tr:last-child>*{border-bottom:0}
        th[scope=row],th:first-child{text-align:left;font-weight:400;white-space:normal;min-width:8rem}
        thead th{font-weight:600;color:var(--muted)}
        td:last-child,th:last-child{text-align:left}
        .map thead th{white-space:normal;vertical-align:bottom;font-weight:400;font-size:.85rem}
        .map td,.map th:last-child{text-align:right}
        .forest{min-width:34rem}
        small{color:var(--muted)}
        .better{color:var(--better)}
        .worse{color:var(--worse)}
        .moved{color:var(--moved)}
        .equal{color:var(--equal)}
        .unclear{color:var(--muted)}
        .map .better,.map .worse,.map .moved{font-weight:600;background:color-mix(in srgb,currentColor 14%,transparent)}
        td.axis,th.axis{width:45%;min-width:9rem;padding:0}
        svg{display:block;width:100%;height:auto}
        svg text{font-size:11px;fill:var(--muted);text-anchor:middle}
        svg text.begin{text-anchor:start}
        svg text.end{text-anchor:end}
        .margin{fill:var(--margin)}
        .one{stroke:var(--muted);stroke-dasharray:2 2}
        .interval{stroke:currentColor;stroke-width:2}
        .mark{fill:currentColor}
        .frame{fill:none;stroke:var(--line)}
        .line{fill:none;stroke-width:1.8}
        path.line.a{stroke:var(--a)}
        path.line.b{stroke:var(--b)}
        .band{stroke:none;opacity:.14}
        path.band.a{fill:var(--a)}
        path.band.b{fill:var(--b)}
        rect.band{fill:var(--moved)}
        .dot{fill:var(--b)}
        .dot.best{fill:var(--card);stroke:var(--b);stroke-width:2.5}
        .dot.cut{fill:var(--worse)}
        b.a{color:var(--a)}
        b.b{color:var(--b)}
        .plots{display:flex;flex-wrap:wrap;gap:1rem;margin:.5rem 0}
        figure{flex:1 1 18rem;max-width:30rem;margin:0}
        figcaption{font-size:.85rem;color:var(--muted)}
        details{background:var(--card);border:1px solid var(--line);margin:.5rem 0;padding:.5rem .8rem}
        summary{cursor:pointer;font-weight:600}
        @media print{details{break-inside:avoid}details:not([open])::details-content{content-visibility:visible;block-size:auto}}
        """;

    /// <summary>What a map of many builds has besides: columns that stay narrow, names that stay in sight, and colour by how much a build moved.</summary>
    public const string Map = """
        main.matrix{max-width:100rem}
        .heat th[scope=row]{position:sticky;left:0;background:var(--card);min-width:9rem}
        .heat td{padding:.3rem .4rem}
        .heat thead th{overflow-wrap:break-word;max-width:9rem}
        .heat .step0{background:none}
        .heat .step1{background:color-mix(in srgb,currentColor 10%,transparent)}
        .heat .step2{background:color-mix(in srgb,currentColor 20%,transparent)}
        .heat .step3{background:color-mix(in srgb,currentColor 32%,transparent)}
        """;
}
