using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace TcpDiag.Wire;

/// <summary>Parses the option list of a TCP header (RFC 9293 §3.1). A fault ends the list; what precedes it is kept.</summary>
static class TcpOptionParser
{
    // Option kinds (IANA "TCP Option Kind Numbers").
    const byte EndOfList = 0;
    const byte NoOperation = 1;
    const byte MaximumSegmentSize = 2;
    const byte WindowScale = 3;
    const byte SackPermitted = 4;
    const byte Sack = 5;
    const byte Timestamps = 8;

    const int AlignedTimestamps = 12; // bytes
    const int ExperimentalFastOpen = 0xF989; // RFC 7413 appendix; RFC 6994 experiment identifier

    /// <summary>Parses the options.</summary>
    /// <param name="frame">The captured bytes.</param>
    /// <param name="offset">Where the options begin.</param>
    /// <param name="end">Where the header ends; may lie behind the end of the frame.</param>
    /// <param name="options">Overwritten.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Parse(ReadOnlySpan<byte> frame, int offset, int end, ref TcpOptions options)
    {
        options.Kinds = TcpOptionKinds.None;
        options.SackBlocks = 0;
        options.TsVal = 0;
        options.TsEcr = 0;
        if (end == offset)
        {
            return;
        }

        // Two no-operations and timestamps alone: every segment of most connections (RFC 7323 appendix A).
        if (end - offset == AlignedTimestamps && frame.Length >= end)
        {
            ReadOnlySpan<byte> list = frame.Slice(offset, AlignedTimestamps);
            if (BinaryPrimitives.ReadUInt32BigEndian(list) == 0x0101080A)
            {
                options.Kinds = TcpOptionKinds.Timestamps;
                options.TsVal = BinaryPrimitives.ReadUInt32BigEndian(list[4..]);
                options.TsEcr = BinaryPrimitives.ReadUInt32BigEndian(list[8..]);
                return;
            }
        }

        ParseList(frame, offset, end, ref options);
    }

    static void ParseList(ReadOnlySpan<byte> frame, int offset, int end, ref TcpOptions options)
    {
        int limit = Math.Min(end, frame.Length);
        options.CutBytes = 0;
        while (offset < limit && frame[offset] != EndOfList)
        {
            if (frame[offset] == NoOperation)
            {
                offset++;
                continue;
            }

            int length = offset + 1 < limit ? frame[offset + 1] : 0;
            if (length < 2 || length > limit - offset)
            {
                options.Kinds |= TcpOptionKinds.Incomplete;
                options.CutBytes = (byte)(limit < end ? end - offset : 0);
                KeepCutSack(frame, offset, limit, length, ref options);
                return;
            }

            ParseOption(frame, offset, length, ref options);
            offset += length;
        }

        bool isCut = offset >= limit && limit < end;
        options.Kinds |= isCut ? TcpOptionKinds.Incomplete : TcpOptionKinds.None;
        options.CutBytes = (byte)(isCut ? end - offset : 0);
    }

    static void ParseOption(ReadOnlySpan<byte> frame, int offset, int length, ref TcpOptions options)
    {
        ReadOnlySpan<byte> value = frame.Slice(offset + 2, length - 2);
        switch (frame[offset], length)
        {
            case (MaximumSegmentSize, 4):
                options.Kinds |= TcpOptionKinds.MaximumSegmentSize;
                options.Mss = BinaryPrimitives.ReadUInt16BigEndian(value);
                break;
            case (WindowScale, 3):
                options.Kinds |= TcpOptionKinds.WindowScale;
                options.WindowScale = value[0];
                break;
            case (SackPermitted, 2):
                options.Kinds |= TcpOptionKinds.SackPermitted;
                break;
            case (Sack, 10 or 18 or 26 or 34):
                options.Kinds |= TcpOptionKinds.Sack;
                options.SackOffset = offset + 2;
                options.SackBlocks = (byte)(value.Length / 8);
                break;
            case (Timestamps, 10):
                options.Kinds |= TcpOptionKinds.Timestamps;
                options.TsVal = BinaryPrimitives.ReadUInt32BigEndian(value);
                options.TsEcr = BinaryPrimitives.ReadUInt32BigEndian(value[4..]);
                break;
            default:
                options.Kinds |= NameOf(frame[offset], value);
                break;
        }
    }

    static TcpOptionKinds NameOf(byte kind, ReadOnlySpan<byte> value) => kind switch
    {
        MaximumSegmentSize or WindowScale or SackPermitted or Sack or Timestamps => TcpOptionKinds.Incomplete, // a known option of a length it cannot have
        19 => TcpOptionKinds.Md5Signature,
        28 => TcpOptionKinds.UserTimeout,
        29 => TcpOptionKinds.Authentication,
        30 => TcpOptionKinds.Multipath,
        34 => TcpOptionKinds.FastOpen,
        172 or 174 => TcpOptionKinds.AccurateEcn,
        254 when value.Length >= 2 && BinaryPrimitives.ReadUInt16BigEndian(value) == ExperimentalFastOpen => TcpOptionKinds.FastOpen,
        _ => TcpOptionKinds.Other,
    };

    // A capture with a short snap length often truncates the SACK option; its first blocks, a DSACK among them, are still there.
    static void KeepCutSack(ReadOnlySpan<byte> frame, int offset, int limit, int length, ref TcpOptions options)
    {
        int blocks = (limit - offset - 2) / 8;
        if (frame[offset] == Sack && length is 10 or 18 or 26 or 34 && blocks > 0)
        {
            options.Kinds |= TcpOptionKinds.Sack;
            options.SackOffset = offset + 2;
            options.SackBlocks = (byte)blocks;
        }
    }
}
