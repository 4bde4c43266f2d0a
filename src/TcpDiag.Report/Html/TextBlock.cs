using System;
using System.IO;
using System.IO.Compression;

namespace TcpDiag.Report.Html;

/// <summary>Data carried by a page as text that no browser runs: base64 of raw deflate (RFC 1951).</summary>
static class TextBlock
{
    /// <summary>Writes a block.</summary>
    /// <param name="page">Where to.</param>
    /// <param name="id">Its id, letters, digits and dashes.</param>
    /// <param name="bytes">Its content.</param>
    public static void Write(TextWriter page, string id, ReadOnlySpan<byte> bytes)
    {
        using var packed = new MemoryStream();
        using (var deflate = new DeflateStream(packed, CompressionLevel.Optimal, leaveOpen: true))
        {
            deflate.Write(bytes);
        }

        page.Write($"<script type=\"text/plain\" id=\"{id}\">");
        page.Write(Convert.ToBase64String(packed.GetBuffer(), 0, (int)packed.Length));
        page.Write("</script>\n");
    }
}
