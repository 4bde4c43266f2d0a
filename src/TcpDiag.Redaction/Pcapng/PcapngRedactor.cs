using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using TcpDiag.Redaction.Packets;
using TcpDiag.Traces;
using TcpDiag.Traces.Input;
using TcpDiag.Traces.Pcapng;
using TcpDiag.Wire;

namespace TcpDiag.Redaction.Pcapng;

/// <summary>
/// Redacts a pcapng file block by block: the same blocks in little-endian order, packets cut behind their headers; secrets and unknown blocks are left out.
/// </summary>
sealed class PcapngRedactor(Pseudonyms names)
{
    public IReadOnlyList<TraceProblem> Run(TraceInput input, Stream output, CancellationToken cancellation)
    {
        using var window = new InputWindow(input);
        if (!PcapngBlockScanner.IsSectionHeader(window.Available))
        {
            throw new TraceFormatException(input.Path, 0, 0, "a pcapng Section Header Block (0a 0d 0d 0a …)", FoundBytes.Describe(window.Available));
        }

        var problems = new ProblemLog();
        var scanner = new PcapngBlockScanner(window, problems);
        var blocks = new BlockRedactor(names, output);
        bool isEmpty = true;
        while (scanner.TryFind(out Span<byte> block))
        {
            isEmpty = false;
            cancellation.ThrowIfCancellationRequested();
            blocks.Redact(block);
            window.Advance(block.Length);
        }

        return isEmpty ? throw new TraceInputException(input.Path, $"nothing of its trace can be read: {problems.Problems[^1].Message}") : problems.Problems;
    }
}

/// <summary>Redacts single blocks of pcapng and writes them.</summary>
sealed class BlockRedactor
{
    const int HeaderBytes = PcapngBlockBuffer.HeaderBytes;
    const int TrailerBytes = PcapngBlockBuffer.TrailerBytes;
    const int PacketFixedBytes = 20;

    // The limit of the reader.
    const int MaxInterfaces = 16_384;

    readonly Pseudonyms _names;
    readonly Stream _output;
    readonly FrameRedactor _frames;
    readonly OptionRedactor _options;
    readonly JournalRedactor _journal;
    readonly ArrayBufferWriter<byte> _body = new(1 << 16);
    readonly List<(LinkType Link, uint SnapLength)> _interfaces = [];

    public BlockRedactor(Pseudonyms names, Stream output)
    {
        _names = names;
        _output = output;
        _frames = new FrameRedactor(names);
        _options = new OptionRedactor(names);
        _journal = new JournalRedactor(names);
    }

    /// <summary>Redacts a whole block in little-endian order, in place, and writes what is kept of it.</summary>
    public void Redact(Span<byte> block)
    {
        var type = (PcapngBlockType)BinaryPrimitives.ReadUInt32LittleEndian(block);
        Span<byte> body = block[HeaderBytes..^TrailerBytes];
        _body.ResetWrittenCount();
        bool isKept = type switch
        {
            PcapngBlockType.SectionHeader => TrySection(body),
            PcapngBlockType.InterfaceDescription => TryInterface(body),
            PcapngBlockType.EnhancedPacket => TryPacket(type, body, BinaryPrimitives.ReadUInt32LittleEndian(block[HeaderBytes..])),
            PcapngBlockType.Packet => TryPacket(type, body, BinaryPrimitives.ReadUInt16LittleEndian(block[HeaderBytes..])),
            PcapngBlockType.SimplePacket => TrySimplePacket(body),
            PcapngBlockType.InterfaceStatistics => TryFixed(type, body, 12),
            PcapngBlockType.NameResolution => TryNames(body),
            PcapngBlockType.Journal => _journal.TryRedact(body, _body),
            _ => false,
        };
        if (isKept)
        {
            Write(type);
        }
        else
        {
            _names.Counts.Add(RedactionKind.Blocks);
        }
    }

    void Write(PcapngBlockType type)
    {
        int padding = PcapngBlockBuffer.Padded(_body.WrittenCount) - _body.WrittenCount;
        _body.GetSpan(sizeof(uint))[..sizeof(uint)].Clear();
        _body.Advance(padding);
        Span<byte> frame = stackalloc byte[HeaderBytes];
        BinaryPrimitives.WriteUInt32LittleEndian(frame, (uint)type);
        BinaryPrimitives.WriteInt32LittleEndian(frame[4..], HeaderBytes + _body.WrittenCount + TrailerBytes);
        _output.Write(frame);
        _output.Write(_body.WrittenSpan);
        _output.Write(frame[4..]);
    }

    bool TrySection(Span<byte> body)
    {
        const int fixedBytes = 16;
        _interfaces.Clear();
        if (body.Length >= fixedBytes)
        {
            BinaryPrimitives.WriteInt64LittleEndian(body[8..], -1); // the length of the section changes: unspecified
        }

        return TryFixed(PcapngBlockType.SectionHeader, body, fixedBytes);
    }

    bool TryInterface(Span<byte> body)
    {
        const int fixedBytes = 8;
        if (_interfaces.Count == MaxInterfaces || !TryFixed(PcapngBlockType.InterfaceDescription, body, fixedBytes))
        {
            return false;
        }

        _interfaces.Add(((LinkType)BinaryPrimitives.ReadUInt16LittleEndian(body), BinaryPrimitives.ReadUInt32LittleEndian(body[4..])));
        return true;
    }

    // Fixed fields, which are numbers, then options.
    bool TryFixed(PcapngBlockType type, Span<byte> body, int fixedBytes)
    {
        if (body.Length < fixedBytes)
        {
            return false;
        }

        _body.Write(body[..fixedBytes]);
        _options.Redact(type, body[fixedBytes..], _body);
        return true;
    }

    // Enhanced and obsolete packet blocks differ only in their first word.
    bool TryPacket(PcapngBlockType type, Span<byte> body, uint interfaceId)
    {
        if (body.Length < PacketFixedBytes || interfaceId >= (uint)_interfaces.Count)
        {
            return false;
        }

        uint captured = BinaryPrimitives.ReadUInt32LittleEndian(body[12..]);
        uint original = BinaryPrimitives.ReadUInt32LittleEndian(body[16..]);
        if (captured > body.Length - PacketFixedBytes)
        {
            return false;
        }

        Span<byte> frame = body.Slice(PacketFixedBytes, (int)captured);
        int kept = _frames.Redact(frame, _interfaces[(int)interfaceId].Link, (int)Math.Min(original, int.MaxValue));
        BinaryPrimitives.WriteInt32LittleEndian(body[12..], kept);
        BinaryPrimitives.WriteUInt32LittleEndian(body[16..], Math.Max(original, captured)); // as readers do
        _body.Write(body[..PacketFixedBytes]);
        WritePadded(frame[..kept]);
        int options = PacketFixedBytes + PcapngBlockBuffer.Padded((int)captured);
        _options.Redact(type, options < body.Length ? body[options..] : [], _body);
        return true;
    }

    // The captured length follows from the length of the block.
    bool TrySimplePacket(Span<byte> body)
    {
        const int fixedBytes = 4;
        if (body.Length < fixedBytes || _interfaces.Count == 0)
        {
            return false;
        }

        uint original = BinaryPrimitives.ReadUInt32LittleEndian(body);
        uint limit = _interfaces[0].SnapLength > 0 ? _interfaces[0].SnapLength : uint.MaxValue;
        int captured = (int)Math.Min(Math.Min(original, limit), (uint)(body.Length - fixedBytes));
        Span<byte> frame = body.Slice(fixedBytes, captured);
        int kept = _frames.Redact(frame, _interfaces[0].Link, (int)Math.Min(original, int.MaxValue));
        _body.Write(body[..fixedBytes]);
        WritePadded(frame[..kept]);
        return true;
    }

    // Records in the form of options: types 1 and 2 hold an address and its names, each with a trailing NUL; then options.
    bool TryNames(Span<byte> body)
    {
        int consumed = 0;
        while (body.Length - consumed >= PcapngBlockBuffer.OptionHeaderBytes)
        {
            Span<byte> record = body[consumed..];
            int type = BinaryPrimitives.ReadUInt16LittleEndian(record);
            int length = BinaryPrimitives.ReadUInt16LittleEndian(record[2..]);
            if (length > record.Length - PcapngBlockBuffer.OptionHeaderBytes)
            {
                return false;
            }

            consumed = Math.Min(body.Length, consumed + PcapngBlockBuffer.OptionHeaderBytes + PcapngBlockBuffer.Padded(length));
            WriteRecord(type, record.Slice(PcapngBlockBuffer.OptionHeaderBytes, length));
            if (type == 0)
            {
                break;
            }
        }

        _options.Redact(PcapngBlockType.NameResolution, body[consumed..], _body);
        return true;
    }

    void WriteRecord(int type, Span<byte> value)
    {
        int addressBytes = type switch
        {
            1 => 4,
            2 => 16,
            _ => 0,
        };
        if (value.Length < addressBytes || (addressBytes == 0 && type != 0))
        {
            _names.Counts.Add(RedactionKind.Options);
            return;
        }

        byte[] redacted = [];
        if (addressBytes > 0)
        {
            _names.ReplaceAddress(value[..addressBytes]);
            redacted = [.. value[..addressBytes], .. Encoding.UTF8.GetBytes(_names.ReplaceText(Encoding.UTF8.GetString(value[addressBytes..])))];
        }

        redacted = redacted[..Math.Min(redacted.Length, ushort.MaxValue)];
        Span<byte> head = stackalloc byte[PcapngBlockBuffer.OptionHeaderBytes];
        BinaryPrimitives.WriteUInt16LittleEndian(head, (ushort)type);
        BinaryPrimitives.WriteUInt16LittleEndian(head[2..], (ushort)redacted.Length);
        _body.Write(head);
        WritePadded(redacted);
    }

    void WritePadded(ReadOnlySpan<byte> bytes)
    {
        int padded = PcapngBlockBuffer.Padded(bytes.Length);
        Span<byte> target = _body.GetSpan(padded + 1)[..padded];
        target.Clear();
        bytes.CopyTo(target);
        _body.Advance(padded);
    }
}
