using System;
using System.IO;

namespace TcpDiag.Capture.Linux;

/// <summary>A recording in several traces that are all kept, one after the other.</summary>
/// <param name="settings">How large or long each is.</param>
/// <param name="open">Opens the next; the one before is closed by then.</param>
sealed class SegmentSplit(CaptureSettings settings, Func<Stream> open) : ISegments
{
    const long NanosecondsPerTick = 100;

    readonly long _nanoseconds = settings.SplitTime is { } time ? time.Ticks * NanosecondsPerTick : long.MaxValue;
    readonly long _bytes = settings.SplitBytes ?? long.MaxValue;
    long _begun;

    /// <inheritdoc/>
    public long CompleteBytes { get; private set; }

    /// <inheritdoc/>
    public long BytesToCollect => 0;

    /// <inheritdoc/>
    public bool EndsAtSize => true;

    /// <inheritdoc/>
    public long? KeptFrom => null;

    /// <inheritdoc/>
    public bool IsDue(long now, long bytes) => bytes >= _bytes || now - _begun >= _nanoseconds;

    /// <inheritdoc/>
    public Stream Open() => open();

    /// <inheritdoc/>
    public void Begin(long now, long headBytes, long previousBytes)
    {
        _begun = now;
        CompleteBytes += previousBytes;
    }

    /// <inheritdoc/>
    public void Finish()
    {
        // Each piece is whole as it is.
    }
}
