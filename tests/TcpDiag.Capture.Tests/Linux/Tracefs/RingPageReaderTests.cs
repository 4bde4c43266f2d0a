using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Capture.Linux.Tracefs;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux.Tracefs;

public sealed class RingPageReaderTests
{
    const uint MissedEvents = 1u << 31;
    const uint MissedStored = 1u << 30;

    // As in events/header_page of a 64-bit kernel.
    static readonly PageLayout Layout = new(8, 8, 16);

    [Fact]
    public void TryRead_TwoEvents_AddTheirDeltas()
    {
        byte[] page = new PageBuilder { Time = 1000 }.Event(5, 1, 2, 3, 4).Event(7, 5, 6, 7, 8, 9, 10, 11, 12).Build();

        // 1000 + 5 = 1005; 1005 + 7 = 1012
        Assert.Equal([(1005, "01020304"), (1012, "05060708090A0B0C")], Read(page));
    }

    [Fact]
    public void TryRead_LongEvent_TakesItsLengthFromTheSecondWord()
    {
        byte[] payload = [.. Enumerable.Repeat((byte)0xAB, 130)];
        byte[] page = new PageBuilder { Time = 0 }.LongEvent(3, payload).Event(1, 1, 1, 1, 1).Build();

        // 130 bytes are padded to 132; the next event still is found.
        Assert.Equal([(3, Convert.ToHexString(payload)), (4, "01010101")], Read(page));
    }

    [Fact]
    public void TryRead_TimeExtend_AddsTheUpperBits()
    {
        byte[] page = new PageBuilder { Time = 10 }.TimeExtend(1, 2).Event(1, 9, 9, 9, 9).Build();

        // 10 + 1 + 2 × 2²⁷ + 1 = 268,435,468
        Assert.Equal([(268_435_468, "09090909")], Read(page));
    }

    [Fact]
    public void TryRead_TimeStamp_ReplacesAllButTheUpperFiveBits()
    {
        long pageTime = (3L << 59) | 100;
        byte[] page = new PageBuilder { Time = pageTime }.TimeStamp(50, 1).Event(2, 9, 9, 9, 9).Build();

        // upper bits 3, then 1 × 2²⁷ + 50, then + 2
        Assert.Equal([((3L << 59) + (1 << 27) + 52, "09090909")], Read(page));
    }

    [Fact]
    public void TryRead_TimeStampBelowThePage_HasWrapped()
    {
        long pageTime = (1L << 59) - 10;
        byte[] page = new PageBuilder { Time = pageTime }.TimeStamp(5, 0).Event(0, 9, 9, 9, 9).Build();

        Assert.Equal([((1L << 59) + 5, "09090909")], Read(page));
    }

    [Fact]
    public void TryRead_DiscardedEvent_CountsItsTimeOnly()
    {
        byte[] page = new PageBuilder { Time = 0 }.Event(1, 1, 1, 1, 1).Discarded(4, 0, 0, 0, 0).Event(2, 2, 2, 2, 2).Build();

        Assert.Equal([(1, "01010101"), (7, "02020202")], Read(page));
    }

    [Fact]
    public void TryRead_EndOfPage_Ends()
    {
        byte[] page = new PageBuilder { Time = 0 }.Event(1, 1, 1, 1, 1).EndOfPage().Event(1, 2, 2, 2, 2).Build();

        Assert.Equal([(1, "01010101")], Read(page));
    }

    [Fact]
    public void Missed_Stored_IsTheCountBehindTheEvents()
    {
        byte[] page = new PageBuilder { Flags = MissedEvents | MissedStored, BehindEvents = [7, 0, 0, 0, 0, 0, 0, 0] }.Event(1, 1, 1, 1, 1).Build();

        Assert.Equal(7, new RingPageReader(page, Layout).Missed);
        Assert.Single(Read(page));
    }

    [Fact]
    public void Missed_NotStored_IsAtLeastOne() =>
        Assert.Equal(1, new RingPageReader(new PageBuilder { Flags = MissedEvents }.Event(1, 1, 1, 1, 1).Build(), Layout).Missed);

    [Fact]
    public void Missed_NoFlag_IsNone() => Assert.Equal(0, new RingPageReader(new PageBuilder().Build(), Layout).Missed);

    [Fact]
    public void TryRead_LengthBeyondThePage_Ends()
    {
        // type 28: 112 bytes, of which 4 are there
        byte[] page = new PageBuilder().Event(1, 1, 1, 1, 1).Raw(28, 0, 0, 0, 1, 2, 3, 4).Build();

        Assert.Equal([(1, "01010101")], Read(page));
    }

    [Fact]
    public void TryRead_LongEventShorterThanItsWord_Ends()
    {
        byte[] page = new PageBuilder().Raw(0, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 4).Build();

        Assert.Empty(Read(page));
    }

    [Fact]
    public void TryRead_AnyBytes_EndsWithinThePage() => Prop.ForAll<byte[]>(bytes =>
    {
        long taken = Read(bytes).Sum(e => e.Payload.Length / 2);
        return taken <= bytes.Length;
    }).QuickCheckThrowOnFailure();

    static List<(long Time, string Payload)> Read(ReadOnlySpan<byte> bytes)
    {
        var reader = new RingPageReader(bytes, Layout);
        var events = new List<(long, string)>();
        while (reader.TryRead(out ReadOnlySpan<byte> payload))
        {
            events.Add((reader.TimeNanos, Convert.ToHexString(payload)));
        }

        return events;
    }
}

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
