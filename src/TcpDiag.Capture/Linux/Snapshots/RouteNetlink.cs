using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using TcpDiag.Capture.Linux.SockDiag;

namespace TcpDiag.Capture.Linux.Snapshots;

/// <summary>Asks rtnetlink(7) for everything of a kind, and takes its answers apart.</summary>
static class RouteNetlink
{
    const int ReceiveBytes = 1 << 16;
    const int RequestBytes = NetlinkReader.HeaderLength + 20;
    const ushort RequestAndDump = 0x301;
    const int AttributeHeader = 4;
    const ushort AttributeTypeMask = 0x3FFF;

    /// <summary>Dumps all of a kind.</summary>
    /// <param name="type">RTM_GET….</param>
    /// <returns>Payloads of the answers.</returns>
    /// <exception cref="CaptureException">The kernel refused.</exception>
    public static List<byte[]> Dump(ushort type)
    {
        using NetlinkSocket netlink = NetlinkSocket.Open(NetlinkSocket.ProtocolRoute);
        byte[] request = new byte[RequestBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(request, RequestBytes);
        BinaryPrimitives.WriteUInt16LittleEndian(request.AsSpan(4), type);
        BinaryPrimitives.WriteUInt16LittleEndian(request.AsSpan(6), RequestAndDump);
        var answers = new List<byte[]>();
        byte[] buffer = new byte[ReceiveBytes];
        bool goesOn = netlink.TrySend(request);
        int length;
        while (goesOn && (length = netlink.Receive(buffer)) > 0)
        {
            goesOn = TakeAll(buffer.AsSpan(0, length), answers);
        }

        return answers;
    }

    /// <summary>The attributes of an answer, or within an attribute.</summary>
    /// <param name="bytes">Attributes one after the other: 16-bit length and type, then the value, aligned to four bytes.</param>
    /// <returns>Values by type; of one that comes twice, the last.</returns>
    public static Dictionary<int, byte[]> Attributes(ReadOnlySpan<byte> bytes)
    {
        var found = new Dictionary<int, byte[]>();
        while (bytes.Length >= AttributeHeader)
        {
            int length = BinaryPrimitives.ReadUInt16LittleEndian(bytes);
            if (length < AttributeHeader || length > bytes.Length)
            {
                break;
            }

            found[BinaryPrimitives.ReadUInt16LittleEndian(bytes[2..]) & AttributeTypeMask] = bytes[AttributeHeader..length].ToArray();
            bytes = bytes[Math.Min((length + 3) & ~3, bytes.Length)..];
        }

        return found;
    }

    /// <summary>A 32-bit attribute.</summary>
    /// <param name="attributes">From <see cref="Attributes"/>.</param>
    /// <param name="type">Its type.</param>
    /// <returns>The number; null when it is not there.</returns>
    public static uint? Number(Dictionary<int, byte[]> attributes, int type) =>
        attributes.TryGetValue(type, out byte[]? value) && value.Length >= sizeof(uint) ? BinaryPrimitives.ReadUInt32LittleEndian(value) : null;

    static bool TakeAll(ReadOnlySpan<byte> datagram, List<byte[]> answers)
    {
        var reader = new NetlinkReader(datagram);
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            if (reader.Type is NetlinkReader.TypeDone or NetlinkReader.TypeError)
            {
                return false;
            }

            answers.Add(payload.ToArray());
        }

        return true;
    }
}
