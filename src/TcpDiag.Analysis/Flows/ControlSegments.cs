using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>Segments that open, close or reset a connection.</summary>
static class ControlSegments
{
    /// <summary>Takes in a segment with SYN, FIN or RST.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The direction of the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="step">Gets what it was, where its numbers do not fit.</param>
    /// <returns>False for a reset, whose numbers need not fit.</returns>
    public static bool OnSegment(ref ConnectionState connection, int from, in ParsedPacket packet, ref LedgerStep step)
    {
        ref DirectionState sent = ref connection.Direction[from];
        if ((packet.Flags & TcpFlags.Rst) != 0)
        {
            sent.PayloadBytes += packet.PayloadLength;
            step.Sent = IsAccepted(connection, from, packet) ? SentKind.None : SentKind.Foreign;
            if (connection.End == ConnectionEnd.Open && step.Sent == SentKind.None)
            {
                Reset(ref connection);
            }

            return false;
        }

        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            Handshake.OnSyn(ref connection, from, packet, step.Time);
        }

        if ((packet.Flags & TcpFlags.Fin) != 0)
        {
            sent.Marks |= DirectionMarks.FinSeen;
            bool isOver = connection.End == ConnectionEnd.Open && connection.Direction[from ^ 1].Is(DirectionMarks.FinSeen);
            connection.End = isOver ? ConnectionEnd.Fin : connection.End;
        }

        return true;
    }

    /// <summary>An acknowledgment of new data came after a reset: what was sent behind the reset tells that neither end took it.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="acked">The direction acknowledged.</param>
    /// <param name="acknowledgment">The acknowledgment.</param>
    public static void OnAdvance(ref ConnectionState connection, in DirectionState acked, SequenceNumber acknowledgment)
    {
        if (acknowledgment > acked.ResetEnd)
        {
            connection.End = ConnectionEnd.Open;
        }
    }

    static void Reset(ref ConnectionState connection)
    {
        connection.End = ConnectionEnd.Rst;
        foreach (ref DirectionState direction in connection.Direction)
        {
            direction.ResetEnd = direction.SndMax;
        }
    }

    // In the window (RFC 9293 §3.10.7.4), or, while the connection opens, for the SYN (§3.10.7.3). What its receiver had granted when it was sent may be
    // long gone at the capture point, so that as much behind SND.UNA fits as well.
    static bool IsAccepted(in ConnectionState connection, int from, in ParsedPacket packet)
    {
        ref readonly DirectionState sent = ref connection.Direction[from];
        ref readonly DirectionState peer = ref connection.Direction[from ^ 1];
        bool isForSyn = !connection.IsEstablished && (packet.Flags & TcpFlags.Ack) != 0
            && peer.Is(DirectionMarks.SynSeen) && packet.Acknowledgment == peer.Isn + 1;
        if (isForSyn || !sent.Is(DirectionMarks.HasSequence))
        {
            return true;
        }

        int shift = peer.Is(DirectionMarks.ScaleKnown) ? peer.WindowShift : Handshake.MaximumShift;
        long window = Math.Max(sent.MaxReceiveWindow, (long)peer.LastWindow << shift);
        return packet.Sequence - sent.SndMax <= window && sent.SndUna - packet.Sequence <= window;
    }
}
