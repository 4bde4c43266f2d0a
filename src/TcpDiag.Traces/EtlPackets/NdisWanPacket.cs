using System;
using TcpDiag.Traces.Etl;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>Packet of a VPN or dial-up connection: Microsoft-Windows-Ras-NdisWanPacketCapture, 5001 sent and 5002 received.</summary>
readonly ref struct NdisWanPacket
{
    const ushort Sent = 5001;
    const ushort Received = 5002;

    /// <summary>The provider's id.</summary>
    public static readonly Guid Provider = new("d84521f7-2235-4237-a7c0-14e3a9676286");

    /// <summary>Routing domain of the connection.</summary>
    public required ReadOnlySpan<char> RoutingDomain { get; init; }

    /// <summary>Who is connected.</summary>
    public required ReadOnlySpan<char> UserName { get; init; }

    /// <summary>The way it goes.</summary>
    public required PacketDirection Direction { get; init; }

    /// <summary>The Ethernet frame; a view on the payload.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }

    /// <summary>Whether a record is one of the provider's packet events.</summary>
    /// <param name="record">Any record.</param>
    /// <returns>True for 5001 and 5002.</returns>
    public static bool IsPacket(in EtlRecord record) => record.Id is Sent or Received && record.Provider == Provider;

    /// <summary>Reads a packet event.</summary>
    /// <param name="record">An event for which <see cref="IsPacket"/> holds.</param>
    /// <param name="packet">The view.</param>
    /// <returns>False when the payload is shorter than it says.</returns>
    public static bool TryRead(scoped in EtlRecord record, out NdisWanPacket packet)
    {
        packet = default;
        var reader = new PayloadCursor(record.Payload);
        if (!reader.TryReadText(out ReadOnlySpan<char> domain) || !reader.TryReadText(out ReadOnlySpan<char> user)
            || !reader.TryReadUInt32(out uint size) || !reader.TryReadBytes(size, out ReadOnlySpan<byte> data))
        {
            return false;
        }

        packet = new NdisWanPacket
        {
            RoutingDomain = domain,
            UserName = user,
            Direction = record.Id == Sent ? PacketDirection.Outbound : PacketDirection.Inbound,
            Data = data,
        };
        return true;
    }
}
