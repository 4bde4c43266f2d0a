using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Acknowledgments in a row whose SACK blocks say nothing new while data arrives: the receiver throws out-of-order data away because its
/// reassembly queue is full.
/// </summary>
struct ReassemblyDetector
{
    TraceTime _since;
    byte _run;

    /// <summary>Whether there are such acknowledgments at present.</summary>
    public readonly bool IsOpen => _run > 0;

    /// <summary>Takes in such an acknowledgment.</summary>
    public void Add(TraceTime now)
    {
        _since = _run == 0 ? now : _since;
        _run = _run < byte.MaxValue ? (byte)(_run + 1) : _run;
    }

    /// <summary>Takes in that the stack itself says so.</summary>
    public void AddKnown(TraceTime now)
    {
        Add(now);
        _run = Thresholds.MinStaleSacks;
    }

    /// <summary>Adds recovery time that may turn out to be reassembly; the part before the first such acknowledgment is recovery at once.</summary>
    public readonly void AddRecovery(TraceTime from, TraceTime to, ref LimitTimeline timeline)
    {
        TraceTime split = _run == 0 ? to : _since > from ? _since : from;
        split = split < to ? split : to;
        timeline.Add(OpenState.Recovery, from, split);
        timeline.Add(OpenState.StaleSacks, split, to);
    }

    /// <summary>Takes in an acknowledgment with news.</summary>
    public void Settle(ref LimitTimeline timeline)
    {
        timeline.Decide(OpenState.StaleSacks, _run >= Thresholds.MinStaleSacks ? OpenState.Reassembly : OpenState.Recovery);
        _run = 0;
    }
}
