using System;
using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Lab.Flows;

/// <summary>
/// What story S3's application did before it connected: it asked for an address as if it were a name, by NetBIOS broadcast (RFC 1002 §4.2.12), and
/// nobody answered.
/// </summary>
static class NetbiosQuery
{
    const int NameServicePort = 137;
    const int QueryBytes = 50;
    const int NameBytes = 15;
    const int EncodedNameBytes = 32;
    const int NanosPerMillisecond = 1_000_000;

    // RD and B; type NB, class IN.
    const ushort RecursiveBroadcast = 0x0110;
    const ushort TypeNb = 0x0020;
    const ushort ClassIn = 1;

    /// <summary>Asks twice and waits in vain.</summary>
    /// <param name="networkNamespace">The network namespace to ask in.</param>
    /// <param name="name">What to ask for, an IPv4 address of a network of 24 bits.</param>
    /// <param name="durationNanos">How long to wait in all, nanoseconds.</param>
    [SupportedOSPlatform("linux")]
    public static void Run(string networkNamespace, string name, long durationNanos)
    {
        Socket? socket = null;
        NetworkNamespace.Run(networkNamespace, () => socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp));
        using Socket asking = socket!;
        asking.EnableBroadcast = true;
        asking.Bind(new IPEndPoint(IPAddress.Any, NameServicePort));
        byte[] query = Encode(1, name);
        IPEndPoint everybody = new(BroadcastOf(name), NameServicePort);
        using ManualResetEventSlim never = new();
        for (int i = 0; i < 2; i++)
        {
            asking.SendTo(query, everybody);
            never.Wait((int)(durationNanos / 2 / NanosPerMillisecond));
        }
    }

    /// <summary>A query for a name (RFC 1002 §4.2.12).</summary>
    internal static byte[] Encode(ushort id, string name)
    {
        byte[] query = new byte[QueryBytes];
        BinaryPrimitives.WriteUInt16BigEndian(query, id);
        BinaryPrimitives.WriteUInt16BigEndian(query.AsSpan(2), RecursiveBroadcast);
        BinaryPrimitives.WriteUInt16BigEndian(query.AsSpan(4), 1);
        query[12] = EncodedNameBytes;
        for (int i = 0; i <= NameBytes; i++)
        {
            // RFC 1001 §14.1: each half byte becomes a letter from A; the last byte is the service, 0 for a workstation.
            int letter = i == NameBytes ? 0 : i < name.Length ? char.ToUpperInvariant(name[i]) : ' ';
            query[13 + (2 * i)] = (byte)('A' + (letter >> 4));
            query[14 + (2 * i)] = (byte)('A' + (letter & 0xF));
        }

        BinaryPrimitives.WriteUInt16BigEndian(query.AsSpan(46), TypeNb);
        BinaryPrimitives.WriteUInt16BigEndian(query.AsSpan(48), ClassIn);
        return query;
    }

    static IPAddress BroadcastOf(string address)
    {
        byte[] bytes = IPAddress.Parse(address).GetAddressBytes();
        bytes[^1] = byte.MaxValue;
        return new IPAddress(bytes);
    }
}
