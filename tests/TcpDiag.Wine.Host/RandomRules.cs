using System;
using System.Globalization;
using System.Linq;

namespace TcpDiag.Wine.Host;

/// <summary>Rules of the match language over the addresses and ports of <see cref="RandomPackets"/>.</summary>
/// <param name="random">Where they come from.</param>
sealed class RandomRules(Random random)
{
    static readonly string[] Sides = ["", "src ", "dst "];
    static readonly string[] Words = ["all", "tcp", "udp", "icmp", "ip4", "ip6", "in", "out"];

    /// <summary>Makes a rule, as text.</summary>
    /// <param name="depth">How deep it may be nested.</param>
    public string Next(int depth = 3) => random.Next(depth > 0 ? 6 : 3) switch
    {
        0 => Pick(Words),
        1 => $"{Pick(Sides)}port {Port()}",
        2 => $"{Pick(Sides)}host {Host()}",
        3 => $"not ({Next(depth - 1)})",
        4 => $"({Next(depth - 1)} and {Next(depth - 1)})",
        _ => $"({Next(depth - 1)} or {Next(depth - 1)})",
    };

    string Port()
    {
        ushort[] ends = [Pick(RandomPackets.Ports), Pick(RandomPackets.Ports)];
        return random.Next(2) == 0
            ? ends[0].ToString(CultureInfo.InvariantCulture)
            : string.Create(CultureInfo.InvariantCulture, $"{ends.Min()}-{ends.Max()}");
    }

    string Host()
    {
        bool isIpv4 = random.Next(2) == 0;
        string address = Pick(isIpv4 ? RandomPackets.Addresses4 : RandomPackets.Addresses6);
        return random.Next(2) == 0 ? address : string.Create(CultureInfo.InvariantCulture, $"{address}/{random.Next(0, isIpv4 ? 33 : 129)}");
    }

    T Pick<T>(T[] values) => values[random.Next(values.Length)];
}
