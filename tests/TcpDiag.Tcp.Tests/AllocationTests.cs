using System;
using TcpDiag.Tcp.Congestion;
using TcpDiag.Tcp.Loss;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;
using Xunit;
using static TcpDiag.Tcp.Tests.Units;

namespace TcpDiag.Tcp.Tests;

public class AllocationTests
{
    const int Acks = 50_000;

    [Fact]
    [Trait(Tier.Name, Tier.Behaviour)]
    public void Acknowledgments_ThroughEveryType_AllocateNothing()
    {
        RackSegment[] segments = new RackSegment[8];
        Run(segments, Acks); // compiled and warm
        long before = GC.GetAllocatedBytesForCurrentThread();
        long bytes = Run(segments, Acks);

        Assert.Equal(0, (GC.GetAllocatedBytesForCurrentThread() - before) / Acks);
        Assert.True(bytes > 0);
    }

    // Returns what was allowed to be sent, so that nothing can be left out.
    static long Run(RackSegment[] segments, int acks)
    {
        (RttEstimator rtt, MinRttFilter minRtt, RackState rack, ReorderingWindow window, TailLossProbe tlp) = (default, default, default, default, default);
        (HyStart hyStart, LimitedSlowStart limited, NewReno newReno, Frto frto, DsackUndo undo) = (default, default, default, default, default);
        Cubic cubic = new(10);
        Reno reno = new(10_000, 1_000);
        Prr prr = new(70_000, 100_000);
        SequenceNumber una = new(uint.MaxValue - 1_000_000);
        long allowed = 0;
        for (int i = 0; i < acks; i++)
        {
            TraceTime now = new(i * Ms);
            una += 1_000;
            for (int k = 0; k < segments.Length; k++)
            {
                segments[k] = new() { Seq = una + (k * 1_000), EndSeq = una + ((k + 1) * 1_000), XmitTime = now + (-40 * Ms) + k };
            }

            rtt.OnSample(40 * Ms, RttEstimator.ExpectedSamples(100_000, 1_000));
            minRtt.OnSample(now, 40 * Ms);
            rack.OnAckReceived(segments.AsSpan(4), now, minRtt.MinRttNanos, echoedTsval: 1);
            DsackForm form = DsackDetector.Classify(una, new(una + -1_000, una), new(una + 4_000, una + 8_000));
            window.OnAckReceived(una, una + 8_000, form != DsackForm.None, exitsRecovery: i % 10 == 0);
            long reoWnd = ReorderingWindow.ReoWndNanos(
                window.ReoWndMult, minRtt.MinRttNanos, rtt.SrttNanos, rack.ReorderingSeen, inRecovery: false, sackedSegments: 4);
            rack.DetectLosses(segments.AsSpan(0, 4), now, reoWnd);
            rack.MarkLossesOnTimeout(segments.AsSpan(0, 4), una, now, 0);
            tlp.OnProbeSent(una + 8_000, isRetransmission: true);
            tlp.OnRttSample();
            tlp.OnAckReceived(una + 8_000, una + 8_000, isDuplicateWithoutSack: false);
            hyStart.OnAckReceived(una, una + 8_000, 40 * Ms);
            limited.OnAckReceived(una, una + 8_000, 40 * Ms, reno.Cwnd, 1_000);
            newReno.OnDuplicateAck(una, una + 8_000);
            frto.OnTimeout(una, una + 8_000, una + 1_000);
            frto.OnAckReceived(una + 1_000, isDuplicate: false);
            undo.OnDsack(1);
            Cubic saved = cubic;
            cubic.OnAvoidanceAck(now, 2, rtt.SrttNanos, isCwndLimited: true);
            cubic.OnLoss(cubic.CwndSegments);
            cubic.Undo(saved);
            reno.OnAckReceived(1_000, isCwndLimited: true);
            allowed += prr.OnAckReceived(1_000, 60_000, isSafeAck: true, 1_000) + hyStart.Growth(1_000, 1_000) + rtt.RtoNanos(RtoLimits.Linux);
        }

        return allowed;
    }
}
