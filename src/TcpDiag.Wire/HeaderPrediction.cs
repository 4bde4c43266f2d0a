using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace TcpDiag.Wire;

/// <summary>
/// Header prediction, as stacks use it to receive at line rate (Van Jacobson): most data segments continue where the previous one ended, and their
/// headers hold nothing else that is new. Such a segment is recognised by its bytes, without parsing it. Covers untagged Ethernet, IPv4 without options
/// or fragments, and TCP without options or with timestamps alone (RFC 7323 appendix A). The default value predicts nothing.
/// </summary>
public struct HeaderPrediction
{
    const int EthernetLength = 14;
    const int PlainHeaders = 54; // Ethernet, IPv4, TCP
    const int StampedHeaders = 66; // and timestamps behind two no-operations
    const uint AlignedTimestamps = 0x0A08_0101; // as it lies in the frame, little-endian
    const int MinPayload = 2; // one byte may be a keep-alive, or a probe of a zero window

    // Compared in three pieces, from EtherType to window. What may differ: length, identification and checksum of IP; sequence number and PSH of TCP.
    const int First = 12;
    const int Second = 28;
    const int Third = 44;
    const ulong MaskOfThird = 0x0000_FFFF_F7FF_FFFF; // little-endian: acknowledgment, header length, flags, window; not the checksum

    Vector128<byte> _first;
    Vector128<byte> _second;
    ulong _third;
    uint _echo; // as it lies in the frame
    int _headers; // 0 while nothing is predicted
    SequenceNumber _next;

    static Vector128<byte> MaskOfFirst => Vector128.Create(0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0xFF, (byte)0xFF);

    static Vector128<byte> MaskOfSecond => Vector128.Create(0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, (byte)0xFF);

    /// <summary>Whether a segment is predicted.</summary>
    public readonly bool IsAny => _headers > 0;

    /// <summary>Predicts the segment after this one; none when the headers are of another form.</summary>
    /// <param name="frame">The segment's frame, from the Ethernet header on.</param>
    /// <param name="packet">What was parsed from it: a data segment.</param>
    public void Begin(ReadOnlySpan<byte> frame, in ParsedPacket packet)
    {
        bool isOrdinary = packet.NetworkOffset == EthernetLength && packet.TransportOffset == PlainHeaders - 20
            && packet.Traits == PacketTraits.HasTransport && packet.Flags is TcpFlags.Ack or (TcpFlags.Ack | TcpFlags.Psh)
            && (packet.PayloadOffset == PlainHeaders || (packet.PayloadOffset == StampedHeaders && packet.Options.Kinds == TcpOptionKinds.Timestamps))
            && frame.Length >= packet.PayloadOffset;
        if (!isOrdinary)
        {
            Clear();
            return;
        }

        ref byte start = ref MemoryMarshal.GetReference(frame);
        _first = Vector128.LoadUnsafe(ref start, First);
        _second = Vector128.LoadUnsafe(ref start, Second);
        _third = ReadUInt64(ref start, Third);
        _echo = BinaryPrimitives.ReverseEndianness(packet.Options.TsEcr);
        _headers = packet.PayloadOffset;
        _next = packet.Sequence + packet.PayloadLength;
    }

    /// <summary>Whether a frame holds the predicted segment.</summary>
    /// <param name="frame">The captured bytes, from the Ethernet header on.</param>
    /// <param name="segment">What differs from the segment before; undefined when the result is false.</param>
    /// <returns>False when it has to be parsed.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool IsMet(ReadOnlySpan<byte> frame, out PredictedSegment segment)
    {
        Unsafe.SkipInit(out segment);
        if (!IsAny || frame.Length < _headers)
        {
            return false;
        }

        ref byte start = ref MemoryMarshal.GetReference(frame);
        Vector128<byte> first = (Vector128.LoadUnsafe(ref start, First) ^ _first) & MaskOfFirst;
        Vector128<byte> other = first | ((Vector128.LoadUnsafe(ref start, Second) ^ _second) & MaskOfSecond);
        if (other != Vector128<byte>.Zero
            || ((ReadUInt64(ref start, Third) ^ _third) & MaskOfThird) != 0
            || PacketParser.ReadUInt32(ref start, 38) != _next.Value)
        {
            return false;
        }

        segment.TsVal = 0;
        if (_headers == StampedHeaders)
        {
            segment.TsVal = PacketParser.ReadUInt32(ref start, 58);
            if (ReadUInt32(ref start, 54) != AlignedTimestamps || ReadUInt32(ref start, 62) != _echo)
            {
                return false;
            }
        }

        segment.Sequence = _next;
        segment.PayloadLength = PacketParser.ReadUInt16(ref start, 16) - (_headers - EthernetLength);
        segment.IpId = PacketParser.ReadUInt16(ref start, 18);
        segment.Flags = (TcpFlags)(PacketParser.ReadUInt16(ref start, 46) & 0x1FF);
        return segment.PayloadLength >= MinPayload;
    }

    /// <summary>Predicts the segment after one that was met.</summary>
    /// <param name="segment">The result of <see cref="IsMet"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GoOn(in PredictedSegment segment) => _next = segment.Sequence + segment.PayloadLength;

    /// <summary>Stops predicting.</summary>
    public void Clear() => _headers = 0;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static uint ReadUInt32(ref byte start, int offset) => Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, offset));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong ReadUInt64(ref byte start, int offset) => Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, offset));
}

/// <summary>What is new in a data segment that met <see cref="HeaderPrediction"/>.</summary>
public struct PredictedSegment
{
    /// <summary>Sequence number of its first byte.</summary>
    public SequenceNumber Sequence;

    /// <summary>Its payload, bytes: at least 2.</summary>
    public int PayloadLength;

    /// <summary>Its TSval; 0 without timestamps.</summary>
    public uint TsVal;

    /// <summary>Its IPv4 identification.</summary>
    public ushort IpId;

    /// <summary>Its flags: ACK, with or without PSH.</summary>
    public TcpFlags Flags;
}
