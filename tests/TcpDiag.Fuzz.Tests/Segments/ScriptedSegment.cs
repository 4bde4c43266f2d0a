using System;
using System.Buffers.Binary;
using TcpDiag.Testing;

namespace TcpDiag.Fuzz.Tests.Segments;

/// <summary>
/// One segment of a script: 12 bytes, every value of which means something, so that damaged scripts stay scripts. Numbers are
/// relative to what the connection has sent so far; a script thus wanders through states that random headers would never reach.
/// </summary>
readonly record struct ScriptedSegment
{
    /// <summary>Bytes of a segment in a script.</summary>
    public const int Size = 12;

    /// <summary>Connections a script may use.</summary>
    public const int Connections = 4;

    // Deltas that mean a jump instead.
    const short Leap = short.MinValue;
    const int LeapDistance = int.MinValue;
    const short LongTime = short.MaxValue;
    const long Hour = 3_600_000_000_000;
    const long TimeUnit = 10_000; // ns

    /// <summary>0 … 3.</summary>
    public int Connection { get; init; }

    /// <summary>Whether the server sends it.</summary>
    public bool IsFromServer { get; init; }

    /// <summary>Whether it is seen at a second interface.</summary>
    public bool IsAtSecondInterface { get; init; }

    /// <summary>Whether its TCP checksum is wrong.</summary>
    public bool HasWrongChecksum { get; init; }

    /// <summary>Whether only the headers were captured.</summary>
    public bool IsCut { get; init; }

    /// <summary>TCP flags.</summary>
    public byte Flags { get; init; }

    /// <summary>Sequence number, from the highest its sender has used.</summary>
    public short Sequence { get; init; }

    /// <summary>Acknowledgment number, from the highest the other end has used.</summary>
    public short Acknowledgment { get; init; }

    /// <summary>Payload bytes.</summary>
    public ushort Payload { get; init; }

    /// <summary>The window is this times 257; the shift count of a window scale option is this.</summary>
    public byte Window { get; init; }

    /// <summary>Options.</summary>
    public ScriptedOptions Options { get; init; }

    /// <summary>Time since the segment before, in 10 µs, backwards too; the extremes are an hour.</summary>
    public short Delay { get; init; }

    /// <summary>Time since the segment before, ns.</summary>
    public long DelayNs => Delay switch
    {
        LongTime => Hour,
        Leap => -Hour,
        _ => Delay * TimeUnit,
    };

    /// <summary>Bytes from the highest sequence number used, or half the circle.</summary>
    public int SequenceDelta => Sequence == Leap ? LeapDistance : Sequence;

    /// <summary>Bytes from the highest sequence number the other end used, or half the circle.</summary>
    public int AcknowledgmentDelta => Acknowledgment == Leap ? LeapDistance : Acknowledgment;

    /// <summary>Sequence space it takes.</summary>
    public int Length => Payload + ((Flags & FrameBuilder.Syn) != 0 ? 1 : 0) + ((Flags & FrameBuilder.Fin) != 0 ? 1 : 0);

    /// <summary>Reads a segment.</summary>
    public static ScriptedSegment Read(ReadOnlySpan<byte> bytes) => new()
    {
        Connection = bytes[0] & 3,
        IsFromServer = (bytes[0] & 4) != 0,
        IsAtSecondInterface = (bytes[0] & 8) != 0,
        HasWrongChecksum = (bytes[0] & 0x10) != 0,
        IsCut = (bytes[0] & 0x20) != 0,
        Flags = bytes[1],
        Sequence = BinaryPrimitives.ReadInt16LittleEndian(bytes[2..]),
        Acknowledgment = BinaryPrimitives.ReadInt16LittleEndian(bytes[4..]),
        Payload = (ushort)(BinaryPrimitives.ReadUInt16LittleEndian(bytes[6..]) & 0x3FFF),
        Window = bytes[8],
        Options = (ScriptedOptions)bytes[9],
        Delay = BinaryPrimitives.ReadInt16LittleEndian(bytes[10..]),
    };

    /// <summary>Writes a segment.</summary>
    public byte[] Write()
    {
        byte[] bytes = new byte[Size];
        bytes[0] = (byte)(Connection | (IsFromServer ? 4 : 0) | (IsAtSecondInterface ? 8 : 0) | (HasWrongChecksum ? 0x10 : 0) | (IsCut ? 0x20 : 0));
        bytes[1] = Flags;
        BinaryPrimitives.WriteInt16LittleEndian(bytes.AsSpan(2), Sequence);
        BinaryPrimitives.WriteInt16LittleEndian(bytes.AsSpan(4), Acknowledgment);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(6), Payload);
        bytes[8] = Window;
        bytes[9] = (byte)Options;
        BinaryPrimitives.WriteInt16LittleEndian(bytes.AsSpan(10), Delay);
        return bytes;
    }
}
