namespace TcpDiag.Analysis.Patterns;

/// <summary>What stood out in the course of one direction: the data one end sent, and what came back for it. Times and packet numbers are of the first occurrence.</summary>
public sealed class DirectionPatterns
{
    MarkSet _marks;

    /// <summary>Begins with nothing that stood out.</summary>
    public DirectionPatterns()
    {
    }

    /// <summary>Begins with marks.</summary>
    /// <param name="marks">The marks; not to be changed any more.</param>
    internal DirectionPatterns(MarkSet marks) => _marks = marks;

    /// <summary>This end's first FIN; null when none was seen.</summary>
    public Mark? Fin { get => _marks[PatternMark.Fin]; init => _marks[PatternMark.Fin] = value; }

    /// <summary>This end's first reset; null when none was seen.</summary>
    public Mark? Reset { get => _marks[PatternMark.Reset]; init => _marks[PatternMark.Reset] = value; }

    /// <summary>First reset in the name of this end with a number outside the window, which nobody accepts (RFC 9293 §3.10.7.4); null when none was seen.</summary>
    public Mark? ForeignReset { get => _marks[PatternMark.ForeignReset]; init => _marks[PatternMark.ForeignReset] = value; }

    /// <summary>Resets this end sent.</summary>
    public int Resets { get; init; }

    /// <summary>Payload bytes this end sent after the other end's FIN.</summary>
    public long BytesAfterPeerFin { get; init; }

    /// <summary>First retransmission; null without any.</summary>
    public Mark? Retransmission { get => _marks[PatternMark.Retransmission]; init => _marks[PatternMark.Retransmission] = value; }

    /// <summary>Latest retransmission; null without any.</summary>
    public Mark? LastRetransmission { get => _marks[PatternMark.LastRetransmission]; init => _marks[PatternMark.LastRetransmission] = value; }

    /// <summary>First retransmission by the timer; null without any.</summary>
    public Mark? Timeout { get => _marks[PatternMark.Timeout]; init => _marks[PatternMark.Timeout] = value; }

    /// <summary>First original that came late to the capture point; null without any.</summary>
    public Mark? Late { get => _marks[PatternMark.Late]; init => _marks[PatternMark.Late] = value; }

    /// <summary>Latest original that came late to the capture point; null without any.</summary>
    public Mark? LastLate { get => _marks[PatternMark.LastLate]; init => _marks[PatternMark.LastLate] = value; }

    /// <summary>First tail loss probe; null without any.</summary>
    public Mark? Probe { get => _marks[PatternMark.Probe]; init => _marks[PatternMark.Probe] = value; }

    /// <summary>First retransmission of what had been resent, without the timer; null without any.</summary>
    public Mark? RepairAgain { get => _marks[PatternMark.RepairAgain]; init => _marks[PatternMark.RepairAgain] = value; }

    /// <summary>First DSACK that came back; null without any.</summary>
    public Mark? Dsack { get => _marks[PatternMark.Dsack]; init => _marks[PatternMark.Dsack] = value; }

    /// <summary>First duplicate acknowledgment that came back; null without any.</summary>
    public Mark? DuplicateAck { get => _marks[PatternMark.DuplicateAck]; init => _marks[PatternMark.DuplicateAck] = value; }

    /// <summary>Duplicate acknowledgments without SACK blocks, on a connection that negotiated SACK.</summary>
    public int DuplicateAcksWithoutSack { get; init; }

    /// <summary>First window of zero that came back; null without any.</summary>
    public Mark? ZeroWindow { get => _marks[PatternMark.ZeroWindow]; init => _marks[PatternMark.ZeroWindow] = value; }

    /// <summary>Time the window was zero, nanoseconds.</summary>
    public long ZeroWindowTime { get; init; }

    /// <summary>Part of it in which data waited, nanoseconds: the window was probed meanwhile, or data followed its opening at once.</summary>
    public long ZeroWindowWait { get; init; }

    /// <summary>Latest opening of a window that was zero; null when none was seen.</summary>
    public Mark? WindowOpened { get => _marks[PatternMark.WindowOpened]; init => _marks[PatternMark.WindowOpened] = value; }

    /// <summary>Keep-alives without answer when this end reset the connection.</summary>
    public int Unheard { get; init; }

    /// <summary>
    /// Longest run of retransmissions that were each answered by a duplicate acknowledgment, with nothing new sent or acknowledged between.
    /// </summary>
    public int LongestPingPong { get; init; }

    /// <summary>The run that lasted to the end of what was seen of the direction.</summary>
    public int FinalPingPong { get; init; }

    /// <summary>First retransmission of the longest run; null without any.</summary>
    public Mark? PingPong { get => _marks[PatternMark.LongestPingPong]; init => _marks[PatternMark.LongestPingPong] = value; }
}
