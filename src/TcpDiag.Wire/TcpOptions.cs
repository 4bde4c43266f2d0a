using System;
using System.Buffers.Binary;

namespace TcpDiag.Wire;

/// <summary>The TCP options that matter to an analysis. <see cref="Kinds"/> shows which fields are valid.</summary>
public struct TcpOptions
{
    /// <summary>The options present.</summary>
    public TcpOptionKinds Kinds;

    /// <summary>Maximum segment size, bytes.</summary>
    public ushort Mss;

    /// <summary>Window scale as sent, shift count; RFC 7323 §2.3 treats more than 14 as 14.</summary>
    public byte WindowScale;

    /// <summary>Whole SACK blocks captured, 0 … 4.</summary>
    public byte SackBlocks;

    /// <summary>
    /// Bytes of the list from the first option on that the capture does not hold whole, 0 … 40: what is cut has no room for more. 0 where the fault is another;
    /// valid with <see cref="TcpOptionKinds.Incomplete"/>.
    /// </summary>
    public byte CutBytes;

    /// <summary>Offset in the frame of the first SACK block.</summary>
    public int SackOffset;

    /// <summary>TSval; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>TSecr; 0 without timestamps, significant only in segments with ACK.</summary>
    public uint TsEcr;

    /// <summary>Whether any of the options is present.</summary>
    /// <param name="kinds">The options asked for.</param>
    /// <returns>True when at least one of them is there.</returns>
    public readonly bool Has(TcpOptionKinds kinds) => (Kinds & kinds) != 0;
}

/// <summary>Which options a TCP header carries (IANA "TCP Option Kind Numbers").</summary>
[Flags]
#pragma warning disable CA1028 // kept small: it is part of every parsed packet
public enum TcpOptionKinds : ushort
#pragma warning restore CA1028
{
    /// <summary>None.</summary>
    None = 0,

    /// <summary>Maximum segment size (kind 2, RFC 9293 §3.7.1).</summary>
    MaximumSegmentSize = 0x0001,

    /// <summary>Window scale (kind 3, RFC 7323 §2).</summary>
    WindowScale = 0x0002,

    /// <summary>SACK permitted (kind 4, RFC 2018 §2).</summary>
    SackPermitted = 0x0004,

    /// <summary>SACK blocks (kind 5, RFC 2018 §3).</summary>
    Sack = 0x0008,

    /// <summary>Timestamps (kind 8, RFC 7323 §3).</summary>
    Timestamps = 0x0010,

    /// <summary>MD5 signature (kind 19, RFC 2385).</summary>
    Md5Signature = 0x0020,

    /// <summary>Authentication option (kind 29, RFC 5925).</summary>
    Authentication = 0x0040,

    /// <summary>Multipath TCP (kind 30, RFC 8684).</summary>
    Multipath = 0x0080,

    /// <summary>Fast Open cookie (kind 34, RFC 7413; or the experimental form, kind 254 with 0xF989).</summary>
    FastOpen = 0x0100,

    /// <summary>Accurate ECN counters (kinds 172 and 174, RFC 9768 §3.2.3).</summary>
    AccurateEcn = 0x0200,

    /// <summary>User timeout (kind 28, RFC 5482).</summary>
    UserTimeout = 0x0400,

    /// <summary>A kind not listed here.</summary>
    Other = 0x4000,

    /// <summary>The option list is malformed or truncated; what precedes the fault is kept.</summary>
    Incomplete = 0x8000,
}

/// <summary>One SACK block: a contiguous range the receiver holds (RFC 2018 §3).</summary>
/// <param name="Left">First sequence number of the block.</param>
/// <param name="Right">Sequence number behind its last byte.</param>
public readonly record struct SackBlock(SequenceNumber Left, SequenceNumber Right)
{
    /// <summary>Reads a block of a parsed packet.</summary>
    /// <param name="frame">The frame the packet was parsed from.</param>
    /// <param name="options">Its options.</param>
    /// <param name="index">0 … <see cref="TcpOptions.SackBlocks"/> − 1.</param>
    /// <returns>The block as in the header.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The frame is not the one parsed, or the index too large.</exception>
    public static SackBlock Read(ReadOnlySpan<byte> frame, in TcpOptions options, int index)
    {
        ReadOnlySpan<byte> block = frame.Slice(options.SackOffset + (8 * index), 8);
        return new(new(BinaryPrimitives.ReadUInt32BigEndian(block)), new(BinaryPrimitives.ReadUInt32BigEndian(block[4..])));
    }
}
