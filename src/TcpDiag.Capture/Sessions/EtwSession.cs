namespace TcpDiag.Capture.Sessions;

/// <summary>An event tracing session that runs on the machine, as Windows itself tells it and not a program's text.</summary>
/// <param name="Name">Its name, e.g. <c>NetTrace-…</c> for netsh, <c>PktMon</c> for pktmon.</param>
/// <param name="LogFile">The file it writes; empty for a session without one.</param>
/// <param name="EventsLost">Events lost so far; null when not told.</param>
/// <param name="BuffersLost">Buffers lost so far; null when not told.</param>
/// <param name="BytesWritten">Bytes written so far; a ring counts what it has overwritten too; null when not told.</param>
public sealed record EtwSession(string Name, string LogFile, long? EventsLost, long? BuffersLost, long? BytesWritten)
{
    /// <summary>What the names of real-time sessions begin with that wait for <c>--until</c>; the id of their process follows.</summary>
    public const string LivePrefix = "tcpdiag-live-";
}
