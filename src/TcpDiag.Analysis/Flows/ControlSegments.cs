using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>Segments that open, close or reset a connection.</summary>
static class ControlSegments
{
    /// <summary>Takes in a segment with SYN, FIN or RST.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The direction of the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When.</param>
    /// <returns>False for a reset, whose numbers need not fit.</returns>
    public static bool OnSegment(ref ConnectionState connection, int from, in ParsedPacket packet, TraceTime time)
    {
        ref DirectionState sent = ref connection.Direction[from];
        if ((packet.Flags & TcpFlags.Rst) != 0)
        {
            sent.PayloadBytes += packet.PayloadLength;
            connection.End = connection.End == ConnectionEnd.Open ? ConnectionEnd.Rst : connection.End;
            return false;
        }

        if ((packet.Flags & TcpFlags.Syn) != 0)
        {
            Handshake.OnSyn(ref connection, from, packet, time);
        }

        if ((packet.Flags & TcpFlags.Fin) != 0)
        {
            sent.Marks |= DirectionMarks.FinSeen;
            bool isOver = connection.End == ConnectionEnd.Open && connection.Direction[from ^ 1].Is(DirectionMarks.FinSeen);
            connection.End = isOver ? ConnectionEnd.Fin : connection.End;
        }

        return true;
    }
}
