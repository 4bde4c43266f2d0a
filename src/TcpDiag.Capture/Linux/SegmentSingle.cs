using System;
using System.IO;

namespace TcpDiag.Capture.Linux;

/// <summary>A recording in one piece.</summary>
/// <param name="open">Opens it.</param>
sealed class SegmentSingle(Func<Stream> open) : ISegments
{
    /// <inheritdoc/>
    public long CompleteBytes => 0;

    /// <inheritdoc/>
    public long BytesToCollect => 0;

    /// <inheritdoc/>
    public bool EndsAtSize => true;

    /// <inheritdoc/>
    public long? KeptFrom => null;

    /// <inheritdoc/>
    public bool IsDue(long now, long bytes) => false;

    /// <inheritdoc/>
    public Stream Open() => open();

    /// <inheritdoc/>
    public void Begin(long now, long headBytes, long previousBytes)
    {
        // There is no other piece to tell it from.
    }

    /// <inheritdoc/>
    public void Finish()
    {
        // It is whole as it is.
    }
}
