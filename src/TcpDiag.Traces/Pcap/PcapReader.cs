using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using TcpDiag.Traces.Input;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcap;

/// <summary>
/// Reads classic libpcap files (draft-ietf-opsawg-pcap), microseconds and nanoseconds, both byte orders. Behind
/// damage it goes on at the next record that is plausible (<see cref="PcapRecordRules"/>).
/// </summary>
public sealed class PcapReader : TraceReader
{
    const int FileHeaderBytes = 24;
    const int RecordHeaderBytes = PcapRecordRules.HeaderBytes;

    /// <summary>What a file with times in microseconds begins with.</summary>
    internal const uint MagicMicroseconds = 0xA1B2_C3D4;

    /// <summary>What a file with times in nanoseconds begins with.</summary>
    internal const uint MagicNanoseconds = 0xA1B2_3C4D;

    // Kuznetzov's patched libpcap (Red Hat, around 2000): longer record headers, of which several kinds share one magic.
    const uint MagicModified = 0xA1B2_CD34;
    const long NanosecondsPerSecond = 1_000_000_000;

    readonly InputWindow _window;
    readonly ProblemLog _problems = new();
    readonly TraceInterface _interface;
    readonly PcapRecordRules _rules;
    readonly bool _isBigEndian;
    uint _lastSeconds; // of the record read last
    bool _isAtEnd;

    PcapReader(string path, InputWindow window, bool isBigEndian, long nanosecondsPerUnit)
    {
        Path = path;
        _window = window;
        _isBigEndian = isBigEndian;
        NanosecondsPerUnit = nanosecondsPerUnit;
        ReadOnlySpan<byte> header = window.Available;
        _interface = new TraceInterface
        {
            Index = 0,
            SnapLength = (int)Math.Min(int.MaxValue, ReadUInt32(header[16..])),

            // The upper half holds the length of the frame check sequence.
            LinkType = (LinkType)(ushort)ReadUInt32(header[20..]),
        };
        Interfaces = [_interface];
        _rules = new PcapRecordRules(isBigEndian, ReadUInt32(header[16..]), (uint)(NanosecondsPerSecond / nanosecondsPerUnit));
        window.Advance(FileHeaderBytes);
    }

    /// <inheritdoc/>
    public override string Path { get; }

    /// <inheritdoc/>
    public override TraceFormat Format => TraceFormat.Pcap;

    /// <inheritdoc/>
    public override IReadOnlyList<TraceInterface> Interfaces { get; }

    /// <inheritdoc/>
    public override SystemFacts System { get; } = new();

    /// <inheritdoc/>
    public override IReadOnlyList<TraceProblem> Problems => _problems.Problems;

    /// <inheritdoc/>
    public override long RecordsRead => _interface.Packets;

    /// <inheritdoc/>
    public override double? ShareRead => _window.ShareRead;

    /// <summary>Nanoseconds of one unit of the fractions in the file: 1 or 1000.</summary>
    internal long NanosecondsPerUnit { get; }

    /// <summary>Starts to read a pcap file.</summary>
    /// <param name="input">Not read from yet; closed with the reader.</param>
    /// <param name="options">What to read; null for everything.</param>
    /// <returns>The reader.</returns>
    /// <exception cref="TraceFormatException">The input does not begin with the header of a pcap file, or with one of a kind that is not read.</exception>
    public static PcapReader Open(TraceInput input, TraceOpenOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(input);
        var window = new InputWindow(input, options is { IsLive: true });
        try
        {
            return Open(input.Path, window);
        }
        catch (TraceFormatException)
        {
            window.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override bool TryRead(ref TraceRecord record)
    {
        ReadOnlySpan<byte> available = _window.Available;
        if (!IsReady(available, out PcapRecordHeader header))
        {
            return TryReadOther(ref record);
        }

        Take(ref record, header, available);
        return true;
    }

    /// <summary>Whether bytes begin like a pcap file of any kind, also one that is not read.</summary>
    /// <param name="head">The first bytes of a file, 4 or more.</param>
    internal static bool IsPcap(ReadOnlySpan<byte> head) =>
        head.Length >= sizeof(uint)
        && (IsMagic(BinaryPrimitives.ReadUInt32LittleEndian(head)) || IsMagic(BinaryPrimitives.ReadUInt32BigEndian(head)));

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => _window.Dispose();

    static bool IsMagic(uint magic) => magic is MagicMicroseconds or MagicNanoseconds or MagicModified;

    static PcapReader Open(string path, InputWindow window)
    {
        ReadOnlySpan<byte> head = window.Available;
        if (!IsPcap(head))
        {
            throw new TraceFormatException(path, 0, -1, "a pcap magic number", FoundBytes.Describe(head));
        }

        if (head.Length < FileHeaderBytes)
        {
            throw new TraceFormatException(path, 0, -1, $"a pcap file header of {FileHeaderBytes} bytes", $"{head.Length} bytes");
        }

        bool isBigEndian = IsMagic(BinaryPrimitives.ReadUInt32BigEndian(head));
        uint magic = isBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(head) : BinaryPrimitives.ReadUInt32LittleEndian(head);
        if (magic == MagicModified)
        {
            const string Modified = "one of the \"modified\" (Kuznetzov) kind, which is not read. Convert it with editcap -F pcapng";
            throw new TraceFormatException(path, 0, -1, "a pcap file", Modified);
        }

        return new PcapReader(path, window, isBigEndian, magic == MagicNanoseconds ? 1 : 1000);
    }

    // Whether a record in this machine's byte order is available as a whole, and its header is as recorders write it.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    bool IsReady(ReadOnlySpan<byte> available, out PcapRecordHeader header)
    {
        if (available.Length < RecordHeaderBytes || _isBigEndian == BitConverter.IsLittleEndian)
        {
            header = default;
            return false;
        }

        header = MemoryMarshal.Read<PcapRecordHeader>(available);
        return header.CapturedLength <= (uint)(available.Length - RecordHeaderBytes) && !_rules.IsOdd(header);
    }

    // A record that is not available as a whole yet, looks odd, or has the other byte order.
    [MethodImpl(MethodImplOptions.NoInlining)]
    bool TryReadOther(ref TraceRecord record)
    {
        if (!TryFillRecord())
        {
            return false;
        }

        ReadOnlySpan<byte> available = _window.Available;
        PcapRecordHeader header = HeaderOf(available);
        Take(ref record, header with { OriginalLength = Math.Max(header.CapturedLength, header.OriginalLength) }, available);
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Take(ref TraceRecord record, in PcapRecordHeader header, ReadOnlySpan<byte> available)
    {
        _lastSeconds = header.Seconds;
        _interface.Packets++;
        record.Kind = TraceRecordKind.Packet;
        record.Time = new TraceTime((header.Seconds * NanosecondsPerSecond) + (header.Fraction * NanosecondsPerUnit));
        record.Data = available.Slice(RecordHeaderBytes, (int)header.CapturedLength);
        record.InterfaceIndex = 0;
        record.LinkType = _interface.LinkType;
        record.OriginalLength = (int)Math.Min(int.MaxValue, header.OriginalLength);
        record.FileOffset = _window.Offset;
        _window.Advance(RecordHeaderBytes + (int)header.CapturedLength);
        record.ClearPacketDetails();
    }

    bool TryFillRecord()
    {
        while (!_isAtEnd)
        {
            if (!_window.TryFill(RecordHeaderBytes))
            {
                return End(_window.Available.IsEmpty ? null : Truncated(RecordHeaderBytes));
            }

            PcapRecordHeader header = HeaderOf(_window.Available);
            if (WhyNoRecord(header) is not { } problem)
            {
                return true;
            }

            Resync(problem);
        }

        return false;
    }

    // Null when the record is available as a whole.
    string? WhyNoRecord(in PcapRecordHeader header)
    {
        if (header.CapturedLength > _rules.MaxCaptured)
        {
            return string.Create(
                CultureInfo.InvariantCulture, $"expected a packet of at most {_rules.MaxCaptured} bytes, found a record that claims {header.CapturedLength}");
        }

        if (!_window.TryFill(RecordHeaderBytes + (int)header.CapturedLength))
        {
            return Truncated(RecordHeaderBytes + (int)header.CapturedLength);
        }

        return !_rules.IsOdd(header) || _rules.IsFollowed(header, _window) ? null : string.Create(
            CultureInfo.InvariantCulture,
            $"expected the header of a record, found one with {header.CapturedLength} of {header.OriginalLength} bytes and none behind it");
    }

    string Truncated(int count) => string.Create(
        CultureInfo.InvariantCulture,
        $"expected a record of at least {count} bytes, found {_window.Available.Length} bytes and the end of the file: it is truncated");

    void Resync(string problem)
    {
        long from = _window.Offset;
        bool isFound = _rules.TrySkipToNext(_window, RecordsRead > 0 ? _lastSeconds : null);
        string then = isFound
            ? string.Create(CultureInfo.InvariantCulture, $"reading goes on {_window.Offset - from} bytes later")
            : "nothing readable behind it";
        _problems.Add(from, $"{problem}; {then}");
        if (!isFound)
        {
            End(null);
        }
    }

    bool End(string? problem)
    {
        _isAtEnd = true;
        if (problem is not null)
        {
            _problems.Add(_window.Offset, problem);
        }

        if (_window.Damage is { } damage)
        {
            _problems.Add(_window.Offset, damage);
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    PcapRecordHeader HeaderOf(ReadOnlySpan<byte> bytes) => PcapRecordHeader.Read(bytes, _isBigEndian);

    uint ReadUInt32(ReadOnlySpan<byte> bytes) =>
        _isBigEndian ? BinaryPrimitives.ReadUInt32BigEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);
}

/// <summary>The header of each packet of a pcap file, in the byte order of the machine that reads it.</summary>
/// <param name="Seconds">Seconds since 1970.</param>
/// <param name="Fraction">The rest, in units of the file.</param>
/// <param name="CapturedLength">Bytes kept of the packet.</param>
/// <param name="OriginalLength">Bytes of the packet on the wire.</param>
readonly record struct PcapRecordHeader(uint Seconds, uint Fraction, uint CapturedLength, uint OriginalLength)
{
    /// <summary>Reads a header.</summary>
    /// <param name="bytes">Begin with it.</param>
    /// <param name="isBigEndian">Byte order of the file.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static PcapRecordHeader Read(ReadOnlySpan<byte> bytes, bool isBigEndian)
    {
        var header = MemoryMarshal.Read<PcapRecordHeader>(bytes);
        return isBigEndian == BitConverter.IsLittleEndian ? header.Reversed() : header;
    }

    /// <summary>The same read from a file of the other order.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)] // else the header would have to be in memory
    public PcapRecordHeader Reversed() => new(
        BinaryPrimitives.ReverseEndianness(Seconds),
        BinaryPrimitives.ReverseEndianness(Fraction),
        BinaryPrimitives.ReverseEndianness(CapturedLength),
        BinaryPrimitives.ReverseEndianness(OriginalLength));
}
