using System;

namespace TcpDiag.Impairment.Rates;

/// <summary>What the link layer adds to an IP packet on the wire; it takes part of the rate, not of the queue.</summary>
/// <param name="Bytes">Header, trailer, preamble and gap of each frame, 0 … 1000.</param>
/// <param name="MinimumBytes">The shortest frame, overhead included; shorter ones are padded.</param>
/// <param name="IsAtm">Whether the frame is cut into ATM cells: 48 bytes of it in each 53 on the wire, the last one padded (ITU-T I.361, I.363.5).</param>
public sealed record LinkOverhead(int Bytes, int MinimumBytes = 0, bool IsAtm = false)
{
    const int CellPayload = 48;
    const int CellBytes = 53;

    /// <summary>None.</summary>
    public static readonly LinkOverhead None = new(0);

    /// <summary>
    /// Ethernet: preamble and start of frame 8, header 14, FCS 4, gap 12; at least 64 bytes of frame besides preamble and gap (IEEE 802.3 clauses 3.1, 4.4.2).
    /// </summary>
    public static readonly LinkOverhead Ethernet = new(38, 84);

    /// <summary>Bytes on the wire.</summary>
    /// <param name="packetBytes">Bytes of the IP packet.</param>
    /// <returns>At least as many.</returns>
    public int OnWire(int packetBytes)
    {
        int frame = Math.Max(packetBytes + Bytes, MinimumBytes);
        return IsAtm ? (frame + CellPayload - 1) / CellPayload * CellBytes : frame;
    }
}
