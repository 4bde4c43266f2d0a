using TcpDiag.Analysis.Results;
using TcpDiag.Testing;
using Xunit;
using static TcpDiag.Analysis.Tests.Segments;

namespace TcpDiag.Analysis.Tests.Limits;

/// <summary>
/// A connection without timestamps, captured away from its sender, beside one that has them: what the other's packets echo says nothing of this one's way.
/// </summary>
public sealed class StampedStrangerTests
{
    const int Mss = 1460;
    const int Burst = 17; // three segments less than the window: seen from afar, full
    const int Window = 20 * Mss;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void WindowNearlyFull_SeenFromAfar_IsReceiveWindow(bool hasStranger)
    {
        MemoryTrace trace = Opened();
        uint seq = 1;
        for (int round = 0; round < 10; round++)
        {
            long start = 20_200 + (round * 20_000);
            for (int i = 0; i < Burst; i++, seq += Mss)
            {
                if (hasStranger)
                {
                    trace.Packet(start + (i * 10), Stranger());
                }

                trace.Packet(start + (i * 10) + 5, FromClient(seq, 1, Mss));
            }

            trace.Packet(start + 200, FromServer(1, seq).Window(Window));
        }

        ConnectionDirection direction = trace.Analyze().Connections[0].FromClient;
        LimitTimes times = direction.Limits!.Times;
        Assert.InRange(times.In(LimitState.ReceiveWindow), direction.ActiveTime!.Value / 2, direction.ActiveTime.Value);
    }

    static FrameBuilder Stranger() =>
        new FrameBuilder().Ip("10.0.0.9", "10.0.0.2").Tcp(50_001, 443).Seq(1).AckNumber(1).Window(1000).TcpOptionBytes(1, 1).Timestamps(7_000, 9_000);
}
