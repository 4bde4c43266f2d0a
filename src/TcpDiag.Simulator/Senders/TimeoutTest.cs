using System;
using TcpDiag.Tcp.Loss;
using TcpDiag.Tcp.Spurious;
using TcpDiag.Wire;

namespace TcpDiag.Simulator.Senders;

/// <summary>The test of a retransmission timeout (F-RTO, RFC 5682), with SACK or without, and the new segments it lets out meanwhile.</summary>
/// <param name="hasSack">Whether acknowledgments carry SACK blocks.</param>
struct TimeoutTest(bool hasSack)
{
    const int Segments = 2; // §2.1 step 2b

    Frto _frto;

    /// <summary>New segments that may be sent whatever cwnd says, in place of retransmissions.</summary>
    public int NewSegments { get; private set; }

    /// <summary>The retransmission timer expired.</summary>
    public void OnTimeout(SequenceNumber sndUna, SequenceNumber sndNxt, SequenceNumber retransmittedEnd)
    {
        NewSegments = 0;
        _frto.OnTimeout(sndUna, sndNxt, retransmittedEnd);
    }

    /// <summary>New data was sent.</summary>
    public void OnSent() => NewSegments = Math.Max(NewSegments - 1, 0);

    /// <summary>The recovery is over.</summary>
    public void OnRecoveryEnd()
    {
        NewSegments = 0;
        _frto = _frto.IsTesting ? default : _frto;
    }

    /// <summary>An acknowledgment arrived.</summary>
    /// <param name="ack">The acknowledgment.</param>
    /// <param name="hasAdvanced">Whether it moved SND.UNA.</param>
    /// <param name="delivered">What it newly delivered.</param>
    /// <param name="hasNewData">Whether there is new data that the window takes.</param>
    /// <returns>Whether the timeout is proven spurious.</returns>
    public bool ProvesSpurious(in AckArrival ack, bool hasAdvanced, ReadOnlySpan<RackSegment> delivered, bool hasNewData)
    {
        if (!_frto.IsTesting)
        {
            return false;
        }

        FrtoVerdict verdict = hasSack ? VerdictBySack(ack, hasAdvanced, delivered) : _frto.OnAckReceived(ack.Una, !hasAdvanced);
        if (verdict == FrtoVerdict.SendNewData && !hasNewData)
        {
            _frto = default; // §2.1 step 2: without new data the test ends
        }

        NewSegments = verdict switch
        {
            FrtoVerdict.SendNewData when hasNewData => Segments,
            FrtoVerdict.Undecided => NewSegments,
            _ => 0,
        };
        return verdict == FrtoVerdict.Spurious;
    }

    // §3.1
    FrtoVerdict VerdictBySack(in AckArrival ack, bool hasAdvanced, ReadOnlySpan<RackSegment> delivered)
    {
        bool deliversOriginal = false;
        SequenceNumber highest = ack.Una;
        foreach (ref readonly RackSegment segment in delivered)
        {
            deliversOriginal |= !segment.IsRetransmitted;
            highest = segment.EndSeq > highest ? segment.EndSeq : highest;
        }

        return _frto.OnSackReceived(ack.Una, !hasAdvanced, highest, deliversOriginal);
    }
}
