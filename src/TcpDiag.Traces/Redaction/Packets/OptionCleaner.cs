using System;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Redaction.Packets;

/// <summary>Clears what options of IP and TCP hold, but for what the analysis of a connection needs. Kinds and lengths stay, so that headers keep their form.</summary>
static class OptionCleaner
{
    const int EndOfList = 0;
    const int NoOperation = 1;

    /// <summary>Clears the options of an IPv4 header: routes and time stamps among them hold addresses.</summary>
    /// <param name="options">What stands behind the fixed header.</param>
    public static void CleanIpv4(Span<byte> options) => Clean(options, static (_, _) => 0);

    /// <summary>Clears the options of a TCP header, but for those of RFC 9293, 7323, 2018 and accurate ECN.</summary>
    /// <param name="options">What stands behind the fixed header.</param>
    public static void CleanTcp(Span<byte> options) => Clean(options, KeptOfTcp);

    /// <summary>Clears the extension headers of an IPv6 packet, but for that of fragments.</summary>
    /// <param name="headers">What stands behind the fixed header.</param>
    /// <param name="first">The first next-header number.</param>
    public static void CleanIpv6(Span<byte> headers, byte first)
    {
        const int headLength = 2; // next header, length
        const int smallest = 8;
        var protocol = (IpProtocol)first;
        while (headers.Length >= smallest)
        {
            int length = protocol switch
            {
                IpProtocol.Fragment => smallest,
                IpProtocol.Authentication => (headers[1] + 2) * 4,
                _ => (headers[1] + 1) * 8,
            };
            length = Math.Clamp(length, smallest, headers.Length);
            headers[(protocol == IpProtocol.Fragment ? smallest : headLength)..length].Clear();
            protocol = (IpProtocol)headers[0];
            headers = headers[length..];
        }

        headers.Clear();
    }

    // How many bytes of a value stay.
    static int KeptOfTcp(int kind, int length) => (kind, length) switch
    {
        (2, 4) or (3, 3) or (4, 2) or (8, 10) or (5, 10 or 18 or 26 or 34) => length - 2,
        (5, > 2) => length - 2, // cut by the capture
        (28, 4) => length - 2, // RFC 5482
        (172 or 174, <= 11) => length - 2, // accurate ECN: byte counters
        (253 or 254, >= 4) => 2, // RFC 6994: which experiment
        _ => 0,
    };

    static void Clean(Span<byte> rest, Func<int, int, int> kept)
    {
        while (rest.Length > 0 && rest[0] != EndOfList)
        {
            int length = rest[0] == NoOperation ? 1 : rest.Length > 1 ? rest[1] : 0;
            if (length == 1)
            {
                rest = rest[1..];
                continue;
            }

            if (length < 2)
            {
                break;
            }

            int here = Math.Min(length, rest.Length);
            rest[Math.Min(here, 2 + kept(rest[0], length))..here].Clear();
            rest = rest[here..];
        }

        // Behind the end stands padding; behind an option that cannot be stepped over, anything.
        rest.Clear();
    }
}
