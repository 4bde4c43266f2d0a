using System.Linq;
using TcpDiag.Analysis.Results;
using Xunit;
using static TcpDiag.Analysis.Tests.Limits.SenderScript;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>Captures at the sender, the client, that begin without the SYNs: rounds of 20 ms, each let go by an acknowledgment.</summary>
public sealed class BegunLateTests
{
    readonly MemoryTrace _trace = new();
    uint _next = 1;

    // Thirteen segments of 1448 bytes and 248: 19,072 is 149 << 7. Three rounds show that, and the rest waits for the window.
    [Fact]
    public void WindowFullToTheByte_IsAReceiveWindow_OnceItsScaleHasShown()
    {
        for (int round = 0; round < 20; round++)
        {
            Round(round, [.. Enumerable.Repeat(1448, 13), 248]);
        }

        ConnectionDirection direction = _trace.Analyze().Connections.Single().FromClient;
        Assert.Equal(149 << 7, direction.MaxReceiveWindowBytes);
        Assert.Equal(0, Ms(direction, LimitState.SendBuffer));
        Assert.InRange(Ms(direction, LimitState.ReceiveWindow), 300, 360);
    }

    // One segment more in each round, of 1000 bytes but for one that probes what the path takes (RFC 4821).
    [Fact]
    public void ProbeOfThePathMtu_LeavesSegmentsFull()
    {
        for (int round = 0; round < 30; round++)
        {
            int[] segments = [.. Enumerable.Repeat(1000, 20 + round)];
            segments[5] = round == 8 ? 1236 : 1000;
            Round(round, segments);
        }

        ConnectionDirection direction = _trace.Analyze().Connections.Single().FromClient;
        Assert.Equal(0, Ms(direction, LimitState.SendBuffer));
        Assert.InRange(Ms(direction, LimitState.CongestionWindow), 500, 600);
    }

    // Segments 1 µs apart, 20 µs behind the acknowledgment of those before.
    void Round(int round, int[] segments)
    {
        long time = (round * 20_000L) + 20;
        foreach (int bytes in segments)
        {
            _trace.Packet(time++, Segments.FromClient(_next, 1, bytes));
            _next += (uint)bytes;
        }

        _trace.Packet((round + 1) * 20_000L, Segments.FromServer(1, _next).Window(149));
    }
}
