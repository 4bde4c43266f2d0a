using System;
using System.Globalization;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Names;

/// <summary>
/// Whether a name that is looked up is that of a host to connect to. Machines also ask for domain controllers, master browsers and proxies, or whether
/// a name they want to have is free; no connection waits for that.
/// </summary>
static class HostName
{
    // RFC 1035 §4.1.1, OPCODE: 0 is a query; 5 and 8 register names with NetBIOS (RFC 1002 §4.2.1.1), 5 updates a zone (RFC 2136).
    const int OperationMask = 0x7800;
    const int NetBiosLabelLength = 32; // RFC 1001 §14.1
    const int NetBiosNameLength = 15;
    const int LabelOffset = 12; // RFC 1035 §4.1.1: behind the header
    const int SuffixOffset = LabelOffset + 1 + NetBiosLabelLength - 2;

    const string ReverseOfIpv4 = ".in-addr.arpa";
    const string ReverseOfIpv6 = ".ip6.arpa";

    // Asked for by proxy auto-discovery and by transition to IPv6 (RFC 5214 §8.3.2).
    static readonly string[] NotHosts = ["wpad", "isatap"];

    /// <summary>Whether a message with these header flags asks for a name; others register, refresh or release one.</summary>
    public static bool IsQuery(ushort flags) => (flags & OperationMask) == 0;

    /// <summary>Whether a query may be for a host to connect to.</summary>
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
        foreach (string other in NotHosts)
        {
            if (host.Equals(other, StringComparison.OrdinalIgnoreCase))
            {
                return false;
            }
        }

        return !host.StartsWith("*"); // node status: of whoever is asked (RFC 1002 §4.2.17)
    }

    /// <summary>Whether two names may mean the same host: their first labels are equal, up to the length of a NetBIOS name.</summary>
    public static bool IsSameHost(string name, string other)
    {
        ReadOnlySpan<char> one = FirstLabel(name);
        ReadOnlySpan<char> two = FirstLabel(other);
        return one.Equals(two, StringComparison.OrdinalIgnoreCase)
            || (two.Length == NetBiosNameLength && one.StartsWith(two, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Whether a name stands for an address: in the domains of reverse lookups (RFC 1035 §3.5, RFC 3596 §2.5), or a number given as a name.</summary>
    public static bool IsAddress(string name) =>
        name.EndsWith(ReverseOfIpv4, StringComparison.OrdinalIgnoreCase)
        || name.EndsWith(ReverseOfIpv6, StringComparison.OrdinalIgnoreCase)
        || TryParse(name, out _);

    public static bool IsAddress(string name, IpAddress address) =>
        name.Equals(ReverseOf(address), StringComparison.OrdinalIgnoreCase) || (TryParse(name, out IpAddress parsed) && parsed == address);

    // A single number can also be a name.
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
