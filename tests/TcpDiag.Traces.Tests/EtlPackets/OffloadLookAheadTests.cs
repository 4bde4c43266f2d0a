using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using TcpDiag.Testing;
using TcpDiag.Traces.Etl.Writing;
using TcpDiag.Traces.StackEvents;
using TcpDiag.Traces.Tests.Etl;
using Xunit;

namespace TcpDiag.Traces.Tests.EtlPackets;

/// <summary>Segments of unknown length get it from the segment that follows; frames have 14 + 20 + 20 bytes of headers.</summary>
public sealed class OffloadLookAheadTests
{
    const int Headers = 54;
    const ulong CutAndSent = 0xC000_0000 | 0x1_0000_0000 | 0x200_0000;
    const byte Fin = FrameBuilder.Fin | FrameBuilder.Ack;

    static readonly Guid Tcpip = new("2f07e2ee-15db-40f1-90ef-9d7ba282188a");

    readonly List<byte[]> _records = [];
    long _ticks = EtlFixtures.Header.StartTicks;

    [Fact]
    public void NextSegment_EndsTheOneBefore_TheLastKeepsWhatWasCaptured()
    {
        Sent(1000).Sent(9000).Sent(9500);

        Assert.Equal([(1000u, Headers + 8000, true), (9000u, Headers + 500, true), (9500u, 120, false)], Read());
    }

    [Fact]
    public void StackEvent_TellsTheLength_NothingIsAwaited()
    {
        StackSent(1000, 700).Sent(1000).Sent(9000);

        Assert.Equal([(1000u, Headers + 700, true), (9000u, 120, false)], Read());
    }

    [Fact]
    public void SequenceWrap_IsNoEnd()
    {
        Sent(0xFFFF_FF00).Sent(0x0000_0F00);

        Assert.Equal((0xFFFF_FF00, Headers + 0x1000, true), Read()[0]);
    }

    [Fact]
    public void Fin_TakesASequenceNumberButNoByte()
    {
        Sent(1000, Fin).Sent(9001);

        Assert.Equal((1000u, Headers + 8000, true), Read()[0]);
    }

    [Fact]
    public void FinAlone_EndsTheDataBefore()
    {
        Sent(1000).Whole(6000, Fin);

        Assert.Equal((1000u, Headers + 5000, true), Read()[0]);
    }

    [Fact]
    public void OtherFlowsAndDirections_AreNoNeighbours()
    {
        Sent(1000).Whole(2000, port: 7777).Received(3000).Sent(5000);

        Assert.Equal((1000u, Headers + 4000, true), Read()[0]);
    }

    [Fact]
    public void Copy_OfTheSameSegment_WaitsForTheSameEnd()
    {
        Sent(1000).Sent(1000).Sent(2500);

        Assert.Equal([(1000u, Headers + 1500, true), (1000u, Headers + 1500, true), (2500u, 120, false)], Read());
    }

    [Fact]
    public void Retransmission_IsNotMeasuredByNewData()
    {
        Sent(50_000).Sent(60_000).Sent(1000).Sent(70_000);

        Assert.Equal((1000u, 120, false), Read()[2]);
        Assert.Equal((60_000u, Headers + 10_000, true), Read()[1]);
    }

    [Theory]
    [InlineData(1000u + 10)] // fewer bytes than were captured
    [InlineData(1000u + (1 << 18) + 1)] // more than any offload takes
    public void NeighbourThatCannotBe_IsPassedOver(uint next)
    {
        Sent(1000).Whole(next);

        Assert.Equal((1000u, 120, false), Read()[0]);
    }

    [Fact]
    public void EndTooFarAway_IsNotAwaited()
    {
        Sent(1000);
        for (uint i = 0; i < 500; i++)
        {
            Whole(i, port: 7777);
        }

        Sent(9000);

        Assert.Equal((1000u, 120, false), Read()[0]);
        Assert.Equal(502, Read().Count);
    }

    [Fact]
    public void WhatIsHeldBack_KeepsItsOrderAndItsEvents()
    {
        Sent(1000).StackSent(1, 11).StackSent(2, 12).Whole(5, port: 7777).StackSent(3, 13).Sent(9000).StackSent(4, 14);
        using EtlTraceReader reader = Open();
        var record = default(TraceRecord);
        var told = new List<string>();
        long latest = 0;
        while (reader.TryRead(ref record))
        {
            Assert.True(record.Time.Nanoseconds >= latest);
            latest = record.Time.Nanoseconds;
            long bytes = 0;
            told.Add(record.Kind == TraceRecordKind.Packet ? "packet" : record.Event!.TryGet(StackField.Bytes, out bytes) ? $"{bytes}" : "none");
        }

        Assert.Equal(["packet", "11", "12", "packet", "13", "packet", "14"], told);
    }

    OffloadLookAheadTests Sent(uint seq, byte flags = FrameBuilder.Ack) =>
        Add(
            CutAndSent,
            new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(80, 5000).Seq(seq).Flags(flags).PayloadLength(9000).Offloaded().Build().AsSpan(0, 120));

    OffloadLookAheadTests Whole(uint seq, byte flags = FrameBuilder.Ack, ushort port = 5000) =>
        Add(0x1_C000_0000, new FrameBuilder().Ip("10.0.0.1", "10.0.0.2").Tcp(80, port).Seq(seq).Flags(flags).Build());

    OffloadLookAheadTests Received(uint seq) =>
        Add(0x2_C000_0000, new FrameBuilder().Ip("10.0.0.2", "10.0.0.1").Tcp(5000, 80).Seq(seq).Flags(FrameBuilder.Ack).Build());

    OffloadLookAheadTests StackSent(uint seq, uint bytes) => Add(new EventBytes(Tcpip, 1332).U64(0xA).U32(1, 2, bytes, seq, 3, 4, 5));

    OffloadLookAheadTests Add(ulong keywords, ReadOnlySpan<byte> frame) =>
        Add(EventBytes.Ndis(1001, keywords).U32(7, 7, (uint)frame.Length).Bytes(frame));

    OffloadLookAheadTests Add(EventBytes bytes)
    {
        _records.Add(bytes.At(_ticks++).Build());
        return this;
    }

    EtlTraceReader Open()
    {
        using var stream = new MemoryStream();
        using var writer = new EtlWriter(stream, EtlFixtures.Header);
        _records.ForEach(record => writer.Write(record, 0));
        writer.Complete(EtlFixtures.Header.StartFileTime + _ticks, 0, 0);
        return EtlTraceReader.Open(new MemoryTraceInput(stream.ToArray()));
    }

    List<(uint Seq, int Length, bool IsReconstructed)> Read()
    {
        using EtlTraceReader reader = Open();
        var record = default(TraceRecord);
        var found = new List<(uint, int, bool)>();
        while (reader.TryRead(ref record))
        {
            if (record.Kind == TraceRecordKind.Packet)
            {
                uint seq = BinaryPrimitives.ReadUInt32BigEndian(record.Data[38..]);
                found.Add((seq, record.OriginalLength, record.IsLengthReconstructed));
            }
        }

        return found;
    }
}
