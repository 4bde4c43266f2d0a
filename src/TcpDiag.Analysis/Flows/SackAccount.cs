using System;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>Recognises DSACKs, by RFC 2883 and as the tshark filter <c>tcp.options.sack_le &lt; tcp.ack</c> counts.</summary>
static class SackAccount
{
    /// <summary>Books the SACK blocks of an acknowledgment.</summary>
    /// <param name="acked">The direction acknowledged.</param>
    /// <param name="packet">A segment with SACK blocks.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="step">Gets the blocks.</param>
    public static void OnSack(ref DirectionState acked, in ParsedPacket packet, ReadOnlySpan<byte> frame, ref LedgerStep step)
    {
        step.SackBlockCount = Math.Min((int)packet.Options.SackBlocks, LedgerStep.MostBlocks);
        bool isBelow = false;
        for (int i = 0; i < step.SackBlockCount; i++)
        {
            SackBlock block = SackBlock.Read(frame, packet.Options, i);
            step.SackBlocks[i] = block;
            isBelow |= block.Left < packet.Acknowledgment;
        }

        step.IsDsack = IsDsack(step, packet.Acknowledgment);
        acked.Marks |= DirectionMarks.SackSeen;
        acked.Dsacks += step.IsDsack ? 1 : 0;
        acked.DsacksTsharkFilter += isBelow ? 1 : 0;
    }

    static bool IsDsack(in LedgerStep step, SequenceNumber acknowledgment)
    {
        DsackForm form = step.SackBlockCount < 2
            ? DsackDetector.Classify(acknowledgment, step.SackBlocks[0])
            : DsackDetector.Classify(acknowledgment, step.SackBlocks[0], step.SackBlocks[1]);
        return form != DsackForm.None;
    }
}
