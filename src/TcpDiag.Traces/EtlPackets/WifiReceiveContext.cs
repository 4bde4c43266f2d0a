using System;
using System.Buffers.Binary;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// What the radio told of a received frame: DOT11_EXTSTA_RECV_CONTEXT in NDIS-PacketCapture 1002. It belongs to the next
/// packet of the same layer.
/// </summary>
/// <param name="ReceiveFlags">uReceiveFlags.</param>
/// <param name="PhyId">uPhyId.</param>
/// <param name="CenterMegahertz">uChCenterFrequency.</param>
/// <param name="MpdusReceived">usNumberOfMPDUsReceived.</param>
/// <param name="RssiDbm">lRSSI.</param>
/// <param name="DataRate">ucDataRate, units of 500 kbit/s.</param>
readonly record struct WifiReceiveContext(uint ReceiveFlags, uint PhyId, uint CenterMegahertz, ushort MpdusReceived, int RssiDbm, byte DataRate)
{
    // Up to and including the data rate; the pointer and time behind it differ between bitnesses and are not used.
    const int UsedBytes = 25;

    /// <summary>Reads the structure.</summary>
    /// <param name="metadata">The bytes of event 1002.</param>
    /// <param name="context">What it tells.</param>
    /// <returns>False when there are too few bytes.</returns>
    public static bool TryRead(ReadOnlySpan<byte> metadata, out WifiReceiveContext context)
    {
        if (metadata.Length < UsedBytes)
        {
            context = default;
            return false;
        }

        context = new WifiReceiveContext(
            BinaryPrimitives.ReadUInt32LittleEndian(metadata[4..]),
            BinaryPrimitives.ReadUInt32LittleEndian(metadata[8..]),
            BinaryPrimitives.ReadUInt32LittleEndian(metadata[12..]),
            BinaryPrimitives.ReadUInt16LittleEndian(metadata[16..]),
            BinaryPrimitives.ReadInt32LittleEndian(metadata[20..]),
            metadata[24]);
        return true;
    }
}
