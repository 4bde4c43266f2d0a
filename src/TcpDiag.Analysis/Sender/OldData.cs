using TcpDiag.Wire;

namespace TcpDiag.Analysis.Sender;

/// <summary>
/// Data that had been sent before a capture that began during a recovery. What was under way then shows only as it is SACKed, and by where the sender goes on
/// with new data: it does so behind all that it had sent. That it was not captured is no fault of the recorder.
/// </summary>
struct OldData
{
    SequenceNumber _end;
    bool _isEndKnown;

    /// <summary>Whether there is any.</summary>
    public bool IsAny { get; private set; }

    /// <summary>Takes in that something was SACKed beyond all that was seen to be sent.</summary>
    /// <param name="end">Behind it.</param>
    public void OnSack(SequenceNumber end)
    {
        if (!_isEndKnown)
        {
            _end = !IsAny || end > _end ? end : _end;
            IsAny = true;
        }
    }

    /// <summary>Takes in that a segment begins above all that was seen to be sent.</summary>
    /// <param name="start">Its begin.</param>
    public void OnJump(SequenceNumber start)
    {
        if (IsAny && !_isEndKnown && start >= _end)
        {
            _end = start;
            _isEndKnown = true;
        }
    }

    /// <summary>Whether all below an acknowledgment had been sent by then.</summary>
    public readonly bool Covers(SequenceNumber ack) => IsAny && ack <= _end;

    /// <summary>The part of what an acknowledgment covers that had been sent by then.</summary>
    public readonly SequenceNumber UpTo(SequenceNumber ack) => ack < _end ? ack : _end;
}
