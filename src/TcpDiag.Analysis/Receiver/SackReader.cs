using System;
using TcpDiag.Analysis.Sender;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Receiver;

/// <summary>Reads SACK blocks (RFC 2018) and recognises DSACKs, by RFC 2883 and as the tshark filter <c>tcp.options.sack_le &lt; tcp.ack</c> counts.</summary>
static class SackReader
{
    /// <summary>Reads the SACK blocks of an acknowledgment.</summary>
    /// <param name="receiver">The end that sent it.</param>
    /// <param name="packet">A segment with SACK blocks.</param>
    /// <param name="frame">The frame it was parsed from.</param>
    /// <param name="effect">Gets the blocks.</param>
    public static void Read(ref ReceiveState receiver, in ParsedPacket packet, ReadOnlySpan<byte> frame, ref AckEffect effect)
    {
        bool isBelowAck = false;
        int count = Math.Min((int)packet.Options.SackBlocks, SackBlocks.MaxCount);
        for (int i = 0; i < count; i++)
        {
            SackBlock block = SackBlock.Read(frame, packet.Options, i);
            effect.Sack.Add(block);
            isBelowAck |= block.Left < packet.Acknowledgment;
        }

        bool isDsack = IsDsack(effect.Sack, packet.Acknowledgment);
        effect.Marks |= isDsack ? AckMarks.Dsack : AckMarks.None;
        receiver.CountSack(isDsack, isBelowAck);
    }

    static bool IsDsack(in SackBlocks sack, SequenceNumber acknowledgment)
    {
        DsackForm form = sack.Count < 2
            ? DsackDetector.Classify(acknowledgment, sack[0])
            : DsackDetector.Classify(acknowledgment, sack[0], sack[1]);
        return form != DsackForm.None;
    }
}
