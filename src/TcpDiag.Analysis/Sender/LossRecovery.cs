using System;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Tcp.Loss;
using TcpDiag.Tcp.Timing;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// What is kept of an end in whose data something was missing, SACKed or resent. Ranges of sequence numbers that were sent once and
/// acknowledged in order are in none of its lists, so it is as large as the trouble is.
/// </summary>
struct LossRecovery
{
    /// <summary>What the capture point has not seen.</summary>
    public MissingData Missing;

    /// <summary>What the receiver reported by SACK.</summary>
    public SackScoreboard Sacked;

    /// <summary>Segments sent again.</summary>
    public RetransmissionList Retransmissions;

    /// <summary>The recovery that goes on, and what triggers retransmissions.</summary>
    public RetransmissionClassifier Classifier;

    /// <summary>SRTT and RTTVAR since there has been trouble; begins with the median of the samples before.</summary>
    public RttEstimator Rtt;

    /// <summary>What shows that the receiver had data twice.</summary>
    public DuplicateEvidence Duplicates;

    /// <summary>Retransmissions, counted.</summary>
    public RetransmissionCounters Counts;

    /// <summary>What the path reordered.</summary>
    public Reordering Reordering;

    /// <summary>First byte that was captured: below it, data may have been lost and sent again unseen.</summary>
    public SequenceNumber FirstCaptured { get; private set; }

    /// <summary>Begins.</summary>
    /// <param name="una">SND.UNA.</param>
    /// <param name="first">First byte that was captured.</param>
    /// <param name="medianRttNanos">Median of the RTT samples so far; null without any.</param>
    public void Begin(SequenceNumber una, SequenceNumber first, long? medianRttNanos)
    {
        Sacked.Begin(una);
        FirstCaptured = first;
        if (medianRttNanos is { } median)
        {
            Rtt.OnSample(median);
        }
    }

    /// <summary>
    /// Takes in a cumulative acknowledgment, where that is all there is to do: nothing is missing, SACKed, probed or resent above SND.UNA, and
    /// nothing has waited long enough for its verdict.
    /// </summary>
    /// <param name="una">SND.UNA before.</param>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="now">When it passed.</param>
    /// <returns>False when there is more to do; nothing has changed then.</returns>
    public bool TryAdvance(SequenceNumber una, SequenceNumber ack, in AckInstant now)
    {
        bool isAtRest = !Missing.IsAny && !Sacked.HasHoles && !Classifier.IsProbeOut && Sacked.Fack <= ack
            && Retransmissions.IsAtRest(una, now.Time, Thresholds.DsackPatienceNanos);
        if (isAtRest)
        {
            Sacked.Begin(ack);
            Duplicates.MinRttNanos = now.MinRttNanos;
        }

        return isAtRest;
    }

    /// <summary>Gives its memory back.</summary>
    public void Release(DurationSets durations)
    {
        Missing.Release();
        Sacked.Release();
        Retransmissions.Release();
        Duplicates.Release();
        durations.Release(ref Reordering.Arrived.Extents);
        durations.Release(ref Reordering.Filled.Extents);
        durations.Release(ref Missing.Repairs);
    }
}

/// <summary>
/// Follows what is missing, SACKed and sent again where anything is: triggers of retransmissions, whether they were needed, what was lost and
/// what was reordered (docs/commands/analyze.md).
/// </summary>
sealed class RecoveryTracker
{
    readonly FlightPool _flights;
    readonly SpuriousDetector _spurious;
    readonly ISenderEvidence? _evidence;
    LossRecovery _none; // that of an end without any; stays empty

    /// <summary>Makes a tracker.</summary>
    /// <param name="flights">Where the sent data of all ends is.</param>
    /// <param name="observer">Hears the verdicts on retransmissions.</param>
    /// <param name="evidence">What senders' stacks named beside the packets; null when nothing.</param>
    public RecoveryTracker(FlightPool flights, IRetransmissionObserver observer, ISenderEvidence? evidence)
    {
        _flights = flights;
        _evidence = evidence;
        _spurious = new SpuriousDetector(flights.Durations, observer);
    }

    /// <summary>Whether its sender's stack named a segment with data as one that is sent again.</summary>
    public bool IsNamed(in ParsedPacket packet) =>
        _evidence?.ReasonsOf(packet) is { } reasons && reasons.Has(packet.Sequence, packet.Sequence + packet.PayloadLength);

    /// <summary>A segment begins above SND.MAX: what lies between is missing.</summary>
    /// <param name="sent">Its end, before the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="segment">What it does.</param>
    public void OnJump(ref SendState sent, in ParsedPacket packet, in Segment segment)
    {
        ref LossRecovery recovery = ref _flights.RecoveryOf(ref sent);
        recovery.Missing.Old.OnJump(segment.Start, sent.Space.SndUna);
        var range = new MissingRange
        {
            Start = sent.Space.SndMax,
            End = segment.Start,
            Origin = new GapOrigin
            {
                Time = segment.Time,
                Arrivals = sent.Counts.Originals - segment.Sent.WireSegments,
                Bytes = sent.Counts.UniqueBytes,
                Stamp = SendStamp.Of(packet),
            },
        };
        recovery.Missing.Add(range, sent.Space.MaxInFlight);
    }

    /// <summary>A segment begins below SND.MAX: each wire segment of it is a retransmission, or an original that comes late.</summary>
    /// <param name="sent">Its end, before the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="rtt">What is known of round trips.</param>
    /// <param name="segment">What it does; gets kind and trigger.</param>
    /// <returns>Bytes of it that had been missing until now.</returns>
    public int OnOldSequence(ref SendState sent, in ParsedPacket packet, in PathRtt rtt, ref Segment segment)
    {
        ref LossRecovery recovery = ref _flights.RecoveryOf(ref sent);
        recovery.Missing.OnOutOfOrder(segment.Time);
        RetransmissionReasons? reasons = _evidence?.ReasonsOf(packet);
        SendStamp stamp = SendStamp.Of(packet);
        int pieces = Math.Max(segment.Sent.WireSegments, 1);
        int size = pieces == 1 ? segment.Length : sent.Sizes.WirePayload;
        SequenceNumber end = segment.Start + segment.Length;
        SequenceNumber max = sent.Space.SndMax;
        int missing = 0;
        for (int i = 0; i < pieces; i++)
        {
            SequenceNumber start = segment.Start + (i * size);
            SequenceNumber pieceEnd = i == pieces - 1 ? end : start + size;
            if (start >= max)
            {
                break;
            }

            var item = new Retransmission
            {
                Start = start,
                End = pieceEnd < max ? pieceEnd : max,
                Time = segment.Time,
                Packet = segment.PacketNumber,
                Stamp = stamp with { IpId = (ushort)(stamp.IpId + i) },
            };
            int length = item.End - item.Start;
            int filled = Math.Min(recovery.Missing.Fill(item.Start, item.End, out item.Origin), length); // numbers gone wild may overlap
            missing += filled;
            item.Marks = filled == length ? RetransmissionMarks.WasMissing : RetransmissionMarks.None;
            OnWireSegment(ref sent, ref recovery, ref item, rtt, reasons, ref segment);
        }

        return missing;
    }

    /// <summary>SND.UNA moves.</summary>
    /// <param name="acked">The end acknowledged; its SND.UNA still at the old value.</param>
    /// <param name="recovery">Its loss recovery.</param>
    /// <param name="packet">The acknowledgment.</param>
    /// <param name="rtt">What is known of round trips.</param>
    /// <param name="segment">Gets an RTT sample, where a retransmission gives one.</param>
    public void OnAdvance(ref SendState acked, ref LossRecovery recovery, in ParsedPacket packet, in PathRtt rtt, ref Segment segment)
    {
        if (recovery.Missing.IsAny && IsEarly(acked, recovery))
        {
            recovery.Missing.OnEarly(acked.Space.SndUna, packet.Acknowledgment, acked.Space.SndUna);
        }

        int maxInFlightBefore = recovery.Missing.MaxInFlightBefore;
        int old = recovery.Missing.DropOldBelow(packet.Acknowledgment);
        int unseen = old + recovery.Missing.DropBelow(packet.Acknowledgment);
        if (unseen > 0)
        {
            acked.Counts.UnseenBytes += unseen - old;
            acked.Space.CorrectMaxInFlight(maxInFlightBefore); // what seemed to be in flight across the gap may have been acknowledged in it
            segment.Ack.Unseen = unseen;
        }

        var now = new AckInstant(segment.Time, rtt.ToReceiverNanos);
        long sample = _spurious.OnAdvance(acked.Space, ref recovery, packet, now);
        if (sample > 0)
        {
            segment.Ack.RttNanos = sample;
            _flights.AddSample(ref acked.Flight.Value, sample);
        }

        SequenceNumber fack = recovery.Sacked.Fack > acked.Space.SndUna ? recovery.Sacked.Fack : acked.Space.SndUna;
        int sacked = (packet.Acknowledgment < fack ? packet.Acknowledgment : fack) - acked.Space.SndUna;
        if (recovery.Sacked.HasHoles)
        {
            sacked -= Fill(acked.Sizes, ref recovery, recovery.Sacked.FirstHole, packet.Acknowledgment, now);
        }

        segment.Ack.Sack.PassedBytes = Math.Max(sacked, 0);

        recovery.Sacked.Advance(packet.Acknowledgment);
        if (IsReneging(recovery, packet))
        {
            recovery.Sacked.Forget(packet.Acknowledgment);
        }

        recovery.Classifier.OnAdvance(packet.Acknowledgment);
    }

    /// <summary>SACK blocks came back.</summary>
    /// <param name="acked">The end acknowledged, its SND.UNA at the new value.</param>
    /// <param name="rtt">What is known of round trips.</param>
    /// <param name="segment">The acknowledgment with its blocks; gets what they say.</param>
    public void OnSack(ref SendState acked, in PathRtt rtt, ref Segment segment)
    {
        ref LossRecovery recovery = ref _flights.RecoveryOf(ref acked);
        var now = new AckInstant(segment.Time, rtt.ToReceiverNanos);
        bool isDsack = segment.Ack.IsDsack;
        if (isDsack)
        {
            SpuriousDetector.OnDsack(ref recovery, segment.Ack.Sack[0], now);
        }

        Span<SackBlock> blocks = stackalloc SackBlock[SackBlocks.MaxCount];
        int count = 0;
        for (int i = isDsack ? 1 : 0; i < segment.Ack.Sack.Count; i++)
        {
            blocks[count++] = segment.Ack.Sack[i];
        }

        blocks = blocks[..count];
        bool isBegun = acked.Rtt.Handshake.WholeNanos > 0;
        bool isEarly = IsEarly(acked, recovery);
        if (isEarly && segment.Ack.Number < acked.Space.SndUna)
        {
            recovery.Missing.Old.OnSack(acked.Space.SndMax, acked.Space.SndUna); // what was captured so far are repairs, or follows what they are for
        }

        blocks.Sort(static (left, right) => left.Left - right.Left); // or a block would fill the hole that a higher one has just shown
        foreach (SackBlock block in blocks)
        {
            if (!isBegun && block.Right > acked.Space.SndMax)
            {
                recovery.Missing.Old.OnSack(block.Right, acked.Space.SndUna);
            }
            else if (isEarly)
            {
                recovery.Missing.OnEarly(block.Left, block.Right, acked.Space.SndUna);
            }

            segment.Ack.Sack.NewBytes += OnBlock(acked, ref recovery, block, now);
        }

        segment.Ack.Marks |= !isDsack && segment.Ack.Sack.NewBytes == 0 ? AckMarks.SackWithoutNews : AckMarks.None;
    }

    /// <summary>An acknowledgment came that repeats SND.UNA and all SACK blocks there are.</summary>
    /// <param name="acked">The end acknowledged.</param>
    /// <param name="segment">The acknowledgment.</param>
    /// <param name="rtt">What is known of round trips.</param>
    /// <param name="isGrown">Whether its window has grown.</param>
    public static void OnAckWithoutNews(in SendState acked, in Segment segment, in PathRtt rtt, bool isGrown)
    {
        Pooled<LossRecovery> known = FlightPool.KnownRecoveryOf(acked);
        if (known.IsAny)
        {
            ref LossRecovery recovery = ref known.Value;
            var now = new AckInstant(segment.Time, rtt.ToReceiverNanos);
            recovery.Duplicates.OnAckWithoutNews(recovery.Retransmissions, recovery.Sacked, segment.Ack.TsEcr, now, rtt.WholeNanos, isGrown);
        }
    }

    /// <summary>What is known of an end's losses, for its result.</summary>
    /// <param name="sent">The end.</param>
    /// <param name="isOver">Whether nothing more comes: then all that waits for a verdict gets one.</param>
    /// <returns>Its loss recovery; an empty one when there was no trouble.</returns>
    public ref readonly LossRecovery Conclude(in SendState sent, bool isOver)
    {
        Pooled<LossRecovery> known = FlightPool.KnownRecoveryOf(sent);
        if (!known.IsAny)
        {
            return ref _none;
        }

        if (isOver)
        {
            _spurious.SettleAll(ref known.Value);
        }

        return ref known.Value;
    }

    int OnBlock(in SendState acked, ref LossRecovery recovery, SackBlock block, in AckInstant now)
    {
        SequenceNumber una = acked.Space.SndUna;
        if (!SackScoreboard.IsSane(block, una))
        {
            return 0;
        }

        SequenceNumber left = block.Left > una ? block.Left : una;
        SequenceNumber fack = recovery.Sacked.Fack;
        if (block.Right <= fack)
        {
            return Fill(acked.Sizes, ref recovery, left, block.Right, now);
        }

        int filled = left < fack ? Fill(acked.Sizes, ref recovery, left, fack, now) : 0;
        SequenceNumber fresh = left > fack ? left : fack;
        recovery.Sacked.Raise(fresh, block.Right, now.Time);
        SpuriousDetector.OnArrived(ref recovery, fresh, block.Right, now);
        return filled + (block.Right - fresh);
    }

    // A hole that is filled though nothing of it was resent was reordering, seen in hindsight.
    int Fill(in SegmentSizes sizes, ref LossRecovery recovery, SequenceNumber start, SequenceNumber end, in AckInstant now)
    {
        int bytes = 0;
        int index = recovery.Sacked.FirstHoleAbove(start);
        while (recovery.Sacked.TryFill(ref index, start, end, out SackHole hole))
        {
            bytes += hole.End - hole.Start;
            _spurious.OnHoleFilled(sizes, ref recovery, hole, now);
        }

        return bytes;
    }

    // What was SACKed has been dropped, or the acknowledgment would still report it (RFC 2018 §4, §8).
    static bool IsReneging(in LossRecovery recovery, in ParsedPacket packet) =>
        packet.Acknowledgment < recovery.Sacked.Fack
        && packet.SequenceLength == 0
        && !packet.Options.Has(TcpOptionKinds.Sack | TcpOptionKinds.Incomplete);

    void OnWireSegment(
        ref SendState sent, ref LossRecovery recovery, ref Retransmission item, in PathRtt rtt, RetransmissionReasons? reasons, ref Segment segment)
    {
        int latest = recovery.Retransmissions.FindLatest(item.Start, item.End);
        bool wasMissing = item.Is(RetransmissionMarks.WasMissing);
        if (wasMissing && IsLate(item, rtt))
        {
            OnLate(ref sent, ref recovery, item, ref segment);
        }
        else if (!wasMissing && IsOvertaken(recovery.Retransmissions, item, latest))
        {
            ref Retransmission first = ref recovery.Retransmissions[latest];
            first.Marks |= RetransmissionMarks.IsOvertaken;
            item.Origin = first.Origin;
            OnLate(ref sent, ref recovery, item, ref segment);
        }
        else if (segment.Sent.IsCopy && !wasMissing)
        {
            sent.Counts.WireSegments--;
            segment.Sent.Kind = SentKind.Copy;
        }
        else
        {
            OnRetransmitted(ref sent, ref recovery, ref item, latest, rtt, reasons, ref segment);
        }
    }

    void OnRetransmitted(
        ref SendState sent,
        ref LossRecovery recovery,
        ref Retransmission item,
        int latest,
        in PathRtt rtt,
        RetransmissionReasons? reasons,
        ref Segment segment)
    {
        RetransmissionTrigger named = reasons?.Take(item.Start, item.End) ?? RetransmissionTrigger.Unknown;
        item.Trigger = recovery.Classifier.Classify(sent, recovery, item, latest, rtt.HandshakeNanos, named);
        recovery.Counts.OnTriggered(item.Trigger, named != RetransmissionTrigger.Unknown);
        bool isAcked = sent.Space.SndUna != recovery.FirstCaptured; // else SND.UNA is where the capture began, and what lies below may be lost
        bool hasArrived = item.End <= sent.Space.SndUna ? isAcked : recovery.Sacked.IsSacked(item.Start, item.End);
        item.AckedTime = item.Time;
        item.SentMax = sent.Space.SndMax;
        item.Marks |= (item.Stamp.TsVal != 0 ? RetransmissionMarks.HasTsVal : RetransmissionMarks.None)
            | (item.Stamp.TsVal != sent.Header.LastTsVal ? RetransmissionMarks.HasOwnTsVal : RetransmissionMarks.None)
            | (latest >= 0 ? RetransmissionMarks.IsRepeated : RetransmissionMarks.None)
            | (item.Start == sent.Space.SndUna && sent.Space.DuplicateAcks >= ReorderingWindow.DupThresh ? RetransmissionMarks.WasAskedFor
                : RetransmissionMarks.None)
            | (hasArrived ? RetransmissionMarks.IsAcked | RetransmissionMarks.IsOutdated : RetransmissionMarks.None);
        if (item.Trigger == RetransmissionTrigger.Fast && latest < 0 && item.Is(RetransmissionMarks.WasMissing))
        {
            _flights.Durations.Add(ref recovery.Missing.Repairs, item.Time - item.Origin.Time);
        }

        _spurious.Add(ref recovery, item);
        sent.Counts.Retransmissions++;
        segment.Sent.Retransmitted = (ushort)Math.Min(segment.Sent.Retransmitted + 1, ushort.MaxValue);
        segment.Sent.Kind = SentKind.Retransmission;
        segment.Sent.Trigger = item.Trigger;
    }

    // Nothing has been acknowledged that was seen to be sent, in a capture that began later than the connection.
    static bool IsEarly(in SendState acked, in LossRecovery recovery) => acked.Rtt.Handshake.WholeNanos == 0
        && acked.Flight.Value.Rtt.Count == 0
        && recovery.Sacked.Fack <= recovery.FirstCaptured;

    static bool IsLate(in Retransmission item, in PathRtt rtt)
    {
        int order = item.Stamp.OrderTo(item.Origin.Stamp);
        return order == 0 ? item.Time - item.Origin.Time < rtt.WholeNanos : order < 0;
    }

    // The original of something that has been sent again, and that came first.
    static bool IsOvertaken(in RetransmissionList list, in Retransmission item, int latest)
    {
        bool wasFilled = latest >= 0 && list[latest].Is(RetransmissionMarks.WasMissing) && !list[latest].Is(RetransmissionMarks.IsOvertaken);
        return wasFilled && item.Stamp.OrderTo(list[latest].Stamp) < 0;
    }

    void OnLate(ref SendState sent, ref LossRecovery recovery, in Retransmission late, ref Segment segment)
    {
        sent.Counts.OutOfOrder++;
        segment.Sent.Kind = segment.Sent.Kind == SentKind.Retransmission ? segment.Sent.Kind : SentKind.Late;
        ref ReorderedCounts arrived = ref recovery.Reordering.Arrived;
        arrived.Add(new LateArrival(sent.Counts.Originals, late.Start), late.Origin.Arrivals, sent.Counts.UniqueBytes - late.Origin.Bytes);
        _flights.Durations.Add(ref arrived.Extents, late.Time - late.Origin.Time);
    }
}
