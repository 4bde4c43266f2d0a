using System;
using System.Buffers.Binary;
using System.Globalization;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Decisions;

/// <summary>The bytes of a decision log (docs/formats/decision-log.md): a header, records of 32 bytes, an end record. All numbers little-endian.</summary>
static class DecisionLogFormat
{
    public const int Version = 1;
    public const int HeaderBytes = 40;
    public const int RecordBytes = 32;
    public const int MaxProfileBytes = 64 * 1024;

    public const int ActionOffset = 30;
    public const int PathOffset = 31; // bit 0: the direction, bit 1: the segment

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
        BinaryPrimitives.WriteInt32LittleEndian(to[20..], (int)Math.Clamp(decision.DelayErrorNanos, int.MinValue, int.MaxValue));
        ulong asked = (ulong)Math.Clamp(decision.DelayAskedNanos, 0, Max48) | ((ulong)(byte)decision.Action << 48);
        ulong path = (ulong)(byte)((int)decision.Direction | (decision.Segment << 1)) << 56;
        BinaryPrimitives.WriteUInt64LittleEndian(to[24..], asked | path);
    }

    public static void WriteEnd(Span<byte> to, TraceTime time, in RunLosses losses)
    {
        to.Clear();
        BinaryPrimitives.WriteInt64LittleEndian(to, time.Nanoseconds);
        BinaryPrimitives.WriteUInt64LittleEndian(to[8..], (ulong)Math.Clamp(losses.Records, 0, Max48));
        BinaryPrimitives.WriteInt64LittleEndian(to[16..], losses.Packets);
        BinaryPrimitives.WriteUInt64LittleEndian(to[24..], (ulong)Math.Clamp(losses.Bypassed, 0, Max48));
        to[ActionOffset] = EndAction;
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
            (LinkDirection)(from[PathOffset] & 1),
            (from[PathOffset] >> 1) & 1,
            (ImpairmentAction)from[ActionOffset],
            (long)(asked & Max48),
            BinaryPrimitives.ReadInt32LittleEndian(from[20..]));
    }
}

/// <summary>The header of a decision log: the run it belongs to.</summary>
/// <param name="StartedAt">When the run started.</param>
/// <param name="Seed">The seed of the run.</param>
/// <param name="DelayErrorLimitNanos">The delay error limit of the run in nanoseconds.</param>
/// <param name="Profile">The profile as text, so that the log alone shows what was emulated; at most 64 KiB of UTF-8.</param>
public sealed record DecisionLogHeader(TraceTime StartedAt, ulong Seed, long DelayErrorLimitNanos, string Profile);

/// <summary>What a run lost track of: counts that no record of the decision log shows.</summary>
/// <param name="Records">Decisions that could not be written.</param>
/// <param name="Packets">Packets the system lost in front of the emulator or behind it.</param>
/// <param name="Bypassed">Packets that passed a full queue without being emulated.</param>
public readonly record struct RunLosses(long Records, long Packets, long Bypassed);

/// <summary>A file that is not a decision log, or a damaged one.</summary>
public sealed class DecisionLogException : Exception
{
    /// <summary>Describes the damage at an offset.</summary>
    /// <param name="offset">Byte offset in the log.</param>
    /// <param name="expected">What should be there.</param>
    /// <param name="found">What is there.</param>
    public DecisionLogException(long offset, string expected, string found)
        : base(string.Create(CultureInfo.InvariantCulture, $"decision log@0x{offset:x}: expected {expected}, found {found}."))
    {
    }
}
