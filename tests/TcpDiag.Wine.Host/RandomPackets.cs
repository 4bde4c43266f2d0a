using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Wine.Host;

/// <summary>
/// Whole IP packets of few addresses and ports, so that rules meet them: TCP, UDP, ICMP and others, IPv4 with and without options, IPv6, first and later
/// fragments.
/// </summary>
/// <param name="random">Where they come from.</param>
sealed class RandomPackets(Random random)
{
    public static readonly string[] Addresses4 = ["10.0.0.1", "10.0.0.2", "10.200.3.4", "192.168.1.1", "0.0.0.0", "255.255.255.255"];
    public static readonly string[] Addresses6 = ["2001:db8::1", "2001:db8:0:1::2", "fe80::1", "::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"];
    public static readonly ushort[] Ports = [0, 1, 80, 443, 444, 8080, 65_535];

    static readonly byte[] Protocols = [6, 6, 6, 17, 17, 17, 1, 58, 47];

    /// <summary>Makes a packet.</summary>
    public byte[] Next()
    {
        byte protocol = Pick(Protocols);
        byte[] body = Body(protocol);
        bool isLaterFragment = random.Next(8) == 0;
        return random.Next(2) == 0 ? Ipv4(protocol, body, isLaterFragment) : Ipv6(protocol, body, isLaterFragment);
    }

    byte[] Body(byte protocol)
    {
        int header = protocol switch
        {
            6 => 20 + (4 * random.Next(0, 4)),
            _ => 8,
        };
        byte[] body = new byte[header + random.Next(0, 40)];
        random.NextBytes(body);
        BinaryPrimitives.WriteUInt16BigEndian(body, Pick(Ports));
        BinaryPrimitives.WriteUInt16BigEndian(body.AsSpan(2), Pick(Ports));
        if (protocol == 6)
        {
            body[12] = (byte)(header / 4 << 4);
            body.AsSpan(20, header - 20).Fill(1); // no-operations
        }
        else if (protocol == 17)
        {
            BinaryPrimitives.WriteUInt16BigEndian(body.AsSpan(4), (ushort)body.Length);
        }

        return body;
    }

    byte[] Ipv4(byte protocol, byte[] body, bool isLaterFragment)
    {
        int header = 20 + (4 * random.Next(0, 3));
        byte[] packet = new byte[header + body.Length];
        packet[0] = (byte)(0x40 | (header / 4));
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(2), (ushort)packet.Length);
        packet[7] = (byte)(isLaterFragment ? 25 : 0);
        packet[8] = 64;
        packet[9] = protocol;
        WriteAddress(packet.AsSpan(12), Pick(Addresses4));
        WriteAddress(packet.AsSpan(16), Pick(Addresses4));
        packet.AsSpan(20, header - 20).Fill(1);
        body.CopyTo(packet, header);
        return packet;
    }

    byte[] Ipv6(byte protocol, byte[] body, bool isLaterFragment)
    {
        const int Fragment = 44;
        int extra = isLaterFragment ? 8 : 0;
        byte[] packet = new byte[40 + extra + body.Length];
        packet[0] = 0x60;
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(4), (ushort)(packet.Length - 40));
        packet[6] = isLaterFragment ? (byte)Fragment : protocol;
        packet[7] = 64;
        WriteAddress(packet.AsSpan(8), Pick(Addresses6));
        WriteAddress(packet.AsSpan(24), Pick(Addresses6));
        if (isLaterFragment)
        {
            packet[40] = protocol;
            packet[43] = 25 << 3;
        }

        body.CopyTo(packet, 40 + extra);
        return packet;
    }

    T Pick<T>(T[] values) => values[random.Next(values.Length)];

    static void WriteAddress(Span<byte> destination, string text)
    {
        if (IpAddress.TryParse(text, out IpAddress address))
        {
            address.Write(destination);
        }
    }
}
