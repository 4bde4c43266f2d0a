using System;
using System.Linq;
using FsCheck;
using FsCheck.Fluent;
using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Whatever the packets: the states tile the active time.</summary>
public sealed class LimitPropertyTests
{
    [Fact]
    public void States_AnySegments_AddUpToTheActiveTime() =>
        Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), seed =>
        {
            ConnectionDirection[] directions = [.. Trace(new Random(seed)).Analyze().Connections.SelectMany(connection => new[] { connection.FromClient,
                connection.FromServer })];
            return directions.All(direction => direction.Limits is null || IsTiled(direction));
        }).QuickCheckThrowOnFailure();

    static bool IsTiled(ConnectionDirection direction)
    {
        long total = 0;
        foreach (Analysis.Results.LimitState state in Enum.GetValues<Analysis.Results.LimitState>())
        {
            long time = direction.Limits!.Times.In(state);
            total += time >= 0 ? time : throw new InvalidOperationException($"{state} has {time} ns.");
        }

        return total == direction.ActiveTime;
    }

    // Both ends send, resend, acknowledge, close windows and step back in time; the capture may be anywhere.
    static MemoryTrace Trace(Random random)
    {
        MemoryTrace trace = random.Next(2) == 0 ? Opened() : new MemoryTrace();
        long time = 20_200;
        uint[] next = [1, 1];
        for (int i = 0; i < 200; i++)
        {
            time = Math.Max(time + (random.Next(10) == 0 ? random.Next(-5000, 3_000_000) : random.Next(2000)), 0);
            int from = random.Next(2);
            int payload = random.Next(3) == 0 ? 0 : random.Next(1, 4000);
            uint seq = random.Next(5) == 0 ? (uint)random.Next(1, 200_000) : next[from];
            uint ack = random.Next(4) == 0 ? (uint)random.Next(1, 200_000) : next[from ^ 1];
            byte flags = (byte)(FrameBuilder.Ack | (random.Next(4) == 0 ? FrameBuilder.Psh : 0) | (random.Next(60) == 0 ? FrameBuilder.Cwr
                : 0) | (random.Next(100) == 0 ? FrameBuilder.Fin : 0));
            next[from] = Math.Max(next[from], seq + (uint)payload);
            FrameBuilder frame = from == 0 ? FromClient(seq, ack, payload, flags) : FromServer(seq, ack, payload, flags);
            trace.Packet(time, frame.Window((ushort)(random.Next(5) == 0 ? 0 : random.Next(65536))));
        }

        return trace;
    }
}
