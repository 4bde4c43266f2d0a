using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

// Nearly all data goes on with a burst that was looked at with its first segment: nothing is decided by it, it only adds to what is in flight. Such segments
// are most of a trace, and OnNew asks for each whatever may be new with data: this file asks once per burst up to where the answers stay the same.
partial struct SenderLimits
{
    /// <summary>Takes in that new data was looked at: what goes on with it may go to <see cref="TryGoOn"/>.</summary>
    /// <param name="quietBytes">In flight up to which others ask for no send, bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OpenBurst(int quietBytes) =>
        _burstRoom = _isMssKnown && !_recovery.IsBlind && Path is { IsAway: false, IsLearning: false } ? quietBytes : 0;

    /// <summary>Takes in new data that was predicted, if it only adds to the burst: the same as <see cref="OnNew"/> makes of it.</summary>
    /// <param name="segment">The segment.</param>
    /// <returns>False, and nothing is taken in, when it has to be looked at.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)] // by itself it has registers for all it needs
    public bool TryGoOn(in Segment segment)
    {
        TraceTime now = Later(segment.Time, _lastEvent);
        SequenceNumber end = segment.Start + segment.Length;
        int inFlight = end - _una;
        if (inFlight >= _burstRoom || segment.Start - _max != 0 || _clock.IsTicked || now - _lastSend > Thresholds.BurstGapNanos)
        {
            return false;
        }

        OnPacket(segment.PacketNumber);
        Waits.OnMoreData(segment.Time);
        _endedFull = EndsFull(segment.Length);
        _max = end;
        _window.OnSent(end);
        _lastSend = now;
        _lastEvent = now;
        _peak = inFlight;
        _level.OnFlight(inFlight);
        return true;
    }
}
