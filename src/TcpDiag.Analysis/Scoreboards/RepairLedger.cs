using System;
using TcpDiag.Analysis.Flows;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Scoreboards;

/// <summary>
/// Follows what is missing, SACKed and sent again in the directions where anything is: triggers of retransmissions, whether they
/// were needed, what was lost and what was reordered (measures 1 and 2 in docs/commands/analyze.md).
/// </summary>
sealed class RepairLedger
{
    readonly FlightPool _flights;
    readonly RttRecorder _extents = new();
    readonly ResendBook _resends;
    readonly SackedData _sacked;
    readonly IResendReasons? _reasons;
    Scoreboard _calm; // that of a direction without any; stays empty

    /// <summary>Makes a ledger.</summary>
    /// <param name="flights">Where the state of directions is.</param>
    /// <param name="follower">Who gets the verdicts on retransmissions.</param>
    /// <param name="reasons">Who knows what senders told beside the packets; null when nothing is told.</param>
    public RepairLedger(FlightPool flights, ILedgerFollower follower, IResendReasons? reasons = null)
    {
        _flights = flights;
        _reasons = reasons;
        _resends = new ResendBook(_extents, follower);
        _sacked = new SackedData(_resends);
    }

    /// <summary>A segment begins behind SND.MAX: what lies between is missing.</summary>
    /// <param name="sent">The direction, before the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="step">What it does.</param>
    public void OnJump(ref DirectionState sent, in ParsedPacket packet, in LedgerStep step)
    {
        ref Scoreboard board = ref _flights.BoardOf(ref sent);
        board.LastHoleTime = step.Time;
        board.InFlightBefore = board.Missing.Count == 0 ? sent.MaxInFlight : board.InFlightBefore;
        MissingData.Add(ref board, new SequenceHole
        {
            Start = sent.SndMax,
            End = step.Start,
            Origin = new HoleOrigin
            {
                Time = step.Time,
                Arrivals = sent.Originals - step.WireSegments,
                Bytes = sent.UniqueBytes,
                TsVal = packet.Options.TsVal,
                IpId = SendOrder.IpIdOf(packet),
            },
        });
    }

    /// <summary>A segment begins below SND.MAX: each wire segment of it is a retransmission, or an original that comes late.</summary>
    /// <param name="sent">The direction, before the segment.</param>
    /// <param name="packet">The segment.</param>
    /// <param name="roundTrip">What is known of round trips.</param>
    /// <param name="step">What it does; gets kind and trigger.</param>
    /// <returns>Bytes of it that had been missing until now.</returns>
    public int OnOldSequence(ref DirectionState sent, in ParsedPacket packet, in RoundTrip roundTrip, ref LedgerStep step)
    {
        ref Scoreboard board = ref _flights.BoardOf(ref sent);
        board.LastHoleTime = step.Time;
        ResendReasons? told = _reasons?.Of(packet);
        int pieces = Math.Max(step.WireSegments, 1);
        int size = pieces == 1 ? step.Length : sent.PieceLength;
        SequenceNumber end = step.Start + step.Length;
        int missing = 0;
        for (int i = 0; i < pieces; i++)
        {
            SequenceNumber start = step.Start + (i * size);
            SequenceNumber pieceEnd = i == pieces - 1 ? end : start + size;
            if (start >= sent.SndMax)
            {
                break;
            }

            var resend = new Resend
            {
                Start = start,
                End = pieceEnd < sent.SndMax ? pieceEnd : sent.SndMax,
                Time = step.Time,
                Packet = step.PacketNumber,
                TsVal = packet.Options.TsVal,
                IpId = (ushort)(SendOrder.IpIdOf(packet) + i),
            };
            int length = resend.End - resend.Start;
            int filled = Math.Min(MissingData.Fill(ref board, resend.Start, resend.End, out resend.Origin), length); // numbers gone wild may overlap
            missing += filled;
            resend.Marks = filled == length ? ResendMarks.WasMissing : ResendMarks.None;
            OnPiece(ref sent, ref board, ref resend, roundTrip, told, ref step);
        }

        return missing;
    }

    /// <summary>SND.UNA moves.</summary>
    /// <param name="acked">The direction; its SND.UNA still at the old value.</param>
    /// <param name="board">Its state.</param>
    /// <param name="packet">The acknowledgment.</param>
    /// <param name="roundTrip">What is known of round trips.</param>
    /// <param name="step">Gets an RTT sample, where a retransmission gives one.</param>
    public void OnAdvance(ref DirectionState acked, ref Scoreboard board, in ParsedPacket packet, in RoundTrip roundTrip, ref LedgerStep step)
    {
        int unseen = MissingData.DropBelow(ref board, packet.Acknowledgment);
        if (unseen > 0)
        {
            acked.UnseenBytes += unseen;
            acked.MaxInFlight = board.InFlightBefore; // what seemed to be in flight across the gap may have been acknowledged in it
            step.Unseen = unseen;
        }

        var now = new Moment(step.Time, roundTrip.ToReceiver);
        long rtt = _resends.OnAdvance(acked, ref board, packet, now);
        if (rtt > 0)
        {
            step.Rtt = rtt;
            _flights.AddSample(acked, rtt);
        }

        _sacked.OnAdvance(acked, ref board, packet.Acknowledgment, now);
        if (IsReneging(board, packet))
        {
            SackedData.Forget(ref board, packet.Acknowledgment);
        }

        TriggerJudge.OnAdvance(ref board, packet.Acknowledgment);
    }

    /// <summary>SACK blocks came back.</summary>
    /// <param name="acked">The direction acknowledged, its SND.UNA at the new value.</param>
    /// <param name="roundTrip">What is known of round trips.</param>
    /// <param name="step">The acknowledgment with its blocks; gets what they tell.</param>
    public void OnSack(ref DirectionState acked, in RoundTrip roundTrip, ref LedgerStep step)
    {
        ref Scoreboard board = ref _flights.BoardOf(ref acked);
        var now = new Moment(step.Time, roundTrip.ToReceiver);
        if (step.IsDsack)
        {
            ResendBook.OnDsack(ref board, step.SackBlocks[0], now);
        }

        int skipped = step.IsDsack ? 1 : 0;
        LedgerStep.Blocks copy = step.SackBlocks;
        Span<SackBlock> blocks = ((Span<SackBlock>)copy)[skipped..step.SackBlockCount];
        blocks.Sort(static (left, right) => left.Left - right.Left); // or a block would fill the hole that a higher one has just shown
        foreach (SackBlock block in blocks)
        {
            step.NewlySacked += _sacked.OnBlock(acked, ref board, block, now);
        }

        step.IsSackWithoutNews = !step.IsDsack && step.NewlySacked == 0;
    }

    /// <summary>An acknowledgment came that repeats SND.UNA and all SACK blocks there are.</summary>
    /// <param name="acked">The direction acknowledged.</param>
    /// <param name="echo">Its TSecr; 0 without timestamps.</param>
    /// <param name="roundTrip">What is known of round trips.</param>
    /// <param name="time">When.</param>
    /// <param name="isGrown">Whether its window has grown.</param>
    public static void OnRepeat(in DirectionState acked, uint echo, in RoundTrip roundTrip, TraceTime time, bool isGrown)
    {
        Pooled<Scoreboard> board = FlightPool.KnownBoardOf(acked);
        if (board.IsAny)
        {
            RepeatJudge.OnRepeat(ref board.Value, echo, new Moment(time, roundTrip.ToReceiver), roundTrip.Whole, isGrown);
        }
    }

    /// <summary>Sums a direction up.</summary>
    /// <param name="direction">The direction.</param>
    /// <param name="place">Where the capture was taken, seen from it.</param>
    /// <param name="isOver">Whether nothing more comes: then all that waits for a verdict gets one.</param>
    /// <param name="result">Gets the sums.</param>
    public void Summarise(in DirectionState direction, CapturePlace place, bool isOver, ConnectionDirection result)
    {
        Pooled<Scoreboard> known = FlightPool.KnownBoardOf(direction);
        IpIdAccount ids = direction.Flight.IsAny ? direction.Flight.Value.IpIds : default;
        ref Scoreboard board = ref _calm;
        if (known.IsAny)
        {
            board = ref known.Value;
            if (isOver)
            {
                _resends.SettleAll(ref board);
            }
        }

        RepairSummary.Write(board, ids, place, _extents, result);
    }

    /// <summary>Gives back what a direction used.</summary>
    /// <param name="direction">The direction.</param>
    public void Release(in DirectionState direction)
    {
        Pooled<Scoreboard> known = FlightPool.KnownBoardOf(direction);
        if (!known.IsAny)
        {
            return;
        }

        ref Scoreboard board = ref known.Value;
        board.Missing.Release();
        board.Holes.Release();
        board.Resends.Release();
        board.Repeats = null;
        _extents.Release(ref board.Arrivals.Extents);
        _extents.Release(ref board.Hindsight.Extents);
    }

    // What was SACKed has been dropped, or the acknowledgment would still tell of it (RFC 2018 §4, §8).
    static bool IsReneging(in Scoreboard board, in ParsedPacket packet) =>
        packet.Acknowledgment < board.Fack
        && packet.SequenceLength == 0
        && !packet.Options.Has(TcpOptionKinds.Sack | TcpOptionKinds.Incomplete);

    static bool IsLate(in Resend resend, in RoundTrip roundTrip)
    {
        int order = SendOrder.Compare(resend.TsVal, resend.IpId, resend.Origin.TsVal, resend.Origin.IpId);
        return order == 0 ? resend.Time - resend.Origin.Time < roundTrip.Whole : order < 0;
    }

    // The original of something that has been sent again, and that came first.
    static bool IsOvertaken(in Scoreboard board, in Resend resend, int latest)
    {
        bool wasFilled = latest >= 0 && board.Resends[latest].Is(ResendMarks.WasMissing) && !board.Resends[latest].Is(ResendMarks.IsOvertaken);
        return wasFilled
            && SendOrder.Compare(resend.TsVal, resend.IpId, board.Resends[latest].TsVal, board.Resends[latest].IpId) < 0;
    }

    void OnPiece(ref DirectionState sent, ref Scoreboard board, ref Resend resend, in RoundTrip roundTrip, ResendReasons? told, ref LedgerStep step)
    {
        int latest = ResendBook.FindLatest(board, resend.Start, resend.End);
        if (resend.Is(ResendMarks.WasMissing) && IsLate(resend, roundTrip))
        {
            OnLate(ref sent, ref board, resend, ref step);
            return;
        }

        if (!resend.Is(ResendMarks.WasMissing) && IsOvertaken(board, resend, latest))
        {
            board.Resends[latest].Marks |= ResendMarks.IsOvertaken;
            resend.Origin = board.Resends[latest].Origin;
            OnLate(ref sent, ref board, resend, ref step);
            return;
        }

        if (step.IsCopy && !resend.Is(ResendMarks.WasMissing))
        {
            sent.WireSegments--;
            board.Copies++;
            step.Sent = SentKind.Copy;
            return;
        }

        var timing = new Timing(board.Estimator, roundTrip.Handshake);
        RetransmissionTrigger named = told?.Take(resend.Start, resend.End) ?? RetransmissionTrigger.Unknown;
        board.Named += named == RetransmissionTrigger.Unknown ? 0 : 1;
        resend.Trigger = TriggerJudge.Judge(sent, ref board, resend, latest, timing, named);
        board.Triggers[(int)resend.Trigger]++;
        bool hasArrived = resend.End <= sent.SndUna || SackedData.IsSacked(board, resend.Start, resend.End);
        resend.AckedTime = resend.Time;
        resend.SentMax = sent.SndMax;
        resend.Marks |= (resend.TsVal != 0 ? ResendMarks.HasTsVal : ResendMarks.None)
            | (resend.TsVal != sent.LastTsVal ? ResendMarks.HasOwnTsVal : ResendMarks.None)
            | (latest >= 0 ? ResendMarks.IsRepeated : ResendMarks.None)
            | (hasArrived ? ResendMarks.IsAcked | ResendMarks.IsOutdated : ResendMarks.None);
        _resends.Add(ref board, resend);
        sent.Retransmissions++;
        step.Resent++;
        step.Sent = SentKind.Retransmission;
        step.Trigger = resend.Trigger;
    }

    void OnLate(ref DirectionState sent, ref Scoreboard board, in Resend late, ref LedgerStep step)
    {
        sent.OutOfOrder++;
        step.Sent = step.Sent == SentKind.Retransmission ? step.Sent : SentKind.Late;
        board.Arrivals.Add(new LateArrival(sent.Originals, late.Start), late.Origin.Arrivals, sent.UniqueBytes - late.Origin.Bytes);
        _extents.Add(ref board.Arrivals.Extents, late.Time - late.Origin.Time);
    }
}
