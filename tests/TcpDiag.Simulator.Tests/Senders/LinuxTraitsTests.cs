using TcpDiag.Simulator.Senders;
using Xunit;

namespace TcpDiag.Simulator.Tests.Senders;

/// <summary>Where Linux does otherwise than the RFC says: each trait beside the sender that lacks it.</summary>
[Trait(Tier.Name, Tier.Behaviour)]
public sealed class LinuxTraitsTests
{
    static readonly SenderTraits Plain = Timeline.Traits with { HasTailLossProbe = false };

    // Segment 11 leaves at 100 and is SACKed at 160: RACK.rtt 60, window 15, so what left at 0 (1 to 9) is lost, 1 is resent, and its original answers. Its rtt
    // of 1 ms is less than min_RTT, so RACK.rtt stays 60, and by the letter 2 to 9 are lost again.
    [Theory]
    [InlineData(false, "2r")]
    [InlineData(true, "")]
    public void MarksOnce_WhatAnUndoUnmarked_IsNotMarkedAgain(bool isLinux, string resent)
    {
        Timeline line = new Timeline(Plain with { MarksOnce = isLinux }).Write(12).At(100).Ack(1).At(160).Sack(1, (11, 12));
        line.Sent();
        line.At(161).Ack(2, [(11, 12)], ecr: 0);
        Assert.Equal(1, line.Tcp.Count().Undone);
        Assert.Equal(resent, line.Sent());
    }

    // Sent at 110 and SACKed at 170: RACK.rtt 60, window 15, so what left at 100 (10 to 19) is due at 175. A DSACK at 176 gives no round trip.
    [Theory]
    [InlineData(false, RecoveryPhase.Fast)]
    [InlineData(true, RecoveryPhase.Open)]
    public void LooksOnNews_ADsackAlone_MarksNothing(bool isLinux, RecoveryPhase phase)
    {
        SenderTraits traits = Plain with { LooksOnNews = isLinux, Adaptation = WindowAdaptation.Fixed };
        Timeline line = new Timeline(traits).Write(30).At(100).Ack(5).At(110).Ack(10).At(170).Sack(10, (29, 30)).At(176).Ack(10, [(0, 1), (29, 30)]);
        Assert.Equal(phase, line.Tcp.Phase);
    }

    // 0 and 2 are resent at 102 and 103; the original of 0 answers while 2 is out: by RFC 3522 that ends the recovery, Linux waits for the answer to 2.
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void UndoesByAnyEcho_WithARetransmissionOut_WaitsForIt(bool isLinux, int undone)
    {
        Timeline line = new Timeline(Plain with { UndoesByAnyEcho = isLinux }).Write(10).At(102).Sack(0, (1, 2), (3, 9)).At(103).Sack(0, (1, 2), (3, 10));
        line.At(104).Ack(2, [(3, 10)], ecr: 0);
        Assert.Equal(undone, line.Tcp.Count().Undone);
        line.At(105).Ack(10, ecr: 0);
        Assert.Equal(1, line.Tcp.Count().Undone);
    }

    // 0 comes behind 1, unresent: reordering was seen, and its acknowledgment makes cwnd 11. The SACK of 3 then delivers a segment.
    [Theory]
    [InlineData(false, 11)]
    [InlineData(true, 12)]
    public void GrowsOnSacks_OnceReorderingWasSeen_CountsWhatIsSacked(bool isLinux, double cwnd)
    {
        Timeline line = new Timeline(Plain with { GrowsOnSacks = isLinux }).Write(40).At(100).Sack(0, (1, 2)).At(101).Ack(2).At(102).Sack(2, (3, 4));
        Assert.True(line.Tcp.ReorderingSeen);
        Assert.Equal(cwnd, line.CwndSegments);
    }

    // Without SACK: 0 is resent on three duplicates, and its original acknowledges five segments: from then on five duplicates are waited for.
    [Theory]
    [InlineData(false, 3)]
    [InlineData(true, 5)]
    public void LearnsFromCopies_WithoutSack_WaitsForAsManyAsWereOvertaken(bool isLinux, int needed)
    {
        Timeline line = new Timeline(Plain with { Detection = LossDetection.NewReno, LearnsFromCopies = isLinux }).Write(40);
        line.At(101).Ack(0, isDuplicate: true).Ack(0, isDuplicate: true).Ack(0, isDuplicate: true).At(103).Ack(5, ecr: 0).Ack(6);
        Assert.Equal((1, 1), (line.Tcp.Count().Undone, line.Tcp.Count().Recoveries));
        int duplicates = 0;
        while (line.Tcp.Count().Recoveries == 1 && duplicates < 10)
        {
            line.Ack(6, isDuplicate: true);
            duplicates++;
        }

        Assert.Equal(needed, duplicates);
    }
}
