using System.IO;

namespace TcpDiag.Capture.Linux;

/// <summary>The files that a recording goes into: says when it goes on in another, and where.</summary>
interface ISegments
{
    /// <summary>Length of the pieces that are complete and stay, bytes.</summary>
    long CompleteBytes { get; }

    /// <summary>Length of the complete pieces that <see cref="Finish"/> writes once more, bytes.</summary>
    long BytesToCollect { get; }

    /// <summary>Whether the recording ends when it has its size, instead of giving up what is older.</summary>
    bool EndsAtSize { get; }

    /// <summary>From when on a recording that has given something up still knows, nanoseconds of the realtime clock; null when all is there.</summary>
    long? KeptFrom { get; }

    /// <summary>Whether the piece being written has its share of time or size.</summary>
    /// <param name="now">Time of the next record: realtime clock, nanoseconds.</param>
    /// <param name="bytes">Its length so far.</param>
    /// <returns>True when the next is due.</returns>
    bool IsDue(long now, long bytes);

    /// <summary>Opens the file of the next piece.</summary>
    /// <returns>Takes its bytes; closed by the caller before the next.</returns>
    Stream Open();

    /// <summary>Makes the piece that was opened the one being written.</summary>
    /// <param name="now">Time of the next record: realtime clock, nanoseconds.</param>
    /// <param name="headBytes">What was written to it so far.</param>
    /// <param name="previousBytes">Length of the piece before; it is complete.</param>
    void Begin(long now, long headBytes, long previousBytes);

    /// <summary>Puts together what belongs together; the last piece is closed.</summary>
    /// <exception cref="IOException">It could not be written; the pieces are still there.</exception>
    void Finish();
}
