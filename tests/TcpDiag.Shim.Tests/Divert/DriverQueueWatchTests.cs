using System;
using System.Collections.Generic;
using TcpDiag.Shim.Divert;
using Xunit;

namespace TcpDiag.Shim.Tests.Divert;

/// <summary>Losses suspected in a queue that counts none: a clock of 1000 ticks a second, a queue of 100 packets, 100,000 bytes and 16 seconds.</summary>
public class DriverQueueWatchTests
{
    readonly DriverQueueWatch _watch = new(1000, 100, 100_000, TimeSpan.FromSeconds(16));

    // Receives packets taken at some instants.
    void Receive(long now, int bytes, params long[] taken)
    {
        DivertAddress[] addresses = new DivertAddress[taken.Length];
        for (int i = 0; i < taken.Length; i++)
        {
            addresses[i].Timestamp = taken[i];
        }

        _watch.OnCall(now);
        _watch.OnBatch(addresses, bytes, now);
    }

    [Fact]
    public void Doubt_PacketsTakenAtOnce_IsNone()
    {
        for (int i = 1; i < 1000; i++)
        {
            Receive(i * 10, 1500, (i * 10) - 1);
        }

        Assert.Null(_watch.Doubt);
    }

    // The mark is set at 1000, when the first batch is received; 50 packets were queued by then, half of what it holds.
    [Theory]
    [InlineData(50, true)]
    [InlineData(51, false)]
    public void Doubt_QueueMoreThanHalfFullOfPackets_IsTold(int queued, bool isSound)
    {
        Receive(1000, 40, 999);
        for (int i = 0; i < queued; i++)
        {
            Receive(1001 + i, 40, 500 + i);
        }

        Assert.Equal(isSound, _watch.Doubt is null);
    }

    // Each packet counts 256 bytes more: 3 × (16,000 + 256) = 48,768, 4 of them 65,024.
    [Theory]
    [InlineData(3, true)]
    [InlineData(4, false)]
    public void Doubt_QueueMoreThanHalfFullOfBytes_IsTold(int queued, bool isSound)
    {
        Receive(1000, 16_000, 999);
        for (int i = 0; i < queued; i++)
        {
            Receive(1001 + i, 16_000, 500);
        }

        Assert.Equal(isSound, _watch.Doubt is null);
    }

    [Fact]
    public void Doubt_ManyPacketsButYoungerThanTheMark_IsNone()
    {
        // The queue never held more than 10: each batch sets a new mark.
        for (int i = 0; i < 50; i++)
        {
            long[] taken = new long[10];
            Array.Fill(taken, (i * 10) + 5);
            Receive((i + 1) * 10, 400, taken);
        }

        Assert.Null(_watch.Doubt);
    }

    [Theory]
    [InlineData(8000, true)]
    [InlineData(8001, false)]
    public void Doubt_PacketHasWaitedHalfTheTime_IsTold(long age, bool isSound)
    {
        Receive(10_000, 40, 10_000 - age);

        Assert.Equal(isSound, _watch.Doubt is null);
    }

    [Theory]
    [InlineData(8000, true)]
    [InlineData(8001, false)]
    public void Doubt_NothingWasTakenForHalfTheTime_IsTold(long pause, bool isSound)
    {
        Receive(1000, 40, 999);
        _watch.OnCall(1000 + pause);

        Assert.Equal(isSound, _watch.Doubt is null);
    }

    [Fact]
    public void Doubt_IsASentenceThatVoidsTheRun()
    {
        Receive(10_000, 40, 0);

        Assert.Equal(
            "The run is void: WinDivert's own queue was so full that it may have dropped packets, which it does not count "
                + "(a packet had waited there for 10.0 s). Lower the load, or narrow the match.",
            _watch.Doubt);
    }

    // The claim that no overflow goes unnoticed, against a queue that drops its oldest packet, with bursts, pauses and a reader of random strides.
    [Fact]
    public void Doubt_QueueThatOverflows_IsAlwaysTold()
    {
        for (int seed = 0; seed < 2000; seed++)
        {
            Random random = new(seed);
            DriverQueueWatch watch = new(1000, 100, long.MaxValue / 4, TimeSpan.FromSeconds(1000));
            bool hasLost = SimulateQueue(random, watch);
            Assert.True(!hasLost || watch.Doubt is not null, $"seed {seed}");
        }
    }

    static bool SimulateQueue(Random random, DriverQueueWatch watch)
    {
        Queue<long> queue = new();
        bool hasLost = false;
        for (long now = 1; now < 300 || queue.Count > 0; now++)
        {
            for (int burst = now < 300 ? random.Next(0, 12) : 0; burst > 0; burst--)
            {
                hasLost |= queue.Count == 100 && queue.TryDequeue(out _);
                queue.Enqueue(now);
            }

            DivertAddress[] batch = new DivertAddress[Math.Min(queue.Count, random.Next(0, 12))];
            for (int i = 0; i < batch.Length; i++)
            {
                batch[i].Timestamp = queue.Dequeue();
            }

            if (batch.Length > 0)
            {
                watch.OnCall(now);
                watch.OnBatch(batch, batch.Length * 40, now);
            }
        }

        return hasLost;
    }
}
