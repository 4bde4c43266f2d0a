using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Tests.Limits;
using Xunit;

namespace TcpDiag.Analysis.Tests.Patterns;

/// <summary>What got through from one loss to the next.</summary>
public sealed class LossPaceTests
{
    // Seen at the receiver over a path of 20 ms: flights of twelve segments each 120 ms, of which the fifth and the last two are lost. The fifth is sent again
    // twice, as its repair is lost as well; only what the sender sends then shows the last two to be missing, and they are repaired a round trip later.
    [Theory]
    [InlineData(20)]
    [InlineData(0)]
    public void LossesOfOneFlight_CountOnce_WhereverTheyAreSeen(double sender)
    {
        var script = new SenderScript(sender);
        for (uint flight = 0; flight < 5; flight++)
        {
            uint first = flight * 14;
            double ms = flight * 120;
            Flight(script, ms, isAtSender: sender == 0).Resend(ms + 45, first + 4).Ack(ms + 65 - sender, 6).Send(ms + 65.2 - sender, 2);
            script.Duplicate(ms + 85.3 - (2 * sender), first + 12, first + 14);
            script.Resend(ms + 86 - sender, first + 10).Resend(ms + 86.1 - sender, first + 11).AckAll(ms + 106.2 - sender);
        }

        LossPaceSummary? pace = script.Direction().Patterns?.LossPace;
        Assert.Equal(4, pace?.Intervals);
    }

    static SenderScript Flight(SenderScript script, double ms, bool isAtSender) => isAtSender
        ? script.Send(ms, 12).Ack(ms + 20, 4)
        : script.Send(ms, 4).Ack(ms + 0.05, 4).Miss(1, isAcknowledged: false).Send(ms + 0.1, 5).Miss(2, isAcknowledged: false);
}
