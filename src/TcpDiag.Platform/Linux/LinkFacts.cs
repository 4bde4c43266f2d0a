using System;
using System.Runtime.InteropServices;

namespace TcpDiag.Platform.Linux;

/// <summary>What the kernel says of an interface (rtnetlink(7), RTM_GETLINK).</summary>
/// <param name="HardwareType">ARPHRD_… of linux/if_arp.h.</param>
/// <param name="IsUp">Whether it is up.</param>
/// <param name="Mtu">Bytes of its largest packet.</param>
/// <param name="Master">The number of the bridge or bond it belongs to; 0 without one.</param>
/// <param name="IsBridgePort">Whether that is a bridge.</param>
readonly record struct LinkFacts(ushort HardwareType, bool IsUp, int Mtu, uint Master, bool IsBridgePort)
{
    /// <summary>ARPHRD_ETHER.</summary>
    public const ushort Ethernet = 1;

    const ushort GetLink = 18; // RTM_GETLINK
    const ushort NewLink = 16; // RTM_NEWLINK
    const int MtuAttribute = 4; // IFLA_MTU
    const int MasterAttribute = 10; // IFLA_MASTER
    const int KindsAttribute = 18; // IFLA_LINKINFO
    const int MasterKindAttribute = 4; // IFLA_INFO_SLAVE_KIND
    const int HeaderBytes = 16; // struct ifinfomsg: family, padding, type, index, flags, change mask
    const uint Up = 1;
    const long AnswerTimeoutNanos = 2_000_000_000;

    /// <summary>Asks for an interface, in the calling thread's namespace.</summary>
    /// <param name="index">Its number.</param>
    /// <returns>The facts.</returns>
    /// <exception cref="PlatformException">The system refused.</exception>
    public static LinkFacts Read(uint index)
    {
        Span<byte> request = stackalloc byte[NetlinkReader.HeaderLength + HeaderBytes];
        request.Clear();
        NetlinkWriter.WriteHeader(request, request.Length, GetLink, 0, 1);
        MemoryMarshal.Write(request[(NetlinkReader.HeaderLength + 4)..], index);
        byte[] answer = new byte[32 * 1024];
        int length = 0;
        using NetlinkSocket? socket = NetlinkSocket.TryOpen(NetlinkSocket.Route);
        if (socket is not null && socket.TrySend(request))
        {
            socket.Wait(AnswerTimeoutNanos);
            length = socket.Receive(answer);
        }

        NetlinkReader reader = new(answer.AsSpan(0, length));
        return reader.TryRead(out ReadOnlySpan<byte> payload) && reader.Type == NewLink && payload.Length >= HeaderBytes
            ? Parse(payload)
            : throw new PlatformException("ask for an interface", 0, "no answer from the kernel", "It may have been removed meanwhile: try again.");
    }

    static LinkFacts Parse(ReadOnlySpan<byte> payload)
    {
        uint flags = MemoryMarshal.Read<uint>(payload[8..]);
        LinkFacts facts = new(MemoryMarshal.Read<ushort>(payload[2..]), (flags & Up) != 0, 0, 0, IsBridgePort: false);
        NetlinkAttributes attributes = new(payload[HeaderBytes..]);
        while (attributes.TryRead(out int type, out ReadOnlySpan<byte> value))
        {
            facts = (type, value.Length) switch
            {
                (MtuAttribute, 4) => facts with { Mtu = MemoryMarshal.Read<int>(value) },
                (MasterAttribute, 4) => facts with { Master = MemoryMarshal.Read<uint>(value) },
                (KindsAttribute, _) => facts with { IsBridgePort = HasBridge(value) },
                _ => facts,
            };
        }

        return facts;
    }

    static bool HasBridge(ReadOnlySpan<byte> kinds)
    {
        NetlinkAttributes attributes = new(kinds);
        bool isBridge = false;
        while (attributes.TryRead(out int type, out ReadOnlySpan<byte> value))
        {
            isBridge |= type == MasterKindAttribute && value.TrimEnd((byte)0).SequenceEqual("bridge"u8);
        }

        return isBridge;
    }
}
