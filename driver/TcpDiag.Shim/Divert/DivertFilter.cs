using System;
using System.Globalization;
using TcpDiag.Wire;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Shim.Divert;

/// <summary>
/// Translates a match into WinDivert's filter language, so that other packets never leave the kernel. The filter decides as the match does, packet by
/// packet; only a process, which the driver does not know here, says nothing, so that a little more arrives and is matched again in full. A test on a
/// field that a packet lacks is false there, with "not" in front of it too: so negations are carried down to the tests, and each says what holds
/// without the field.
/// </summary>
static class DivertFilter
{
    // WINDIVERT_FILTER_MAXLEN, less one for what is put in front.
    const int MaxTests = 255;

    const string Everything = "true";
    const string Nothing = "false";

    /// <summary>
    /// Translates a match. Packets that another driver has sent ("impostors") are left alone: sending them again would show them to that driver again.
    /// </summary>
    /// <returns>The filter; one that takes everything where the match has more tests than the driver holds.</returns>
    public static string Translate(MatchRule rule)
    {
        string filter = Translate(rule, isTrue: true);
        return $"!impostor and ({(CountTests(filter) <= MaxTests ? filter : Everything)})";
    }

    // What is true when the rule is (isTrue), or when it is not.
    static string Translate(MatchRule rule, bool isTrue) => rule switch
    {
        MatchNot not => Translate(not.Rule, !isTrue),
        MatchAnd and => Join(and.Left, and.Right, isTrue, isTrue ? "and" : "or"),
        MatchOr or => Join(or.Left, or.Right, isTrue, isTrue ? "or" : "and"),
        MatchAll => isTrue ? Everything : Nothing,
        MatchDirection direction => direction.IsOut == isTrue ? "outbound" : "inbound",
        MatchFamily family => family.IsIpv4 == isTrue ? "ip" : "ipv6",
        MatchProtocol protocol => OfProtocol(protocol.Protocol, isTrue),
        MatchPort port => OfPort(port, isTrue),
        MatchHost host => OfHost(host, isTrue),
        _ => Everything,
    };

    static string Join(MatchRule left, MatchRule right, bool isTrue, string word) => $"({Translate(left, isTrue)} {word} {Translate(right, isTrue)})";

    // Not "tcp": that is false for the later fragments of a packet.
    static string OfProtocol(IpProtocol protocol, bool isTrue) => protocol == IpProtocol.Icmp
        ? Either(Is((byte)IpProtocol.Icmp, isTrue), Is((byte)IpProtocol.IcmpV6, isTrue), isTrue)
        : Is((byte)protocol, isTrue);

    static string Is(byte protocol, bool isTrue) => string.Create(CultureInfo.InvariantCulture, $"protocol {(isTrue ? "==" : "!=")} {protocol}");

    static string OfPort(MatchPort port, bool isTrue) => Sides(port.Side, isTrue, side => Port(side, port.First, port.Last, isTrue));

    // The blank in front of a colon is needed: behind an IPv6 address it would be read as part of it.
    // A later fragment of a packet has no ports; in a match it counts as having 0.
    static string Port(string side, ushort first, ushort last, bool isTrue)
    {
        bool hasZero = first == 0;
        string without = hasZero ? Either(Is((byte)IpProtocol.Tcp, isTrue), Is((byte)IpProtocol.Udp, isTrue), isTrue) : isTrue ? Nothing : Everything;
        string tcp = Range($"tcp.{side}Port", Text(first), Text(last), isTrue);
        string udp = Range($"udp.{side}Port", Text(first), Text(last), isTrue);
        return $"(tcp? {tcp} : (udp? {udp} : {without}))";
    }

    static string OfHost(MatchHost host, bool isTrue) => Sides(host.Side, isTrue, side => Host(side, host, isTrue));

    static string Host(string side, MatchHost host, bool isTrue)
    {
        ulong highMask = (ulong)(host.Mask >> 64);
        ulong lowMask = (ulong)host.Mask;
        IpAddress first = new(host.Address.High & highMask, host.Address.Low & lowMask);
        IpAddress last = new(first.High | ~highMask, first.Low | ~lowMask);
        string family = host.Address.IsIpv4 ? "ip" : "ipv6";
        (string low, string high) = host.Address.IsIpv4 ? (first.ToString(), IpAddress.FromIpv4((uint)last.Low).ToString()) : (Text(first), Text(last));
        return $"({family}? {Range($"{family}.{side}Addr", low, high, isTrue)} : {(isTrue ? Nothing : Everything)})";
    }

    static string Sides(MatchSide side, bool isTrue, Func<string, string> test) => side switch
    {
        MatchSide.Source => test("Src"),
        MatchSide.Destination => test("Dst"),
        _ => Either(test("Src"), test("Dst"), isTrue),
    };

    static string Either(string one, string other, bool isTrue) => $"({one} {(isTrue ? "or" : "and")} {other})";

    static string Range(string field, string first, string last, bool isTrue) => (string.Equals(first, last, StringComparison.Ordinal), isTrue) switch
    {
        (true, true) => $"{field} == {first}",
        (true, false) => $"{field} != {first}",
        (false, true) => $"({field} >= {first} and {field} <= {last})",
        (false, false) => $"({field} < {first} or {field} > {last})",
    };

    static string Text(ushort port) => port.ToString(CultureInfo.InvariantCulture);

    // Every word in full: 39 characters, of which WinDivert takes 40 at most.
    static string Text(IpAddress address)
    {
        string digits = string.Create(CultureInfo.InvariantCulture, $"{address.High:x16}{address.Low:x16}");
        string[] words = new string[8];
        for (int i = 0; i < words.Length; i++)
        {
            words[i] = digits.Substring(4 * i, 4);
        }

        return string.Join(':', words);
    }

    // Each test has a word; everything else is punctuation, and, or, and numbers. Counted high: what would just fit may be refused, never the other way round.
    static int CountTests(string filter)
    {
        int tests = 0;
        foreach (string word in filter.Split([' ', '(', ')', '?', ':'], StringSplitOptions.RemoveEmptyEntries))
        {
            tests += char.IsAsciiLetter(word[0]) && word is not ("and" or "or" or Everything or Nothing) ? 1 : 0;
        }

        return tests;
    }
}
