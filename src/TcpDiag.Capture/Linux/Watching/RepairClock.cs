using TcpDiag.Capture.Watching;
using TcpDiag.Wire;

namespace TcpDiag.Capture.Linux.Watching;

/// <summary>How long one sender has been repairing losses: the kernel tells when its congestion state changes, and in between it stays.</summary>
sealed class RepairClock
{
    SenderRepair _state;
    TraceTime _since;
    long _recoveryNs;
    long _timeoutNs;

    /// <summary>Takes a change of state; one that comes late counts from the latest before it: time does not run back.</summary>
    /// <param name="state">What it repairs from now on.</param>
    /// <param name="at">When.</param>
    public void Enter(SenderRepair state, TraceTime at)
    {
        Advance(at);
        _state = state;
    }

    /// <summary>Time spent in fast recovery until an instant, nanoseconds.</summary>
    /// <param name="now">The instant, not before the last change.</param>
    public long RecoveryNs(TraceTime now) => _recoveryNs + (_state == SenderRepair.Recovery ? Since(now) : 0);

    /// <summary>Time spent behind an expired timer until an instant, nanoseconds.</summary>
    /// <param name="now">The instant, not before the last change.</param>
    public long TimeoutNs(TraceTime now) => _timeoutNs + (_state == SenderRepair.Timeout ? Since(now) : 0);

    void Advance(TraceTime at)
    {
        (_recoveryNs, _timeoutNs) = (RecoveryNs(at), TimeoutNs(at));
        _since = at > _since ? at : _since;
    }

    long Since(TraceTime now) => now > _since ? now - _since : 0;
}
