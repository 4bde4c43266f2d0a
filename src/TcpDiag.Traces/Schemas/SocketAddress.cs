using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Schemas;

/// <summary>Reads SOCKADDRs: u16 family (host order), u16 port (network order), then family 2: 4 address bytes; family 23: u32 flow info, 16 address bytes.</summary>
public static class SocketAddress
{
    const ushort Inet = 2;
    const ushort Inet6 = 23;

    /// <summary>Reads a SOCKADDR.</summary>
    /// <param name="bytes">16 bytes (IPv4) or 28 (IPv6); what follows the address may be missing.</param>
    /// <param name="endpoint">Address and port.</param>
    /// <returns>False when it is of another family or too short.</returns>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out Endpoint endpoint)
    {
        endpoint = default;
        if (bytes.Length < 8)
        {
            return false;
        }

        ushort port = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
        switch (BinaryPrimitives.ReadUInt16LittleEndian(bytes))
        {
            case Inet:
                endpoint = new Endpoint(IpAddress.Read(bytes.Slice(4, 4)), port);
                return true;
            case Inet6 when bytes.Length >= 24:
                endpoint = new Endpoint(IpAddress.Read(bytes.Slice(8, 16)), port);
                return true;
            default:
                return false;
        }
    }
}
