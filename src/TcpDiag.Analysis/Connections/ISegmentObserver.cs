using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// Follows the connections of a trace in time, segment by segment: limits, charts, patterns. What an observer keeps for an end it finds again in
/// a slot of its own in <see cref="EndState"/>.
/// </summary>
interface ISegmentObserver : IRetransmissionObserver
{
    /// <summary>Takes in a segment after its connection has.</summary>
    /// <param name="connection">Its connection, as it is after the segment.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="segment">What it did.</param>
    void OnSegment(ref ConnectionState connection, int from, in Segment segment);

    /// <summary>Has the processor fetch what is kept for a connection whose segment comes next.</summary>
    /// <param name="connection">The connection.</param>
    void Prefetch(in ConnectionState connection)
    {
    }

    /// <summary>Takes in that the recording clock was set since the latest segment of a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="time">When its next segment passes, which is not taken in yet.</param>
    void OnClockStep(ref ConnectionState connection, TraceTime time)
    {
    }

    /// <summary>Adds what is known so far to a result of a connection that goes on; keeps everything.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="result">What is known of it so far.</param>
    /// <param name="now">Where the active time of its ends' data ends so far.</param>
    void OnLook(ref readonly ConnectionState connection, Connection result, TraceTime now)
    {
    }

    /// <summary>Adds what is known to the result of a connection that is put away, and releases what it kept.</summary>
    /// <param name="connection">The connection, for the last time.</param>
    /// <param name="result">Its result.</param>
    /// <param name="end">Where unfinished active times end: the trace's end, or the connection's last packet when it is over.</param>
    void OnClosed(ref ConnectionState connection, Connection result, TraceTime end);
}
