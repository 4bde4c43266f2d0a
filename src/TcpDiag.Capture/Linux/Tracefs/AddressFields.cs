using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Tracefs;

/// <summary>
/// One end of a connection in a tracepoint. Kernels have two forms: the bytes of a socket address (28 bytes, the port
/// within or in a field of its own), or 4 bytes for IPv4 beside 16 bytes for IPv6 (<c>saddr</c>, <c>saddr_v6</c>).
/// </summary>
sealed class AddressFields
{
    const long FamilyIpv4 = 2;
    const long FamilyIpv6 = 10;

    // struct sockaddr_in and sockaddr_in6: family, port, then the address; IPv6 has its flow label before it.
    const int SocketAddressLength = 28;
    const int PortOffset = 2;
    const int Ipv4Offset = 4;
    const int Ipv6Offset = 8;
    const int Ipv6Length = 16;

    readonly EventField? _family;
    readonly EventField? _address;
    readonly EventField? _address6;
    readonly EventField? _port;

    /// <summary>Finds the fields.</summary>
    /// <param name="format">The layout.</param>
    /// <param name="address">Name of the address field.</param>
    /// <param name="port">Name of the port field.</param>
    public AddressFields(EventFormat format, string address, string port)
    {
        _family = format.Find("family");
        _address = format.Find(address);
        _address6 = format.Find(address + "_v6");
        _port = format.Find(port);
    }

    /// <summary>Reads the end.</summary>
    /// <param name="data">The event.</param>
    /// <param name="end">Address and port.</param>
    /// <returns>False when the event has no address of IPv4 or IPv6.</returns>
    public bool TryRead(ReadOnlySpan<byte> data, out Endpoint end)
    {
        end = default;
        if (_address is null)
        {
            return false;
        }

        return _address.Size >= SocketAddressLength
            ? TryReadSocketAddress(data, out end)
            : TryReadPlain(data, out end);
    }

    bool TryReadSocketAddress(ReadOnlySpan<byte> data, out Endpoint end)
    {
        end = default;
        ReadOnlySpan<byte> bytes = _address!.Slice(data);
        if (bytes.IsEmpty)
        {
            return false;
        }

        ushort port = BinaryPrimitives.ReadUInt16BigEndian(bytes[PortOffset..]);
        port = _port is not null && _port.TryRead(data, out long separate) ? (ushort)separate : port;
        switch (BinaryPrimitives.ReadUInt16LittleEndian(bytes))
        {
            case (ushort)FamilyIpv4:
                end = new(IpAddress.Read(bytes.Slice(Ipv4Offset, 4)), port);
                return true;
            case (ushort)FamilyIpv6:
                end = new(IpAddress.Read(bytes.Slice(Ipv6Offset, Ipv6Length)), port);
                return true;
            default:
                return false;
        }
    }

    bool TryReadPlain(ReadOnlySpan<byte> data, out Endpoint end)
    {
        end = default;
        if (_family is null || _port is null || !_family.TryRead(data, out long family) || !_port.TryRead(data, out long port))
        {
            return false;
        }

        EventField? field = family switch { FamilyIpv4 => _address, FamilyIpv6 => _address6, _ => null };
        ReadOnlySpan<byte> bytes = field is null ? [] : field.Slice(data);
        if (bytes.Length is not (4 or Ipv6Length))
        {
            return false;
        }

        end = new(IpAddress.Read(bytes), (ushort)port);
        return true;
    }
}
