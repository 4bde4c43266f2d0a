using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Analysis.Connections;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests;

/// <summary>The analysis against slow and obvious models, on random input.</summary>
public sealed class ModelTests
{
    // Up to eight segments, anywhere in 4000 bytes around the wrap of the sequence numbers.
    static readonly Arbitrary<int[]> Segments = Gen.Choose(0, 3999).ArrayOf().Select(a => a.Take(8).ToArray()).ToArbitrary();

    [Fact]
    public void Bytes_RandomOverlappingSegments_AgreeWithASetOfBytes() => Prop.ForAll(Segments, starts =>
    {
        MemoryTrace trace = Opened();
        var sent = new HashSet<int>();
        int payload = 0, max = 0, late = 0;
        for (int i = 0; i < starts.Length; i++)
        {
            int start = starts[i];
            int length = 2 + ((start * 7) % 900);
            trace.Packet(100_000 + i, FromClient((uint)start + 1, 1, length));
            int before = Enumerable.Range(start, length).Count(sent.Contains);
            int missing = Enumerable.Range(start, length).Count(b => b < max && !sent.Contains(b));
            late += before > 0 || missing > 0 ? 1 : 0;
            sent.UnionWith(Enumerable.Range(start, length));
            payload += length;
            max = Math.Max(max, start + length);
        }

        ConnectionDirection client = trace.Analyze().Connections.Single().FromClient;
        return client.PayloadBytes == payload && client.UniqueBytes == sent.Count && client.Retransmissions + client.OutOfOrder == late;
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(500));

    [Fact]
    public void FlowIndex_RandomKeys_AgreesWithADictionary() => Prop.ForAll<ushort[]>(ports =>
    {
        var keys = new KnownKeys();
        var index = new FlowIndex(7, keys);
        foreach (ushort port in ports)
        {
            var key = FlowKey.Of(new Endpoint(IpAddress.FromIpv4(port), port), new Endpoint(IpAddress.FromIpv4(1), 443), out _);
            bool isNew = Unsafe.IsNullRef(ref index.Find(key));
            if (isNew == keys.Contains(key))
            {
                return false;
            }

            if (isNew)
            {
                index.Add(key, keys.Count);
                keys.Add(key);
            }
        }

        return keys.Index().All(known => index.Find(known.Item) == known.Index);
    }).Check(Config.QuickThrowOnFailure.WithMaxTest(200).WithEndSize(2000));

    // Half a segment of 1/16 octave: 1/32 of the value, and a little for the nearest rank of the model.
    [Fact]
    public void RttQuantiles_ManySamples_AreWithinTheStatedError() => Prop.ForAll<int, int, int>((seed, count, spread) =>
    {
        var random = new Random(seed);
        double range = Math.Abs(spread % 33) / 2.0; // from all alike, over a few steps of the histogram, to all of them
        long[] values = [.. Enumerable.Range(0, 1 + Math.Abs(count % 3000)).Select(_ => (long)Math.Exp(7 + (random.NextDouble() * range)))];
        var recorder = new DurationSets();
        var samples = default(DurationSet);
        foreach (long value in values)
        {
            recorder.Add(ref samples, value);
        }

        RttSummary summary = recorder.Summarise(samples);
        Array.Sort(values);
        return summary.Samples == values.Length
            && summary.Min == values[0]
            && IsNear(summary.Median, values[((values.Length * 50) + 99) / 100 - 1])
            && IsNear(summary.P95, values[((values.Length * 95) + 99) / 100 - 1]);
    }).QuickCheckThrowOnFailure();

    static bool IsNear(long value, long exact) => Math.Abs(value - exact) <= Math.Max(exact / 31.0, 512);

    // Records of several interfaces of one file may come out of order.
    static void AssertTimesAreSane(Connection connection)
    {
        Assert.True(connection.Last >= connection.Start);
        Assert.True(connection.HandshakeRtt is null or >= 0);
        Assert.All([connection.FromClient, connection.FromServer], direction =>
        {
            Assert.True(direction.ActiveTime is null or >= 0);
            Assert.True(direction.Rtt is { Min: >= 0, Median: >= 0, P95: >= 0 });
        });
    }

    [Fact]
    public void RandomSegments_OfAnyKind_NeverFail()
    {
        var random = new Random(11);
        var trace = new MemoryTrace();
        for (int i = 0; i < 30_000; i++)
        {
            FrameBuilder segment = random.Next(2) == 0
                ? FromClient((uint)random.Next(-3000, 3000), (uint)random.Next(-3000, 3000), random.Next(4) == 0 ? random.Next(9000) : random.Next(3),
                    (byte)random.Next(256))
                : FromServer((uint)random.Next(), (uint)random.Next(), random.Next(2), (byte)random.Next(256));
            segment = random.Next(3) == 0 ? segment.Sack((uint)random.Next(), (uint)random.Next(), (uint)random.Next(), (uint)random.Next()) : segment;
            segment = random.Next(3) == 0 ? segment.Timestamps((uint)random.Next(), (uint)random.Next()) : segment;
            segment = segment.Window((ushort)(random.Next(3) * 100)).Tcp((ushort)(random.Next(2) == 0 ? 50000 : random.Next(60)),
                (ushort)random.Next(440, 445));
            trace.Packet((i * 100) - random.Next(5000), segment, random.Next(2));
        }

        TraceAnalysis analysis = trace.Analyze();
        Assert.Equal(30_000, analysis.Packets);
        Assert.All(analysis.Connections, AssertTimesAreSane);
        Assert.Equal(analysis.TcpPackets, analysis.Connections.Sum(c => c.FromClient.Packets + c.FromServer.Packets));
        Assert.All(analysis.Connections, c => Assert.True(c.FromClient.UniqueBytes >= 0 && c.FromClient.UniqueBytes <= c.FromClient.PayloadBytes));
    }

    sealed class KnownKeys : List<FlowKey>, IFlowKeys
    {
        public bool Is(int value, in FlowKey key) => this[value] == key;
    }
}
