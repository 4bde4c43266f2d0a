using System;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>The SYN or SYN-ACK of one end.</summary>
struct SynState
{
    const int TimestampBytes = 10; // RFC 7323 §3.2
    const int WindowScaleBytes = 3; // RFC 7323 §2.2

    byte _cutBytes; // of its options, that the capture does not hold

    /// <summary>Whether it was seen.</summary>
    public bool IsSeen { get; private set; }

    /// <summary>Whether the other end's SYN crossed it: both open (RFC 9293 §3.5), and a SYN-ACK repeats no SYN.</summary>
    public bool IsCrossed { get; private set; }

    /// <summary>Initial sequence number, once seen.</summary>
    public SequenceNumber Isn { get; private set; }

    /// <summary>Its options; valid once seen.</summary>
    public TcpOptionKinds Options { get; private set; }

    /// <summary>MSS option, bytes; 0 without one.</summary>
    public ushort MssOption { get; private set; }

    /// <summary>Its flags: they ask for ECN, or agree to it (RFC 3168 §6.1.1, RFC 9768 §3.1).</summary>
    public TcpFlags Flags { get; private set; }

    /// <summary>Options that are there, or known to be missing.</summary>
    public TcpOptionKinds KnownOptions { get; private set; }

    /// <summary>Whether it has the window scale option; null where that was not captured.</summary>
    public readonly bool? HasWindowScale =>
        IsSeen && (KnownOptions & TcpOptionKinds.WindowScale) != 0 ? (Options & TcpOptionKinds.WindowScale) != 0 : null;

    /// <summary>Takes in the segment.</summary>
    public void OnSyn(in ParsedPacket packet)
    {
        IsSeen = true;
        Isn = packet.Sequence;
        Options = packet.Options.Kinds;
        KnownOptions = packet.Options.Has(TcpOptionKinds.Incomplete) ? Options : ~TcpOptionKinds.None;
        _cutBytes = packet.Options.CutBytes;
        Flags = packet.Flags;
        MssOption = packet.Options.Has(TcpOptionKinds.MaximumSegmentSize) ? packet.Options.Mss : (ushort)0;
    }

    /// <summary>
    /// Takes in that later segments carry timestamps: so does the SYN (RFC 7323 §3.2), and what a capture cut off it may have no room for more.
    /// </summary>
    public void OnStamped()
    {
        bool isTimestampsOnly = _cutBytes is >= TimestampBytes and < TimestampBytes + WindowScaleBytes && (Options & TcpOptionKinds.Timestamps) == 0;
        KnownOptions |= isTimestampsOnly ? TcpOptionKinds.WindowScale : TcpOptionKinds.None;
    }

    /// <summary>Takes in that both ends open.</summary>
    public void OnCrossed() => IsCrossed = true;
}

/// <summary>How a connection opened, and what that showed of the round trip.</summary>
struct HandshakeState
{
    TraceTime _firstSyn;
    TraceTime _latestSyn;
    TraceTime _synAck;
    uint _synTsVal; // of the latest SYN; 0 without timestamps
    ushort _ticks; // of the client's timestamp clock until the handshake ended, at most 65535
    bool _isSynTimeRepeated; // a SYN or SYN-ACK was sent again without a timestamp of its own
    sbyte _client;

    /// <summary>End of the client: 0 or 1, −1 when no SYN shows it.</summary>
    public readonly int Client => _client;

    /// <summary>From the SYN to its SYN-ACK, and from there to the acknowledgment that ends the handshake, nanoseconds; 0 when not measured.</summary>
    public long RttNanos { get; private set; }

    /// <summary>
    /// From the first SYN to the end of the handshake at the client, nanoseconds, resent SYNs included; valid while <see cref="IsEstablished"/>, else 0
    /// when not measured.
    /// </summary>
    public long ConnectNanos { get; private set; }

    /// <summary>From the SYN to the SYN-ACK, nanoseconds; 0 when not measured.</summary>
    public long SynAckDelayNanos { get; private set; }

    /// <summary>SYNs and SYN-ACKs sent again.</summary>
    public int SynRetransmissions { get; private set; }

    /// <summary>
    /// Whether SYNs were sent again and nothing shows which of them was answered: <see cref="RttNanos"/> is that of the latest, too short perhaps.
    /// </summary>
    public bool IsAmbiguous { get; private set; }

    /// <summary>Whether SYN, SYN-ACK and ACK were seen.</summary>
    public bool IsEstablished { get; private set; }

    /// <summary>Whether one end sent something after its SYN, or data: the connection was open, whatever part of the handshake was captured.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>Whether the whole round trip was measured and is beyond doubt.</summary>
    public readonly bool HasRtt => IsEstablished && RttNanos > 0 && !IsAmbiguous;

    /// <summary>What one end's data can take from it.</summary>
    /// <param name="from">The end.</param>
    public readonly HandshakeRtt For(int from)
    {
        long toServer = SynAckDelayNanos;
        long toClient = toServer > 0 && RttNanos > toServer ? RttNanos - toServer : 0;
        return new(RttNanos, from == _client ? toServer : toClient);
    }

    /// <summary>Begins with nothing known.</summary>
    public void Begin() => _client = -1;

    /// <summary>Takes in the first SYN or SYN-ACK: it shows who the client is.</summary>
    public void OnFirst(int client, TraceTime time)
    {
        _client = (sbyte)client;
        _firstSyn = time;
    }

    /// <summary>Takes in a SYN or SYN-ACK that was sent again.</summary>
    public void OnResent() => SynRetransmissions++;

    /// <summary>Takes in whether it repeats the timestamp of the one before.</summary>
    public void OnTimestamp(bool isRepeated) => _isSynTimeRepeated |= isRepeated;

    /// <summary>Takes in a SYN and its TSval, 0 without one.</summary>
    public void OnSyn(TraceTime time, uint tsVal)
    {
        _latestSyn = time;
        _synTsVal = tsVal;
    }

    /// <summary>
    /// Whether the client's timestamp clock (RFC 7323 §5.4) went on in the handshake by less than half of what it did afterwards in the same time: then the
    /// recording clock was set forward between SYN and acknowledgment, and what the handshake took is not known.
    /// </summary>
    /// <param name="lastTsVal">TSval of the client's last packet; 0 without timestamps.</param>
    /// <param name="last">When the last packet passed.</param>
    /// <returns>False also where too little followed to compare with.</returns>
    public readonly bool HasClockJumped(uint lastTsVal, TraceTime last)
    {
        long after = last - (_latestSyn + RttNanos);
        if (_synTsVal == 0 || lastTsVal == 0 || after <= 0)
        {
            return false;
        }

        int ticks = unchecked((int)(lastTsVal - _synTsVal - _ticks));
        double expected = (double)ticks * RttNanos / after; // in the handshake
        return ticks >= Thresholds.MinClockTicks && expected >= Thresholds.MinClockTicks && 2.0 * _ticks < expected && _ticks < ushort.MaxValue;
    }

    /// <summary>
    /// Takes in a SYN-ACK. Which SYN it answers its timestamp shows. Without, it is taken for the answer to the latest: the others were not answered
    /// for a second and more (RFC 6298 §2.1), longer than nearly any path. That is no RTT sample (Karn), but it shows where the capture was taken.
    /// </summary>
    /// <param name="time">When.</param>
    /// <param name="isSynSeen">Whether the SYN was captured.</param>
    /// <param name="isEcho">Whether it echoes the timestamp of the latest SYN.</param>
    public void OnSynAck(TraceTime time, bool isSynSeen, bool isEcho)
    {
        _synAck = time;
        if (isSynSeen)
        {
            SynAckDelayNanos = Math.Max(time - _latestSyn, 0);
            IsAmbiguous = IsDoubtful(isEcho);
        }
    }

    /// <summary>Takes in a segment that shows that the connection is open.</summary>
    /// <param name="time">When.</param>
    /// <param name="isOfClient">Whether it comes from a client whose SYN was seen.</param>
    public void OnOpen(TraceTime time, bool isOfClient)
    {
        IsOpen = true;
        ConnectNanos = isOfClient ? Math.Max(time - _firstSyn, 0) : 0;
    }

    /// <summary>Takes in the acknowledgment that ends the handshake.</summary>
    /// <param name="time">When.</param>
    /// <param name="isCrossed">Whether both ends opened: then nothing was answered.</param>
    /// <param name="isEcho">Whether it echoes the timestamp of the latest SYN-ACK.</param>
    /// <param name="tsVal">Its TSval; 0 without one.</param>
    public void OnEstablished(TraceTime time, bool isCrossed, bool isEcho, uint tsVal)
    {
        _ticks = (ushort)Math.Clamp(unchecked((int)(tsVal - _synTsVal)), 0, ushort.MaxValue);
        IsEstablished = true;
        ConnectNanos = Math.Max(time - _firstSyn, 0);
        RttNanos = isCrossed ? 0 : SynAckDelayNanos + Math.Max(time - _synAck, 0);
        IsAmbiguous |= IsDoubtful(isEcho);
    }

    readonly bool IsDoubtful(bool isEcho) => SynRetransmissions > 0 && (_isSynTimeRepeated || !isEcho);
}

/// <summary>Takes in the segments of the handshake: who opened, MSS, window scale, timestamps, resent SYNs and the round trip.</summary>
static class Handshake
{
    const int DefaultMss = 536; // RFC 9293 §3.7.1: IPv4 without the option
    const int DefaultMssIpv6 = 1220; // the same, IPv6
    const int TimestampBytes = 12; // the option with two no-operations (RFC 7323 appendix A)
    const int HeaderBytes = 20; // without options (RFC 9293 §3.1)

    /// <summary>Whether a SYN or SYN-ACK begins another connection than the one known under its 4-tuple.</summary>
    /// <param name="connection">The connection known.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="packet">The SYN.</param>
    /// <returns>
    /// True for another initial sequence number, and for any SYN of an end that had sent something else before. Of SYN-ACKs, one that answers the SYN known
    /// begins none, nor does one with another number before anything was sent: a server that keeps no state answers each SYN anew (RFC 4987 §3.6).
    /// </returns>
    public static bool IsAnotherConnection(in ConnectionState connection, int from, in ParsedPacket packet)
    {
        ref readonly EndState sender = ref connection.Ends[from];
        ref readonly EndState other = ref connection.Ends[from ^ 1];
        bool isAnswer = (packet.Flags & TcpFlags.Ack) != 0;
        if (isAnswer && other.Syn.IsSeen && packet.Acknowledgment == other.Syn.Isn + 1)
        {
            return false;
        }

        return sender.Syn.IsSeen
            ? sender.Syn.Isn != packet.Sequence && (!isAnswer || sender.Send.Space.SndMax != sender.Syn.Isn + 1)
            : sender.Send.Counts.Packets > 0 || (!isAnswer && connection.Closing.End != ConnectionEnd.Open);
    }

    /// <summary>
    /// Whether an acknowledgment belongs to an earlier connection between the same ports: a SYN is not answered yet, and this does not acknowledge it
    /// (RFC 9293 §3.10.7.3).
    /// </summary>
    /// <param name="connection">A connection not established yet.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="packet">The segment.</param>
    /// <returns>True when it does.</returns>
    public static bool IsForeign(in ConnectionState connection, int from, in ParsedPacket packet)
    {
        ref readonly EndState opener = ref connection.Ends[from ^ 1];
        return opener.Syn.IsSeen
            && !connection.Ends[from].Syn.IsSeen
            && (packet.Flags & (TcpFlags.Syn | TcpFlags.Ack)) == TcpFlags.Ack
            && opener.Send.Space.SndMax == opener.Syn.Isn + 1
            && packet.Acknowledgment != opener.Send.Space.SndMax;
    }

    /// <summary>Takes in a SYN or SYN-ACK.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="time">When.</param>
    public static void OnSyn(ref ConnectionState connection, int from, in ParsedPacket packet, TraceTime time)
    {
        ref EndState sender = ref connection.Ends[from];
        ref EndState other = ref connection.Ends[from ^ 1];
        ref HandshakeState handshake = ref connection.Handshake;
        bool isAnswer = (packet.Flags & TcpFlags.Ack) != 0;
        bool isFirst = !sender.Syn.IsSeen;
        if (handshake.Client < 0)
        {
            handshake.OnFirst(isAnswer ? from ^ 1 : from, time);
        }

        bool isCrossed = sender.Syn.IsCrossed;
        if (!isFirst && !(isAnswer && isCrossed))
        {
            handshake.OnResent();
            connection.Closing.OnSynResent();
            sender.Send.Times.CountUnanswered(time);
        }

        bool isNews = isFirst || !handshake.IsEstablished;
        if (isNews)
        {
            Begin(ref sender, packet);
        }

        if (!isCrossed)
        {
            handshake.OnTimestamp(!isFirst && packet.Options.TsVal == sender.Send.Header.LastTsVal);
            OnTimed(ref handshake, isAnswer, other, packet, time);
        }

        if (!isAnswer && isFirst && from != handshake.Client)
        {
            sender.Syn.OnCrossed();
            other.Syn.OnCrossed();
        }

        if (isNews && other.Syn.IsSeen)
        {
            bool isIpv6 = (packet.Traits & PacketTraits.IsIpv6) != 0;
            Settle(ref sender, ref other, isIpv6 ? DefaultMssIpv6 : DefaultMss);
        }

        Share(ref connection);
    }

    /// <summary>
    /// Notices the acknowledgment that ends the handshake; and that the connection is open where not all of it was captured: who sends on has the answer.
    /// </summary>
    /// <param name="connection">A connection not established yet.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="packet">A segment with ACK and without SYN.</param>
    /// <param name="time">When.</param>
    public static void OnAck(ref ConnectionState connection, int from, in ParsedPacket packet, TraceTime time)
    {
        ref readonly EndState answered = ref connection.Ends[from ^ 1];
        ref HandshakeState handshake = ref connection.Handshake;
        bool isSynSeen = connection.Ends[from].Syn.IsSeen;
        bool isOfClient = from == handshake.Client && isSynSeen;
        if (!handshake.IsOpen && (packet.PayloadLength > 0 || isSynSeen))
        {
            handshake.OnOpen(time, isOfClient);
        }

        if (isOfClient && answered.Syn.IsSeen && packet.Acknowledgment > answered.Syn.Isn)
        {
            handshake.OnEstablished(time, answered.Syn.IsCrossed, IsEcho(packet, answered), packet.Options.TsVal);
            SettleCut(ref connection.Ends[from], ref connection.Ends[from ^ 1], packet);
            Share(ref connection);
        }
    }

    // Where a snap length cut the options off the SYNs, the header of what follows shows how much of a segment they take: timestamps come with every one
    // (RFC 7323 §3.2).
    static void SettleCut(ref EndState one, ref EndState other, in ParsedPacket packet)
    {
        TcpOptionKinds either = one.Syn.Options | other.Syn.Options;
        bool isOpen = (either & TcpOptionKinds.Incomplete) != 0 && (one.Syn.Options & other.Syn.Options & TcpOptionKinds.Timestamps) == 0;
        int options = packet.PayloadOffset - packet.TransportOffset - HeaderBytes;
        if (!isOpen || options < TimestampBytes)
        {
            return;
        }

        if (one.Send.Sizes.Mss > 0)
        {
            one.Send.Sizes.Mss = other.Send.Sizes.Mss = Math.Max(one.Send.Sizes.Mss - TimestampBytes, 1);
        }

        one.Send.Header.HasTimestamps |= packet.Options.Has(TcpOptionKinds.Timestamps);
        other.Send.Header.HasTimestamps |= packet.Options.Has(TcpOptionKinds.Timestamps);
        if (packet.Options.Has(TcpOptionKinds.Timestamps))
        {
            one.Syn.OnStamped();
            other.Syn.OnStamped();
            SettleScale(ref one, ref other);
        }
    }

    static void OnTimed(ref HandshakeState handshake, bool isAnswer, in EndState other, in ParsedPacket packet, TraceTime time)
    {
        if (isAnswer)
        {
            handshake.OnSynAck(time, other.Syn.IsSeen, IsEcho(packet, other));
        }
        else
        {
            handshake.OnSyn(time, packet.Options.TsVal);
        }
    }

    static bool IsEcho(in ParsedPacket packet, in EndState other) =>
        packet.Options.Has(TcpOptionKinds.Timestamps) && other.Send.Header.HasTimestamps && packet.Options.TsEcr == other.Send.Header.LastTsVal;

    // Both ends' data are judged by what the handshake showed.
    static void Share(ref ConnectionState connection)
    {
        connection.Ends[0].Send.Rtt.Handshake = connection.Handshake.For(0);
        connection.Ends[1].Send.Rtt.Handshake = connection.Handshake.For(1);
    }

    static void Begin(ref EndState sender, in ParsedPacket packet)
    {
        sender.Send.Space.OnSyn(packet.Sequence, isResent: sender.Syn.IsSeen);
        sender.Syn.OnSyn(packet);
        TcpOptions options = packet.Options;
        sender.Receive.Window.Offer(options.Has(TcpOptionKinds.WindowScale) ? options.WindowScale : (byte)0);
        sender.Send.Header.HasTimestamps |= options.Has(TcpOptionKinds.Timestamps);
    }

    static void Settle(ref EndState one, ref EndState other, int defaultMss)
    {
        TcpOptionKinds common = one.Syn.Options & other.Syn.Options;
        TcpOptionKinds known = one.Syn.KnownOptions & other.Syn.KnownOptions;
        bool isWhole = ((one.Syn.Options | other.Syn.Options) & TcpOptionKinds.Incomplete) == 0;
        if (isWhole) // else the capture may cut off SACK blocks as well
        {
            SackUse sack = (common & TcpOptionKinds.SackPermitted) != 0 ? SackUse.On : SackUse.Off;
            one.Send.Header.Sack = sack;
            other.Send.Header.Sack = sack;
        }

        if ((known & TcpOptionKinds.MaximumSegmentSize) != 0)
        {
            int oneMss = one.Syn.MssOption == 0 ? defaultMss : one.Syn.MssOption;
            int otherMss = other.Syn.MssOption == 0 ? defaultMss : other.Syn.MssOption;
            int timestamps = (common & TcpOptionKinds.Timestamps) != 0 ? TimestampBytes : 0;
            one.Send.Sizes.Mss = other.Send.Sizes.Mss = Math.Max(Math.Min(oneMss, otherMss) - timestamps, 1);
        }

        SettleScale(ref one, ref other);
    }

    static void SettleScale(ref EndState one, ref EndState other)
    {
        if ((one.Syn.KnownOptions & other.Syn.KnownOptions & TcpOptionKinds.WindowScale) != 0)
        {
            bool isScaled = (one.Syn.Options & other.Syn.Options & TcpOptionKinds.WindowScale) != 0;
            one.Receive.Window.Settle(isScaled);
            other.Receive.Window.Settle(isScaled);
        }
    }
}

/// <summary>What both ends agreed upon for congestion notification.</summary>
static class EcnNegotiation
{
    const TcpFlags Bits = TcpFlags.Ece | TcpFlags.Cwr | TcpFlags.Ae;

    /// <summary>Reads it off both SYNs, in any order.</summary>
    public static EcnUse Of(in SynState one, in SynState other)
    {
        if (!one.IsSeen || !other.IsSeen)
        {
            return EcnUse.Unknown;
        }

        bool isOneAnswer = (one.Flags & TcpFlags.Ack) != 0;
        return Of((isOneAnswer ? other : one).Flags & Bits, (isOneAnswer ? one : other).Flags & Bits);
    }

    // RFC 9768 §3.1.1, table 2: of AE, CWR and ECE in the SYN-ACK 010, 011, 100 and 110 agree to counts; 001 to RFC 3168, as does the former nonce, 101.
    static EcnUse Of(TcpFlags asked, TcpFlags answered) => (asked, answered) switch
    {
        (Bits, TcpFlags.Cwr or (TcpFlags.Cwr | TcpFlags.Ece) or TcpFlags.Ae or (TcpFlags.Ae | TcpFlags.Cwr)) => EcnUse.Accurate,
        (Bits or (TcpFlags.Ece | TcpFlags.Cwr), TcpFlags.Ece or (TcpFlags.Ece | TcpFlags.Ae)) => EcnUse.Classic,
        _ => EcnUse.Off,
    };
}
