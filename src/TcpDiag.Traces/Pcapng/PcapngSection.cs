using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using TcpDiag.Wire;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// What the blocks of the current section refer to: its interfaces, and what is known of the machine. All blocks are in
/// little-endian order here. Interfaces keep one numbering over all sections of the file.
/// </summary>
sealed class PcapngSection
{
    // A file whose only content is interfaces must not eat memory; Windows machines with many components have a few hundred.
    const int MaxInterfaces = 16_384;
    const int MaxTextBytes = 1024;
    const int MaxAddresses = 64;
    const int InterfaceFixedBytes = 16;
    const int StatisticsFixedBytes = 20;

    readonly List<TraceInterface> _all = [];
    PcapngInterface[] _interfaces = new PcapngInterface[8];
    int _count;

    // Of a recording in pieces: what its section headers say, and how many of its interfaces the next piece may describe again.
    byte[]? _head;
    int _known;

    /// <summary>
    /// How the comment of a section begins that is a piece of a recording; what follows identifies the recording. A section with the same header as
    /// the one before goes on with it, and interfaces described again are the same ones.
    /// </summary>
    public static ReadOnlySpan<byte> PieceMark => "pieces: "u8;

    /// <summary>Interfaces of all sections so far.</summary>
    public IReadOnlyList<TraceInterface> All => _all;

    /// <summary>An interface of this section by its number.</summary>
    /// <returns>The interface; null when none of that number was described so far.</returns>
    public PcapngInterface? Find(uint id) => id < (uint)_count ? _interfaces[id] : null;

    /// <summary>What the sections said about the machine, the first one counting.</summary>
    public SystemFacts System { get; } = new();

    /// <summary>Begins a section: interface numbers start again at 0.</summary>
    public void Begin(ReadOnlySpan<byte> options)
    {
        _known = _head is not null && options.SequenceEqual(_head) ? Math.Max(_known, _count) : 0;
        _head = null;
        _count = 0;
        var reader = new PcapngOptionReader(options);
        while (reader.TryRead(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (code == PcapngOption.ShbOs && System.OperatingSystem is null)
            {
                System.OperatingSystem = ReadText(value);
                System.WindowsBuild = ReadWindowsBuild(System.OperatingSystem);
            }
            else if (code == PcapngOption.ShbUserAppl)
            {
                System.Recorder ??= ReadText(value);
            }
            else if (code == PcapngOption.Comment && value.StartsWith(PieceMark))
            {
                _head = options.ToArray();
            }
            else if (code == PcapngOption.Comment)
            {
                System.Simulation ??= SystemFacts.SimulationIn(ReadText(value));
            }
        }
    }

    /// <summary>Adds an interface.</summary>
    /// <returns>False when it is too short, or there are too many.</returns>
    public bool TryAddInterface(ReadOnlySpan<byte> block)
    {
        if (block.Length < InterfaceFixedBytes + sizeof(uint) || _all.Count == MaxInterfaces)
        {
            return false;
        }

        byte[] description = _head is null ? [] : SHA256.HashData(block);
        if (_count < _known && _interfaces[_count].Description.SequenceEqual(description))
        {
            _count++;
            return true;
        }

        // Another one in its place: nothing after it is known either.
        _known = 0;
        var trace = new TraceInterface
        {
            Index = _all.Count,
            LinkType = (LinkType)BinaryPrimitives.ReadUInt16LittleEndian(block[8..]),
            SnapLength = (int)Math.Min(int.MaxValue, BinaryPrimitives.ReadUInt32LittleEndian(block[12..])),
        };
        TimestampScale scale = ReadInterfaceOptions(block[InterfaceFixedBytes..^4], trace);
        if (_count == _interfaces.Length)
        {
            Array.Resize(ref _interfaces, 2 * _count);
        }

        _interfaces[_count++] = new PcapngInterface(trace, scale, description);
        _all.Add(trace);
        return true;
    }

    /// <summary>
    /// Takes over the drops that an Interface Statistics Block counts, and rewrites the block in place to the numbering of
    /// <see cref="All"/> and to nanoseconds, which is how it is handed on.
    /// </summary>
    /// <returns>False when it is too short or names no interface of this section.</returns>
    public bool TryReadStatistics(Span<byte> block, out PcapngInterface? found, out TraceTime time)
    {
        found = null;
        time = default;
        if (block.Length < StatisticsFixedBytes + sizeof(uint) || BinaryPrimitives.ReadUInt32LittleEndian(block[8..]) is var id && id >= _count)
        {
            return false;
        }

        found = _interfaces[id];
        BinaryPrimitives.WriteInt32LittleEndian(block[8..], found.Index);
        time = RewriteTime(block[12..20], found.Scale);
        ulong dropped = 0;
        bool isTold = false;
        for (Span<byte> rest = block[StatisticsFixedBytes..^4]; TryNextOption(ref rest, out int code, out Span<byte> value);)
        {
            if (value.Length != sizeof(ulong))
            {
                continue;
            }

            if (code is PcapngOption.IsbStartTime or PcapngOption.IsbEndTime)
            {
                RewriteTime(value, found.Scale);
            }
            else if (code is PcapngOption.IsbIfDrop or PcapngOption.IsbOsDrop)
            {
                isTold = true;
                dropped = unchecked(dropped + BinaryPrimitives.ReadUInt64LittleEndian(value));
            }
        }

        if (isTold && dropped <= long.MaxValue)
        {
            found.HasStatistics = true;
            found.Trace.Dropped = (long)dropped;
        }

        return true;
    }

    static bool TryNextOption(ref Span<byte> rest, out int code, out Span<byte> value)
    {
        code = PcapngOption.EndOfOpt;
        value = default;
        if (rest.Length < 4)
        {
            return false;
        }

        code = BinaryPrimitives.ReadUInt16LittleEndian(rest);
        int length = BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]);
        if (code == PcapngOption.EndOfOpt || length > rest.Length - 4)
        {
            return false;
        }

        value = rest.Slice(4, length);
        rest = rest[Math.Min(rest.Length, (4 + length + 3) & ~3)..];
        return true;
    }

    // Time stamps are two words, the upper one first.
    static TraceTime RewriteTime(Span<byte> words, TimestampScale scale)
    {
        ulong units = ((ulong)BinaryPrimitives.ReadUInt32LittleEndian(words) << 32) | BinaryPrimitives.ReadUInt32LittleEndian(words[4..]);
        long nanoseconds = scale.ToNanoseconds(units);
        BinaryPrimitives.WriteUInt32LittleEndian(words, (uint)(nanoseconds >> 32));
        BinaryPrimitives.WriteUInt32LittleEndian(words[4..], unchecked((uint)nanoseconds));
        return new TraceTime(nanoseconds);
    }

    static TimestampScale ReadInterfaceOptions(ReadOnlySpan<byte> options, TraceInterface trace)
    {
        byte resolution = TimestampScale.DefaultResolution;
        long offsetSeconds = 0;
        var reader = new PcapngOptionReader(options);
        while (reader.TryRead(out ushort code, out ReadOnlySpan<byte> value))
        {
            switch (code)
            {
                case PcapngOption.IfName:
                    trace.Name = ReadText(value);
                    break;
                case PcapngOption.IfDescription:
                    trace.Description = ReadText(value);
                    break;
                case PcapngOption.IfIpv4Addr when value.Length == 8 && trace.Addresses.Count < MaxAddresses:
                    trace.Addresses.Add(IpAddress.Read(value[..4]));
                    break;
                case PcapngOption.IfIpv6Addr when value.Length == 17 && trace.Addresses.Count < MaxAddresses:
                    trace.Addresses.Add(IpAddress.Read(value[..16]));
                    break;
                case PcapngOption.IfMacAddr when value.Length == 6:
                    trace.MacAddress = value.ToArray();
                    break;
                case PcapngOption.IfSpeed when value.Length == 8:
                    trace.SpeedBitsPerSecond = BinaryPrimitives.ReadUInt64LittleEndian(value);
                    break;
                case PcapngOption.IfTsResol when value.Length == 1:
                    resolution = value[0];
                    break;
                case PcapngOption.IfTsOffset when value.Length == 8:
                    offsetSeconds = BinaryPrimitives.ReadInt64LittleEndian(value);
                    break;
                default:
                    break;
            }
        }

        return new TimestampScale(resolution, offsetSeconds);
    }

    // The draft: a zero byte ends a string, and it need not be valid UTF-8.
    static string ReadText(ReadOnlySpan<byte> value)
    {
        int end = value.IndexOf((byte)0);
        value = end < 0 ? value : value[..end];
        return Encoding.UTF8.GetString(value[..Math.Min(value.Length, MaxTextBytes)]);
    }

    // As dumpcap and this project write it: "64-bit Windows 11 (22H2), build 22621".
    static int? ReadWindowsBuild(string operatingSystem)
    {
        const string Marker = "build ";
        int at = operatingSystem.IndexOf(Marker, StringComparison.Ordinal);
        if (at < 0 || !operatingSystem.Contains("Windows", StringComparison.Ordinal))
        {
            return null;
        }

        ReadOnlySpan<char> rest = operatingSystem.AsSpan(at + Marker.Length);
        int digits = rest.IndexOfAnyExceptInRange('0', '9');
        return int.TryParse(digits < 0 ? rest : rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out int build) ? build : null;
    }
}

/// <summary>One interface of the current section: what its packets need at hand.</summary>
/// <param name="trace">What the reader shows of it.</param>
/// <param name="scale">How its time stamps count.</param>
/// <param name="description">Hash of the block that describes it; empty outside of recordings in pieces.</param>
sealed class PcapngInterface(TraceInterface trace, TimestampScale scale, byte[] description)
{
    /// <summary>How its time stamps count. A field, so that it is not copied for every packet.</summary>
    public readonly TimestampScale Scale = scale;

    /// <summary>Hash of the block that describes it; empty outside of recordings in pieces.</summary>
    public byte[] Description { get; } = description;

    /// <summary>What the reader shows of it.</summary>
    public TraceInterface Trace { get; } = trace;

    /// <summary>Position in <see cref="TraceReader.Interfaces"/>, over all sections.</summary>
    public int Index { get; } = trace.Index;

    /// <summary>What its frames begin with.</summary>
    public LinkType LinkType { get; } = trace.LinkType;

    /// <summary>Whether an Interface Statistics Block gave the drops, which goes before the sum over packets.</summary>
    public bool HasStatistics { get; set; }

    /// <summary>Counts packets lost before one packet, unless statistics gave the total.</summary>
    public void AddDropped(ulong count)
    {
        if (!HasStatistics && count <= long.MaxValue)
        {
            Trace.Dropped = unchecked((Trace.Dropped ?? 0) + (long)count);
        }
    }
}
