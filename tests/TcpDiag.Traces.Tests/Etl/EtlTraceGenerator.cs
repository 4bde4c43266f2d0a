using System;
using System.Buffers.Binary;
using System.IO;
using TcpDiag.Traces.Etl;
using TcpDiag.Traces.Etl.Records;
using TcpDiag.Traces.Etl.Writing;

namespace TcpDiag.Traces.Tests.Etl;

/// <summary>
/// Makes .etl files of any size with about the mix of <c>netsh trace start provider=Microsoft-Windows-TCPIP level=5
/// capture=yes packettruncatebytes=120</c>: a third packets, a half TCP events, the rest other providers and kernel records,
/// several processors, 10 µs apart on average. The same seed gives the same file. For benchmarks and tests of the reader: payloads are of the
/// right length and look, but make no sense.
/// </summary>
public sealed class EtlTraceGenerator
{
    public const long Frequency = 10_000_000;

    // 2026-11-21T00:00:00Z.
    public const long StartFileTime = 134_397_792_000_000_000;

    public const long StartTicks = 1_000_000_000_000;

    const int PacketBytes = 120;

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");
    static readonly Guid NdisPacketCapture = new("2ed6006e-4729-4609-b423-3ee7bcd678ef");

    static readonly Guid[] Others =
    [
        new("0c478c5b-0351-41b1-8c58-4a6737da32e3"), new("5e7c0d19-aa42-4f3b-b1c8-90d2e7f35a06"), new("9a1f22c4-6d3e-4b58-8a07-2f7be0d4c611"),
    ];

    // Id, version, payload length: the per-segment events of build 22621.
    static readonly (ushort Id, byte Version, int Length)[] TcpEvents =
    [
        (1332, 3, 64), (1332, 3, 64), (1332, 3, 64), (1330, 0, 24), (1330, 0, 24), (1159, 0, 48), (1159, 0, 48), (1343, 0, 24),
        (1548, 1, 52), (1351, 1, 52), (1387, 0, 36),
    ];

    readonly Random _random;
    readonly EtlRecordBuilder _builder = new();
    readonly byte[] _payload = new byte[512];
    long _ticks = StartTicks;

    public EtlTraceGenerator(int seed = 1) => _random = new Random(seed);

    /// <summary>The header of the files made here.</summary>
    public static EtlFileHeader Header { get; } = new()
    {
        BufferSize = 65536,
        OsMajorVersion = 10,
        Build = 22621,
        Processors = 4,
        TimerResolution = 156250,
        LogFileMode = EtlLogFileModes.Sequential,
        CpuSpeedMegahertz = 3000,
        BootFileTime = StartFileTime - 1_000_000_000_000,
        PerformanceFrequency = Frequency,
        StartFileTime = StartFileTime,
        StartTicks = StartTicks,
        ClockType = EtlClockType.Qpc,
        SessionName = "NetTrace",
        LogFileName = "generated.etl",
    };

    /// <summary>Writes a file.</summary>
    /// <param name="stream">Where to; closed at the end.</param>
    /// <param name="records">Records behind the header; about 190 bytes each before compression.</param>
    /// <param name="compress">Whether to compress buffers.</param>
    public void Write(Stream stream, long records, bool compress = false)
    {
        using var writer = new EtlWriter(stream, Header, compress);
        for (long i = 0; i < records; i++)
        {
            _ticks += _random.Next(200);
            writer.Write(NextRecord(), _random.Next((int)Header.Processors));
        }

        writer.Complete(StartFileTime + (_ticks - StartTicks));
    }

    ReadOnlySpan<byte> NextRecord()
    {
        int kind = _random.Next(100);
        if (kind < 33)
        {
            return Packet();
        }

        return kind < 83 ? TcpEvent() : kind < 96 ? OtherEvent() : KernelRecord();
    }

    ReadOnlySpan<byte> Packet()
    {
        Span<byte> payload = _payload.AsSpan(0, 28 + PacketBytes);
        payload.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(payload, 12);
        BinaryPrimitives.WriteUInt32LittleEndian(payload[4..], 12);
        BinaryPrimitives.WriteUInt32LittleEndian(payload[8..], PacketBytes);
        FrameHeaders.CopyTo(payload[12..]);
        BinaryPrimitives.WriteInt32LittleEndian(payload[(12 + 38)..], _random.Next());
        _random.NextBytes(payload.Slice(12 + 66, PacketBytes - 66));
        ulong direction = _random.Next(2) == 0 ? 0x1_0000_0000UL : 0x2_0000_0000UL;
        return _builder.Build(Event(NdisPacketCapture, 1001, 0, keywords: 0x8000_0000_C000_0001 | direction), payload);
    }

    ReadOnlySpan<byte> TcpEvent()
    {
        (ushort id, byte version, int length) = TcpEvents[_random.Next(TcpEvents.Length)];
        Span<byte> payload = _payload.AsSpan(0, length);
        payload.Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(payload, 0xFFFF_A081_2345_0000 + ((ulong)_random.Next(32) << 8));
        for (int offset = 8; offset + 4 <= length; offset += 4)
        {
            BinaryPrimitives.WriteInt32LittleEndian(payload[offset..], _random.Next(offset < 24 ? 1 << 20 : 64));
        }

        return _builder.Build(Event(Tcpip, id, version, keywords: 0x8000_0001_0000_0000), payload);
    }

    ReadOnlySpan<byte> OtherEvent()
    {
        Span<byte> payload = _payload.AsSpan(0, _random.Next(200));
        _random.NextBytes(payload);
        return _builder.Build(Event(Others[_random.Next(Others.Length)], (ushort)_random.Next(20), 0, keywords: 1), payload);
    }

    ReadOnlySpan<byte> KernelRecord()
    {
        // TcpIp send (group 6, opcode 10), 40 bytes.
        var header = new EtlRecordHeader { HeaderType = EtlHeaderType.PerfInfo, Version = 2, Group = 6, Opcode = 10, Ticks = _ticks };
        _random.NextBytes(_payload.AsSpan(0, 40));
        return _builder.Build(header, _payload.AsSpan(0, 40));
    }

    EtlRecordHeader Event(Guid provider, ushort id, byte version, ulong keywords) => new()
    {
        Provider = provider,
        Id = id,
        Version = version,
        Keywords = keywords,
        Level = 4,
        ThreadId = (uint)_random.Next(64) * 4,
        ProcessId = 4,
        Ticks = _ticks,
    };

    // Ethernet, IPv4, TCP with time stamps: 66 bytes.
    static ReadOnlySpan<byte> FrameHeaders =>
    [
        0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 2, 0x08, 0x00,
        0x45, 0, 0x05, 0xDC, 0, 0, 0x40, 0, 0x40, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
        0xC0, 0, 0x01, 0xBB, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x10, 0x01, 0xF5, 0, 0, 0, 0,
        1, 1, 8, 10, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
}
