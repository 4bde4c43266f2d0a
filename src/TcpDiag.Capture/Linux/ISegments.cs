using System.IO;

namespace TcpDiag.Capture.Linux;

/// <summary>Says when a recording goes on in another file, and where.</summary>
interface ISegments
{
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
}
