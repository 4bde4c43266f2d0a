using TcpDiag.Analysis.Scoreboards;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Flows;

/// <summary>
/// Follows the connections of a trace in time, step by step of the ledger: limits, charts, patterns. What a follower keeps
/// for a direction it finds again in a place of its own in <see cref="DirectionState"/>.
/// </summary>
interface ILedgerFollower
{
    /// <summary>Takes in a segment after the ledger has booked it.</summary>
    /// <param name="connection">Its connection, as it is after the segment.</param>
    /// <param name="from">The direction of its payload.</param>
    /// <param name="step">What it did.</param>
    void OnStep(ref ConnectionState connection, int from, in LedgerStep step);

    /// <summary>Takes in a data segment that went on where the one of the step before ended, and told nothing else that is new (<see cref="HeaderPrediction"/>): the same to everybody, but quicker told to some.</summary>
    /// <param name="connection">Its connection, as it is after the segment.</param>
    /// <param name="from">The direction of its payload.</param>
    /// <param name="step">What it did.</param>
    void OnContinued(ref ConnectionState connection, int from, in LedgerStep step) => OnStep(ref connection, from, step);

    /// <summary>Asks how soon a segment has to follow the one told last to be told by <see cref="OnBurst"/>, if it is one of those that <see cref="OnContinued"/> tells.</summary>
    /// <param name="connection">Its connection.</param>
    /// <param name="from">The direction of its payload.</param>
    /// <returns>Nanoseconds; negative when each has to be told, as it is to whoever does not say otherwise.</returns>
    long MostGapInBurst(in ConnectionState connection, int from) => -1;

    /// <summary>Takes in segments that followed each other and the one told last so soon that the last of them tells what there is to tell.</summary>
    /// <param name="connection">Their connection, as it is after the last.</param>
    /// <param name="from">The direction of their payload.</param>
    /// <param name="step">What the last of them did; <see cref="LedgerStep.WireSegments"/> is of all.</param>
    void OnBurst(ref ConnectionState connection, int from, in LedgerStep step)
    {
    }

    /// <summary>Has the processor fetch what is kept for a connection that is about to be told of.</summary>
    /// <param name="connection">The connection.</param>
    void Prefetch(in ConnectionState connection)
    {
    }

    /// <summary>Takes in the verdict on a retransmission that <see cref="OnStep"/> has shown: whether it was needed, as its sender may know.</summary>
    /// <param name="resend">One wire segment of it.</param>
    /// <param name="need">The verdict.</param>
    void OnVerdict(in Resend resend, RetransmissionNeed need)
    {
    }

    /// <summary>Takes in that the recording clock was set since the latest segment of a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="time">Instant of its next segment, not booked yet.</param>
    void OnClockStep(ref ConnectionState connection, TraceTime time)
    {
    }

    /// <summary>Adds its findings so far to a result of a connection that goes on; keeps everything.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="result">What is known of it so far.</param>
    /// <param name="now">Where the active time of its directions ends so far.</param>
    void OnLook(ref readonly ConnectionState connection, Connection result, TraceTime now)
    {
    }

    /// <summary>Adds its findings to the result of a connection that is put away, and releases what it kept.</summary>
    /// <param name="connection">The connection, for the last time.</param>
    /// <param name="result">Its result.</param>
    /// <param name="end">Where the active time of unfinished directions ends: the trace's end, or the connection's last packet when it is over.</param>
    void OnFold(ref ConnectionState connection, Connection result, TraceTime end);
}
