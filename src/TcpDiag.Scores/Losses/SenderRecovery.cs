using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>
/// The recovery a sender is in, as its retransmissions show: from the first that is no probe until all that was sent by then is acknowledged.
/// </summary>
struct SenderRecovery
{
    SequenceNumber _point;
    SequenceNumber _probeEnd;

    /// <summary>Whether it repairs losses.</summary>
    public bool IsOn { get; private set; }

    /// <summary>Whether its retransmission timer expired in it.</summary>
    public bool IsTimeout { get; private set; }

    /// <summary>Whether a tail loss probe waits for its answer, or was answered by the latest acknowledgment.</summary>
    public bool IsProbeOut { get; private set; }

    /// <summary>The sender sends a segment again.</summary>
    public void OnRetransmission(RetransmissionTrigger trigger, SequenceNumber end, SequenceNumber sndNxt)
    {
        if (trigger == RetransmissionTrigger.Tlp)
        {
            (IsProbeOut, _probeEnd) = (true, end);
            return;
        }

        if (!IsOn || (trigger == RetransmissionTrigger.Rto && !IsTimeout))
        {
            (IsOn, _point) = (true, sndNxt);
        }

        IsTimeout |= trigger == RetransmissionTrigger.Rto;
    }

    /// <summary>An acknowledgment arrived.</summary>
    /// <returns>Whether it ends the recovery.</returns>
    public bool OnAckReceived(SequenceNumber una)
    {
        IsProbeOut &= una <= _probeEnd; // the DSACK of a probe comes with an acknowledgment of its end
        if (!IsOn || una < _point)
        {
            return false;
        }

        IsOn = IsTimeout = false;
        return true;
    }
}
