using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Capture.Linux.Packets;

/// <summary>
/// An AF_PACKET socket with a TPACKET_V3 ring (packet(7), Documentation/networking/packet_mmap.rst). The filter is
/// attached before the socket is bound, so no unwanted packet gets in.
/// </summary>
sealed unsafe class PacketSocket : IDisposable
{
    // linux/if_packet.h
    const int OptionReceiveRing = 5;
    const int OptionStatistics = 6;
    const int OptionVersion = 10;
    const int TpacketV3 = 2;

    // asm-generic/socket.h
    const int OptionAttachFilter = 26;

    // linux/if_ether.h, linux/sockios.h
    const ushort AllProtocols = 3;
    const uint RequestInterfaceIndex = 0x8933;
    const uint RequestInterfaceName = 0x8910;
    const int InterfaceRequestLength = 40;
    const int InterfaceNameLength = 16;

    const int AddressLength = 20;

    readonly FileDescriptor _socket;
    PacketRing? _ring;
    long _dropped;

    PacketSocket(FileDescriptor socket) => _socket = socket;

    public int Descriptor => _socket.Number;

    /// <summary>The ring the kernel fills.</summary>
    /// <exception cref="InvalidOperationException">The socket is not open yet.</exception>
    public PacketRing Ring => _ring ?? throw new InvalidOperationException("The ring exists once the socket is open.");

    /// <summary>Opens a socket in the network namespace of the calling thread.</summary>
    /// <param name="interfaceName">The interface, or <see cref="CaptureInterface.Any"/>.</param>
    /// <param name="filter">What is let in.</param>
    /// <param name="bufferBytes">Memory of the ring.</param>
    /// <exception cref="CaptureException">The system refused it.</exception>
    public static PacketSocket Open(string interfaceName, ReadOnlySpan<BpfInstruction> filter, int bufferBytes)
    {
        // Protocol 0: nothing is received before Bind.
        FileDescriptor descriptor = Libc.Socket(Libc.FamilyPacket, Libc.SocketRaw | Libc.CloseOnExec, 0);
        var socket = new PacketSocket(descriptor);
        if (descriptor.IsInvalid)
        {
            throw Refused("open a packet socket");
        }

        try
        {
            int index = string.Equals(interfaceName, CaptureInterface.Any, StringComparison.Ordinal) ? 0 : socket.FindInterface(interfaceName);
            socket.SetOption(Libc.LevelPacket, OptionVersion, TpacketV3, "choose TPACKET_V3");
            socket.Attach(filter);
            socket._ring = PacketRing.Create(socket, bufferBytes);
            socket.Bind(index);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Replaces the filter.</summary>
    /// <exception cref="CaptureException">The kernel refused it.</exception>
    public void Attach(ReadOnlySpan<BpfInstruction> filter)
    {
        fixed (BpfInstruction* program = filter)
        {
            // struct sock_fprog: a 16-bit count, padding, a pointer.
            nint* description = stackalloc nint[2];
            description[0] = filter.Length;
            description[1] = (nint)program;
            SetOption(Libc.LevelSocket, OptionAttachFilter, description, 2 * sizeof(nint), "attach the packet filter");
        }
    }

    /// <summary>Packets lost so far because the ring was full.</summary>
    public long ReadDropped()
    {
        // struct tpacket_stats_v3: packets, drops, freezes; reading sets them to zero.
        uint* counters = stackalloc uint[3];
        int length = 3 * sizeof(uint);
        if (Libc.GetOption(_socket, Libc.LevelPacket, OptionStatistics, counters, &length) == 0)
        {
            _dropped += counters[1];
        }

        return _dropped;
    }

    /// <summary>The name of an interface in the socket's network namespace.</summary>
    /// <returns>The name; the number in words when it is gone.</returns>
    public string InterfaceName(int index)
    {
        byte* request = stackalloc byte[InterfaceRequestLength];
        new Span<byte>(request, InterfaceRequestLength).Clear();
        *(int*)(request + InterfaceNameLength) = index;
        return Libc.Control(_socket, RequestInterfaceName, new(request, InterfaceRequestLength)) == 0
            ? Encoding.UTF8.GetString(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(request))
            : FormattableString.Invariant($"if{index}");
    }

    /// <summary>Asks the kernel about an interface (netdevice(7)).</summary>
    /// <param name="request">SIOC….</param>
    /// <param name="buffer">struct ifreq: the name, then the answer; at least 40 bytes.</param>
    /// <returns>False when the kernel refuses.</returns>
    public bool TryControl(uint request, byte* buffer) => Libc.Control(_socket, request, new(buffer, InterfaceRequestLength)) == 0;

    /// <summary>Sets up the ring.</summary>
    /// <param name="request">struct tpacket_req3.</param>
    /// <exception cref="CaptureException">The kernel has not got the memory.</exception>
    public MappedMemory MapRing(ReadOnlySpan<uint> request)
    {
        fixed (uint* values = request)
        {
            SetOption(Libc.LevelPacket, OptionReceiveRing, values, request.Length * sizeof(uint), "set up the packet ring");
        }

        MappedMemory memory = MappedMemory.Map(_socket, (int)(request[0] * request[1]));
        return memory.IsInvalid ? throw Refused("map the packet ring") : memory;
    }

    public void Dispose()
    {
        _ring?.Dispose();
        _socket.Dispose();
    }

    internal static CaptureException Refused(string what)
    {
        int error = Libc.LastError();
        string cure = error is Errno.NotPermitted or Errno.AccessDenied
            ? "Recording needs root: put sudo before the command. The capabilities CAP_NET_RAW and CAP_NET_ADMIN do too."
            : "The kernel must have packet sockets with TPACKET_V3 (CONFIG_PACKET, Linux 3.2 or later) and memory for the ring.";
        return new($"cannot {what}: {Libc.Describe(error)}. {cure}", error);
    }

    int FindInterface(string name)
    {
        byte* request = stackalloc byte[InterfaceRequestLength];
        var bytes = new Span<byte>(request, InterfaceRequestLength);
        bytes.Clear();
        bool fits = Encoding.UTF8.GetByteCount(name) < InterfaceNameLength && Encoding.UTF8.GetBytes(name, bytes) > 0;
        return fits && Libc.Control(_socket, RequestInterfaceIndex, bytes) == 0
            ? *(int*)(request + InterfaceNameLength)
            : throw new CaptureException($"no interface '{name}'. `ip link` lists the interfaces; 'any' stands for all of them.", Errno.NoDevice);
    }

    void Bind(int index)
    {
        // struct sockaddr_ll
        byte* address = stackalloc byte[AddressLength];
        var bytes = new Span<byte>(address, AddressLength);
        bytes.Clear();
        *(ushort*)address = Libc.FamilyPacket;
        BinaryPrimitives.WriteUInt16BigEndian(bytes[2..], AllProtocols);
        *(int*)(address + 4) = index;
        if (Libc.Bind(_socket, bytes, AddressLength) != 0)
        {
            throw Refused("bind the packet socket");
        }
    }

    void SetOption(int level, int option, int value, string what) => SetOption(level, option, &value, sizeof(int), what);

    void SetOption(int level, int option, void* value, int length, string what)
    {
        if (Libc.SetOption(_socket, level, option, value, length) != 0)
        {
            throw Refused(what);
        }
    }
}
