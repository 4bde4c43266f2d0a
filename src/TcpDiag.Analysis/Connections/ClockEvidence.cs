using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// Finds out from the first segment of a connection behind a silence of the whole trace whether time passed in it: the sender's timestamp clock went on (RFC
/// 7323 §5.4), or data that was in flight was sent again (RFC 6298 §5). An acknowledgment of data that was in flight all the time, and was not sent again,
/// comes from a network for which no time passed.
/// </summary>
static class ClockEvidence
{
    /// <summary>Judges a segment.</summary>
    /// <param name="connection">Its connection, before it.</param>
    /// <param name="from">The direction of its payload.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="begin">When the silence began.</param>
    /// <param name="silence">How long it was by the recording clock, nanoseconds.</param>
    /// <returns>True when no time passed, false when it did, null when this segment does not show it.</returns>
    public static bool? HasStoodStill(in ConnectionState connection, int from, in ParsedPacket packet, TraceTime begin, long silence)
    {
        if (connection.Captured.Last > begin)
        {
            return null; // it has spoken since
        }

        ref readonly SendState sent = ref connection.Ends[from].Send;
        if (sent.Header.LastTsVal != 0 && packet.Options.Has(TcpOptionKinds.Timestamps))
        {
            int ticks = unchecked((int)(packet.Options.TsVal - sent.Header.LastTsVal));
            return ticks < 0 ? null : ticks < silence / Thresholds.MaxTimestampTickNanos;
        }

        if (packet.PayloadLength > 0)
        {
            return packet.Sequence < sent.Space.SndMax ? false : null;
        }

        return IsAwaited(connection, connection.Ends[from ^ 1].Send, packet) ? true : null;
    }

    /// <summary>
    /// Whether a segment acknowledges data that was recorded after it: no order in which packets are recorded makes that so, only a clock that was set back.
    /// Data that was sent more than once may have been acknowledged for its first sending, which says nothing.
    /// </summary>
    /// <param name="connection">Its connection, before it.</param>
    /// <param name="from">The direction of its payload.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When it was recorded.</param>
    /// <param name="minNanos">By how much the data has to be later, nanoseconds.</param>
    /// <returns>True when it does.</returns>
    public static bool IsBeforeItsData(in ConnectionState connection, int from, in ParsedPacket packet, TraceTime time, long minNanos)
    {
        ref readonly SendState acked = ref connection.Ends[from ^ 1].Send;
        return IsAwaited(connection, acked, packet) && packet.Acknowledgment == acked.Space.SndMax && acked.Counts.Retransmissions == 0
            && acked.Times.LastSend - time > minNanos;
    }

    static bool IsAwaited(in ConnectionState connection, in SendState acked, in ParsedPacket packet) =>
        connection.Handshake.IsEstablished
        && (packet.Flags & (TcpFlags.Ack | TcpFlags.Syn | TcpFlags.Rst)) == TcpFlags.Ack
        && acked.Times.Unanswered == 0
        && packet.Acknowledgment > acked.Space.SndUna
        && packet.Acknowledgment <= acked.Space.SndMax;
}
