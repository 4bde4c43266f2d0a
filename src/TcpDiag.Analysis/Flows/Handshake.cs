using System;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>What the SYNs tell: who opened, MSS, window scale, timestamps, resent SYNs and the handshake's RTT.</summary>
static class Handshake
{
    const int DefaultMss = 536; // RFC 9293 §3.7.1: IPv4 without the option
    const int DefaultMssIpv6 = 1220; // the same, IPv6
    const int TimestampBytes = 12; // the option with two no-operations (RFC 7323 appendix A)

    /// <summary>The largest shift of a window (RFC 7323 §2.3).</summary>
    public const int MaximumShift = 14;

    /// <summary>Whether a SYN or SYN-ACK begins another connection than the one known under its 4-tuple.</summary>
    /// <param name="connection">The connection known.</param>
    /// <param name="from">The direction of the SYN.</param>
    /// <param name="packet">The SYN.</param>
    /// <returns>
    /// True for another initial sequence number, and for any SYN of an end that had sent something else before. Of SYN-ACKs, one that answers the SYN known begins none, nor does one
    /// with another number before anything was sent: a server that keeps no state answers each SYN anew (RFC 4987 §3.6).
    /// </returns>
    public static bool IsAnotherConnection(in ConnectionState connection, int from, in ParsedPacket packet)
    {
        ref readonly DirectionState sent = ref connection.Direction[from];
        ref readonly DirectionState other = ref connection.Direction[from ^ 1];
        bool isAnswer = (packet.Flags & TcpFlags.Ack) != 0;
        if (isAnswer && other.Is(DirectionMarks.SynSeen) && packet.Acknowledgment == other.Isn + 1)
        {
            return false;
        }

        return sent.Is(DirectionMarks.SynSeen)
            ? sent.Isn != packet.Sequence && (!isAnswer || sent.SndMax != sent.Isn + 1)
            : sent.Packets > 0 || (!isAnswer && connection.End != ConnectionEnd.Open);
    }

    /// <summary>Whether an acknowledgment belongs to an earlier connection between the same ports: a SYN is not answered yet, and this does not acknowledge it (RFC 9293 §3.10.7.3).</summary>
    /// <param name="connection">A connection not established yet.</param>
    /// <param name="from">The direction of the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <returns>True when it does.</returns>
    public static bool IsForeign(in ConnectionState connection, int from, in ParsedPacket packet)
    {
        ref readonly DirectionState asked = ref connection.Direction[from ^ 1];
        return asked.Is(DirectionMarks.SynSeen)
            && !connection.Direction[from].Is(DirectionMarks.SynSeen)
            && (packet.Flags & (TcpFlags.Syn | TcpFlags.Ack)) == TcpFlags.Ack
            && asked.SndMax == asked.Isn + 1
            && packet.Acknowledgment != asked.SndMax;
    }

    /// <summary>Takes in a SYN or SYN-ACK.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The direction of the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When.</param>
    public static void OnSyn(ref ConnectionState connection, int from, in ParsedPacket packet, TraceTime time)
    {
        ref DirectionState sent = ref connection.Direction[from];
        bool isAnswer = (packet.Flags & TcpFlags.Ack) != 0;
        bool isFirst = !sent.Is(DirectionMarks.SynSeen);
        if (connection.Client < 0)
        {
            connection.Client = (sbyte)(isAnswer ? from ^ 1 : from);
            connection.SynTime = time;
        }

        bool isCrossed = sent.Is(DirectionMarks.SynCrossed);
        if (sent.Is(DirectionMarks.SynSeen) && !(isAnswer && isCrossed))
        {
            connection.SynRetransmissions++;
            connection.End = connection.End == ConnectionEnd.Rst ? ConnectionEnd.Open : connection.End; // refused, tried again
            CountUnanswered(ref sent, time);
        }

        if (!sent.Is(DirectionMarks.SynSeen) || !connection.IsEstablished)
        {
            Begin(ref sent, packet);
        }

        ref DirectionState other = ref connection.Direction[from ^ 1];
        if (!isCrossed)
        {
            connection.IsSynTimeRepeated |= !isFirst && packet.Options.TsVal == sent.LastTsVal;
            OnTimed(ref connection, isAnswer, other, packet, time);
        }

        if (!isAnswer && isFirst && from != connection.Client)
        {
            sent.Marks |= DirectionMarks.SynCrossed;
            other.Marks |= DirectionMarks.SynCrossed;
        }

        if (other.Is(DirectionMarks.SynSeen))
        {
            bool isIpv6 = (packet.Traits & PacketTraits.IsIpv6) != 0;
            Settle(ref sent, ref other, isIpv6 ? DefaultMssIpv6 : DefaultMss);
        }
    }

    /// <summary>Notices the acknowledgment that ends the handshake; and that the connection is open where not all of it was captured: who sends on has the answer.</summary>
    /// <param name="connection">A connection not established yet.</param>
    /// <param name="from">The direction of the segment.</param>
    /// <param name="packet">A segment with ACK and without SYN.</param>
    /// <param name="time">When.</param>
    public static void OnAck(ref ConnectionState connection, int from, in ParsedPacket packet, TraceTime time)
    {
        ref DirectionState answered = ref connection.Direction[from ^ 1];
        bool isLast = from == connection.Client
            && connection.Direction[from].Is(DirectionMarks.SynSeen)
            && answered.Is(DirectionMarks.SynSeen)
            && packet.Acknowledgment > answered.Isn;
        if (!connection.IsOpen && (packet.PayloadLength > 0 || connection.Direction[from].Is(DirectionMarks.SynSeen)))
        {
            connection.IsOpen = true;
            connection.ConnectTime = from == connection.Client && connection.Direction[from].Is(DirectionMarks.SynSeen) ? Math.Max(time - connection.SynTime, 0) : 0;
        }

        if (isLast)
        {
            connection.IsEstablished = true;
            connection.ConnectTime = Math.Max(time - connection.SynTime, 0);
            connection.HandshakeRtt = answered.Is(DirectionMarks.SynCrossed) ? 0 : connection.SynAckDelay + Math.Max(time - connection.SynAckTime, 0);
            connection.IsHandshakeAmbiguous |= connection.SynRetransmissions > 0 && !IsEcho(connection, packet, answered);
        }
    }

    // Which SYN a SYN-ACK answers its timestamp tells. Without, it is taken for the answer to the latest: the others were not answered for a second and more (RFC 6298 §2.1), longer than nearly any way. That is
    // no RTT sample (Karn), but it tells where the capture was taken.
    static void OnTimed(ref ConnectionState connection, bool isAnswer, in DirectionState other, in ParsedPacket packet, TraceTime time)
    {
        if (!isAnswer)
        {
            connection.LatestSynTime = time;
            return;
        }

        connection.SynAckTime = time;
        if (other.Is(DirectionMarks.SynSeen))
        {
            connection.SynAckDelay = Math.Max(time - connection.LatestSynTime, 0);
            connection.IsHandshakeAmbiguous = connection.SynRetransmissions > 0 && !IsEcho(connection, packet, other);
        }
    }

    static bool IsEcho(in ConnectionState connection, in ParsedPacket packet, in DirectionState other) =>
        !connection.IsSynTimeRepeated && packet.Options.Has(TcpOptionKinds.Timestamps) && other.Is(DirectionMarks.HasTimestampsOption) && packet.Options.TsEcr == other.LastTsVal;

    /// <summary>Counts a sending that repeats what the peer has not answered.</summary>
    /// <param name="sent">The direction.</param>
    /// <param name="time">When.</param>
    public static void CountUnanswered(ref DirectionState sent, TraceTime time)
    {
        sent.FirstUnansweredTime = sent.Unanswered == 0 ? time : sent.FirstUnansweredTime;
        sent.Unanswered++;
    }

    static void Begin(ref DirectionState sent, in ParsedPacket packet)
    {
        SequenceNumber next = packet.Sequence + 1;
        bool isFirst = !sent.Is(DirectionMarks.HasSequence) || sent.Is(DirectionMarks.SynSeen);
        sent.SndUna = isFirst ? packet.Sequence : sent.SndUna;
        sent.SndMax = isFirst || next > sent.SndMax ? next : sent.SndMax;
        sent.Isn = packet.Sequence;
        sent.Marks |= DirectionMarks.SynSeen | DirectionMarks.HasSequence;
        TcpOptions options = packet.Options;
        sent.SynOptions = options.Kinds;
        sent.MssOption = options.Has(TcpOptionKinds.MaximumSegmentSize) ? options.Mss : (ushort)0;
        sent.WindowShift = options.Has(TcpOptionKinds.WindowScale) ? Math.Min(options.WindowScale, (byte)MaximumShift) : (byte)0;
        sent.Marks |= options.Has(TcpOptionKinds.WindowScale) ? DirectionMarks.HasScaleOption : DirectionMarks.None;
        sent.Marks |= options.Has(TcpOptionKinds.Timestamps) ? DirectionMarks.HasTimestampsOption : DirectionMarks.None;
    }

    static void Settle(ref DirectionState one, ref DirectionState other, int defaultMss)
    {
        TcpOptionKinds common = one.SynOptions & other.SynOptions;
        TcpOptionKinds known = KnownOf(one.SynOptions) & KnownOf(other.SynOptions);
        bool isWhole = ((one.SynOptions | other.SynOptions) & TcpOptionKinds.Incomplete) == 0;
        if (isWhole) // else the capture may cut off SACK blocks as well
        {
            DirectionMarks sack = (common & TcpOptionKinds.SackPermitted) != 0 ? DirectionMarks.HasSack : DirectionMarks.NoSack;
            one.Marks |= sack;
            other.Marks |= sack;
        }

        if ((known & TcpOptionKinds.MaximumSegmentSize) != 0)
        {
            int oneMss = one.MssOption == 0 ? defaultMss : one.MssOption;
            int otherMss = other.MssOption == 0 ? defaultMss : other.MssOption;
            int timestamps = (common & TcpOptionKinds.Timestamps) != 0 ? TimestampBytes : 0;
            one.Mss = other.Mss = Math.Max(Math.Min(oneMss, otherMss) - timestamps, 1);
        }

        if ((known & TcpOptionKinds.WindowScale) != 0)
        {
            bool hasScale = (common & TcpOptionKinds.WindowScale) != 0;
            one.WindowShift = hasScale ? one.WindowShift : (byte)0;
            other.WindowShift = hasScale ? other.WindowShift : (byte)0;
            one.Marks |= DirectionMarks.ScaleKnown;
            other.Marks |= DirectionMarks.ScaleKnown;
        }
    }

    // Options that are there, or known to be missing.
    static TcpOptionKinds KnownOf(TcpOptionKinds options) =>
        (options & TcpOptionKinds.Incomplete) == 0 ? ~TcpOptionKinds.None : options;
}
