using System.Text.Encodings.Web;

namespace TcpDiag.Report.Html;

/// <summary>Makes text safe for a page: one line of visible characters, of which none is markup.</summary>
static class HtmlText
{
    /// <summary>Encodes text, from a trace or not.</summary>
    /// <param name="text">The text.</param>
    /// <returns>ASCII that stands for it in elements and quoted attributes.</returns>
    public static string Encode(string text) => HtmlEncoder.Default.Encode(SafeText.OneLine(text));
}
