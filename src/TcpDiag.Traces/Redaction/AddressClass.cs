using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// What an address is for, as far as a redaction keeps it (docs/decisions/0018-addresses-keep-their-class.md): the class itself, and how many of the first bits stay as they are.
/// </summary>
/// <param name="Number">Tells classes of one family apart.</param>
/// <param name="KeptBits">Bits that stay; all of them where the address identifies nobody.</param>
readonly record struct AddressClass(int Number, int KeptBits)
{
    const int AllBits = 128;

    /// <summary>Whether the address stays as it is.</summary>
    public bool IsKept => KeptBits == AllBits;

    /// <summary>The class of an address.</summary>
    /// <param name="address">The address.</param>
    /// <returns>Its class.</returns>
    public static AddressClass Of(IpAddress address) => address.IsIpv4 ? OfIpv4((uint)address.Low) : OfIpv6(address.High, address.Low);

    // RFC 6890 and RFC 5771. Multicast groups (but for those made of a network's number, RFC 3180, or of its prefix, RFC 6034), loopback and broadcast name nobody; of the other blocks only the block itself is public knowledge.
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

    // 255.255.240.0 and the like, no address of anybody: ones, then zeros.
    static bool IsMask(uint address) => address >> 24 == 255 && (~address & (~address + 1)) == 0;

    // RFC 4291 and RFC 4193. The group of a solicited-node address (RFC 4291 §2.7.1) is the end of somebody's address, and one with flags may hold a prefix (RFC 3306).
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
