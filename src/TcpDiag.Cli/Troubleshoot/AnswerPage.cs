using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Text.Encodings.Web;

namespace TcpDiag.Cli.Troubleshoot;

/// <summary>
/// The answer as a page that needs nothing else, for people who open files by a click: no script, no connection, light or dark as the reader's system is.
/// Whatever is not of the page itself is encoded.
/// </summary>
/// <param name="page">Takes the page.</param>
/// <param name="sentences">The language of what stands around the answer.</param>
sealed class AnswerPage(TextWriter page, Sentences sentences)
{
    const string Style = """
        :root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--text:#1b2430;--muted:#566273;--line:#d5dae1;--accent:#0b62c4}
        @media (prefers-color-scheme:dark){:root{--page:#12161c;--card:#1a2029;--text:#e4e9f0;--muted:#9aa7b8;--line:#323c4a;--accent:#74b3ff}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
        main,footer{max-width:46rem;margin:0 auto;padding:1rem}
        h1{font-size:1.4rem;line-height:1.3;margin:.5rem 0 1rem;padding-left:.8rem;border-left:5px solid var(--accent)}
        h2{font-size:1.1rem;margin:1.8rem 0 .6rem}
        h1,p,li,dd{overflow-wrap:anywhere}
        a{color:var(--accent)}
        dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem .9rem;margin:.5rem 0}
        dt{color:var(--muted)}
        dd{margin:0}
        ol,ul{margin:0;padding-left:1.4rem}
        li{margin:.5rem 0}
        ol>li{background:var(--card);border:1px solid var(--line);padding:.7rem .9rem;margin:.6rem 0;break-inside:avoid}
        li p{margin:0}
        li dl{margin-bottom:0}
        code{font:.9em ui-monospace,Consolas,"DejaVu Sans Mono",monospace}
        footer{color:var(--muted);font-size:.9rem}
        @media (max-width:30rem){dl{grid-template-columns:minmax(0,1fr)}dd{margin-bottom:.4rem}}
        @media print{:root{--page:#fff;--card:#fff;--text:#000;--muted:#333;--line:#999;--accent:#000}main,footer{max-width:none;padding:0}}
        """;

    /// <summary>Writes the page.</summary>
    /// <param name="answer">The answer.</param>
    /// <param name="report">The page for engineers in the same folder.</param>
    /// <param name="made">What made it, and when.</param>
    public void Write(CustomerAnswer answer, string report, string made)
    {
        WriteHead(answer);
        WriteFacts(answer.Facts);
        WriteSteps(answer.Steps);
        WriteList(answer.Points, "points");
        WriteList(answer.RuledOut, "out");
        WriteList(answer.Recorded, "recorded");
        page.Write("</main>\n<footer>");
        page.Write($"<p><a href=\"{Text(report)}\">{Text(sentences.Of("page.report"))}</a></p>");
        page.Write(answer.More is { } more ? $"<p>{Text(more)}</p>" : string.Empty);
        page.Write($"<p>{Text(made)}</p></footer>\n</body>\n</html>\n");
    }

    void WriteHead(CustomerAnswer answer)
    {
        string style = Style.ReplaceLineEndings("\n");
        string hash = "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(style)));
        page.Write($"<!doctype html>\n<html lang=\"{Text(answer.Language)}\">\n<head><meta charset=\"utf-8\">\n");
        page.Write($"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{hash}'; base-uri 'none'; form-action 'none'\">\n");
        page.Write("<meta name=\"referrer\" content=\"no-referrer\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.Write($"<title>tcpdiag: {Text(answer.Verdict)}</title>\n<style>{style}</style></head>\n<body>\n<main>\n<h1>{Text(answer.Verdict)}</h1>\n");
    }

    void WriteFacts(IReadOnlyList<AnswerFact> facts)
    {
        if (facts.Count == 0)
        {
            return;
        }

        page.Write("<dl>\n");
        foreach (AnswerFact fact in facts)
        {
            page.Write($"<dt>{Text(fact.Name)}</dt><dd>{Text(fact.Value)}</dd>\n");
        }

        page.Write("</dl>\n");
    }

    void WriteSteps(AnswerSteps? steps)
    {
        if (steps is null)
        {
            return;
        }

        page.Write($"<section aria-labelledby=\"steps\"><h2 id=\"steps\">{Text(steps.Heading)}</h2>\n");
        page.Write(steps.Steps.Count > 0 ? "<ol>\n" : string.Empty);
        foreach (AnswerStep step in steps.Steps)
        {
            page.Write($"<li><p>{Text(step.What)}</p><dl>");
            foreach (AnswerDetail detail in step.Details)
            {
                string value = detail.IsCommand ? $"<code>{Text(detail.Value)}</code>" : Text(detail.Value);
                page.Write($"<dt>{Text(detail.Name)}</dt><dd>{value}</dd>");
            }

            page.Write("</dl></li>\n");
        }

        page.Write(steps.Steps.Count > 0 ? "</ol></section>\n" : "</section>\n");
    }

    void WriteList(AnswerList? list, string id)
    {
        if (list is null)
        {
            return;
        }

        page.Write($"<section aria-labelledby=\"{id}\"><h2 id=\"{id}\">{Text(list.Heading)}</h2>\n<ul>\n");
        foreach (string item in list.Items)
        {
            page.Write($"<li>{Text(item)}</li>\n");
        }

        page.Write("</ul></section>\n");
    }

    static string Text(string text) => HtmlEncoder.Default.Encode(text);
}
