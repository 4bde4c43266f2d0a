using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Sender;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Connections;

/// <summary>
/// Follows the connections of a trace in time, segment by segment. What an observer keeps for an end it finds again in a slot of its own in
/// <see cref="EndState"/>.
/// </summary>
interface ISegmentObserver : IRetransmissionObserver
{
    /// <summary>Takes in a segment after its connection has.</summary>
    /// <param name="connection">Its connection, as it is after the segment.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="segment">What it did.</param>
    void OnSegment(ref ConnectionState connection, int from, in Segment segment);

    /// <summary>Takes in that nothing more comes of a connection, and releases what it kept.</summary>
    /// <param name="connection">The connection, for the last time.</param>
    /// <param name="result">Its result.</param>
    void OnClosed(ref ConnectionState connection, Connection result);
}

/// <summary>An observer that measures what the results need beyond the connection's own state.</summary>
interface IDirectionObserver : IRetransmissionObserver
{
    /// <inheritdoc cref="ISegmentObserver.OnSegment"/>
    /// <param name="connection">Its connection, as it is after the segment.</param>
    /// <param name="from">The end that sent it.</param>
    /// <param name="sender">The same, so that it is looked up once for all.</param>
    /// <param name="receiver">The other end.</param>
    /// <param name="segment">What it did.</param>
    void OnSegment(ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in Segment segment);

    /// <inheritdoc cref="ISegmentObserver.OnClosed"/>
    void OnClosed(ref ConnectionState connection, Connection result);

    /// <summary>Takes in that no further segment comes: from now on connections are only measured and closed.</summary>
    void Close();

    /// <summary>Has the processor fetch what is kept for a connection whose segment comes next.</summary>
    /// <param name="connection">The connection.</param>
    void Prefetch(in ConnectionState connection);

    /// <summary>Takes in a data segment that was predicted: it goes on where the one before it ended, and says nothing else.</summary>
    /// <param name="connection">Its connection, as it is after the segment.</param>
    /// <param name="from">The end that sent both.</param>
    /// <param name="sender">The same.</param>
    /// <param name="receiver">The other end.</param>
    /// <param name="segment">What it did.</param>
    void OnPredicted(ref ConnectionState connection, int from, ref EndState sender, ref EndState receiver, in Segment segment);

    /// <summary>Up to where segments that follow the latest one at once only add to what is in flight: they are shown coalesced.</summary>
    /// <param name="sender">The end that sends them.</param>
    /// <param name="receiver">The other end.</param>
    /// <returns>Below what a segment has to end for that; SND.MAX where each is to be shown.</returns>
    SequenceNumber CoalescingLimit(in EndState sender, in EndState receiver);

    /// <summary>Takes in predicted segments that only added to what is in flight.</summary>
    /// <param name="sender">The end that sent them.</param>
    /// <param name="receiver">The other end.</param>
    /// <param name="segment">What they did, as if they were one that was sent with the latest of them.</param>
    /// <param name="lastPayload">Payload of the latest, bytes.</param>
    void OnCoalesced(ref EndState sender, ref EndState receiver, in Segment segment, int lastPayload);

    /// <summary>Takes in that the recording clock was set since the latest segment of a connection.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="time">When its next segment passes, which is not taken in yet.</param>
    void OnClockStep(ref ConnectionState connection, TraceTime time);

    /// <summary>Whether one end's data follows acknowledgments so closely that it was captured at that end.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The end.</param>
    /// <returns>False also where nothing shows.</returns>
    bool IsAtSender(ref readonly ConnectionState connection, int from);

    /// <summary>Takes in that one end's stack is recorded beside its packets: they were captured at this end.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The end.</param>
    /// <returns>Whether it was taken in: not before the end has sent data.</returns>
    bool OnSenderHere(ref readonly ConnectionState connection, int from);

    /// <summary>Takes in that the window of one end's peer was full by one scale so often that it is the right one.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The end whose data filled it.</param>
    void OnScaleShown(ref readonly ConnectionState connection, int from);

    /// <summary>The way from the capture point to one end and back, where no handshake shows it, but timestamps that the end's data echoes do.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The end.</param>
    /// <returns>Nanoseconds; null where they do not, or the capture was taken at that end.</returns>
    long? SenderDelay(ref readonly ConnectionState connection, int from);

    /// <summary>Takes in that the network reported a packet as too big for its next link (RFC 1191 §4, RFC 8201 §4).</summary>
    /// <param name="connection">The connection of the packet.</param>
    /// <param name="from">The end that had sent it.</param>
    /// <param name="mtu">The largest packet that link takes, bytes; 0 when the report does not say.</param>
    /// <param name="position">The report.</param>
    void OnTooBig(ref ConnectionState connection, int from, int mtu, TracePosition position);

    /// <summary>Measures what one end sent.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="from">The end.</param>
    /// <param name="facts">What is known of it.</param>
    /// <param name="end">Where unfinished active times end: the trace's end, or the connection's last packet when it is over.</param>
    /// <param name="isOver">Whether nothing more comes; else the measures are those so far, and everything kept goes on.</param>
    /// <returns>The measures.</returns>
    DirectionMeasures Measure(ref readonly ConnectionState connection, int from, in DirectionFacts facts, TraceTime end, bool isOver);
}

/// <summary>What is known of one end's data when its observers measure it.</summary>
/// <param name="ActiveTime">Active time, nanoseconds; null without payload.</param>
/// <param name="IsOneSided">Whether nothing of the other end was captured.</param>
/// <param name="IsAtSender">Whether the capture was taken at this end.</param>
/// <param name="IsWindowKnown">Whether the other end's receive window is known, or at least that it was never full.</param>
/// <param name="RttBack">RTT samples of the other end's data.</param>
/// <param name="MaxReorderingNanos">By how much its data came late at most; null when none did.</param>
readonly record struct DirectionFacts(
    long? ActiveTime, bool IsOneSided, bool IsAtSender, bool IsWindowKnown, RttSummary RttBack, long? MaxReorderingNanos);

/// <summary>What observers measured of one end's data: the properties of that name in <see cref="ConnectionDirection"/>.</summary>
record struct DirectionMeasures
{
    /// <summary>What limited the sender.</summary>
    public LimitSummary? Limits { get; init; }

    /// <summary>The congestion window.</summary>
    public CwndSummary? Cwnd { get; init; }

    /// <summary>How long this end took to answer.</summary>
    public AnswerSummary? Answers { get; init; }

    /// <summary>Correlation of RTT samples with bytes in flight.</summary>
    public double? RttLoad { get; init; }

    /// <summary>How fast the path delivered.</summary>
    public DeliverySummary? Delivery { get; init; }

    /// <summary>How slow start ended.</summary>
    public SlowStartSummary? SlowStart { get; init; }

    /// <summary>The acknowledgment with the largest RTT sample.</summary>
    public TracePosition? LongestRtt { get; init; }

    /// <summary>Its marks of congestion and reductions, and the other end's echoes.</summary>
    public EcnCounts Ecn { get; set; }

    /// <summary>What stood out.</summary>
    public DirectionPatterns? Patterns { get; set; }
}
