using System;
using System.Buffers;
using System.Buffers.Binary;
using System.IO;
using TcpDiag.Wire;
using static TcpDiag.Traces.Pcapng.PcapngBlockBuffer;

namespace TcpDiag.Traces.Pcapng;

/// <summary>
/// Writes one section of pcapng as a stream (draft-ietf-opsawg-pcapng; docs/formats/pcapng.md): little-endian, time stamps
/// in nanoseconds, one snap length for all interfaces. An interface is written before its first packet, which may be late
/// in the file. Packets, blocks and journal entries are written without allocating.
/// </summary>
public sealed class PcapngWriter : IDisposable
{
    const int BlockHeaderBytes = PcapngBlockBuffer.HeaderBytes;
    const int TrailerBytes = PcapngBlockBuffer.TrailerBytes;
    const int OptionHeaderBytes = PcapngBlockBuffer.OptionHeaderBytes;
    const uint ByteOrderMagic = 0x1A2B_3C4D;
    const byte NanosecondResolution = 9;

    // flags, packet id, verdict and process with their option headers, and opt_endofopt.
    const int OwnOptionBytes = 8 + 12 + 16 + 12 + OptionHeaderBytes;

    readonly PcapngBlockBuffer _blocks;
    readonly int _snapLength;
    int _interfaces;

    /// <summary>Starts a file.</summary>
    /// <param name="output">Where it goes; closed with the writer.</param>
    /// <param name="options">What its head says; null for the defaults.</param>
    public PcapngWriter(Stream output, PcapngWriterOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        options ??= new PcapngWriterOptions();
        _blocks = new PcapngBlockBuffer(output);
        _snapLength = options.SnapLength;
        WriteSectionHeader(options);
    }

    /// <summary>Bytes written so far.</summary>
    public long Length => _blocks.Length;

    /// <summary>Describes an interface. Packets name it by the number it gets here.</summary>
    /// <param name="source">What is known of it; its snap length is not used.</param>
    /// <returns>Its number: 0 for the first, then 1, 2 …</returns>
    public int WriteInterface(TraceInterface source)
    {
        ArgumentNullException.ThrowIfNull(source);
        var options = new PcapngOptionWriter(stackalloc byte[4096]);
        options.Add(PcapngOption.IfTsResol, [NanosecondResolution]);
        AddText(ref options, PcapngOption.IfName, source.Name);
        AddText(ref options, PcapngOption.IfDescription, source.Description);
        foreach (IpAddress address in source.Addresses)
        {
            AddAddress(ref options, address);
        }

        if (source.MacAddress.Count == 6)
        {
            options.Add(PcapngOption.IfMacAddr, [.. source.MacAddress]);
        }

        if (source.SpeedBitsPerSecond is { } speed)
        {
            options.Add(PcapngOption.IfSpeed, speed);
        }

        Span<byte> body = _blocks.Begin(PcapngBlockType.InterfaceDescription, 8 + options.Written.Length + OptionHeaderBytes);
        BinaryPrimitives.WriteUInt16LittleEndian(body, (ushort)source.LinkType);
        BinaryPrimitives.WriteUInt16LittleEndian(body[2..], 0);
        BinaryPrimitives.WriteInt32LittleEndian(body[4..], _snapLength);
        _blocks.End(EndOptions(body, Append(body, 8, options.Written)));
        return _interfaces++;
    }

    /// <summary>Writes a packet with the options that its record holds.</summary>
    /// <param name="record">A packet; <see cref="TraceRecord.InterfaceIndex"/> is a number that <see cref="WriteInterface"/> gave.</param>
    /// <exception cref="ArgumentOutOfRangeException">That interface was not written.</exception>
    public void WritePacket(scoped in TraceRecord record) => WritePacket(in record, []);

    /// <summary>Writes a packet with further options, e.g. comments, in front of those that its record holds.</summary>
    /// <param name="record">A packet; <see cref="TraceRecord.InterfaceIndex"/> is a number that <see cref="WriteInterface"/> gave.</param>
    /// <param name="options">Built by <see cref="PcapngOptionWriter"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">That interface was not written.</exception>
    public void WritePacket(scoped in TraceRecord record, scoped ReadOnlySpan<byte> options)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)record.InterfaceIndex, (uint)_interfaces, nameof(record));
        const int FixedBytes = EnhancedPacketHeader.Bytes - BlockHeaderBytes;
        int room = FixedBytes + Padded(record.Data.Length) + options.Length + record.PcapngOptions.Length + OwnOptionBytes;
        Span<byte> body = _blocks.Begin(PcapngBlockType.EnhancedPacket, room);
        BinaryPrimitives.WriteInt32LittleEndian(body, record.InterfaceIndex);
        WriteTime(body[4..], record.Time);
        BinaryPrimitives.WriteInt32LittleEndian(body[12..], record.Data.Length);
        BinaryPrimitives.WriteInt32LittleEndian(body[16..], record.OriginalLength);
        int data = Append(body, FixedBytes, record.Data);
        int length = Append(body, data, options);
        length = record.PcapngOptions.IsEmpty ? AppendOwnOptions(body, length, in record) : AppendCopiedOptions(body, length, record.PcapngOptions);
        _blocks.End(length == data ? data : EndOptions(body, length));
    }

    /// <summary>
    /// Passes on a block that is no packet. The interface of an Interface Statistics Block becomes
    /// <see cref="TraceRecord.InterfaceIndex"/>; a Custom Block that must not be copied is left out.
    /// </summary>
    /// <param name="record">A block as a <see cref="PcapngReader"/> hands it out.</param>
    /// <exception cref="ArgumentException">It is no whole block.</exception>
    /// <exception cref="ArgumentOutOfRangeException">It belongs to an interface that was not written.</exception>
    public void WriteBlock(scoped in TraceRecord record)
    {
        ReadOnlySpan<byte> block = record.Data;
        const int MinBytes = BlockHeaderBytes + TrailerBytes;
        if (block.Length < MinBytes || BinaryPrimitives.ReadInt32LittleEndian(block[4..]) != block.Length)
        {
            throw new ArgumentException("The record holds no whole pcapng block.", nameof(record));
        }

        var type = (PcapngBlockType)BinaryPrimitives.ReadUInt32LittleEndian(block);
        if (type == PcapngBlockType.CustomNoCopy)
        {
            return;
        }

        Span<byte> body = _blocks.Begin(type, block.Length - MinBytes);
        Append(body, 0, block[BlockHeaderBytes..^TrailerBytes]);
        if (type == PcapngBlockType.InterfaceStatistics)
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)record.InterfaceIndex, (uint)_interfaces, nameof(record));
            BinaryPrimitives.WriteInt32LittleEndian(body, record.InterfaceIndex);
        }

        _blocks.End(block.Length - MinBytes);
    }

    /// <summary>Writes one entry of the systemd journal export format; Wireshark shows it as an event.</summary>
    /// <param name="entry">The fields, <c>__REALTIME_TIMESTAMP</c> among them, without padding.</param>
    public void WriteJournalEntry(scoped ReadOnlySpan<byte> entry)
    {
        Span<byte> body = _blocks.Begin(PcapngBlockType.Journal, Padded(entry.Length));
        _blocks.End(Append(body, 0, entry));
    }

    /// <summary>Writes what was counted at an interface, usually at the end.</summary>
    /// <param name="interfaceIndex">A number that <see cref="WriteInterface"/> gave.</param>
    /// <param name="time">When it was counted.</param>
    /// <param name="received">Packets received, or null when not known.</param>
    /// <param name="dropped">Packets dropped, or null when not known.</param>
    /// <exception cref="ArgumentOutOfRangeException">That interface was not written.</exception>
    public void WriteInterfaceStatistics(int interfaceIndex, TraceTime time, long? received, long? dropped)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)interfaceIndex, (uint)_interfaces, nameof(interfaceIndex));
        var options = new PcapngOptionWriter(stackalloc byte[32]);
        if (received is { } receivedPackets)
        {
            options.Add(PcapngOption.IsbIfRecv, (ulong)receivedPackets);
        }

        if (dropped is { } droppedPackets)
        {
            options.Add(PcapngOption.IsbIfDrop, (ulong)droppedPackets);
        }

        Span<byte> body = _blocks.Begin(PcapngBlockType.InterfaceStatistics, 12 + options.Written.Length + OptionHeaderBytes);
        BinaryPrimitives.WriteInt32LittleEndian(body, interfaceIndex);
        WriteTime(body[4..], time);
        _blocks.End(EndOptions(body, Append(body, 12, options.Written)));
    }

    /// <summary>Hands everything written so far to the output.</summary>
    public void Flush() => _blocks.Flush();

    /// <summary>Writes what is left and closes the output.</summary>
    public void Dispose() => _blocks.Dispose();

    static void AddText(ref PcapngOptionWriter options, ushort code, string? text)
    {
        if (!string.IsNullOrEmpty(text))
        {
            options.Add(code, text);
        }
    }

    // The trace holds no netmasks: an address is written with a full netmask.
    static void AddAddress(ref PcapngOptionWriter options, IpAddress address)
    {
        Span<byte> value = stackalloc byte[17];
        if (address.Write(value) == 4)
        {
            value[4..8].Fill(0xFF);
            options.Add(PcapngOption.IfIpv4Addr, value[..8]);
        }
        else
        {
            value[16] = 128;
            options.Add(PcapngOption.IfIpv6Addr, value);
        }
    }

    static int AppendOwnOptions(Span<byte> body, int length, scoped in TraceRecord record)
    {
        var options = new PcapngOptionWriter(body[length..]);
        if (record.Direction != PacketDirection.Unknown)
        {
            options.Add(PcapngOption.EpbFlags, (uint)record.Direction);
        }

        if (record.PacketId != 0)
        {
            options.Add(PcapngOption.EpbPacketId, PcapngPacketId.Join(record.PacketId, record.PacketNumber));
        }

        if (record.IsDropped)
        {
            Span<byte> verdict = stackalloc byte[9];
            verdict[0] = PcapngPacketOptions.VerdictXdp;
            BinaryPrimitives.WriteUInt64LittleEndian(verdict[1..], PcapngPacketOptions.XdpDrop);
            options.Add(PcapngOption.EpbVerdict, verdict);
        }

        if (record.ProcessId != 0 || record.ThreadId != 0)
        {
            options.Add(PcapngOption.EpbProcessIdThreadId, ((ulong)record.ThreadId << 32) | record.ProcessId);
        }

        return length + options.Written.Length;
    }

    // Option by option, so that a damaged list does not spoil the new file; what must not be copied stays behind.
    static int AppendCopiedOptions(Span<byte> body, int length, scoped ReadOnlySpan<byte> copied)
    {
        var options = new PcapngOptionWriter(body[length..]);
        var reader = new PcapngOptionReader(copied);
        while (reader.TryRead(out ushort code, out ReadOnlySpan<byte> value))
        {
            if (code is not (PcapngOption.CustomTextNoCopy or PcapngOption.CustomBytesNoCopy))
            {
                options.Add(code, value);
            }
        }

        return length + options.Written.Length;
    }

    void WriteSectionHeader(PcapngWriterOptions settings)
    {
        byte[] scratch = ArrayPool<byte>.Shared.Rent(8192);
        var options = new PcapngOptionWriter(scratch);
        AddText(ref options, PcapngOption.ShbHardware, settings.Hardware);
        AddText(ref options, PcapngOption.ShbOs, settings.OperatingSystem);
        AddText(ref options, PcapngOption.ShbUserAppl, settings.Application);
        AddText(ref options, PcapngOption.Comment, settings.Comment);
        Span<byte> body = _blocks.Begin(PcapngBlockType.SectionHeader, 16 + options.Written.Length + OptionHeaderBytes);
        BinaryPrimitives.WriteUInt32LittleEndian(body, ByteOrderMagic);
        BinaryPrimitives.WriteUInt16LittleEndian(body[4..], 1);
        BinaryPrimitives.WriteUInt16LittleEndian(body[6..], 0);

        // The length of the section is not known in a stream.
        BinaryPrimitives.WriteInt64LittleEndian(body[8..], -1);
        _blocks.End(EndOptions(body, Append(body, 16, options.Written)));
        ArrayPool<byte>.Shared.Return(scratch);
    }
}

/// <summary>What the head of a pcapng file says.</summary>
public sealed record PcapngWriterOptions
{
    /// <summary>shb_hardware, or null.</summary>
    public string? Hardware { get; init; }

    /// <summary>shb_os, or null. <c>build N</c> in it is the build of Windows.</summary>
    public string? OperatingSystem { get; init; }

    /// <summary>shb_userappl: the program that writes.</summary>
    public string? Application { get; init; } = "tcpdiag";

    /// <summary>Comment on the section, or null.</summary>
    public string? Comment { get; init; }

    /// <summary>
    /// Snap length written for every interface, bytes; 0 for no limit. One for all: libpcap from 1.10.5 on shows nothing of a
    /// file whose interfaces differ in it.
    /// </summary>
    public int SnapLength { get; init; } = 262_144;
}
