using System;

namespace TcpDiag.Impairment;

/// <summary>What the emulator decided about the bytes of a packet; the caller carries it out when it sends the packet.</summary>
[Flags]
public enum PacketMarks
{
    /// <summary>Send the bytes as they came.</summary>
    None = 0,

    /// <summary>Set the ECN field to CE: <see cref="PacketView.MarkCongestionExperienced"/>.</summary>
    CongestionExperienced = 1,

    /// <summary>Flip the bit chosen by <see cref="LinkPacket.CorruptBit"/>: <see cref="PacketView.FlipBit"/>.</summary>
    Corrupt = 2,

    /// <summary>This is the copy of a duplicated packet.</summary>
    Copy = 4,

    /// <summary>The packet waits for its successors (swap); cleared when they have passed.</summary>
    Held = 8,
}
