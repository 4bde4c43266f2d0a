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
    public static void OnSack(ref DirectionState acked, in ParsedPacket packet, ReadOnlySpan<byte> frame)
    {
        SackBlock first = SackBlock.Read(frame, packet.Options, 0);
        acked.Dsacks += IsDsack(first, packet, frame) ? 1 : 0;
        for (int i = 0; i < packet.Options.SackBlocks; i++)
        {
            if (SackBlock.Read(frame, packet.Options, i).Left < packet.Acknowledgment)
            {
                acked.DsacksTsharkFilter++;
                return;
            }
        }
    }

    static bool IsDsack(SackBlock first, in ParsedPacket packet, ReadOnlySpan<byte> frame)
    {
        DsackForm form = packet.Options.SackBlocks < 2
            ? DsackDetector.Classify(packet.Acknowledgment, first)
            : DsackDetector.Classify(packet.Acknowledgment, first, SackBlock.Read(frame, packet.Options, 1));
        return form != DsackForm.None;
    }
}
