using TcpDiag.Tcp.Congestion;
using TcpDiag.Wire;
using Xunit;

namespace TcpDiag.Tcp.Tests.Congestion;

/// <summary>How Linux leaves slow start: segments of 1000 bytes, 20 of them in the initial window, round trips of 100 ms.</summary>
public sealed class CongestionWindowTests
{
    const long Millisecond = 1_000_000;
    const int Smss = 1000;

    // A SACK of 55 ms lowers the smallest sample. The threshold above it is 55/8 = 6.9 ms: with the ninth sample of 100 ms of the next round slow start ends,
    // after the window grew by a segment with each of nine acknowledgments; the test comes before the growth.
    [Theory]
    [InlineData(true, HyStartTrigger.Delay, 29_000)]
    [InlineData(false, HyStartTrigger.None, 0)]
    public void EarlyPacket_EndsSlowStart(bool isEarly, HyStartTrigger trigger, long exitCwnd)
    {
        CongestionWindow window = Begun(isEarly);
        Round(ref window);
        Assert.Equal((trigger, exitCwnd, !isEarly), (window.ExitTrigger, window.ExitCwnd, window.InSlowStart));
    }

    // The early packet made others look lost; DSACKs prove that they were not, and slow start goes on, with the smaller sample.
    [Fact]
    public void Undo_InSlowStart_LetsHyStartGoOn()
    {
        CongestionWindow window = Begun(isEarly: false);
        CongestionWindow saved = window;
        window.OnLoss(20_000);
        window.OnSampleAlone(Ack(155, 55, una: 1000, nxt: 21_000)); // in recovery
        Assert.False(window.InSlowStart);
        window.Undo(saved);
        Assert.True(window.InSlowStart);
        Round(ref window);
        Assert.Equal((HyStartTrigger.Delay, false), (window.ExitTrigger, window.InSlowStart));
    }

    static CongestionWindow Begun(bool isEarly)
    {
        CongestionWindow window = new(CongestionTraits.Linux, Smss, 20_000);
        window.OnAckReceived(Ack(100, 100, una: 1000, nxt: 21_000), isCwndLimited: true);
        if (isEarly)
        {
            window.OnSampleAlone(Ack(155, 55, una: 1000, nxt: 21_000));
        }

        return window;
    }

    // 10 ms apart, more than the 2 ms of a train.
    static void Round(ref CongestionWindow window)
    {
        for (int i = 0; i < 9; i++)
        {
            window.OnAckReceived(Ack(200 + (10 * i), 100, una: (uint)(22_000 + (1000 * i)), nxt: 60_000), isCwndLimited: true);
        }
    }

    static AckOfNewData Ack(long milliseconds, long rtt, uint una, uint nxt) =>
        new(new TraceTime(milliseconds * Millisecond), Smss, rtt * Millisecond, 100 * Millisecond, new SequenceNumber(una), new SequenceNumber(nxt));
}
