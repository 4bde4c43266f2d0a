using System.Collections.Generic;
using System.Runtime.CompilerServices;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Results;

/// <summary>What limited the sender of one direction, over its active time.</summary>
/// <param name="Times">Time in each state; the total is <see cref="ConnectionDirection.ActiveTime"/> exactly.</param>
/// <param name="Evidence">What it rests on.</param>
/// <param name="Samples">Intervals that were judged.</param>
public sealed record LimitSummary(LimitTimes Times, Evidence Evidence, long Samples)
{
    readonly LimitTimes _times = Times;

    /// <summary>Time in each state; the total is <see cref="ConnectionDirection.ActiveTime"/> exactly.</summary>
    public LimitTimes Times
    {
        get => _times;
        init => _times = value;
    }

    /// <summary>Time in one state, without a copy of all.</summary>
    /// <param name="state">The state.</param>
    /// <returns>Nanoseconds.</returns>
    internal long TimeIn(LimitState state) => _times.In(state);

    /// <summary>
    /// Part of the congestion window's time that could as well be pacing's or a send buffer's, nanoseconds: away from the sender, data that comes all the
    /// time does not show what holds its amount, nor whose the last round of slow start was where a send buffer shows behind it.
    /// </summary>
    public long Uncertain { get; init; }

    /// <summary>The longest span of each state that took a good part of the time; none from events alone.</summary>
    public IReadOnlyList<LimitSpan> Spans { get; init; } = [];

    /// <summary>What was in flight while the send buffer was the limit, bytes: its size; null when it was not, or its level is not known.</summary>
    public int? SendBufferBytes { get; init; }

    /// <summary>
    /// Part of the send buffer's time, nanoseconds, in which the next data came long after an acknowledgment had made room: the machine woke a blocked writer
    /// late, or the program paused just when it had filled the buffer. Both look alike. All of that time where no receive window is known, since one that is
    /// full looks like a full buffer; and away from the sender, where data came at even distances, as a program's or a pacer's clock makes them too.
    /// </summary>
    public long UncertainSendBuffer { get; init; }

    /// <summary>What went on while the receive window was full; null when it was not, or packets do not show it.</summary>
    public FullWindowSummary? FullWindow { get; init; }
}

/// <summary>What went on while the receive window was full.</summary>
/// <param name="Bytes">In flight then, bytes: the window of that time.</param>
/// <param name="CeilingBitsPerSecond">What one such window in each round trip of that time gives, bits per second.</param>
/// <param name="BitsPerSecond">What was sent in that time, bits per second: far below the ceiling, it opened late.</param>
public sealed record FullWindowSummary(int Bytes, double CeilingBitsPerSecond, double BitsPerSecond);

/// <summary>The longest time without interruption that a sender spent in one state.</summary>
/// <param name="State">The state.</param>
/// <param name="From">Its beginning.</param>
/// <param name="To">Its end.</param>
/// <param name="FirstPacket">Number of the frame with which it began, from 1; away from the sender the latest one before.</param>
public readonly record struct LimitSpan(LimitState State, TraceTime From, TraceTime To, long FirstPacket);

/// <summary>What keeps a sender from sending more. At every instant of a direction's active time exactly one holds, or none is known.</summary>
public enum LimitState
{
    /// <summary>The application gives no data.</summary>
    Application = 0,

    /// <summary>The application gives no data for longer than max(RTO, 1 s), with nothing in flight.</summary>
    Idle = 1,

    /// <summary>The send buffer is full of data in flight.</summary>
    SendBuffer = 2,

    /// <summary>The congestion window is full.</summary>
    CongestionWindow = 3,

    /// <summary>The receive window is full, or zero.</summary>
    ReceiveWindow = 4,

    /// <summary>Windows and buffers allow more: sends are spaced out.</summary>
    Pacing = 5,

    /// <summary>From the first retransmission, or the cut of cwnd, to the acknowledgment of the recovery point.</summary>
    Recovery = 6,

    /// <summary>Silence until the retransmission timer expires.</summary>
    Timeout = 7,

    /// <summary>The receiver drops out-of-order data: its SACKs report nothing new while data keeps arriving.</summary>
    Reassembly = 8,

    /// <summary>Not known: data or acknowledgments of that time were not captured, or the recording clock was set in it.</summary>
    NotJudged = 9,
}

/// <summary>Nanoseconds in each <see cref="LimitState"/>.</summary>
[InlineArray(States)]
public struct LimitTimes
{
    /// <summary>Number of states.</summary>
    public const int States = 10;

    long _first;

    /// <summary>All states together: the active time of the direction.</summary>
    public readonly long Total
    {
        get
        {
            long total = 0;
            for (int i = 0; i < States; i++)
            {
                total += this[i];
            }

            return total;
        }
    }

    /// <summary>Time in one state, nanoseconds.</summary>
    /// <param name="state">The state.</param>
    /// <returns>The time.</returns>
    public readonly long In(LimitState state) => this[(int)state];

    /// <summary>Adds time to a state.</summary>
    /// <param name="state">The state.</param>
    /// <param name="nanoseconds">The time; nothing is added for a negative one.</param>
    internal void Add(LimitState state, long nanoseconds) => this[(int)state] += long.Max(nanoseconds, 0);

    /// <summary>Moves time from one state to another.</summary>
    /// <param name="from">The state it was counted to.</param>
    /// <param name="to">The state it belongs to.</param>
    /// <param name="nanoseconds">How much, at most what is there.</param>
    internal void Move(LimitState from, LimitState to, long nanoseconds)
    {
        this[(int)from] -= nanoseconds;
        this[(int)to] += nanoseconds;
    }

    /// <summary>Makes the total what it has to be: what is missing goes to a state, what is too much is taken from the largest ones.</summary>
    /// <param name="total">The total, nanoseconds.</param>
    /// <param name="rest">The state that gets what is missing.</param>
    internal void FitTo(long total, LimitState rest)
    {
        long missing = total - Total;
        Add(rest, missing);
        while (missing < 0)
        {
            int largest = 0;
            for (int i = 1; i < States; i++)
            {
                largest = this[i] > this[largest] ? i : largest;
            }

            long taken = long.Min(this[largest], -missing);
            this[largest] -= taken;
            missing += taken;
        }
    }
}
