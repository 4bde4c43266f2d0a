using System;
using System.Globalization;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// What a name is asked for: machines ask on their own account as well, for who runs their domain or browses their network, for a proxy, or whether a name is free that they want to have. No
/// connection waits for that.
/// </summary>
static class NamePurpose
{
    const int OperationMask = 0x7800; // RFC 1035 §4.1.1, OPCODE: 0 is a query; 5 and 8 register names with NetBIOS (RFC 1002 §4.2.1.1), 5 updates a zone (RFC 2136)
    const int NetBiosLabelLength = 32; // RFC 1001 §14.1
    const int NetBiosNameLength = 15;
    const int LabelOffset = 12; // RFC 1035 §4.1.1: behind the header
    const int SuffixOffset = LabelOffset + 1 + NetBiosLabelLength - 2;

    const string ReverseOfIpv4 = ".in-addr.arpa";
    const string ReverseOfIpv6 = ".ip6.arpa";

    // Proxy auto-discovery asks for the first, transition to IPv6 for the second (RFC 5214 §8.3.2).
    static readonly string[] OfMachines = ["wpad", "isatap"];

    /// <summary>Whether a message asks for a name: others register, refresh or release one.</summary>
    /// <param name="flags">The flags word of its header.</param>
    /// <returns>True for a query.</returns>
    public static bool IsQuery(ushort flags) => (flags & OperationMask) == 0;

    /// <summary>Whether a name may be that of a host to connect to.</summary>
    /// <param name="service">UDP port of the service.</param>
    /// <param name="message">The query.</param>
    /// <param name="name">The name in it.</param>
    /// <returns>False for names that machines ask for on their own account.</returns>
    public static bool MayBeHost(int service, ReadOnlySpan<byte> message, ReadOnlySpan<char> name)
    {
        if (service == NameTable.NetBiosPort && message.Length > SuffixOffset + 1 && message[LabelOffset] == NetBiosLabelLength)
        {
            // 0x1B … 0x1E: master browsers, domain controllers and elections; a group, not a host.
            int suffix = ((message[SuffixOffset] - 'A') << 4) | (message[SuffixOffset + 1] - 'A');
            if (suffix is >= 0x1B and <= 0x1E)
            {
                return false;
            }
        }

        ReadOnlySpan<char> host = FirstLabel(name);
        foreach (string other in OfMachines)
        {
            if (host.Equals(other, StringComparison.OrdinalIgnoreCase))
            {
                return false;
            }
        }

        return !host.StartsWith("*"); // node status: of whoever is asked (RFC 1002 §4.2.17)
    }

    /// <summary>Whether two names may mean the same host: domains are left out or searched through.</summary>
    /// <param name="name">A name.</param>
    /// <param name="other">Another.</param>
    /// <returns>True when their first labels are the same, as far as NetBIOS names are long.</returns>
    public static bool IsSameHost(string name, string other)
    {
        ReadOnlySpan<char> one = FirstLabel(name);
        ReadOnlySpan<char> two = FirstLabel(other);
        return one.Equals(two, StringComparison.OrdinalIgnoreCase)
            || (two.Length == NetBiosNameLength && one.StartsWith(two, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Whether a name is that of an address: looked up backwards, or given as a number where a name was asked for.</summary>
    /// <param name="name">The name.</param>
    /// <returns>True for one in the domains for that (RFC 1035 §3.5, RFC 3596 §2.5), and for a number.</returns>
    public static bool IsAddress(string name) =>
        name.EndsWith(ReverseOfIpv4, StringComparison.OrdinalIgnoreCase) || name.EndsWith(ReverseOfIpv6, StringComparison.OrdinalIgnoreCase) || TryParse(name, out _);

    /// <summary>Whether a name is that of a certain address.</summary>
    /// <param name="name">The name.</param>
    /// <param name="address">The address.</param>
    /// <returns>True when it is.</returns>
    public static bool IsAddress(string name, IpAddress address) =>
        name.Equals(ReverseOf(address), StringComparison.OrdinalIgnoreCase) || (TryParse(name, out IpAddress told) && told == address);

    // A number alone is a name as well.
    static bool TryParse(string name, out IpAddress address)
    {
        address = default;
        return (name.Contains(':', StringComparison.Ordinal) || name.AsSpan().Count('.') == 3) && IpAddress.TryParse(name, out address);
    }

    static string ReverseOf(IpAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        int length = address.Write(bytes);
        var text = new StringBuilder();
        for (int i = length - 1; i >= 0; i--)
        {
            _ = address.IsIpv4
                ? text.Append(CultureInfo.InvariantCulture, $"{bytes[i]}.")
                : text.Append(CultureInfo.InvariantCulture, $"{bytes[i] & 15:x}.{bytes[i] >> 4:x}.");
        }

        return text.Append(address.IsIpv4 ? ReverseOfIpv4[1..] : ReverseOfIpv6[1..]).ToString();
    }

    static ReadOnlySpan<char> FirstLabel(ReadOnlySpan<char> name) => name.IndexOf('.') is > 0 and int dot ? name[..dot] : name;
}
