using System;
using System.Collections.Generic;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Capture.Linux;
using TcpDiag.Traces;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Capture.Tests.Linux;

public sealed class TimeOrderTests
{
    static readonly PendingRecord Packet = new(0, 0, 3, 9, PacketDirection.Inbound);

    readonly Written _written = new();

    [Fact]
    public void Flush_SeveralSources_AreMerged()
    {
        var order = new TimeOrder(1 << 20, _written);
        Add(order, 30, 1);
        Add(order, 10, 2);
        Add(order, 20, 3);

        order.Flush(new(20));
        Assert.Equal([(10, 2), (20, 3)], _written.Records);
        order.Flush(new(long.MaxValue));
        Assert.Equal([(10, 2), (20, 3), (30, 1)], _written.Records);
        Assert.Equal(0, order.OutOfOrder);
    }

    [Fact]
    public void Flush_EqualTimes_KeepTheirOrder()
    {
        var order = new TimeOrder(1 << 20, _written);
        Add(order, 5, 9);
        for (byte i = 0; i < 100; i++)
        {
            Add(order, 4, i);
        }

        order.Flush(new(4));
        Assert.Equal(Enumerable.Range(0, 100).Select(i => (4L, (byte)i)), _written.Records);
    }

    [Fact]
    public void Flush_LateRecord_IsWrittenAndCounted()
    {
        var order = new TimeOrder(1 << 20, _written);
        Add(order, 10, 1);
        order.Flush(new(10));
        Add(order, 5, 2);
        order.Flush(new(10));

        Assert.Equal([(10, 1), (5, 2)], _written.Records);
        Assert.Equal(1, order.OutOfOrder);
    }

    [Fact]
    public void Add_BufferFull_WritesTheOlderHalf()
    {
        var order = new TimeOrder(4, _written);
        for (byte i = 0; i < 5; i++)
        {
            Add(order, 10 - i, i);
        }

        // Four bytes fit. The fifth record pushes out the two oldest: times 7 and 8.
        Assert.Equal([(7, 3), (8, 2)], _written.Records);
    }

    [Fact]
    public void Add_RecordLargerThanTheBuffer_IsTakenAlone()
    {
        var order = new TimeOrder(4, _written);
        order.Add(new(1), Packet, new byte[100]);
        order.Flush(new(1));

        Assert.Equal([(1, 0)], _written.Records);
    }

    [Fact]
    public void Flush_AnyTimesAndFlushes_WritesEveryRecordOnceInOrder() => Prop.ForAll<int[], int>((times, split) =>
    {
        var written = new Written();
        var order = new TimeOrder(1 << 20, written);
        int cut = times.Length == 0 ? 0 : (int)((uint)split % (uint)times.Length);
        for (int i = 0; i < times.Length; i++)
        {
            order.Add(new(times[i]), Packet, [(byte)i]);
            if (i == cut)
            {
                order.Flush(new(long.MinValue));
            }
        }

        order.Flush(new(long.MaxValue));
        var expected = times.Select((time, i) => ((long)time, (byte)i)).OrderBy(pair => pair.Item1);
        return written.Records.SequenceEqual(expected);
    }).QuickCheckThrowOnFailure();

    static void Add(TimeOrder order, long time, byte content) => order.Add(new(time), Packet, [content]);

    sealed class Written : IRecordWriter
    {
        public List<(long Time, byte Content)> Records { get; } = [];

        public void Write(TraceTime time, PendingRecord record, ReadOnlySpan<byte> data)
        {
            Assert.Equal((3, 9), (record.InterfaceId, record.OriginalLength));
            Records.Add((time.Nanoseconds, data[0]));
        }
    }
}
