using System;
using System.Numerics;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Results;

/// <summary>What stood out in one direction: the data one end sent, and what came back for it.</summary>
public sealed class DirectionPatterns
{
    PositionSet _positions;

    /// <summary>Nothing stands out.</summary>
    public DirectionPatterns()
    {
    }

    /// <summary>Takes over positions.</summary>
    internal DirectionPatterns(PositionSet positions) => _positions = positions;

    /// <summary>This end's first FIN; null when none was seen.</summary>
    public TracePosition? Fin { get => _positions[PositionKind.Fin]; init => _positions[PositionKind.Fin] = value; }

    /// <summary>This end's first reset; null when none was seen.</summary>
    public TracePosition? Reset { get => _positions[PositionKind.Reset]; init => _positions[PositionKind.Reset] = value; }

    /// <summary>
    /// First reset in the name of this end with a number outside the window, which nobody accepts (RFC 9293 §3.10.7.4); null when none was seen.
    /// </summary>
    public TracePosition? ForeignReset { get => _positions[PositionKind.ForeignReset]; init => _positions[PositionKind.ForeignReset] = value; }

    /// <summary>Resets this end sent.</summary>
    public int Resets { get; init; }

    /// <summary>What the first of them broke off.</summary>
    public BreakOff BreakOff { get; init; }

    /// <summary>Payload bytes this end sent after the other end's FIN.</summary>
    public long BytesAfterPeerFin { get; init; }

    /// <summary>First retransmission; null without any.</summary>
    public TracePosition? Retransmission { get => _positions[PositionKind.Retransmission]; init => _positions[PositionKind.Retransmission] = value; }

    /// <summary>Latest retransmission; null without any.</summary>
    public TracePosition? LastRetransmission
    {
        get => _positions[PositionKind.LastRetransmission];
        init => _positions[PositionKind.LastRetransmission] = value;
    }

    /// <summary>First retransmission by the timer; null without any.</summary>
    public TracePosition? Timeout { get => _positions[PositionKind.Timeout]; init => _positions[PositionKind.Timeout] = value; }

    /// <summary>First original that came late to the capture point; null without any.</summary>
    public TracePosition? Late { get => _positions[PositionKind.Late]; init => _positions[PositionKind.Late] = value; }

    /// <summary>Latest original that came late to the capture point; null without any.</summary>
    public TracePosition? LastLate { get => _positions[PositionKind.LastLate]; init => _positions[PositionKind.LastLate] = value; }

    /// <summary>First tail loss probe; null without any.</summary>
    public TracePosition? Probe { get => _positions[PositionKind.Probe]; init => _positions[PositionKind.Probe] = value; }

    /// <summary>First retransmission of what had been resent, without the timer; null without any.</summary>
    public TracePosition? RepairAgain { get => _positions[PositionKind.RepairAgain]; init => _positions[PositionKind.RepairAgain] = value; }

    /// <summary>First DSACK that came back; null without any.</summary>
    public TracePosition? Dsack { get => _positions[PositionKind.Dsack]; init => _positions[PositionKind.Dsack] = value; }

    /// <summary>First duplicate acknowledgment that came back; null without any.</summary>
    public TracePosition? DuplicateAck { get => _positions[PositionKind.DuplicateAck]; init => _positions[PositionKind.DuplicateAck] = value; }

    /// <summary>Duplicate acknowledgments without SACK blocks, on a connection that negotiated SACK.</summary>
    public int DuplicateAcksWithoutSack { get; init; }

    /// <summary>First window of zero that came back; null without any.</summary>
    public TracePosition? ZeroWindow { get => _positions[PositionKind.ZeroWindow]; init => _positions[PositionKind.ZeroWindow] = value; }

    /// <summary>Time the window was zero, nanoseconds.</summary>
    public long ZeroWindowTime { get; init; }

    /// <summary>Part of it in which data waited, nanoseconds: the window was probed meanwhile, or data followed its opening at once.</summary>
    public long ZeroWindowWait { get; init; }

    /// <summary>Latest opening of a window that was zero; null when none was seen.</summary>
    public TracePosition? WindowOpened { get => _positions[PositionKind.WindowOpened]; init => _positions[PositionKind.WindowOpened] = value; }

    /// <summary>First report that a packet of this end was too big for a link on its way (ICMP); null without any.</summary>
    public TracePosition? TooBig { get => _positions[PositionKind.TooBig]; init => _positions[PositionKind.TooBig] = value; }

    /// <summary>First segment of this end that reports a reduced congestion window (CWR); null without any.</summary>
    public TracePosition? Reduction { get => _positions[PositionKind.Reduction]; init => _positions[PositionKind.Reduction] = value; }

    /// <summary>Latest such segment; null without any.</summary>
    public TracePosition? LastReduction { get => _positions[PositionKind.LastReduction]; init => _positions[PositionKind.LastReduction] = value; }

    /// <summary>The largest packet that link takes, bytes, by the report that names the smallest; null when none says.</summary>
    public int? TooBigMtu { get; init; }

    /// <summary>Full-sized segments that never arrived; null without any.</summary>
    public BlackHole? BlackHole { get; init; }

    /// <summary>Data segments of this end that came a second time without being sent again: the same IPv4 identification, at once.</summary>
    public int Copies { get; init; }

    /// <summary>First of these; null without any.</summary>
    public TracePosition? Copy { get => _positions[PositionKind.Copy]; init => _positions[PositionKind.Copy] = value; }

    /// <summary>Latest of these; null without any.</summary>
    public TracePosition? LastCopy { get => _positions[PositionKind.LastCopy]; init => _positions[PositionKind.LastCopy] = value; }

    /// <summary>Bursts that began anew with a small window after pauses, by packets alone; null without any.</summary>
    public RestartSummary? Restarts { get; init; }

    /// <summary>Data that the receiver seems to have thrown away behind a hole; null without any.</summary>
    public DroppedData? Dropped { get; init; }

    /// <summary>How fast data got through between losses; null with fewer than three losses.</summary>
    public LossPaceSummary? LossPace { get; init; }

    /// <summary>What was in flight when something was lost; null without a loss that acknowledgments of data came before.</summary>
    public LossOnset? Onset { get; init; }

    /// <summary>Ends of bursts that a probe sent again; null without any.</summary>
    public TailSummary? Tails { get; init; }

    /// <summary>Small segments that waited for delayed acknowledgments; null without any.</summary>
    public NagleWaits? NagleWaits { get; init; }

    /// <summary>What this end sent again, and its keep-alives, after the other end was last heard; null when it was heard later.</summary>
    public UnansweredSummary? Unanswered { get; init; }

    /// <summary>
    /// Longest ping-pong: a run of retransmissions each answered by a duplicate acknowledgment, with nothing new sent or acknowledged in between.
    /// </summary>
    public int LongestPingPong { get; init; }

    /// <summary>Length of the ping-pong that lasted to the end of what was seen of the direction.</summary>
    public int FinalPingPong { get; init; }

    /// <summary>First retransmission of the longest ping-pong; null without any.</summary>
    public TracePosition? PingPong { get => _positions[PositionKind.LongestPingPong]; init => _positions[PositionKind.LongestPingPong] = value; }
}

/// <summary>A position in the trace.</summary>
/// <param name="Packet">Number of the frame, from 1, as Wireshark counts, in which stored events have numbers too.</param>
/// <param name="Time">When it passed the capture point.</param>
public readonly record struct TracePosition(long Packet, TraceTime Time);

/// <summary>What happened at a position of a <see cref="PositionSet"/>.</summary>
enum PositionKind
{
    /// <summary>First FIN of this end.</summary>
    Fin,

    /// <summary>First reset of this end.</summary>
    Reset,

    /// <summary>First reset in the name of this end that nobody accepts.</summary>
    ForeignReset,

    /// <summary>First retransmission.</summary>
    Retransmission,

    /// <summary>Latest retransmission.</summary>
    LastRetransmission,

    /// <summary>First retransmission by the timer.</summary>
    Timeout,

    /// <summary>First original that came late.</summary>
    Late,

    /// <summary>Latest original that came late.</summary>
    LastLate,

    /// <summary>First tail loss probe.</summary>
    Probe,

    /// <summary>First retransmission of a lost retransmission.</summary>
    RepairAgain,

    /// <summary>First DSACK that came back.</summary>
    Dsack,

    /// <summary>First duplicate acknowledgment that came back.</summary>
    DuplicateAck,

    /// <summary>First window of zero that came back.</summary>
    ZeroWindow,

    /// <summary>Latest opening of a window of zero.</summary>
    WindowOpened,

    /// <summary>First retransmission of the present ping-pong.</summary>
    PingPong,

    /// <summary>First retransmission of the longest ping-pong.</summary>
    LongestPingPong,

    /// <summary>First report that a packet was too big.</summary>
    TooBig,

    /// <summary>First segment that reports a reduced congestion window (CWR).</summary>
    Reduction,

    /// <summary>Latest such segment.</summary>
    LastReduction,

    /// <summary>First copy of a data segment that the path made.</summary>
    Copy,

    /// <summary>Latest such copy.</summary>
    LastCopy,
}

/// <summary>Positions by kind. Most directions have just one, that of the FIN: it is stored in place, and only more of them are allocated.</summary>
struct PositionSet
{
    uint _kinds; // bit n: there is a position of kind n
    TracePosition _only; // while there is just one
    TracePosition[]? _positions; // in the order of the kinds; null while there is just one

    /// <summary>The position of a kind; null while there is none, and setting null changes nothing.</summary>
    /// <param name="kind">The kind.</param>
    public TracePosition? this[PositionKind kind]
    {
        readonly get => Has(kind) ? _positions is null ? _only : _positions[IndexOf(kind)] : null;
        set
        {
            if (value is { } position)
            {
                Set(kind, position);
            }
        }
    }

    public readonly bool Has(PositionKind kind) => (_kinds >> (int)kind & 1) != 0;

    /// <summary>Adds the position of a kind behind those of the kinds before it.</summary>
    /// <param name="kind">The kind: higher than any that there is.</param>
    /// <param name="position">The position.</param>
    /// <param name="count">How many there will be in the end.</param>
    public void Append(PositionKind kind, TracePosition position, int count)
    {
        if (count == 1)
        {
            _only = position;
        }
        else
        {
            _positions ??= new TracePosition[count];
            _positions[BitOperations.PopCount(_kinds)] = position;
        }

        _kinds |= 1u << (int)kind;
    }

    void Set(PositionKind kind, TracePosition position)
    {
        uint kinds = _kinds | (1u << (int)kind);
        if (BitOperations.IsPow2(kinds))
        {
            _only = position;
        }
        else
        {
            SetAmongOthers(kind, position);
        }

        _kinds = kinds;
    }

    void SetAmongOthers(PositionKind kind, TracePosition position)
    {
        int index = IndexOf(kind);
        if (!Has(kind))
        {
            TracePosition[] known = _positions ?? [_only];
            _positions = [.. known.AsSpan(0, index), position, .. known.AsSpan(index)];
        }

        _positions![index] = position;
    }

    readonly int IndexOf(PositionKind kind) => BitOperations.PopCount(_kinds & ((1u << (int)kind) - 1));
}
