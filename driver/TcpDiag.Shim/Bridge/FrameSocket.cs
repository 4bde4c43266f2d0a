using System;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Threading;
using TcpDiag.Platform;
using TcpDiag.Platform.Linux;

namespace TcpDiag.Shim.Bridge;

/// <summary>
/// The frames that arrive at one Ethernet interface, and those to be sent from it (packet(7)). The interface listens to all addresses as long as the socket is
/// open, and the kernel ends that with the process, however it ends.
/// </summary>
[SupportedOSPlatform("linux")]
sealed unsafe class FrameSocket : IDisposable
{
    // linux/if_packet.h
    const int AddMembership = 1;
    const int Statistics = 6;
    const int AuxiliaryData = 8;
    const int OffloadHeader = 15; // PACKET_VNET_HDR
    const int IgnoreOutgoing = 23;
    const ushort Promiscuous = 1;
    const byte ToThisHost = 0; // PACKET_HOST
    const uint TagIsThere = 1 << 4; // TP_STATUS_VLAN_VALID
    const uint TypeIsThere = 1 << 6; // TP_STATUS_VLAN_TPID_VALID

    const int SendBufferForce = 32;
    const int ReceiveBufferForce = 33;
    const int BufferBytes = 16 << 20;
    const ushort AllProtocols = 3; // ETH_P_ALL
    const ushort VlanType = 0x8100; // IEEE 802.1Q
    const int AddressBytes = 20; // struct sockaddr_ll
    const int PacketTypeOffset = 10;
    const int ControlBytes = 64;
    const int ControlHeaderBytes = 16; // struct cmsghdr
    const int TagOffset = ControlHeaderBytes + 16; // of struct tpacket_auxdata

    readonly FileDescriptor _socket;
    readonly string _name;
    long _dropped;
    long _refused;

    FrameSocket(FileDescriptor socket, string name)
    {
        _socket = socket;
        _name = name;
    }

    public int Descriptor => _socket.Number;

    /// <summary>Frames that did not fit into the socket's buffer, that the system could not describe, or that it did not take back.</summary>
    public long Lost
    {
        get
        {
            uint* counters = stackalloc uint[2]; // struct tpacket_stats: packets, drops; reading sets them to zero
            int length = 2 * sizeof(uint);
            _dropped += Libc.GetOption(_socket, Libc.LevelPacket, Statistics, counters, &length) == 0 ? counters[1] : 0;
            return _dropped + Volatile.Read(ref _refused);
        }
    }

    /// <summary>Opens an interface of the calling thread's namespace.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="index">Its number.</param>
    /// <exception cref="PlatformException">The system refused.</exception>
    public static FrameSocket Open(string name, uint index)
    {
        // Protocol 0: nothing is received before it is bound.
        FileDescriptor descriptor = Libc.Socket(Libc.FamilyPacket, Libc.SocketRaw | Libc.NonBlocking | Libc.CloseOnExec, 0);
        FrameSocket socket = new(descriptor, name);
        try
        {
            Check(descriptor.IsInvalid ? -1 : 0, "open a packet socket");
            Check(Libc.SetOption(descriptor, Libc.LevelPacket, OffloadHeader, 1), "ask for what was left to the network card");
            Check(Libc.SetOption(descriptor, Libc.LevelPacket, AuxiliaryData, 1), "ask for VLAN tags");
            Check(Libc.SetOption(descriptor, Libc.LevelPacket, IgnoreOutgoing, 1), "leave out what this machine sends (Linux 4.20)");
            _ = Libc.SetOption(descriptor, Libc.LevelSocket, ReceiveBufferForce, BufferBytes);
            _ = Libc.SetOption(descriptor, Libc.LevelSocket, SendBufferForce, BufferBytes);
            socket.ListenToAll(index);
            socket.Bind(index);
            return socket;
        }
        catch (PlatformException)
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Receives a frame that is for somebody behind this machine.</summary>
    /// <param name="buffer">Takes it, its <see cref="OffloadedWork"/> in front: room for 64 KiB and headers.</param>
    /// <param name="tag">Its VLAN tag, type and control information, where the system took it out; else 0.</param>
    /// <returns>Bytes, with what stands in front; 0 when there is none.</returns>
    /// <exception cref="ShimException">The interface is gone or down.</exception>
    public int Receive(Span<byte> buffer, out uint tag)
    {
        byte* address = stackalloc byte[AddressBytes];
        byte* control = stackalloc byte[ControlBytes];
        while (true)
        {
            int length = Receive(buffer, address, control);
            tag = length > 0 ? ReadTag(new ReadOnlySpan<byte>(control, ControlBytes)) : 0;
            if (length <= 0 || address[PacketTypeOffset] != ToThisHost)
            {
                return length;
            }
        }
    }

    /// <summary>Sends a frame.</summary>
    /// <param name="frame">The frame, an empty <see cref="OffloadedWork"/> in front. One that the system does not take is counted, as a wire would lose
    /// it.</param>
    public void Send(ReadOnlySpan<byte> frame)
    {
        if (Libc.Write(_socket, frame, frame.Length) != frame.Length)
        {
            CountLost();
        }
    }

    /// <summary>Counts a frame that cannot be passed on.</summary>
    public void CountLost() => Volatile.Write(ref _refused, _refused + 1);

    /// <inheritdoc/>
    public void Dispose() => _socket.Dispose();

    // The length; 0 when there is none.
    int Receive(Span<byte> buffer, byte* address, byte* control)
    {
        fixed (byte* bytes = buffer)
        {
            IoVector vector = new() { Base = bytes, Length = (nuint)buffer.Length };
            while (true)
            {
                new Span<byte>(control, ControlBytes).Clear();
                MessageHeader message = new()
                {
                    Name = address,
                    NameLength = AddressBytes,
                    Vectors = &vector,
                    VectorCount = 1,
                    Control = control,
                    ControlLength = ControlBytes,
                };
                nint length = Libc.ReceiveMessage(_socket, ref message, 0);
                if (length >= 0)
                {
                    return (int)length;
                }

                switch (Libc.LastError())
                {
                    case Errno.TryAgain:
                        return 0;
                    case Errno.Interrupted:
                        break;
                    case Errno.InvalidArgument: // a way of joining packets that the header in front has no word for
                        CountLost();
                        break;
                    default:
                        throw new ShimException($"read from {_name}", Libc.LastError(), Libc.Describe(Libc.LastError()), "Did the interface go down?");
                }
            }
        }
    }

    static uint ReadTag(ReadOnlySpan<byte> control)
    {
        uint status = MemoryMarshal.Read<uint>(control[ControlHeaderBytes..]);
        bool isThere = MemoryMarshal.Read<int>(control[8..]) == Libc.LevelPacket && MemoryMarshal.Read<int>(control[12..]) == AuxiliaryData
            && (status & TagIsThere) != 0;
        ushort type = (status & TypeIsThere) != 0 ? MemoryMarshal.Read<ushort>(control[(TagOffset + 2)..]) : VlanType;
        return isThere ? ((uint)type << 16) | MemoryMarshal.Read<ushort>(control[TagOffset..]) : 0;
    }

    void ListenToAll(uint index)
    {
        // struct packet_mreq: number of the interface, kind, length of an address, the address
        byte* membership = stackalloc byte[16];
        new Span<byte>(membership, 16).Clear();
        *(uint*)membership = index;
        *(ushort*)(membership + 4) = Promiscuous;
        Check(Libc.SetOption(_socket, Libc.LevelPacket, AddMembership, membership, 16), $"have {_name} listen to all addresses");
    }

    void Bind(uint index)
    {
        Span<byte> address = stackalloc byte[AddressBytes];
        address.Clear();
        MemoryMarshal.Write(address, (ushort)Libc.FamilyPacket);
        BinaryPrimitives.WriteUInt16BigEndian(address[2..], AllProtocols);
        MemoryMarshal.Write(address[4..], index);
        Check(Libc.Bind(_socket, address, AddressBytes), $"receive from {_name}");
    }

    static void Check(int result, string action)
    {
        if (result != 0)
        {
            throw PlatformException.FromLastError(action, "Run as root.");
        }
    }
}
