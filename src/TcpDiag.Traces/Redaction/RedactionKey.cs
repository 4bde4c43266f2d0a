using System;
using System.Security.Cryptography;
using System.Text;

namespace TcpDiag.Traces.Redaction;

/// <summary>The secret that all pseudonyms of a redaction follow from. It is never written anywhere; with the same key the same value gets the same pseudonym.</summary>
public sealed class RedactionKey
{
    /// <summary>Bytes of a key.</summary>
    public const int Bytes = 32;

    readonly byte[] _key;

    RedactionKey(byte[] key) => _key = key;

    /// <summary>A key that nobody will ever know.</summary>
    /// <returns>A new key.</returns>
    public static RedactionKey Random() => new(RandomNumberGenerator.GetBytes(Bytes));

    /// <summary>Reads a key that somebody keeps.</summary>
    /// <param name="text">64 hexadecimal digits, with or without white space around them.</param>
    /// <param name="key">The key.</param>
    /// <returns>False when it is something else.</returns>
    public static bool TryParse(ReadOnlySpan<char> text, out RedactionKey? key)
    {
        byte[] bytes = new byte[Bytes];
        text = text.Trim();
        bool isKey = text.Length == 2 * Bytes && Convert.FromHexString(text, bytes, out _, out _) == System.Buffers.OperationStatus.Done;
        key = isKey ? new(bytes) : null;
        return isKey;
    }

    /// <summary>A secret of its own for one purpose.</summary>
    /// <param name="purpose">Its name.</param>
    /// <returns><see cref="Bytes"/> bytes.</returns>
    internal byte[] Derive(string purpose) => HMACSHA256.HashData(_key, Encoding.ASCII.GetBytes(purpose));
}
