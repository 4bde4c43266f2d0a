using TcpDiag.Simulator.Senders;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>What takes a reduction back.</summary>
[Trait(Tier.Name, Tier.Conformance)]
public sealed class SenderUndoTests
{
    static readonly SenderTraits NoProbe = Timeline.Traits with { HasTailLossProbe = false };

    // RFC 3522 §3.2: resent at 102 ms; the acknowledgment that covers it echoes 0 ms, so it answers the original.
    [Fact]
    public void Eifel_OlderEcho_RestoresCwnd()
    {
        Timeline line = InRecovery().At(103).Ack(5, ecr: 0);
        Assert.Equal((RecoveryPhase.Open, 1), (line.Tcp.Phase, line.Tcp.Count().Undone));
        Assert.True(line.CwndSegments >= 10, $"{line.CwndSegments}");
        Assert.Equal(string.Empty, line.At(203).Ack(10).Sent());
    }

    // The acknowledgment echoes the retransmission: it was needed. A later one with an old echo proves nothing (RFC 3522: the first only).
    [Fact]
    public void Eifel_EchoOfTheRetransmission_UndoesNothing()
    {
        Timeline line = new Timeline().Write(10).At(102).Sack(0, (1, 2), (3, 6)).At(202).Ack(2, [(3, 6)], ecr: 102).At(203).Ack(6, ecr: 0);
        Assert.Equal(0, line.Tcp.Count().Undone);
        Assert.Equal(5_000, line.Tcp.Ssthresh);
    }

    // RFC 3708 §3: the DSACK of the only retransmission comes when recovery has ended already, as it always does when what was late arrives.
    [Fact]
    public void Dsack_AfterTheRecovery_RestoresCwnd()
    {
        Timeline line = InRecovery().At(103).Ack(10);
        Assert.Equal(5, line.CwndSegments);
        line.At(202).Ack(10, [(0, 1)]);
        Assert.Equal(10, line.CwndSegments);
        Assert.Equal(1, line.Tcp.Count().Undone);
    }

    // RFC 3708 §3: one of two retransmissions was needed.
    [Fact]
    public void Dsack_OfOneOfTwo_UndoesNothing()
    {
        Timeline line = new Timeline().Write(10).At(102).Sack(0, (1, 2), (3, 9)).At(103).Sack(0, (1, 2), (3, 10));
        line.At(202).Ack(10).At(203).Ack(10, [(0, 1)]);
        Assert.Equal(0, line.Tcp.Count().Undone);
        Assert.Equal(5, line.CwndSegments);
    }

    // RFC 8985 §6.2 step 4: one DSACK widens the window by min_RTT/4; a second one of the same round does not.
    [Fact]
    public void Dsack_WidensTheReorderingWindowOncePerRound()
    {
        Timeline line = InRecovery().Write(5).At(103).Ack(10).At(202).Ack(10, [(0, 1)]).At(203).Ack(10, [(0, 1)]);
        Assert.Equal(2, line.Tcp.ReoWndMult);
    }

    [Theory]
    [InlineData(WindowAdaptation.Fixed)]
    [InlineData(WindowAdaptation.BlindToDsack)]
    public void Dsack_ToAStackThatDoesNotAdapt_ChangesNoWindow(WindowAdaptation adaptation)
    {
        Timeline line = InRecovery(Timeline.Traits with { Adaptation = adaptation }).At(103).Ack(10).At(202).Ack(10, [(0, 1)]);
        Assert.Equal(1, line.Tcp.ReoWndMult);
    }

    // RFC 5682 §3.1: all is late by a second. The answer to the original of 0 lets two new segments out instead of resending 1; that of 1 proves it.
    [Fact]
    public void Frto_OriginalsArrive_RestoresCwndAndResendsNothing()
    {
        Timeline line = new Timeline(NoProbe).Write(20).At(1000);
        Assert.Equal("0 1 2 3 4 5 6 7 8 9 0r", line.Sent());
        Assert.Equal("10 11", line.At(1001).Ack(1).Sent());
        line.At(1002).Ack(2);
        Assert.Equal((RecoveryPhase.Open, 1), (line.Tcp.Phase, line.Tcp.Count().Undone));
        Assert.DoesNotContain("r", line.At(1010).Ack(10).Sent());
        Assert.Equal(1, line.Tcp.Count().Retransmissions);
    }

    // RFC 5682 §2.1 step 2: with nothing new to send there is no test; the rest is resent.
    [Fact]
    public void Frto_WithoutNewData_GoesOnAsUsual()
    {
        Timeline line = new Timeline(NoProbe).Write(5).At(1000);
        Assert.Equal("0 1 2 3 4 0r", line.Sent());
        Assert.Equal("1r 2r", line.At(1100).Ack(1).Sent());
    }

    // RFC 5682 §3.1 step 3: new data arrives while old is missing: the timeout was genuine, and the rest is resent.
    [Fact]
    public void Frto_NewDataSacked_ResendsTheRest()
    {
        Timeline line = new Timeline(NoProbe).Write(20).At(1000).At(1100).Ack(1);
        line.Sent();
        Assert.StartsWith("1r", line.At(1200).Sack(1, (10, 11)).Sent(), System.StringComparison.Ordinal);
        Assert.Equal(0, line.Tcp.Count().Undone);
    }

    // Ten segments at 0 ms; the first is late and resent at 102, with ssthresh 5.
    static Timeline InRecovery(SenderTraits? traits = null)
    {
        Timeline line = new Timeline(traits).Write(10).At(102).Sack(0, (1, 4));
        Assert.Equal("0 1 2 3 4 5 6 7 8 9 0r", line.Sent());
        return line;
    }
}
