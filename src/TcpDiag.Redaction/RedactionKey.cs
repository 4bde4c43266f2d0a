using System;
using System.Security.Cryptography;
using System.Text;

namespace TcpDiag.Redaction;

/// <summary>The secret that all pseudonyms are derived from, never written anywhere. Under the same key a value always gets the same pseudonym.</summary>
public sealed class RedactionKey
{
    /// <summary>Bytes of a key.</summary>
    public const int Bytes = 32;

    readonly byte[] _key;

    RedactionKey(byte[] key) => _key = key;

    /// <summary>A fresh key that nobody knows.</summary>
    /// <returns>A new key.</returns>
    public static RedactionKey Random() => new(RandomNumberGenerator.GetBytes(Bytes));

    /// <summary>Parses a key that the user keeps.</summary>
    /// <param name="text">64 hexadecimal digits; surrounding white space is ignored.</param>
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

    /// <summary>A short pseudonym of a name that stands by itself: nobody without the key can test which name it is.</summary>
    /// <param name="purpose">Equal names of two purposes get unrelated pseudonyms.</param>
    /// <param name="name">The name.</param>
    /// <returns>16 hexadecimal digits.</returns>
    public string PseudonymOf(string purpose, string name)
    {
        const int shown = 8; // bytes: among a million names two are alike with a chance of 1 in 40 million
        Span<byte> hash = stackalloc byte[KeyedHash.Bytes];
        new KeyedHash(this, purpose).Compute(Encoding.UTF8.GetBytes(name), hash);
        return Convert.ToHexStringLower(hash[..shown]);
    }

    /// <summary>A key of bytes that are as hard to guess.</summary>
    internal static RedactionKey Of(byte[] bytes) => new(bytes);

    /// <summary>A separate secret for one purpose.</summary>
    internal byte[] Derive(string purpose) => HMACSHA256.HashData(_key, Encoding.ASCII.GetBytes(purpose));
}

/// <summary>HMAC-SHA-256 (RFC 2104) under a derived secret: without the key nobody can test which value gives a pseudonym.</summary>
/// <param name="key">The secret is derived from it.</param>
/// <param name="purpose">Equal values for two purposes get unrelated pseudonyms.</param>
sealed class KeyedHash(RedactionKey key, string purpose)
{
    public const int Bytes = HMACSHA256.HashSizeInBytes;

    readonly byte[] _secret = key.Derive(purpose);

    public void Compute(ReadOnlySpan<byte> value, Span<byte> hash) => HMACSHA256.HashData(_secret, value, hash);

    /// <summary>Overwrites bytes with the beginning of their hash.</summary>
    public void Replace(Span<byte> value)
    {
        Span<byte> hash = stackalloc byte[Bytes];
        Compute(value, hash);
        hash[..value.Length].CopyTo(value);
    }
}
