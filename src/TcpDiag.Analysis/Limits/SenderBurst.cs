using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

// Nearly all data goes on with a burst that was looked at with its first segment: nothing is decided by it, it only adds to what is in flight. Such segments
// are most of a trace, and OnNew asks for each whatever may be new with data: this file says once per burst up to where the answers stay the same.
partial struct SenderLimits
{
    /// <summary>Whether an acknowledgment that only repeats the one before, with data of the other end, says anything to this sender.</summary>
    public readonly bool HearsRepeats => Path.IsAway || Path.IsLearning || _recovery.IsOn || Marks.IsAny;

    /// <summary>Takes in that new data was looked at: what goes on with it may come coalesced.</summary>
    /// <param name="quietBytes">In flight up to which others ask for no send, bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OpenBurst(int quietBytes) =>
        _burstRoom = _isMssKnown && !_recovery.IsBlind && Path is { IsAway: false, IsLearning: false } ? quietBytes : 0;

    /// <summary>Below what new data has to end to be coalesced behind the latest, if nothing else comes and it follows at once.</summary>
    /// <param name="max">SND.MAX, as the capture point sees it.</param>
    /// <returns>The same where each segment has to be looked at.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly SequenceNumber CoalescingLimit(SequenceNumber max) => _clock.IsTicked || max != _max ? max : _una + _burstRoom;

    /// <summary>Takes in new data that only adds to the burst: the same as <see cref="OnNew"/> makes of its segments.</summary>
    /// <param name="segment">What its segments did, as one.</param>
    /// <param name="lastPayload">Payload of the latest, bytes.</param>
    public void GoOn(in Segment segment, int lastPayload)
    {
        OnPacket(segment.PacketNumber);
        Waits.OnMoreData(segment.Time);
        _endedFull = EndsFull(lastPayload);
        AfterSend(segment.Start + segment.Length, Later(segment.Time, _lastEvent));
        _nagle.OnNext(isAtOnce: true);
        _peak = InFlight;
        _level.OnFlight(_peak);
    }
}
