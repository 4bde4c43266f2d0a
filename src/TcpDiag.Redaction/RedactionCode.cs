using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

namespace TcpDiag.Redaction;

/// <summary>
/// A secret that people read to each other, such as <c>K7QMD-2XWPA-94RTH-CJ6VN</c>: recordings that two machines redact with the same code have the same
/// pseudonyms, and fit together. Whoever knows it can test which name a pseudonym stands for.
/// </summary>
public sealed record RedactionCode
{
    const int Characters = 20;
    const int OfGroup = 5;
    const string Letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"; // none that looks or sounds like another: 20 of 30 letters are 98 bits

    RedactionCode(string text) => Text = text;

    /// <summary>The code, in groups of five.</summary>
    public string Text { get; }

    /// <summary>The key that it stands for.</summary>
    public RedactionKey Key => RedactionKey.Of(SHA256.HashData(Encoding.ASCII.GetBytes("tcpdiag redaction code " + Text)));

    /// <summary>A fresh one.</summary>
    public static RedactionCode Random() => new(Grouped(RandomNumberGenerator.GetString(Letters, Characters)));

    /// <summary>Reads one; capitals, hyphens and spaces do not matter.</summary>
    /// <returns>Null when it is none.</returns>
    public static RedactionCode? TryParse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        string letters = string.Concat(text.ToUpperInvariant().Where(letter => letter is not ('-' or ' ')));
        return letters.Length == Characters && letters.All(letter => Letters.Contains(letter, StringComparison.Ordinal)) ? new(Grouped(letters)) : null;
    }

    static string Grouped(string letters) => string.Join('-', letters.Chunk(OfGroup).Select(group => new string(group)));
}
