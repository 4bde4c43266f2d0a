using System;
using System.Collections.Generic;
using System.Globalization;
using TcpDiag.Impairment;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire.Matching;

namespace TcpDiag.Wine.Host;

/// <summary>Random rules on random packets: what our match says, and what the genuine library says of the filter made from it.</summary>
static class FilterComparison
{
    /// <summary>Compares, and prints the counts, and each difference.</summary>
    public static void Run(Random random, int rules, int packets)
    {
        List<byte[]> all = [];
        RandomPackets source = new(random);
        for (int i = 0; i < packets; i++)
        {
            all.Add(source.Next());
        }

        RandomRules texts = new(random);
        (int matching, int differing) = (0, 0);
        for (int i = 0; i < rules; i++)
        {
            string text = texts.Next();
            MatchRule rule = MatchParser.Parse(text);
            string filter = DivertFilter.Translate(rule);
            if (DivertHelpers.FindFault(filter, DivertLayer.Network) is { } fault)
            {
                Console.WriteLine($"fault: {fault} in {filter} of {text}");
                continue;
            }

            foreach (byte[] packet in all)
            {
                bool isOut = random.Next(2) == 0;
                bool isMatch = Matches(rule, packet, isOut);
                matching += isMatch ? 1 : 0;
                if (isMatch != Decides(filter, packet, isOut))
                {
                    differing++;
                    Console.WriteLine($"differs: {text} as {filter} on {Convert.ToHexString(packet)} {(isOut ? "out" : "in")}, ours {isMatch}");
                }
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{rules} rules, {packets} packets, {matching > 0} matching, {differing} differing"));
    }

    static bool Matches(MatchRule rule, byte[] packet, bool isOut) =>
        PacketView.TryRead(packet, out PacketView view) ? rule.Matches(view.ReadFacts(isOut))
            : throw new InvalidOperationException(Convert.ToHexString(packet));

    static bool Decides(string filter, byte[] packet, bool isOut)
    {
        DivertAddress address = new() { Layer = DivertLayer.Network, IsOutbound = isOut, IsIpv6 = packet[0] >> 4 == 6, Interface = 3 };
        return DivertHelpers.Matches(filter, packet, in address);
    }
}
