using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using TcpDiag.Wire;

namespace TcpDiag.Redaction;

/// <summary>
/// Maps addresses one to one with <see cref="CryptoPan"/> and keeps their class: a private address becomes another private one, a public one never does.
/// Prefixes are preserved within a class. A result outside the class is encrypted again (cycle walking), which keeps the map one to one.
/// </summary>
sealed class AddressMap : IDisposable
{
    // Bounds the cache: a port scan may show any number of addresses.
    const int MaxRemembered = 1 << 18;

    readonly CryptoPan _cipher;
    readonly Dictionary<IpAddress, IpAddress> _known = [];

    public AddressMap(RedactionKey key) => _cipher = new CryptoPan(key.Derive("addresses"));

    /// <summary>Gives the pseudonym of an address; the address itself where it identifies nobody.</summary>
    public IpAddress Map(IpAddress address)
    {
        if (_known.TryGetValue(address, out IpAddress known))
        {
            return known;
        }

        if (_known.Count == MaxRemembered)
        {
            _known.Clear();
        }

        IpAddress mapped = MapAnew(address);
        _known.Add(address, mapped);
        return mapped;
    }

    /// <inheritdoc/>
    public void Dispose() => _cipher.Dispose();

    IpAddress MapAnew(IpAddress address)
    {
        var kind = AddressClass.Of(address);
        if (kind.IsKept)
        {
            return address;
        }

        IpAddress mapped = address;
        do
        {
            mapped = AddressPrefix.Joined(address, _cipher.Map(mapped), kind.KeptBits);
        }
        while (mapped.IsIpv4 != address.IsIpv4 || AddressClass.Of(mapped).Number != kind.Number);

        return mapped;
    }
}

/// <summary>
/// The class of an address that redaction preserves (docs/decisions/0018-addresses-keep-their-class.md).
/// </summary>
/// <param name="Number">Distinguishes the classes of one address family.</param>
/// <param name="KeptBits">How many leading bits stay unchanged: all of them where the address identifies nobody.</param>
readonly record struct AddressClass(int Number, int KeptBits)
{
    const int AllBits = 128;

    public bool IsKept => KeptBits == AllBits;

    public static AddressClass Of(IpAddress address) => address.IsIpv4 ? OfIpv4((uint)address.Low) : OfIpv6(address.High, address.Low);

    // RFC 6890 and RFC 5771. Loopback, broadcast and multicast groups identify nobody, except groups derived from an AS number (RFC 3180) or a
    // unicast prefix (RFC 6034). Of the other blocks only the block itself is public knowledge.
    static AddressClass OfIpv4(uint address) => address switch
    {
        0 or uint.MaxValue => new(1, AllBits),
        _ when address >> 24 == 127 => new(2, AllBits),
        _ when address >> 24 == 233 => new(11, 8),
        _ when address >> 24 == 234 => new(12, 8),
        _ when address >> 28 == 0xE => new(3, AllBits),
        _ when address >> 24 == 0 => new(4, 8),
        _ when address >> 24 == 10 => new(5, 8),
        _ when address >> 20 == 0xAC1 => new(6, 12), // 172.16.0.0/12
        _ when address >> 16 == 0xC0A8 => new(7, 16), // 192.168.0.0/16
        _ when address >> 16 == 0xA9FE => new(8, 16), // 169.254.0.0/16, link-local
        _ when address >> 22 == 0x191 => new(9, 10), // 100.64.0.0/10, shared
        _ when IsMask(address) => new(13, AllBits),
        _ when address >> 28 == 0xF => new(10, 4),
        _ => new(0, 0),
    };

    // A netmask such as 255.255.240.0: ones, then zeros.
    static bool IsMask(uint address) => address >> 24 == 255 && (~address & (~address + 1)) == 0;

    // RFC 4291 and RFC 4193. A solicited-node group (RFC 4291 §2.7.1) ends in the last bits of a host's address; a group with flags may embed a
    // prefix (RFC 3306).
    static AddressClass OfIpv6(ulong high, ulong low) => (high >> 48) switch
    {
        0 when high == 0 && low <= 1 => new(1, AllBits),
        0xFF02 when (high & 0xFFFF_FFFF_FFFF) == 0 && low >> 24 == 0x1_FF => new(2, 104),
        >= 0xFF00 and <= 0xFF0F => new(3, AllBits),
        >= 0xFF00 => new(4, 16),
        0xFE80 when high << 16 == 0 => new(5, 64),
        >= 0xFE80 and <= 0xFEBF => new(6, 10),
        >= 0xFC00 and <= 0xFDFF => new(7, 8),
        >= 0x2000 and <= 0x3FFF => new(8, 3),
        _ => new(0, 0),
    };
}

/// <summary>
/// Crypto-PAn, a keyed, prefix-preserving address map (Xu, Fan, Ammar, Moon: Prefix-preserving IP address anonymization, ICNP 2002; the tests hold the
/// vectors of its published implementation): two addresses that share exactly their first n bits still do afterwards, so networks stay networks. The map
/// cannot be inverted without the key; with the key, other files get the same map. Somebody who knows the network, or can send packets into it, can still
/// infer prefixes.
/// </summary>
public sealed class CryptoPan : IDisposable
{
    /// <summary>Bytes of a key: an AES-128 key, then the block that is encrypted to give the padding.</summary>
    public const int KeyBytes = 2 * BlockBytes;

    const int BlockBytes = 16;
    const int MaxAddressBytes = 16;

    readonly Aes _aes = Aes.Create();
    readonly byte[] _padding;

    /// <summary>Prepares the map.</summary>
    /// <param name="key"><see cref="KeyBytes"/> random bytes; only the cipher keeps them.</param>
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
    /// <returns>The pseudonym, of the same family.</returns>
    public IpAddress Map(IpAddress address)
    {
        Span<byte> bytes = stackalloc byte[MaxAddressBytes];
        bytes = bytes[..address.Write(bytes)];
        Map(bytes);
        return IpAddress.Read(bytes);
    }

    /// <inheritdoc/>
    public void Dispose() => _aes.Dispose();

    // Bit n is flipped if the first bit of the encryption of the n bits before it, filled up with padding, is set. No block depends on the result of
    // another, so one call encrypts them all.
    void Map(Span<byte> address)
    {
        int bits = 8 * address.Length;
        Span<byte> blocks = stackalloc byte[8 * MaxAddressBytes * BlockBytes];
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
