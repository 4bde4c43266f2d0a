using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Tells by the first segment of a connection behind a silence of the whole trace whether time passed in it: the sender's timestamp clock went on (RFC 7323 §5.4), or
/// data that was in flight was sent again (RFC 6298 §5). An acknowledgment of data that was in flight all the time, and was not sent again, comes from a network for which no time passed.
/// </summary>
static class ClockEvidence
{
    // The slowest clock of timestamps ticks once a second (RFC 7323 §5.4); half of that is not to be fooled by a tick.
    const long NanosecondsPerTick = 2_000_000_000;

    /// <summary>Judges a segment.</summary>
    /// <param name="connection">Its connection, before it.</param>
    /// <param name="from">The direction of its payload.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="begin">When the silence began.</param>
    /// <param name="silence">How long it was by the recording clock, nanoseconds.</param>
    /// <returns>True when no time passed, false when it did, null when this segment does not tell.</returns>
    public static bool? HasStoodStill(in ConnectionState connection, int from, in ParsedPacket packet, TraceTime begin, long silence)
    {
        if (connection.Last > begin)
        {
            return null; // it has spoken since
        }

        ref readonly DirectionState sent = ref connection.Direction[from];
        if (sent.Packets > 0 && packet.Options.Has(TcpOptionKinds.Timestamps))
        {
            int ticks = unchecked((int)(packet.Options.TsVal - sent.LastTsVal));
            return ticks < 0 ? null : ticks < silence / NanosecondsPerTick;
        }

        if (packet.PayloadLength > 0)
        {
            return packet.Sequence < sent.SndMax ? false : null;
        }

        return IsAwaited(connection, connection.Direction[from ^ 1], packet) ? true : null;
    }

    static bool IsAwaited(in ConnectionState connection, in DirectionState acked, in ParsedPacket packet) =>
        connection.IsEstablished
        && (packet.Flags & (TcpFlags.Ack | TcpFlags.Syn | TcpFlags.Rst)) == TcpFlags.Ack
        && acked.Unanswered == 0
        && packet.Acknowledgment > acked.SndUna
        && packet.Acknowledgment <= acked.SndMax;
}
