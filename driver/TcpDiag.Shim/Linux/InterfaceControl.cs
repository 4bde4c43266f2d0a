using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Shim.Linux;

/// <summary>Sets up network devices of the calling thread's namespace with the ioctls of netdevice(7).</summary>
[SupportedOSPlatform("linux")]
static class InterfaceControl
{
    // <linux/sockios.h>
    const nuint SetFlags = 0x8914;
    const nuint SetAddress = 0x8916;
    const nuint SetNetmask = 0x891C;
    const nuint SetMtuRequest = 0x8922;
    const nuint GetIndex = 0x8933;
    const nuint SetQueueLength = 0x8943;

    // struct ifreq: 16 bytes of name, a union of 24.
    const int RequestBytes = 40;
    const int NameBytes = 16;

    const short Up = 1;
    const short FamilyInet = 2;
    const short FamilyInet6 = 10;
    const int Datagram = 2;

    /// <summary>Brings a device up.</summary>
    public static void BringUp(string device)
    {
        Span<byte> request = Request(stackalloc byte[RequestBytes], device);
        MemoryMarshal.Write(request[NameBytes..], Up);
        Control(request, SetFlags, $"bring {device} up");
    }

    /// <summary>Gives a device an IPv4 address and the route to its network.</summary>
    public static void SetIpv4(string device, IpAddress address, int prefixBits)
    {
        SetInet(device, SetAddress, (uint)address.Low, $"give {device} the address {address}");
        SetInet(device, SetNetmask, prefixBits == 0 ? 0 : uint.MaxValue << (32 - prefixBits), $"give {device} its netmask");
    }

    /// <summary>Gives a device an IPv6 address and the route to its network.</summary>
    public static void SetIpv6(string device, IpAddress address, int prefixBits)
    {
        int index = FindIndex(device);

        // struct in6_ifreq of <linux/ipv6.h>
        Span<byte> request = stackalloc byte[24];
        address.Write(request);
        MemoryMarshal.Write(request[16..], prefixBits);
        MemoryMarshal.Write(request[20..], index);
        Control(FamilyInet6, request, SetAddress, $"give {device} the address {address}");
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
        MemoryMarshal.Write(request[NameBytes..], FamilyInet);
        BinaryPrimitives.WriteUInt32BigEndian(request[(NameBytes + 4)..], address);
        Control(request, operation, action);
    }

    static void SetNumber(string device, nuint operation, int number, string action)
    {
        Span<byte> request = Request(stackalloc byte[RequestBytes], device);
        MemoryMarshal.Write(request[NameBytes..], number);
        Control(request, operation, action);
    }

    static int FindIndex(string device)
    {
        Span<byte> request = Request(stackalloc byte[RequestBytes], device);
        Control(request, GetIndex, $"find {device}");
        return MemoryMarshal.Read<int>(request[NameBytes..]);
    }

    static void Control(Span<byte> request, nuint operation, string action) => Control(FamilyInet, request, operation, action);

    static void Control(int family, Span<byte> request, nuint operation, string action)
    {
        using LinuxHandle socket = Libc.Socket(family, Datagram | Libc.CloseOnExec, 0);
        if (socket.IsInvalid || Libc.Control(socket, operation, request) != 0)
        {
            throw Libc.LastError(action, "Run as root.");
        }
    }
}
