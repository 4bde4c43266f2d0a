using System;
using System.Globalization;
using TcpDiag.Shim.Divert;
using TcpDiag.Wire;

namespace TcpDiag.Wine.Host;

/// <summary>How the genuine library reads a packet and calculates its checksums, and how we do.</summary>
static class PacketComparison
{
    /// <summary>Compares, and prints the counts, and each difference.</summary>
    public static void Run(Random random, int count)
    {
        RandomPackets source = new(random);
        int differing = 0;
        for (int i = 0; i < count; i++)
        {
            byte[] packet = source.Next();
            if (Compare(packet) is { } difference)
            {
                differing++;
                Console.WriteLine($"differs: {difference} on {Convert.ToHexString(packet)}");
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{count} packets, {differing} differing"));
    }

    static string? Compare(byte[] packet)
    {
        ParsedPacket ours = default;
        if (!PacketParser.TryParse(packet, LinkType.Raw, ref ours) || !DivertHelpers.TryParse(packet, out DivertLayout theirs))
        {
            return "not read";
        }

        bool hasTransport = (ours.Traits & PacketTraits.HasTransport) != 0;
        if (theirs.Protocol != (byte)ours.Protocol || theirs.TransportOffset != (hasTransport ? ours.TransportOffset : -1))
        {
            return FormattableString.Invariant($"protocol {theirs.Protocol} at {theirs.TransportOffset}, ours {ours.Protocol} at {ours.TransportOffset}");
        }

        DivertAddress address = new() { IsIpv6 = theirs.IsIpv6 };
        if (!DivertHelpers.FillChecksums(packet, ref address))
        {
            return "checksums not calculated";
        }

        ulong hash = DivertHelpers.Hash(packet, 1);
        return hash == DivertHelpers.Hash(packet, 1) && hash != DivertHelpers.Hash(packet, 2) ? FindWrongChecksum(packet, in ours) : "hash";
    }

    // With all checksums in place ours find them right.
    static string? FindWrongChecksum(byte[] packet, in ParsedPacket ours)
    {
        bool isIpv6 = (ours.Traits & PacketTraits.IsIpv6) != 0;
        ChecksumState ip = InternetChecksum.VerifyIpv4(packet, in ours);
        ChecksumState transport = InternetChecksum.VerifyTransport(packet, in ours);
        bool hasTransport = (ours.Traits & (PacketTraits.HasTransport | PacketTraits.IsFragment)) == PacketTraits.HasTransport;
        return (isIpv6 || ip == ChecksumState.Correct) && (!hasTransport || transport == ChecksumState.Correct) ? null : $"checksums {ip}, {transport}";
    }
}
