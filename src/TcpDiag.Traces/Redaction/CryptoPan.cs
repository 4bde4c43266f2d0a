using System;
using System.Security.Cryptography;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Crypto-PAn, a keyed map of addresses onto addresses that preserves prefixes: two addresses that have their first n bits in common, and no more, still do afterwards, so that networks
/// stay networks. Without the key nobody can tell which address was which; with it, other files get the same map. (Xu, Fan, Ammar, Moon: Prefix-preserving IP address
/// anonymization, ICNP 2002; the figures of its published implementation are in the tests.) What an observer knows of a network, or can send into it, still gives prefixes away.
/// </summary>
public sealed class CryptoPan : IDisposable
{
    /// <summary>Bytes of a key: a key of AES-128, and what is encrypted to become the padding.</summary>
    public const int KeyBytes = 2 * BlockBytes;

    const int BlockBytes = 16;
    const int MostAddressBytes = 16;

    readonly Aes _aes = Aes.Create();
    readonly byte[] _padding;

    /// <summary>Prepares the map.</summary>
    /// <param name="key"><see cref="KeyBytes"/> random bytes. They are not kept but in the cipher.</param>
    /// <exception cref="ArgumentException">The key has another length.</exception>
    public CryptoPan(ReadOnlySpan<byte> key)
    {
        if (key.Length != KeyBytes)
        {
            throw new ArgumentException($"A key has {KeyBytes} bytes.", nameof(key));
        }

        _aes.SetKey(key[..BlockBytes]);
        _padding = _aes.EncryptEcb(key[BlockBytes..], PaddingMode.None);
    }

    /// <summary>Maps an address.</summary>
    /// <param name="address">IPv4 or IPv6.</param>
    /// <returns>The address that stands for it, of the same family.</returns>
    public IpAddress Map(IpAddress address)
    {
        Span<byte> bytes = stackalloc byte[MostAddressBytes];
        bytes = bytes[..address.Write(bytes)];
        Map(bytes);
        return IpAddress.Read(bytes);
    }

    /// <inheritdoc/>
    public void Dispose() => _aes.Dispose();

    // Whether bit n is flipped follows from the n bits in front of it: they, filled up with the padding, are encrypted, and the first bit of the result decides. No block depends on
    // another one's result, so one call encrypts them all.
    void Map(Span<byte> address)
    {
        int bits = 8 * address.Length;
        Span<byte> blocks = stackalloc byte[8 * MostAddressBytes * BlockBytes];
        blocks = blocks[..(bits * BlockBytes)];
        for (int bit = 0; bit < bits; bit++)
        {
            Span<byte> block = blocks.Slice(bit * BlockBytes, BlockBytes);
            int whole = bit / 8;
            int padded = 0xFF >> (bit % 8);
            _padding.CopyTo(block);
            address[..whole].CopyTo(block);
            block[whole] = (byte)((address[whole] & ~padded) | (_padding[whole] & padded));
        }

        _aes.EncryptEcb(blocks, blocks, PaddingMode.None);
        for (int bit = 0; bit < bits; bit++)
        {
            address[bit / 8] ^= (byte)((blocks[bit * BlockBytes] & 0x80) >> (bit % 8));
        }
    }
}
