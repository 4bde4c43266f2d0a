using System;
using System.Buffers.Binary;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Decisions;

/// <summary>The bytes of a decision log (docs/formats/decision-log.md): a header, records of 32 bytes, an end record. All numbers little-endian.</summary>
static class DecisionLogFormat
{
    public const int Version = 1;
    public const int HeaderBytes = 40;
    public const int RecordBytes = 32;
    public const int MaxProfileBytes = 64 * 1024;

    /// <summary>The action of the end record, which counts what was lost.</summary>
    public const byte EndAction = 0xFF;

    const long Max48 = (1L << 48) - 1;

    public static ReadOnlySpan<byte> Magic => "TDIMPAIR"u8;

    public static void WriteRecord(Span<byte> to, in ImpairmentDecision decision)
    {
        BinaryPrimitives.WriteInt64LittleEndian(to, decision.Time.Nanoseconds);
        ulong idAndLength = (ulong)Math.Clamp(decision.PacketId, 0, Max48) | ((ulong)Math.Clamp(decision.LengthBytes, 0, ushort.MaxValue) << 48);
        BinaryPrimitives.WriteUInt64LittleEndian(to[8..], idAndLength);
        BinaryPrimitives.WriteUInt32LittleEndian(to[16..], decision.FlowHash);
        BinaryPrimitives.WriteInt32LittleEndian(to[20..], (int)Math.Clamp(decision.DelayErrorNs, int.MinValue, int.MaxValue));
        ulong asked = (ulong)Math.Clamp(decision.DelayAskedNs, 0, Max48) | ((ulong)(byte)decision.Action << 48);
        ulong place = (ulong)(byte)((int)decision.Direction | (decision.Segment << 1)) << 56;
        BinaryPrimitives.WriteUInt64LittleEndian(to[24..], asked | place);
    }

    public static void WriteEnd(Span<byte> to, TraceTime time, in RunLosses losses)
    {
        to.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(to, time.Nanoseconds);
        BinaryPrimitives.WriteUInt64LittleEndian(to[8..], (ulong)Math.Clamp(losses.Records, 0, Max48));
        BinaryPrimitives.WriteInt64LittleEndian(to[16..], losses.Packets);
        BinaryPrimitives.WriteUInt64LittleEndian(to[24..], (ulong)Math.Clamp(losses.Bypassed, 0, Max48));
        to[30] = EndAction;
    }

    public static RunLosses ReadEnd(ReadOnlySpan<byte> from) => new(
        (long)(BinaryPrimitives.ReadUInt64LittleEndian(from[8..]) & Max48),
        BinaryPrimitives.ReadInt64LittleEndian(from[16..]),
        (long)(BinaryPrimitives.ReadUInt64LittleEndian(from[24..]) & Max48));

    public static ImpairmentDecision ReadRecord(ReadOnlySpan<byte> from)
    {
        ulong idAndLength = BinaryPrimitives.ReadUInt64LittleEndian(from[8..]);
        ulong asked = BinaryPrimitives.ReadUInt64LittleEndian(from[24..]);
        return new ImpairmentDecision(
            new TraceTime(BinaryPrimitives.ReadInt64LittleEndian(from)),
            (long)(idAndLength & Max48),
            BinaryPrimitives.ReadUInt32LittleEndian(from[16..]),
            (int)(idAndLength >> 48),
            (LinkDirection)(from[31] & 1),
            (from[31] >> 1) & 1,
            (ImpairmentAction)from[30],
            (long)(asked & Max48),
            BinaryPrimitives.ReadInt32LittleEndian(from[20..]));
    }
}
