using System;
using System.Buffers.Binary;
using System.Net;
using System.Runtime.InteropServices;
using System.Text;

namespace TcpDiag.Platform.Linux;

/// <summary>Sets up network devices of the calling thread's namespace with the ioctls of netdevice(7).</summary>
static class InterfaceControl
{
    // <linux/sockios.h>
    const nuint SetFlags = 0x8914;
    const nuint SetDeviceAddress = 0x8916;
    const nuint SetNetmask = 0x891C;
    const nuint SetMtuRequest = 0x8922;
    const nuint GetIndex = 0x8933;
    const nuint SetQueueLength = 0x8943;

    const short Up = 1;
    const int Ipv4Bytes = 4;

    /// <summary>Bytes of struct ifreq: the device's name, then a union.</summary>
    public const int RequestBytes = 40;

    /// <summary>Where the union begins (IFNAMSIZ).</summary>
    public const int NameBytes = 16;

    /// <summary>Brings a device up.</summary>
    public static void BringUp(string device)
    {
        Span<byte> request = Request(stackalloc byte[RequestBytes], device);
        MemoryMarshal.Write(request[NameBytes..], Up);
        Control(request, SetFlags, $"bring {device} up");
    }

    /// <summary>Gives a device an address and the route to its network.</summary>
    /// <param name="device">The device; for an IPv6 address it must be up for the route to come with it.</param>
    /// <param name="address">Four bytes of IPv4 or sixteen of IPv6, in network order.</param>
    /// <param name="prefixBits">The length of the network's prefix.</param>
    public static void SetAddress(string device, ReadOnlySpan<byte> address, int prefixBits)
    {
        string action = $"give {device} the address {new IPAddress(address)}";
        if (address.Length == Ipv4Bytes)
        {
            SetInet(device, SetDeviceAddress, BinaryPrimitives.ReadUInt32BigEndian(address), action);
            SetInet(device, SetNetmask, prefixBits == 0 ? 0 : uint.MaxValue << (32 - prefixBits), $"give {device} its netmask");
            return;
        }

        // struct in6_ifreq of <linux/ipv6.h>
        int index = FindIndex(device);
        Span<byte> request = stackalloc byte[24];
        address.CopyTo(request);
        MemoryMarshal.Write(request[16..], prefixBits);
        MemoryMarshal.Write(request[20..], index);
        Control(Libc.FamilyIpv6, request, SetDeviceAddress, action);
    }

    /// <summary>Sets the largest packet and how many packets may wait for being read.</summary>
    public static void SetLimits(string device, int mtu, int queueLength)
    {
        SetNumber(device, SetMtuRequest, mtu, $"set the MTU of {device}");
        SetNumber(device, SetQueueLength, queueLength, $"set the queue length of {device}");
    }

    /// <summary>A request with a device's name in it.</summary>
    /// <exception cref="ArgumentException">The name is longer than the system's 15 characters.</exception>
    public static Span<byte> Request(Span<byte> request, string device)
    {
        request.Clear();
        if (device.Length is 0 or >= NameBytes || Encoding.ASCII.GetBytes(device, request) != device.Length)
        {
            throw new ArgumentException("A device's name has 1 to 15 characters.", nameof(device));
        }

        return request;
    }

    static void SetInet(string device, nuint operation, uint address, string action)
    {
        Span<byte> request = Request(stackalloc byte[RequestBytes], device);
        MemoryMarshal.Write(request[NameBytes..], (short)Libc.FamilyIpv4);
        BinaryPrimitives.WriteUInt32BigEndian(request[(NameBytes + 4)..], address);
        Control(request, operation, action);
    }

    static void SetNumber(string device, nuint operation, int number, string action)
    {
        Span<byte> request = Request(stackalloc byte[RequestBytes], device);
        MemoryMarshal.Write(request[NameBytes..], number);
        Control(request, operation, action);
    }

    /// <summary>The number of a device.</summary>
    /// <exception cref="PlatformException">There is none of that name.</exception>
    public static int FindIndex(string device)
    {
        Span<byte> request = Request(stackalloc byte[RequestBytes], device);
        Control(request, GetIndex, $"find {device}");
        return MemoryMarshal.Read<int>(request[NameBytes..]);
    }

    static void Control(Span<byte> request, nuint operation, string action) => Control(Libc.FamilyIpv4, request, operation, action);

    static void Control(int family, Span<byte> request, nuint operation, string action)
    {
        using FileDescriptor socket = Libc.Socket(family, Libc.SocketDatagram | Libc.CloseOnExec, 0);
        if (socket.IsInvalid || Libc.Control(socket, operation, request) != 0)
        {
            throw PlatformException.FromLastError(action, "Run as root.");
        }
    }
}
