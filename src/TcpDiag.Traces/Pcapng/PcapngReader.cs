using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Reads pcapng (draft-ietf-opsawg-pcapng; docs/formats/pcapng.md) in file order. Packets of all three kinds of packet
/// block, blocks that are no packets as <see cref="TraceRecordKind.Block"/>, journal entries of this project as stack
/// events. Enhanced Packet Blocks in little-endian order, nearly all there are, take a path of their own without a copy
/// or a call; every other block is brought into that order in place and then dispatched.
/// </summary>
public sealed class PcapngReader : TraceReader
{
    const int MinBlockBytes = 12;
    const int TrailerBytes = 4;
    const int SectionHeaderBytes = 24;
    const uint ByteOrderMagic = 0x1A2B_3C4D;
    const int LargestResyncBytes = 256 << 10;

    readonly InputWindow _window;
    readonly ProblemLog _problems = new();
    readonly PcapngSection _section = new();
    readonly StackEvent _event = new();
    readonly bool _decodesStackEvents;
    bool _isBigEndian;
    bool _isSectionReadable;
    bool _hasPacketWithoutTime;
    bool _isDamageTold;
    TraceTime _lastTime;
    long _recordsRead;

    PcapngReader(string path, InputWindow window, TraceOpenOptions options)
    {
        Path = path;
        _window = window;
        _decodesStackEvents = options.DecodeStackEvents;
    }

    /// <inheritdoc/>
    public override string Path { get; }

    /// <inheritdoc/>
    public override TraceFormat Format => TraceFormat.Pcapng;

    /// <inheritdoc/>
    public override IReadOnlyList<TraceInterface> Interfaces => _section.All;

    /// <inheritdoc/>
    public override SystemFacts System => _section.System;

    /// <inheritdoc/>
    public override IReadOnlyList<TraceProblem> Problems => _problems.Problems;

    /// <inheritdoc/>
    public override long RecordsRead => _recordsRead;

    /// <summary>Starts to read a pcapng file.</summary>
    /// <param name="input">Not read from yet; closed with the reader.</param>
    /// <param name="options">What to read; null for everything.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="TraceFormatException">The input does not begin with a Section Header Block.</exception>
    public static PcapngReader Open(TraceInput input, TraceOpenOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(input);
        var window = new InputWindow(input);
        if (!IsPcapng(window.Available))
        {
            string found = FoundBytes.Describe(window.Available);
            window.Dispose();
            throw new TraceFormatException(input.Path, 0, 0, "a pcapng Section Header Block (0a 0d 0d 0a …)", found);
        }

        return new PcapngReader(input.Path, window, options ?? TraceOpenOptions.Default);
    }

    /// <inheritdoc/>
    public override bool TryRead(ref TraceRecord record)
    {
        while (true)
        {
            if (TryReadEnhancedPacket(_window.Available, ref record))
            {
                return true;
            }

            if (!TryReadBlock(ref record, out bool isRecord))
            {
                return false;
            }

            if (isRecord)
            {
                return true;
            }
        }
    }

    /// <summary>Whether bytes begin like a pcapng file.</summary>
    /// <param name="head">The first bytes of a file, 12 or more.</param>
    /// <returns>True for block type and byte-order magic of a Section Header Block.</returns>
    internal static bool IsPcapng(ReadOnlySpan<byte> head) =>
        head.Length >= MinBlockBytes
        && BinaryPrimitives.ReadUInt32LittleEndian(head) == (uint)PcapngBlockType.SectionHeader
        && (BinaryPrimitives.ReadUInt32LittleEndian(head[8..]) == ByteOrderMagic || BinaryPrimitives.ReadUInt32BigEndian(head[8..]) == ByteOrderMagic);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => _window.Dispose();

    // Any doubt about the block sends it to TryReadBlock, which finds the words for it.
    bool TryReadEnhancedPacket(Span<byte> available, ref TraceRecord record)
    {
        const int FrameBytes = EnhancedPacketHeader.Bytes + TrailerBytes;
        if (available.Length < FrameBytes)
        {
            return false;
        }

        ref readonly EnhancedPacketHeader header = ref MemoryMarshal.AsRef<EnhancedPacketHeader>(available);
        ReadOnlySpan<PcapngInterface> interfaces = _section.Interfaces;
        uint length = header.TotalLength;
        uint captured = header.CapturedLength;
        if (header.Type != PcapngBlockType.EnhancedPacket
            || length > (uint)available.Length
            || (length & 3) != 0
            || (ulong)captured + FrameBytes > length
            || header.InterfaceId >= (uint)interfaces.Length
            || BinaryPrimitives.ReadUInt32LittleEndian(available[(int)(length - TrailerBytes)..]) != length)
        {
            return false;
        }

        PcapngInterface source = interfaces[(int)header.InterfaceId];
        BeginPacket(ref record, source, header.OriginalLength, captured);
        record.Data = available.Slice(EnhancedPacketHeader.Bytes, (int)captured);
        _lastTime = record.Time = new TraceTime(source.Scale.ToNanoseconds(header.Timestamp));
        int optionsStart = EnhancedPacketHeader.Bytes + (int)((captured + 3) & ~3u);
        if (optionsStart < (int)length - TrailerBytes)
        {
            PcapngPacketOptions.Read(available[optionsStart..(int)(length - TrailerBytes)], source, ref record);
        }

        _window.Advance((int)length);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void BeginPacket(ref TraceRecord record, PcapngInterface source, uint originalLength, uint captured)
    {
        _recordsRead++;
        source.Trace.Packets++;
        record.Kind = TraceRecordKind.Packet;
        record.InterfaceIndex = source.Index;
        record.LinkType = source.LinkType;
        record.OriginalLength = (int)Math.Min(int.MaxValue, Math.Max(originalLength, captured));
        record.FileOffset = _window.Offset;
        record.ClearPacketDetails();
    }

    // One block of any kind; false at the end of the file. Nothing here runs for ordinary packets.
    bool TryReadBlock(ref TraceRecord record, out bool isRecord)
    {
        isRecord = false;
        if (!_window.TryFill(MinBlockBytes))
        {
            return End();
        }

        Span<byte> start = _window.Available;
        var type = (PcapngBlockType)ReadUInt32(start);
        if (type == PcapngBlockType.SectionHeader)
        {
            _isBigEndian = BinaryPrimitives.ReadUInt32BigEndian(start[8..]) == ByteOrderMagic;
        }

        uint length = ReadUInt32(start[4..]);
        if (length < MinBlockBytes || (length & 3) != 0)
        {
            return TryResync($"expected a block length of at least 12 and divisible by 4, found {length}");
        }

        if (length > InputWindow.MaxBytes)
        {
            return TrySkipLarge(type, length);
        }

        if (!_window.TryFill((int)length))
        {
            return EndInside(length);
        }

        Span<byte> block = _window.Available[..(int)length];
        if (ReadUInt32(block[^TrailerBytes..]) != length)
        {
            return TryResync($"expected the block to end with its length {length}, found {ReadUInt32(block[^TrailerBytes..])}");
        }

        isRecord = TryReadWholeBlock(block, ref record);
        return true;
    }

    // The block is complete and its lengths agree. It is stepped over in any case.
    bool TryReadWholeBlock(Span<byte> block, ref TraceRecord record)
    {
        if (_isBigEndian)
        {
            PcapngByteOrder.ToLittleEndian(block);
        }

        var type = (PcapngBlockType)BinaryPrimitives.ReadUInt32LittleEndian(block);
        if (!_isSectionReadable && type != PcapngBlockType.SectionHeader)
        {
            Step(block);
            return false;
        }

        switch (type)
        {
            case PcapngBlockType.EnhancedPacket:
                // Converted or complete now, so it is read at once, or it is damaged.
                return TryReadEnhancedPacket(block, ref record) || Damaged(block, "an Enhanced Packet Block whose packet fits into it and whose interface was described");
            case PcapngBlockType.Packet:
                return TryReadObsoletePacket(block, ref record) || Damaged(block, "a Packet Block whose packet fits into it and whose interface was described");
            case PcapngBlockType.SimplePacket:
                return TryReadSimplePacket(block, ref record) || Damaged(block, "a Simple Packet Block behind an Interface Description Block");
            case PcapngBlockType.SectionHeader:
                return BeginSection(block);
            case PcapngBlockType.InterfaceDescription:
                return AddInterface(block);
            default:
                ReadOther(type, block, ref record);
                return true;
        }
    }

    bool BeginSection(Span<byte> block)
    {
        _section.Begin(block.Length > SectionHeaderBytes + TrailerBytes ? block[SectionHeaderBytes..^TrailerBytes] : []);
        _isSectionReadable = false;
        if (block.Length < SectionHeaderBytes + TrailerBytes)
        {
            return Damaged(block, "a Section Header Block of at least 28 bytes");
        }

        int major = BinaryPrimitives.ReadUInt16LittleEndian(block[12..]);
        int minor = BinaryPrimitives.ReadUInt16LittleEndian(block[14..]);

        // The draft: 1.2 is to be read like 1.0, sections of other versions are to be skipped.
        _isSectionReadable = major == 1 && minor is 0 or 2;
        if (!_isSectionReadable)
        {
            _problems.Add(_window.Offset, string.Create(CultureInfo.InvariantCulture, $"expected pcapng version 1.0, found {major}.{minor}; the section is skipped"));
        }

        Step(block);
        return false;
    }

    bool AddInterface(Span<byte> block)
    {
        if (!_section.TryAddInterface(block))
        {
            return Damaged(block, "an Interface Description Block of at least 20 bytes, and no more than 16384 of them");
        }

        Step(block);
        return false;
    }

    // draft-ietf-opsawg-pcapng, "Packet Block (obsolete!)": interface and drops in 16 bits each, the rest as in the Enhanced Packet Block.
    bool TryReadObsoletePacket(Span<byte> block, ref TraceRecord record)
    {
        const int FrameBytes = EnhancedPacketHeader.Bytes + TrailerBytes;
        const ushort DropsUnknown = 0xFFFF;
        if (block.Length < FrameBytes)
        {
            return false;
        }

        int id = BinaryPrimitives.ReadUInt16LittleEndian(block[8..]);
        ushort drops = BinaryPrimitives.ReadUInt16LittleEndian(block[10..]);
        ref readonly EnhancedPacketHeader header = ref MemoryMarshal.AsRef<EnhancedPacketHeader>(block);
        uint captured = header.CapturedLength;
        if (id >= _section.Interfaces.Length || (ulong)captured + FrameBytes > (uint)block.Length)
        {
            return false;
        }

        PcapngInterface source = _section.Interfaces[id];
        BeginPacket(ref record, source, header.OriginalLength, captured);
        record.Data = block.Slice(EnhancedPacketHeader.Bytes, (int)captured);
        _lastTime = record.Time = new TraceTime(source.Scale.ToNanoseconds(header.Timestamp));
        if (drops != DropsUnknown)
        {
            source.AddDropped(drops);
        }

        int optionsStart = EnhancedPacketHeader.Bytes + (int)((captured + 3) & ~3u);
        if (optionsStart < block.Length - TrailerBytes)
        {
            PcapngPacketOptions.Read(block[optionsStart..^TrailerBytes], source, ref record);
        }

        _window.Advance(block.Length);
        return true;
    }

    // A Simple Packet Block has no time: it gets that of the packet before it, and the reader says so.
    bool TryReadSimplePacket(Span<byte> block, ref TraceRecord record)
    {
        const int HeaderBytes = 12;
        if (_section.Interfaces.IsEmpty || block.Length < HeaderBytes + TrailerBytes)
        {
            return false;
        }

        if (!_hasPacketWithoutTime)
        {
            _hasPacketWithoutTime = true;
            _problems.Add(_window.Offset, "Simple Packet Blocks have no time stamps; such packets get the time of the packet before them");
        }

        PcapngInterface source = _section.Interfaces[0];
        uint original = BinaryPrimitives.ReadUInt32LittleEndian(block[8..]);
        uint limit = source.Trace.SnapLength > 0 ? (uint)source.Trace.SnapLength : uint.MaxValue;
        uint captured = Math.Min(Math.Min(original, limit), (uint)(block.Length - HeaderBytes - TrailerBytes));
        BeginPacket(ref record, source, original, captured);
        record.Data = block.Slice(HeaderBytes, (int)captured);
        record.Time = _lastTime;
        _window.Advance(block.Length);
        return true;
    }

    void ReadOther(PcapngBlockType type, Span<byte> block, ref TraceRecord record)
    {
        record.Kind = TraceRecordKind.Block;
        record.Time = _lastTime;
        record.Data = block;
        record.InterfaceIndex = -1;
        record.FileOffset = _window.Offset;
        record.ClearPacketDetails();
        if (type == PcapngBlockType.InterfaceStatistics && _section.TryReadStatistics(block, out PcapngInterface? source, out TraceTime time))
        {
            record.InterfaceIndex = source!.Index;
            record.Time = time;
        }

        Step(block);
    }

    bool Damaged(Span<byte> block, string expected)
    {
        if (_problems.IsOpen)
        {
            _problems.Add(_window.Offset, $"expected {expected}, found {FoundBytes.Describe(block)}");
        }

        Step(block);
        return false;
    }

    void Step(Span<byte> block)
    {
        _recordsRead++;
        _window.Advance(block.Length);
    }

    bool End()
    {
        if (_window.Available.Length > 0)
        {
            return EndInside(MinBlockBytes);
        }

        return TellDamage();
    }

    bool EndInside(uint length)
    {
        _problems.Add(_window.Offset, string.Create(
            CultureInfo.InvariantCulture,
            $"expected a block of at least {length} bytes, found {_window.Available.Length} bytes and the end of the file: it is truncated"));
        _window.Advance(_window.Available.Length);
        return TellDamage();
    }

    bool TellDamage()
    {
        if (_window.Damage is { } damage && !_isDamageTold)
        {
            _isDamageTold = true;
            _problems.Add(_window.Offset, damage);
        }

        return false;
    }

    bool TrySkipLarge(PcapngBlockType type, uint length)
    {
        _problems.Add(_window.Offset, string.Create(
            CultureInfo.InvariantCulture,
            $"expected a block of at most {InputWindow.MaxBytes} bytes, found one of type 0x{(uint)type:x} with {length} bytes; it is skipped"));
        return _window.TrySkip(length) || TellDamage();
    }

    // Looks for the next place at which a block of a known type ends with the length it begins with.
    bool TryResync(string problem)
    {
        long from = _window.Offset;
        bool isFound = false;
        while (!isFound && _window.TrySkip(sizeof(uint)) && _window.TryFill(MinBlockBytes))
        {
            isFound = IsBlock(_window.Available);
        }

        if (_problems.IsOpen)
        {
            _problems.Add(from, string.Create(
                CultureInfo.InvariantCulture,
                $"{problem}; {(isFound ? $"reading goes on {_window.Offset - from} bytes later" : "nothing readable behind it")}"));
        }

        if (!isFound)
        {
            _window.Advance(_window.Available.Length);
            return TellDamage();
        }

        return true;
    }

    bool IsBlock(Span<byte> start)
    {
        var type = (PcapngBlockType)ReadUInt32(start);
        if (type is not (>= PcapngBlockType.InterfaceDescription and <= PcapngBlockType.DecryptionSecrets)
            and not (PcapngBlockType.SectionHeader or PcapngBlockType.Custom or PcapngBlockType.CustomNoCopy))
        {
            return false;
        }

        uint length = ReadUInt32(start[4..]);
        if (type == PcapngBlockType.SectionHeader)
        {
            return IsPcapng(start);
        }

        return length is >= MinBlockBytes and <= LargestResyncBytes
            && (length & 3) == 0
            && _window.TryFill((int)length)
            && ReadUInt32(_window.Available[(int)(length - TrailerBytes)..]) == length;
    }

    uint ReadUInt32(ReadOnlySpan<byte> bytes) =>
        _isBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);
}
