using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>What the stacks of senders reported beside the packets of a trace.</summary>
interface ISenderEvidence
{
    /// <summary>What the sender of a packet named as reasons to send data of its connection again.</summary>
    /// <param name="packet">The packet.</param>
    /// <returns>The reasons; null when it named none.</returns>
    RetransmissionReasons? ReasonsOf(in ParsedPacket packet);
}

/// <summary>What a sender's stack named, by sequence number, as the reason to send data of one connection again; until packets show that it did.</summary>
sealed class RetransmissionReasons
{
    // A recovery may lack more segments than that: the oldest are forgotten, and packets alone judge what became of them.
    const int MaxReasons = 256;

    readonly List<Reason> _reasons = [];

    /// <summary>Adds a reason. A timer that expires outdates all before it: what was thought lost by then is sent again because of the timer.</summary>
    /// <param name="start">First byte that it names.</param>
    /// <param name="end">After the last byte; after the first where no more is named.</param>
    /// <param name="trigger">The reason.</param>
    public void Add(SequenceNumber start, SequenceNumber end, RetransmissionTrigger trigger)
    {
        if (trigger == RetransmissionTrigger.Rto)
        {
            _reasons.Clear();
        }
        else if (_reasons.Count == MaxReasons)
        {
            _reasons.RemoveAt(0);
        }

        _reasons.Add(new(start, end, trigger));
    }

    /// <summary>Whether there is a reason for a segment.</summary>
    /// <param name="start">First byte of the segment.</param>
    /// <param name="end">Behind its last byte.</param>
    public bool Has(SequenceNumber start, SequenceNumber end) => _reasons.Exists(reason => reason.Start < end && reason.End > start);

    /// <summary>Takes the latest reason for a segment: it is used up by it.</summary>
    /// <param name="start">First byte of the segment.</param>
    /// <param name="end">Behind its last byte.</param>
    /// <returns>The reason; unknown when none was named.</returns>
    public RetransmissionTrigger Take(SequenceNumber start, SequenceNumber end)
    {
        RetransmissionTrigger trigger = RetransmissionTrigger.Unknown;
        for (int i = _reasons.Count - 1; i >= 0; i--)
        {
            Reason reason = _reasons[i];
            if (reason.Start >= end || reason.End <= start)
            {
                continue;
            }

            trigger = trigger == RetransmissionTrigger.Unknown ? reason.Trigger : trigger;
            if (reason.End > end)
            {
                _reasons[i] = reason with { Start = end }; // the rest of a large send follows in segments of its own
            }
            else
            {
                _reasons.RemoveAt(i);
            }
        }

        return trigger;
    }

    readonly record struct Reason(SequenceNumber Start, SequenceNumber End, RetransmissionTrigger Trigger);
}
