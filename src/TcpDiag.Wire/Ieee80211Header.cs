using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>
/// Finds the LLC header in an 802.11 data frame (IEEE 802.11-2020 §9.2.4, §9.3.2), with or without a radiotap header
/// (radiotap.org). Of an aggregated MSDU only the first subframe is read.
/// </summary>
static class Ieee80211Header
{
    const int MinLength = 24;
    const int SubframeHeaderLength = 14; // A-MSDU: destination, source, length
    const uint RadiotapTsft = 0x1;
    const uint RadiotapFlags = 0x2;
    const uint RadiotapMore = 0x8000_0000;
    const byte RadiotapDataPad = 0x20;

    /// <summary>Finds the LLC header of a data frame.</summary>
    /// <param name="frame">The captured bytes.</param>
    /// <param name="isPadded">Whether the header is padded to a multiple of four bytes.</param>
    /// <param name="offset">In: where the 802.11 header begins. Out: where the LLC header begins.</param>
    /// <returns>False for frames other than data frames with a payload.</returns>
    public static bool TryFindLlc(ReadOnlySpan<byte> frame, bool isPadded, ref int offset)
    {
        if (frame.Length < offset + MinLength)
        {
            return false;
        }

        byte control = frame[offset];
        byte flags = frame[offset + 1];
        bool isDataWithPayload = (control & 0x4C) == 0x08; // type 2, the "no data" bit of the subtype clear
        if (!isDataWithPayload)
        {
            return false;
        }

        bool isQos = (control & 0x80) != 0;
        int length = MinLength + ((flags & 0x03) == 0x03 ? 6 : 0); // to and from the distribution system: fourth address
        int qosOffset = offset + length;
        if (isQos)
        {
            length += 2 + ((flags & 0x80) != 0 ? 4 : 0); // the order bit announces the HT control field
        }

        bool isAggregate = isQos && qosOffset < frame.Length && (frame[qosOffset] & 0x80) != 0;
        length = isPadded ? (length + 3) & ~3 : length;
        offset += length + (isAggregate ? SubframeHeaderLength : 0);
        return offset <= frame.Length;
    }

    /// <summary>Finds the LLC header of a data frame behind a radiotap header.</summary>
    /// <param name="frame">The captured bytes.</param>
    /// <param name="offset">Where the LLC header begins.</param>
    /// <returns>False for frames other than data frames with a payload.</returns>
    public static bool TryFindLlcBehindRadiotap(ReadOnlySpan<byte> frame, ref int offset)
    {
        if (frame.Length < 8)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(frame[2..]);
        if (length < 8 || length > frame.Length)
        {
            return false;
        }

        offset = length;
        return TryFindLlc(frame, HasDataPad(frame[..length]), ref offset);
    }

    static bool HasDataPad(ReadOnlySpan<byte> radiotap)
    {
        uint present = BinaryPrimitives.ReadUInt32LittleEndian(radiotap[4..]);
        int fields = 8;
        for (uint word = present; (word & RadiotapMore) != 0; fields += 4)
        {
            if (radiotap.Length < fields + 4)
            {
                return false;
            }

            word = BinaryPrimitives.ReadUInt32LittleEndian(radiotap[fields..]);
        }

        if ((present & RadiotapTsft) != 0)
        {
            fields = ((fields + 7) & ~7) + 8;
        }

        return (present & RadiotapFlags) != 0 && fields < radiotap.Length && (radiotap[fields] & RadiotapDataPad) != 0;
    }
}
