using System;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>
/// Whether Nagle's algorithm holds back what a program writes now and then (RFC 9293 §3.7.4; Linux does as draft-minshall-nagle has it): a segment less than
/// full goes when the one before it has been acknowledged, and answers that acknowledgment as data would that a window or a buffer had held. It shows that
/// nothing else was left to be sent, and, where nothing follows it, that nobody waited for room: a writer that does is woken by the same acknowledgment, and
/// follows at once. The default value has seen nothing.
/// </summary>
struct NagleWatch
{
    SequenceNumber _shortEnd; // of the latest segment that was less than full
    bool _hasShort; // which is not acknowledged
    bool _isOpen; // nothing has followed the latest release yet
    byte _releases; // of late that nothing followed at once, less those that something did

    /// <summary>Whether the latest acknowledgment was that of the segment less than full that was under way, and nothing has been sent since.</summary>
    public bool IsReleased { get; private set; }

    /// <summary>Whether new data says something of it.</summary>
    public readonly bool IsWaiting
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => IsReleased || _isOpen;
    }

    /// <summary>Whether the algorithm holds back what is less than full: behind such a segment that is under way, or was acknowledged right now.</summary>
    public readonly bool IsAtWork => _releases >= Thresholds.MinNagleReleases && (_hasShort || IsReleased);

    /// <summary>Takes in that the latest segment was less than full, when something else comes.</summary>
    /// <param name="end">Its end.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnShort(SequenceNumber end) => (_shortEnd, _hasShort) = (end, true);

    /// <summary>Takes in that SND.UNA advanced.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnAdvance(SequenceNumber una)
    {
        IsReleased = _hasShort && una >= _shortEnd;
        _hasShort &= !IsReleased;
    }

    /// <summary>Takes in that data less than full followed at once: it had been held back, if nothing follows it.</summary>
    public void OnRelease() => _isOpen = true;

    /// <summary>Takes in new data.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnSent() => IsReleased = false;

    /// <summary>Takes in new data behind a release.</summary>
    /// <param name="isAtOnce">Whether it followed as what is woken does.</param>
    public void OnNext(bool isAtOnce)
    {
        if (_isOpen)
        {
            _isOpen = false;
            _releases = (byte)Math.Clamp(_releases + (isAtOnce ? -1 : 1), 0, Thresholds.Habit);
        }
    }
}
