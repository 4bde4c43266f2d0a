using System;
using System.IO;

namespace TcpDiag.Capture.Linux;

/// <summary>The files that a recording is written to: when the next one begins, and where.</summary>
interface IOutputFiles
{
    /// <summary>Length of the pieces that are complete and stay, bytes.</summary>
    long CompleteBytes { get; }

    /// <summary>Length of the complete pieces that <see cref="Finish"/> writes once more, bytes.</summary>
    long BytesToCollect { get; }

    /// <summary>Whether the recording ends at its maximum size, instead of discarding what is older.</summary>
    bool EndsAtSize { get; }

    /// <summary>Time of the oldest record kept by a recording that has discarded some, nanoseconds on the realtime clock; null when all is there.</summary>
    long? KeptFromNanos { get; }

    /// <summary>Whether the next record belongs into a new piece, by time or size.</summary>
    /// <param name="now">Time of the next record: realtime clock, nanoseconds.</param>
    /// <param name="bytes">Its length so far.</param>
    bool IsDue(long now, long bytes);

    /// <summary>Opens the file of the next piece.</summary>
    /// <returns>The stream to write to; the caller closes it before opening the next.</returns>
    Stream Open();

    /// <summary>Starts writing to the piece that was opened.</summary>
    /// <param name="now">Time of the next record: realtime clock, nanoseconds.</param>
    /// <param name="headBytes">What was written to it so far.</param>
    /// <param name="previousBytes">Length of the piece before; it is complete.</param>
    void Begin(long now, long headBytes, long previousBytes);

    /// <summary>Puts the pieces together; the last one is closed.</summary>
    /// <exception cref="IOException">It could not be written; the pieces are still there.</exception>
    void Finish();
}

/// <summary>A recording in one piece.</summary>
sealed class SingleOutput(Func<Stream> open) : IOutputFiles
{
    public long CompleteBytes => 0;

    public long BytesToCollect => 0;

    public bool EndsAtSize => true;

    public long? KeptFromNanos => null;

    public bool IsDue(long now, long bytes) => false;

    public Stream Open() => open();

    public void Begin(long now, long headBytes, long previousBytes)
    {
        // There is no other piece.
    }

    public void Finish()
    {
        // Nothing to put together.
    }
}

/// <summary>A recording in several traces that are all kept, one after the other.</summary>
/// <param name="settings">How large or long each is.</param>
/// <param name="open">Opens the next; the previous one is closed by then.</param>
sealed class SplitOutput(CaptureSettings settings, Func<Stream> open) : IOutputFiles
{
    const long NanosecondsPerTick = 100;

    readonly long _timeNanos = settings.SplitTime is { } time ? time.Ticks * NanosecondsPerTick : long.MaxValue;
    readonly long _bytes = settings.SplitBytes ?? long.MaxValue;
    long _begunNanos;

    public long CompleteBytes { get; private set; }

    public long BytesToCollect => 0;

    public bool EndsAtSize => true;

    public long? KeptFromNanos => null;

    public bool IsDue(long now, long bytes) => bytes >= _bytes || now - _begunNanos >= _timeNanos;

    public Stream Open() => open();

    public void Begin(long now, long headBytes, long previousBytes)
    {
        _begunNanos = now;
        CompleteBytes += previousBytes;
    }

    public void Finish()
    {
        // Each piece is complete by itself.
    }
}
