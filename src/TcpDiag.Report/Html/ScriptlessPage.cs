using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

namespace TcpDiag.Report.Html;

/// <summary>Begin and end of a page without a script. Its policy forbids the browser every connection, and every style but its own.</summary>
static class ScriptlessPage
{
    /// <summary>Opens a page for writing; the stream stays open.</summary>
    public static StreamWriter Open(Stream output) =>
        new(output, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true) { NewLine = "\n" };

    /// <summary>Writes what comes before the content: the head, and the title as a heading.</summary>
    /// <param name="page">Takes it.</param>
    /// <param name="command">The command that makes the page.</param>
    /// <param name="title">Plain text.</param>
    /// <param name="style">The style sheet.</param>
    /// <param name="kind">Class of the content; empty for none.</param>
    /// <param name="navigation">Markup in front of the content, whose pages may have forms; empty for a page that stands alone.</param>
    public static void Begin(StreamWriter page, string command, string title, string style, string kind = "", string navigation = "")
    {
        string text = HtmlText.Encode(title);
        string policy = Policy(style, navigation.Length > 0);
        string content = kind.Length == 0 ? "<main id=\"content\">" : $"<main id=\"content\" class=\"{kind}\">";
        page.WriteLine("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">");
        page.WriteLine($"<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
        page.WriteLine("<meta name=\"referrer\" content=\"no-referrer\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        page.WriteLine($"<title>tcpdiag {command}: {text}</title><style>{style}</style></head><body>{navigation}{content}<h1>{text}</h1>");
    }

    /// <summary>What a browser may do with a page.</summary>
    /// <param name="style">Its style sheet.</param>
    /// <param name="hasForms">Whether its forms ask where it came from.</param>
    public static string Policy(string style, bool hasForms)
    {
        string hash = "sha256-" + Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(style)));
        return $"default-src 'none'; style-src '{hash}'; base-uri 'none'; form-action '{(hasForms ? "self" : "none")}'";
    }

    /// <summary>Writes what comes behind the content.</summary>
    public static void End(StreamWriter page)
    {
        string version = typeof(ScriptlessPage).Assembly.GetName().Version?.ToString(3) ?? string.Empty;
        page.WriteLine($"</main><footer>Made by tcpdiag {version}.</footer></body></html>");
    }
}
