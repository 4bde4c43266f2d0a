using TcpDiag.Wire;

namespace TcpDiag.Tcp.Spurious;

/// <summary>
/// F-RTO (RFC 5682): tells a spurious retransmission timeout by what the first two acknowledgments after it cover. Both forms are
/// here, the basic one (§2.1) and the one for SACK (§3.1). The default value is a connection on which no timer expired.
/// </summary>
public struct Frto
{
    enum Step
    {
        Off,
        AwaitsFirstAck,
        AwaitsSecondAck,
    }

    Step _step;
    bool _hasRecover;

    // Behind the segment that the timer resent.
    SequenceNumber _resentEnd;

    /// <summary>"recover", RecoveryPoint: behind the highest byte sent when the timer expired.</summary>
    public SequenceNumber Recover { get; private set; }

    /// <summary>Whether a test is under way.</summary>
    public readonly bool IsTesting => _step != Step.Off;

    /// <summary>The retransmission timer expired and the first segment was resent (step 1).</summary>
    /// <param name="sndUna">SND.UNA.</param>
    /// <param name="sndNxt">SND.NXT, the highest sent.</param>
    /// <param name="resentEnd">Behind the segment resent.</param>
    /// <returns>True when the test begins; false while the point of an earlier recovery is not passed.</returns>
    public bool OnTimeout(SequenceNumber sndUna, SequenceNumber sndNxt, SequenceNumber resentEnd)
    {
        bool begins = !_hasRecover || sndUna >= Recover;
        _step = begins ? Step.AwaitsFirstAck : Step.Off;
        _resentEnd = resentEnd;
        (_hasRecover, Recover) = (true, sndNxt);
        return begins;
    }

    /// <summary>An acknowledgment arrived, without SACK (§2.1 steps 2 and 3).</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment.</param>
    /// <param name="isDuplicate">Whether it is a duplicate: SND.UNA does not move.</param>
    /// <returns>The verdict; <see cref="FrtoVerdict.Undecided"/> when no test is under way.</returns>
    public FrtoVerdict OnAckReceived(SequenceNumber acknowledgment, bool isDuplicate)
    {
        if (_step == Step.Off)
        {
            return FrtoVerdict.Undecided;
        }

        if (_step == Step.AwaitsSecondAck)
        {
            return End(isDuplicate ? FrtoVerdict.Genuine : FrtoVerdict.Spurious);
        }

        bool isTelling = !isDuplicate && acknowledgment >= _resentEnd && acknowledgment < Recover;
        return isTelling ? Advance() : End(FrtoVerdict.Genuine);
    }

    /// <summary>An acknowledgment arrived, with SACK (§3.1 steps 2 and 3).</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment.</param>
    /// <param name="isDuplicate">Whether SND.UNA does not move.</param>
    /// <param name="highestDelivered">The highest sequence number acknowledged or SACKed by it.</param>
    /// <param name="deliversOriginal">Whether it newly acknowledges or SACKs data that was never resent.</param>
    /// <returns>The verdict; <see cref="FrtoVerdict.Undecided"/> when no test is under way.</returns>
    public FrtoVerdict OnSackReceived(SequenceNumber acknowledgment, bool isDuplicate, SequenceNumber highestDelivered, bool deliversOriginal)
    {
        if (_step == Step.Off)
        {
            return FrtoVerdict.Undecided;
        }

        if (_step == Step.AwaitsFirstAck)
        {
            // Duplicates only update the scoreboard; the answer to the resent segment is awaited.
            return isDuplicate ? FrtoVerdict.Undecided : acknowledgment < Recover ? Advance() : End(FrtoVerdict.Genuine);
        }

        if (highestDelivered > Recover)
        {
            return End(FrtoVerdict.Genuine); // new data arrived while old is still missing
        }

        return deliversOriginal ? End(FrtoVerdict.Spurious) : FrtoVerdict.Undecided;
    }

    FrtoVerdict Advance()
    {
        _step = Step.AwaitsSecondAck;
        return FrtoVerdict.SendNewData;
    }

    FrtoVerdict End(FrtoVerdict verdict)
    {
        _step = Step.Off;
        return verdict;
    }
}
