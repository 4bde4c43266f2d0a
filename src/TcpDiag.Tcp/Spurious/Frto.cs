using TcpDiag.Wire;

namespace TcpDiag.Tcp.Spurious;

/// <summary>
/// F-RTO (RFC 5682): recognises a spurious retransmission timeout by what the first two acknowledgments after it cover, in the basic form
/// (§2.1) and the form for SACK (§3.1). The default value is a connection on which no timer expired.
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

    // Behind the segment that the timer retransmitted.
    SequenceNumber _retransmittedEnd;

    /// <summary>"recover", RecoveryPoint: behind the highest byte sent when the timer expired.</summary>
    public SequenceNumber Recover { get; private set; }

    /// <summary>Whether a test is under way.</summary>
    public readonly bool IsTesting => _step != Step.Off;

    /// <summary>The retransmission timer expired and the first segment was retransmitted (step 1).</summary>
    /// <param name="sndUna">SND.UNA.</param>
    /// <param name="sndNxt">SND.NXT, the highest sent.</param>
    /// <param name="retransmittedEnd">Behind the segment retransmitted.</param>
    /// <returns>True when the test begins; false while the point of an earlier recovery is not passed.</returns>
    public bool OnTimeout(SequenceNumber sndUna, SequenceNumber sndNxt, SequenceNumber retransmittedEnd)
    {
        bool begins = !_hasRecover || sndUna >= Recover;
        _step = begins ? Step.AwaitsFirstAck : Step.Off;
        _retransmittedEnd = retransmittedEnd;
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

        bool isPartial = !isDuplicate && acknowledgment >= _retransmittedEnd && acknowledgment < Recover;
        return isPartial ? Advance() : End(FrtoVerdict.Genuine);
    }

    /// <summary>An acknowledgment arrived, with SACK (§3.1 steps 2 and 3).</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment.</param>
    /// <param name="isDuplicate">Whether SND.UNA does not move.</param>
    /// <param name="highestDelivered">The highest sequence number acknowledged or SACKed by it.</param>
    /// <param name="deliversOriginal">Whether it newly acknowledges or SACKs data that was never retransmitted.</param>
    /// <returns>The verdict; <see cref="FrtoVerdict.Undecided"/> when no test is under way.</returns>
    public FrtoVerdict OnSackReceived(SequenceNumber acknowledgment, bool isDuplicate, SequenceNumber highestDelivered, bool deliversOriginal)
    {
        if (_step == Step.Off)
        {
            return FrtoVerdict.Undecided;
        }

        if (_step == Step.AwaitsFirstAck)
        {
            // Duplicates only update the scoreboard until the answer to the retransmitted segment arrives.
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

/// <summary>What F-RTO says about a retransmission timeout (RFC 5682).</summary>
public enum FrtoVerdict
{
    /// <summary>Not decided; keep waiting.</summary>
    Undecided,

    /// <summary>Not decided; send up to two new segments instead of retransmitting (step 2b).</summary>
    SendNewData,

    /// <summary>The timeout was spurious: originals arrive.</summary>
    Spurious,

    /// <summary>The timeout was genuine; conventional recovery continues.</summary>
    Genuine,
}
