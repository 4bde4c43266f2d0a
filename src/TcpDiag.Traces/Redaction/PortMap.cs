using System;
using System.Security.Cryptography;

namespace TcpDiag.Traces.Redaction;

/// <summary>
/// Maps ports one to one within the ranges of RFC 6335 (system, user, dynamic). 0 and the ports of name services stay: reading the trace goes by them.
/// </summary>
sealed class PortMap
{
    const int Ports = 1 << 16;
    const int FirstUser = 1024;
    const int FirstDynamic = 49_152;
    const int BlockBytes = 16;

    readonly ushort[] _map = new ushort[Ports];

    /// <summary>Prepares the map.</summary>
    /// <param name="key">Where its secret comes from.</param>
    public PortMap(RedactionKey key)
    {
        ulong[] order = RandomOrder(key.Derive("ports"));
        Shuffle(order, 0, FirstUser);
        Shuffle(order, FirstUser, FirstDynamic);
        Shuffle(order, FirstDynamic, Ports);
    }

    /// <summary>Maps a port.</summary>
    /// <param name="port">The port.</param>
    /// <returns>The port that stands for it.</returns>
    public ushort Map(ushort port) => _map[port];

    /// <summary>Whether a port belongs to DNS, NetBIOS name service, mDNS or LLMNR.</summary>
    /// <param name="port">The port.</param>
    /// <returns>True where messages have the form of DNS.</returns>
    public static bool IsNameService(int port) => port is 53 or 137 or 5353 or 5355;

    // A number for each port that nobody can foresee without the key: its own number under the cipher.
    static ulong[] RandomOrder(byte[] secret)
    {
        using var aes = Aes.Create();
        aes.SetKey(secret);
        byte[] blocks = new byte[Ports * BlockBytes];
        for (int port = 0; port < Ports; port++)
        {
            BitConverter.TryWriteBytes(blocks.AsSpan(port * BlockBytes), port);
        }

        aes.EncryptEcb(blocks, blocks, PaddingMode.None);
        ulong[] order = new ulong[Ports];
        for (int port = 0; port < Ports; port++)
        {
            order[port] = BitConverter.ToUInt64(blocks, port * BlockBytes);
        }

        return order;
    }

    void Shuffle(ulong[] order, int from, int to)
    {
        ushort[] ports = new ushort[to - from];
        int count = 0;
        for (int port = from; port < to; port++)
        {
            _map[port] = (ushort)port;
            if (port != 0 && !IsNameService(port))
            {
                ports[count] = (ushort)port;
                order[from + count++] = order[port];
            }
        }

        ushort[] shuffled = ports[..count];
        Array.Sort(order[from..(from + count)], shuffled);
        for (int i = 0; i < count; i++)
        {
            _map[ports[i]] = shuffled[i];
        }
    }
}
