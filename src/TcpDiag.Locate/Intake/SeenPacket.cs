using System;
using System.Runtime.InteropServices;
using TcpDiag.Wire;

namespace TcpDiag.Locate.Intake;

/// <summary>What is kept of a TCP packet at one vantage point: 32 bytes, enough to know it again at another.</summary>
[StructLayout(LayoutKind.Sequential)]
struct SeenPacket
{
    /// <summary>Payload beyond which the length is cut: no stack hands out larger segments (Linux's BIG TCP ends at 512 KiB).</summary>
    public const int MaxLength = (1 << LengthBits) - 1;

    const int LengthBits = 20;

    /// <summary>When, nanoseconds by the point's own clock.</summary>
    public long Time;

    /// <summary>SEG.SEQ.</summary>
    public uint Seq;

    /// <summary>SEG.ACK; 0 without ACK.</summary>
    public uint Ack;

    /// <summary>TSval; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>Of data, its first bytes; else the first SACK block, counted from SEG.ACK, so that a shift of both does not change it.</summary>
    public uint Hash;

    /// <summary>The window as sent.</summary>
    public ushort Window;

    /// <summary>Identification of the IP header; 0 without one.</summary>
    public ushort IpId;

    uint _lengthAndMarks;

    /// <summary>Payload, bytes.</summary>
    public readonly int Length => (int)(_lengthAndMarks & MaxLength);

    /// <summary>What else is known.</summary>
    public readonly PacketMarks Marks => (PacketMarks)(_lengthAndMarks >> LengthBits);

    /// <summary>Whether it comes from the endpoint that sorts last (<see cref="FlowKey"/>).</summary>
    public readonly bool IsFromHigh => (Marks & PacketMarks.FromHigh) != 0;

    /// <summary>Sequence space: payload, SYN and FIN.</summary>
    public readonly int SequenceLength => Length + ((Marks & PacketMarks.Syn) != 0 ? 1 : 0) + ((Marks & PacketMarks.Fin) != 0 ? 1 : 0);

    /// <summary>Whether it has a mark.</summary>
    public readonly bool Has(PacketMarks mark) => (Marks & mark) != 0;

    /// <summary>Sets length and marks.</summary>
    public void Set(int length, PacketMarks marks) => _lengthAndMarks = (uint)Math.Clamp(length, 0, MaxLength) | ((uint)marks << LengthBits);
}

/// <summary>What is known of a packet besides numbers: 12 bits.</summary>
[Flags]
enum PacketMarks
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>From the endpoint that sorts last.</summary>
    FromHigh = 1,

    /// <summary>SYN.</summary>
    Syn = 2,

    /// <summary>FIN.</summary>
    Fin = 4,

    /// <summary>RST.</summary>
    Rst = 8,

    /// <summary>ACK.</summary>
    Ack = 16,

    /// <summary>It has a timestamps option.</summary>
    Timestamps = 32,

    /// <summary>Enough of the payload was captured for a hash.</summary>
    PayloadHash = 64,

    /// <summary>It has SACK blocks.</summary>
    Sack = 128,

    /// <summary>ECN: congestion experienced.</summary>
    CongestionExperienced = 256,

    /// <summary>Not all of its options were captured, and no SACK block: it may have some.</summary>
    OptionsCut = 512,
}
