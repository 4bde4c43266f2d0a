using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>Asks the kernel about an interface (netdevice(7), linux/ethtool.h), in the network namespace of a packet socket.</summary>
/// <param name="socket">The socket.</param>
/// <param name="name">The interface.</param>
sealed unsafe class InterfaceProbe(PacketSocket socket, string name)
{
    const uint RequestMtu = 0x8921;
    const uint RequestHardwareAddress = 0x8927;
    const uint RequestEthtool = 0x8946;
    const int RequestLength = 40;
    const int NameLength = 16;
    const int AddressLength = 6;
    const int LargeReceiveFlag = 1 << 15;

    // ETHTOOL_G…: what an interface hands over in one piece decides what a packet in the capture is.
    static readonly (string Name, uint Command, uint Mask)[] Features =
    [
        ("tso", 0x1E, uint.MaxValue), ("gso", 0x23, uint.MaxValue), ("gro", 0x2B, uint.MaxValue), ("lro", 0x25, LargeReceiveFlag),
    ];

    /// <summary>The hardware address; empty when there is none.</summary>
    /// <returns>Six bytes, or none.</returns>
    public IReadOnlyList<byte> ReadMacAddress()
    {
        byte* request = stackalloc byte[RequestLength];
        Prepare(request);

        // struct sockaddr behind the name: a 16-bit family, then the address.
        return socket.TryControl(RequestHardwareAddress, request)
            ? new ReadOnlySpan<byte>(request + NameLength + 2, AddressLength).ToArray()
            : [];
    }

    /// <summary>MTU and offloads in words.</summary>
    /// <returns>E.g. <c>mtu 1500, tso on, gso on, gro off, lro off</c>.</returns>
    public string Describe()
    {
        var text = new StringBuilder();
        byte* request = stackalloc byte[RequestLength];
        uint* value = stackalloc uint[2];
        Prepare(request);
        if (socket.TryControl(RequestMtu, request))
        {
            text.Append(CultureInfo.InvariantCulture, $"mtu {*(int*)(request + NameLength)}");
        }

        foreach ((string feature, uint command, uint mask) in Features)
        {
            value[0] = command;
            value[1] = 0;
            Prepare(request);
            *(nint*)(request + NameLength) = (nint)value;
            if (socket.TryControl(RequestEthtool, request))
            {
                text.Append(CultureInfo.InvariantCulture, $"{(text.Length > 0 ? ", " : string.Empty)}{feature} {((value[1] & mask) != 0 ? "on" : "off")}");
            }
        }

        return text.ToString();
    }

    void Prepare(byte* request)
    {
        var bytes = new Span<byte>(request, RequestLength);
        bytes.Clear();
        Encoding.UTF8.GetBytes(name.AsSpan(0, Math.Min(name.Length, NameLength - 1)), bytes[..(NameLength - 1)]);
    }
}
