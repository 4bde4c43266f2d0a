using System;
using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;

namespace TcpDiag.Web;

/// <summary>The secret that lets in who has it. It is compared in a time that does not depend on where two differ.</summary>
public sealed class AccessToken
{
    /// <summary>Fewest characters of one that the user makes.</summary>
    public const int FewestCharacters = 16;

    const int MaxCharacters = 200;
    const int RandomBytes = 32;

    static readonly SearchValues<char> Allowed = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    readonly byte[] _hash;

    AccessToken(string text)
    {
        Text = text;
        _hash = HashOf(text);
    }

    /// <summary>The secret itself: letters, digits, dashes and underscores.</summary>
    public string Text { get; }

    /// <summary>Makes one of 256 random bits.</summary>
    public static AccessToken Random() => new(Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(RandomBytes)));

    /// <summary>Reads one that the user has made.</summary>
    /// <param name="text">The secret; white space around it does not count.</param>
    /// <returns>Null where it is shorter than <see cref="FewestCharacters"/>, or holds what an address does not.</returns>
    public static AccessToken? TryParse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        string trimmed = text.Trim();
        bool isRight = trimmed.Length is >= FewestCharacters and <= MaxCharacters
            && trimmed.AsSpan().IndexOfAnyExcept(Allowed) < 0;
        return isRight ? new(trimmed) : null;
    }

    /// <summary>Whether a text is the secret.</summary>
    internal bool Is(string? text) => text is not null && CryptographicOperations.FixedTimeEquals(HashOf(text), _hash);

    static byte[] HashOf(string text) => SHA256.HashData(Encoding.UTF8.GetBytes(text));
}
