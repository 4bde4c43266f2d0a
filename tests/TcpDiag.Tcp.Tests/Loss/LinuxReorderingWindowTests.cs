using TcpDiag.Tcp.Loss;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests.Loss;

/// <summary>Linux 6.18, net/ipv4/tcp_recovery.c, tcp_rack_update_reo_wnd.</summary>
public sealed class LinuxReorderingWindowTests
{
    // rs->prior_delivered is 0 where nothing is delivered: rack.dsack_seen stays until something is.
    [Fact]
    public void DsackBesideNoDelivery_WaitsForTheNext()
    {
        LinuxReorderingWindow window = default;
        window.OnAckReceived([], At(100), hasDsack: true, exitsRecovery: false);
        Assert.Equal(1, window.ReoWndMult);

        window.OnAckReceived([SentAt(70)], At(110), hasDsack: false, exitsRecovery: false);
        Assert.Equal(2, window.ReoWndMult);
    }

    // The second DSACK comes with a segment that was out when the window grew: the round is not over, and the DSACK is forgotten.
    [Fact]
    public void DsackOfTheSameRound_IsForgotten()
    {
        LinuxReorderingWindow window = default;
        window.OnAckReceived([SentAt(60)], At(100), hasDsack: true, exitsRecovery: false);
        window.OnAckReceived([SentAt(70)], At(110), hasDsack: true, exitsRecovery: false);
        window.OnAckReceived([SentAt(105)], At(145), hasDsack: false, exitsRecovery: false);

        Assert.Equal(2, window.ReoWndMult);
    }

    // What was sent after the growth ends the round though SND.UNA has not moved; the latest of what one acknowledgment delivers decides.
    [Fact]
    public void DeliveryOfWhatWasSentSince_EndsTheRound()
    {
        LinuxReorderingWindow window = default;
        window.OnAckReceived([SentAt(60)], At(100), hasDsack: true, exitsRecovery: false);
        window.OnAckReceived([SentAt(101), SentAt(70)], At(141), hasDsack: true, exitsRecovery: false);

        Assert.Equal(3, window.ReoWndMult);
    }

    // TCP_RACK_RECOVERY_THRESH is 16.
    [Theory]
    [InlineData(15, 2)]
    [InlineData(16, 1)]
    public void Recoveries_NarrowItAgain(int recoveries, int multiplier)
    {
        LinuxReorderingWindow window = default;
        window.OnAckReceived([SentAt(60)], At(100), hasDsack: true, exitsRecovery: false);
        for (int i = 0; i < recoveries; i++)
        {
            window.OnAckReceived([SentAt(101)], At(200 + i), hasDsack: false, exitsRecovery: true);
        }

        Assert.Equal(multiplier, window.ReoWndMult);
    }

    // reo_wnd_steps has eight bits.
    [Fact]
    public void Growth_EndsAt255()
    {
        LinuxReorderingWindow window = default;
        for (int i = 0; i < 300; i++)
        {
            window.OnAckReceived([SentAt(100 * i)], At((100 * i) + 40), hasDsack: true, exitsRecovery: false);
        }

        Assert.Equal(255, window.ReoWndMult);
    }

    static TraceTime At(long ms) => new(1_700_000_000_000_000_000 + (ms * Ms));

    static RackSegment SentAt(long ms) => new() { XmitTime = At(ms) };
}
