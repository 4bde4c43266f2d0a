using System;

namespace TcpDiag.Traces.EtlPackets;

/// <summary>
/// Payload of NDIS-PacketCapture 1001 (a fragment of a packet) and 1002 (metadata of the next): miniport and layer, a
/// length, that many bytes. From build 17763 the packet is followed by two flow words, so the length counts, not the end.
/// </summary>
readonly ref struct NdisFragment
{
    /// <summary>Interface index of the adapter.</summary>
    public required uint MiniportIfIndex { get; init; }

    /// <summary>Interface index of the layer that logged: the adapter's own, or that of a filter above it.</summary>
    public required uint LowerIfIndex { get; init; }

    /// <summary>The bytes; a view on the payload.</summary>
    public required ReadOnlySpan<byte> Data { get; init; }

    /// <summary>Reads a payload.</summary>
    /// <param name="payload">Payload of 1001 or 1002.</param>
    /// <param name="fragment">The view.</param>
    /// <returns>False when the payload is shorter than it says.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out NdisFragment fragment)
    {
        var reader = new PayloadCursor(payload);
        if (reader.TryReadUInt32(out uint miniport) && reader.TryReadUInt32(out uint lower)
            && reader.TryReadUInt32(out uint size) && reader.TryReadBytes(size, out ReadOnlySpan<byte> data))
        {
            fragment = new NdisFragment { MiniportIfIndex = miniport, LowerIfIndex = lower, Data = data };
            return true;
        }

        fragment = default;
        return false;
    }
}
