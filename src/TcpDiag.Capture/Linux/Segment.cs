namespace TcpDiag.Capture.Linux;

/// <summary>A piece of a ring recording: a pcapng file that can be read alone.</summary>
/// <param name="Path">The file.</param>
/// <param name="Begun">When its first record happened: realtime clock, nanoseconds.</param>
/// <param name="HeadBytes">Section header and interfaces at its beginning, which all pieces share.</param>
sealed record Segment(string Path, long Begun, long HeadBytes)
{
    /// <summary>Its length once it is complete.</summary>
    public long Bytes { get; set; }
}
