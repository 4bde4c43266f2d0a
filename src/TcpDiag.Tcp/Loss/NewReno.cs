using TcpDiag.Wire;

namespace TcpDiag.Tcp.Loss;

/// <summary>
/// Loss detection by duplicate acknowledgments for a sender without SACK (RFC 5681 §3.2) with NewReno's partial acknowledgments (RFC 6582 §3.2).
/// It decides what to do; the window is <see cref="Congestion.Reno"/>'s. The default value is a connection's start.
/// </summary>
public struct NewReno
{
    // Whether "recover" was ever set: duplicates of data sent before it start no new recovery.
    bool _hasRecover;

    /// <summary>Duplicate acknowledgments in a row.</summary>
    public int DuplicateAcks { get; private set; }

    /// <summary>Whether fast recovery is under way.</summary>
    public bool InRecovery { get; private set; }

    /// <summary>"recover": behind the highest byte sent when recovery began or the timer last expired.</summary>
    public SequenceNumber Recover { get; private set; }

    /// <summary>A duplicate acknowledgment arrived (RFC 5681 §2).</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment.</param>
    /// <param name="sndNxt">SND.NXT.</param>
    /// <returns>What to do.</returns>
    public NewRenoAction OnDuplicateAck(SequenceNumber acknowledgment, SequenceNumber sndNxt)
    {
        DuplicateAcks++;
        if (InRecovery)
        {
            return NewRenoAction.Inflate;
        }

        if (DuplicateAcks < ReorderingWindow.DupThresh)
        {
            return NewRenoAction.LimitedTransmit;
        }

        // RFC 6582 §3.2 step 1: the acknowledgment must cover more than "recover", else the duplicates answer our own retransmissions.
        if (DuplicateAcks > ReorderingWindow.DupThresh || (_hasRecover && acknowledgment <= Recover))
        {
            return NewRenoAction.None;
        }

        SetRecover(sndNxt);
        InRecovery = true;
        return NewRenoAction.FastRetransmit;
    }

    /// <summary>An acknowledgment of new data arrived.</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment.</param>
    /// <returns>What to do.</returns>
    public NewRenoAction OnNewAck(SequenceNumber acknowledgment)
    {
        DuplicateAcks = 0;
        if (!InRecovery)
        {
            return NewRenoAction.None;
        }

        InRecovery = acknowledgment < Recover;
        return InRecovery ? NewRenoAction.RetransmitNext : NewRenoAction.Exit;
    }

    /// <summary>The retransmission timer expired (RFC 6582 §3.2 step 4): recovery ends, and what was sent so far starts no new one.</summary>
    /// <param name="sndNxt">SND.NXT, the highest sent.</param>
    public void OnTimeout(SequenceNumber sndNxt)
    {
        SetRecover(sndNxt);
        InRecovery = false;
        DuplicateAcks = 0;
    }

    void SetRecover(SequenceNumber sndNxt) => (_hasRecover, Recover) = (true, sndNxt);
}

/// <summary>What a sender without SACK does on an acknowledgment (RFC 5681 §3.2, RFC 3042, RFC 6582).</summary>
public enum NewRenoAction
{
    /// <summary>Ordinary acknowledgment.</summary>
    None,

    /// <summary>First or second duplicate: one new segment may go out, cwnd unchanged (Limited Transmit, RFC 3042 §2).</summary>
    LimitedTransmit,

    /// <summary>Third duplicate: retransmit the segment at SND.UNA; recovery begins.</summary>
    FastRetransmit,

    /// <summary>A further duplicate in recovery: a segment left the network.</summary>
    Inflate,

    /// <summary>A partial acknowledgment in recovery: retransmit the segment at SND.UNA.</summary>
    RetransmitNext,

    /// <summary>Everything sent before recovery is acknowledged: recovery ends.</summary>
    Exit,
}
