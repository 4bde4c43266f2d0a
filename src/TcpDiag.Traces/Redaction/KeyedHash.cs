using System;
using System.Security.Cryptography;

namespace TcpDiag.Traces.Redaction;

/// <summary>HMAC-SHA-256 under a secret of its own (RFC 2104): without the key nobody can try which value gives a pseudonym.</summary>
/// <param name="key">Where the secret comes from.</param>
/// <param name="purpose">What it is for: equal values of two purposes get unrelated pseudonyms.</param>
sealed class KeyedHash(RedactionKey key, string purpose)
{
    /// <summary>Bytes of a hash.</summary>
    public const int Bytes = HMACSHA256.HashSizeInBytes;

    readonly byte[] _secret = key.Derive(purpose);

    /// <summary>Hashes bytes.</summary>
    /// <param name="value">The bytes.</param>
    /// <param name="hash">Receives <see cref="Bytes"/> bytes.</param>
    public void Compute(ReadOnlySpan<byte> value, Span<byte> hash) => HMACSHA256.HashData(_secret, value, hash);

    /// <summary>Replaces bytes by the beginning of their hash.</summary>
    /// <param name="value">At most <see cref="Bytes"/> bytes.</param>
    public void Replace(Span<byte> value)
    {
        Span<byte> hash = stackalloc byte[Bytes];
        Compute(value, hash);
        hash[..value.Length].CopyTo(value);
    }
}
