using System;
using TcpDiag.Wire;

namespace TcpDiag.Tcp.Loss;

/// <summary>
/// Tail loss probe (RFC 8985 §7): a quiet tail is probed with one segment instead of waiting for the retransmission timeout, and the
/// answer shows whether the probe repaired a loss. The caller owns the timer and resets the state (assigns the default value) when
/// fast or RTO recovery begins (§7.1). The default value is a connection's start.
/// </summary>
public struct TailLossProbe
{
    /// <summary>PTO before the first round-trip sample in ns (RFC 8985 §7.2).</summary>
    public const long PtoWithoutSrttNanos = 1_000_000_000;

    bool _awaitsRttSample;

    /// <summary>TLP.end_seq: SND.NXT after the outstanding probe; null when none is outstanding.</summary>
    public SequenceNumber? EndSeq { get; private set; }

    /// <summary>TLP.is_retrans: whether the outstanding probe carried old data.</summary>
    public bool IsRetransmission { get; private set; }

    /// <summary>The probe timeout (RFC 8985 §7.2, TLP_calc_PTO): 2·SRTT, never later than the pending RTO.</summary>
    /// <param name="srttNanos">SRTT in ns; 0 when there is none yet.</param>
    /// <param name="flightIsOneSegment">Whether FlightSize is one segment, which a receiver may acknowledge with delay.</param>
    /// <param name="maxAckDelayNanos">TLP.max_ack_delay in ns, added for one segment; the value is the stack's.</param>
    /// <param name="rtoExpiresInNanos">Time until the RTO expires in ns.</param>
    /// <returns>ns from now.</returns>
    public static long PtoNanos(long srttNanos, bool flightIsOneSegment, long maxAckDelayNanos, long rtoExpiresInNanos)
    {
        long pto = PtoWithoutSrttNanos;
        if (srttNanos > 0)
        {
            pto = (2 * srttNanos) + (flightIsOneSegment ? maxAckDelayNanos : 0);
        }

        return Math.Min(pto, rtoExpiresInNanos);
    }

    /// <summary>Whether to start the PTO after new data was sent or SND.UNA advanced (§7.2). Otherwise the timer stays with the RTO or with RACK.</summary>
    /// <param name="inRecovery">Whether the sender is in fast or RTO recovery.</param>
    /// <param name="sackedSegments">Segments SACKed above SND.UNA.</param>
    /// <returns>True to arm the PTO.</returns>
    public static bool MayArm(bool inRecovery, int sackedSegments) => !inRecovery && sackedSegments == 0;

    /// <summary>Whether a probe may go out when the PTO fires (§7.3): none outstanding, and a round-trip sample since the last one.</summary>
    /// <returns>False: only the RTO is armed.</returns>
    public readonly bool MaySend() => EndSeq is null && !_awaitsRttSample;

    /// <summary>A probe was sent; the RTO is armed next, not another PTO (§7.3).</summary>
    /// <param name="sndNxt">SND.NXT after sending it.</param>
    /// <param name="isRetransmission">Whether it retransmitted the segment with the highest sequence number instead of sending new data.</param>
    public void OnProbeSent(SequenceNumber sndNxt, bool isRetransmission)
    {
        EndSeq = sndNxt;
        IsRetransmission = isRetransmission;
        _awaitsRttSample = true;
    }

    /// <summary>A round-trip sample was taken.</summary>
    public void OnRttSample() => _awaitsRttSample = false;

    /// <summary>Interprets an acknowledgment (§7.4.2, TLP_process_ack) and ends the probe where it is answered.</summary>
    /// <param name="acknowledgment">The cumulative acknowledgment.</param>
    /// <param name="dsackEnd">Right edge of its DSACK, null without one.</param>
    /// <param name="isDuplicateWithoutSack">Whether it is a duplicate acknowledgment without SACK blocks.</param>
    /// <returns>What it shows.</returns>
    public TlpOutcome OnAckReceived(SequenceNumber acknowledgment, SequenceNumber? dsackEnd, bool isDuplicateWithoutSack)
    {
        if (EndSeq is not { } end || acknowledgment < end)
        {
            return TlpOutcome.None;
        }

        TlpOutcome outcome = Interpret(acknowledgment, end, dsackEnd, isDuplicateWithoutSack);
        EndSeq = outcome == TlpOutcome.None ? EndSeq : null;
        return outcome;
    }

    readonly TlpOutcome Interpret(SequenceNumber acknowledgment, SequenceNumber end, SequenceNumber? dsackEnd, bool isDuplicateWithoutSack)
    {
        if (!IsRetransmission)
        {
            return TlpOutcome.NewDataDelivered;
        }

        if (dsackEnd == end)
        {
            return TlpOutcome.OriginalArrived;
        }

        if (acknowledgment > end)
        {
            return TlpOutcome.RepairedLoss;
        }

        return isDuplicateWithoutSack ? TlpOutcome.OriginalArrived : TlpOutcome.None;
    }
}

/// <summary>What an acknowledgment shows about an outstanding tail loss probe (RFC 8985 §7.4.2).</summary>
public enum TlpOutcome
{
    /// <summary>Nothing yet, or no probe is outstanding.</summary>
    None,

    /// <summary>The probe carried new data, which arrived: nothing was lost at the tail.</summary>
    NewDataDelivered,

    /// <summary>Probe and original both arrived: nothing was lost.</summary>
    OriginalArrived,

    /// <summary>The probe repaired a loss; congestion control must react to it once.</summary>
    RepairedLoss,
}
