using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace TcpDiag.Capture.Tests.Linux.Tracefs;

/// <summary>Builds a page of the kernel's trace ring buffer: 64-bit, little-endian.</summary>
sealed class PageBuilder
{
    readonly List<byte> _events = [];

    public long Time { get; init; }

    public uint Flags { get; init; }

    public byte[] BehindEvents { get; init; } = [];

    /// <summary>An event of 4 … 112 bytes, a multiple of four.</summary>
    public PageBuilder Event(uint delta, params byte[] payload) => Add((delta << 5) | (uint)(payload.Length / 4), payload);

    /// <summary>An event whose length stands in a second word.</summary>
    public PageBuilder LongEvent(uint delta, params byte[] payload) =>
        Add(delta << 5, [.. Word((uint)payload.Length + 4), .. payload, .. new byte[(4 - (payload.Length % 4)) % 4]]);

    public PageBuilder TimeExtend(uint low, uint high) => Add((low << 5) | 30, Word(high));

    public PageBuilder TimeStamp(uint low, uint high) => Add((low << 5) | 31, Word(high));

    /// <summary>A discarded event.</summary>
    public PageBuilder Discarded(uint delta, params byte[] payload) => Add((delta << 5) | 29, [.. Word((uint)payload.Length + 4), .. payload]);

    public PageBuilder EndOfPage() => Add(29, []);

    public PageBuilder Raw(params byte[] bytes)
    {
        _events.AddRange(bytes);
        return this;
    }

    /// <summary>Time, commit word, events, then what stands behind them.</summary>
    public byte[] Build() =>
    [
        .. BitConverter.GetBytes(Time), .. BitConverter.GetBytes((uint)_events.Count | (ulong)Flags), .. _events, .. BehindEvents,
    ];

    PageBuilder Add(uint header, byte[] rest) => Raw([.. Word(header), .. rest]);

    static byte[] Word(uint value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return bytes;
    }
}
