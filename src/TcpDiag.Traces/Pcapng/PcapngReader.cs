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
    const int TrailerBytes = PcapngBlockScanner.TrailerBytes;
    const int SectionHeaderBytes = 24;

    readonly InputWindow _window;
    readonly PcapngBlockScanner _scanner;
    readonly ProblemLog _problems = new();
    readonly PcapngSection _section = new();
    readonly StackEvent _event = new();
    readonly bool _decodesStackEvents;
    PcapngRepeats? _repeats;
    bool _isSectionReadable;
    bool _hasPacketWithoutTime;
    TraceTime _lastTime;
    long _recordsRead;
    long _timesBeyond;

    PcapngReader(string path, InputWindow window, TraceOpenOptions options)
    {
        Path = path;
        _window = window;
        _scanner = new PcapngBlockScanner(window, _problems);
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

    /// <inheritdoc/>
    public override double? ShareRead => _window.ShareRead;

    /// <summary>Starts to read a pcapng file.</summary>
    /// <param name="input">Not read from yet; closed with the reader.</param>
    /// <param name="options">What to read; null for everything.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="TraceFormatException">The input does not begin with a Section Header Block.</exception>
    public static PcapngReader Open(TraceInput input, TraceOpenOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(input);
        var window = new InputWindow(input, options is { IsLive: true });
        if (!PcapngBlockScanner.IsSectionHeader(window.Available))
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

            if (!_scanner.TryFind(out Span<byte> block))
            {
                ReportTimesBeyond();
                return false;
            }

            if (TryReadBlock(block, ref record))
            {
                return true;
            }
        }
    }

    void ReportTimesBeyond()
    {
        if (_timesBeyond > 0)
        {
            _problems.Add(_window.Offset, string.Create(CultureInfo.InvariantCulture, $"{_timesBeyond} {ProblemLog.TimesBeyond}"));
            _timesBeyond = 0;
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => _window.Dispose();

    // Any doubt about the block sends it through the scanner and TryReadBlock, which find the words for it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool TryReadEnhancedPacket(Span<byte> available, ref TraceRecord record)
    {
        const int FrameBytes = EnhancedPacketHeader.Bytes + TrailerBytes;
        if (available.Length < FrameBytes)
        {
            return false;
        }

        ref readonly EnhancedPacketHeader header = ref MemoryMarshal.AsRef<EnhancedPacketHeader>(available);
        uint length = header.TotalLength;
        uint captured = header.CapturedLength;
        if (header.Type != PcapngBlockType.EnhancedPacket
            || length > (uint)available.Length
            || (length & 3) != 0
            || (ulong)captured + FrameBytes > length
            || _section.Find(header.InterfaceId) is not { } source
            || BinaryPrimitives.ReadUInt32LittleEndian(available[(int)(length - TrailerBytes)..]) != length)
        {
            return false;
        }

        BeginPacket(ref record, source, header.OriginalLength, captured);
        record.Data = available.Slice(EnhancedPacketHeader.Bytes, (int)captured);
        _lastTime = record.Time = new TraceTime(source.Scale.ToNanoseconds(header.Timestamp));
        _timesBeyond += _lastTime.IsBeyond ? 1 : 0;
        int optionsStart = EnhancedPacketHeader.Bytes + (int)((captured + 3) & ~3u);
        if (optionsStart < (int)length - TrailerBytes)
        {
            ReadPacketOptions(available[optionsStart..(int)(length - TrailerBytes)], source, ref record);
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

    void ReadPacketOptions(ReadOnlySpan<byte> options, PcapngInterface source, ref TraceRecord record)
    {
        PcapngPacketOptions.Read(options, source, ref record);
        if (record.PacketId != 0)
        {
            _repeats ??= new PcapngRepeats();
            _repeats.Mark(ref record);
        }
    }

    // The block is complete, its lengths agree, and it is in little-endian order. It is stepped over in any case.
    bool TryReadBlock(Span<byte> block, ref TraceRecord record)
    {
        var type = (PcapngBlockType)BinaryPrimitives.ReadUInt32LittleEndian(block);
        if (!_isSectionReadable && type != PcapngBlockType.SectionHeader)
        {
            Step(block);
            return false;
        }

        switch (type)
        {
            case PcapngBlockType.EnhancedPacket:
                // Complete and little-endian now, so it is read, or it is damaged.
                return TryReadEnhancedPacket(block, ref record)
                    || Damaged(block, "an Enhanced Packet Block whose packet fits into it and whose interface was described");
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
            _problems.Add(_window.Offset, string.Create(
                CultureInfo.InvariantCulture, $"expected pcapng version 1.0, found {major}.{minor}; the section is skipped"));
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

        ushort id = BinaryPrimitives.ReadUInt16LittleEndian(block[8..]);
        ushort drops = BinaryPrimitives.ReadUInt16LittleEndian(block[10..]);
        ref readonly EnhancedPacketHeader header = ref MemoryMarshal.AsRef<EnhancedPacketHeader>(block);
        uint captured = header.CapturedLength;
        if (_section.Find(id) is not { } source || (ulong)captured + FrameBytes > (uint)block.Length)
        {
            return false;
        }

        BeginPacket(ref record, source, header.OriginalLength, captured);
        record.Data = block.Slice(EnhancedPacketHeader.Bytes, (int)captured);
        _lastTime = record.Time = new TraceTime(source.Scale.ToNanoseconds(header.Timestamp));
        _timesBeyond += _lastTime.IsBeyond ? 1 : 0;
        if (drops != DropsUnknown)
        {
            source.AddDropped(drops);
        }

        int optionsStart = EnhancedPacketHeader.Bytes + (int)((captured + 3) & ~3u);
        if (optionsStart < block.Length - TrailerBytes)
        {
            ReadPacketOptions(block[optionsStart..^TrailerBytes], source, ref record);
        }

        _window.Advance(block.Length);
        return true;
    }

    // A Simple Packet Block has no time: it gets that of the packet before it, and the reader says so.
    bool TryReadSimplePacket(Span<byte> block, ref TraceRecord record)
    {
        const int HeaderBytes = 12;
        if (_section.Find(0) is not { } source || block.Length < HeaderBytes + TrailerBytes)
        {
            return false;
        }

        if (!_hasPacketWithoutTime)
        {
            _hasPacketWithoutTime = true;
            _problems.Add(_window.Offset, "Simple Packet Blocks have no time stamps; such packets get the time of the packet before them");
        }

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
        else if (type == PcapngBlockType.Journal)
        {
            ReadJournalEntry(block[PcapngBlockBuffer.HeaderBytes..^TrailerBytes], ref record);
        }

        Step(block);
    }

    // An entry of this project becomes its event, with the block beside it; one of another program stays a block.
    void ReadJournalEntry(ReadOnlySpan<byte> entry, ref TraceRecord record)
    {
        if (_decodesStackEvents && JournalDecoder.TryDecode(entry, _event))
        {
            record.Kind = TraceRecordKind.StackEvent;
            record.Time = _event.Time;
            record.Event = _event;
            CountLost();
        }
        else if (JournalTimestamp.TryRead(entry, out TraceTime time))
        {
            record.Time = time;
        }
    }

    void CountLost()
    {
        if (_event.Kind == StackEventKind.EventsLost && _event.TryGet(StackField.LostEvents, out long lost) && lost > 0)
        {
            System.LostEvents = (System.LostEvents ?? 0) + lost;
        }
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
}
