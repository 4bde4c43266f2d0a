using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using TcpDiag.Analysis.Memory;
using TcpDiag.Analysis.Results;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>A state of a sender, by the numbers of <see cref="LimitState"/>, or one that is not decided yet.</summary>
enum OpenState : byte
{
    Application = LimitState.Application,
    Idle = LimitState.Idle,
    SendBuffer = LimitState.SendBuffer,
    CongestionWindow = LimitState.CongestionWindow,
    ReceiveWindow = LimitState.ReceiveWindow,
    Pacing = LimitState.Pacing,
    Recovery = LimitState.Recovery,
    Timeout = LimitState.Timeout,
    Reassembly = LimitState.Reassembly,
    NotJudged = LimitState.NotJudged,

    /// <summary>Up to a send right after an acknowledgment, in a run at even distances: see <see cref="PacingDetector"/>.</summary>
    EvenAnswered,

    /// <summary>Up to another send of such a run.</summary>
    EvenUnanswered,

    /// <summary>The same in a run, after bursts with which all that was written had been sent.</summary>
    EvenWritten,

    /// <summary>Up to a send right after an acknowledgment, which may be so by chance: see <see cref="BlockedWriter"/>.</summary>
    WriterOrChance,

    /// <summary>Up to a send long after the acknowledgment that made room in a full send buffer: see <see cref="BlockedWriter"/>.</summary>
    LateWriter,

    /// <summary>Behind what may have been the end of a portion that a program wrote: see <see cref="WriterPortions"/>.</summary>
    AfterPortion,

    /// <summary>A congestion window or a send buffer was full: see <see cref="SendBufferDetector"/>.</summary>
    FullFlight,

    /// <summary>The same at the highest level of slow start: a send buffer may show later that holds as much.</summary>
    SlowStartTop,

    /// <summary>Up to where the sender will have sent a probe that was lost: of new data, if some was left.</summary>
    UnseenProbe,

    /// <summary>Recovery while SACKs may have nothing new to say: see <see cref="ReassemblyDetector"/>.</summary>
    StaleSacks,
}

/// <summary>Divides the time of one sender by state. Intervals are contiguous: each begins where the one before ended.</summary>
struct LimitTimeline
{
    TimesByState _times;
    OpenState _latest;
    Span _span; // the latest time without interruption, in that state
    long _packet; // the frame that is being read
    long _endPacket; // the frame with which all intervals so far end
    Pooled<IntervalChart> _chart; // none where no charts are drawn
    SenderExtras.Reference _extras;

    /// <summary>Time in each state, without what is not decided.</summary>
    public readonly LimitTimes Times
    {
        get
        {
            var times = default(LimitTimes);
            for (int i = 0; i < LimitTimes.States; i++)
            {
                times.Add((LimitState)i, In((OpenState)i));
            }

            return times;
        }
    }

    /// <summary>Begins.</summary>
    /// <param name="packet">Number of the frame with which the first interval begins.</param>
    /// <param name="extras">Where it takes what few senders need; kept by whoever keeps the sender.</param>
    /// <param name="chart">Records the intervals for charts; the default for none.</param>
    public void Begin(long packet, SenderExtras extras, IntervalChart chart = default)
    {
        _packet = packet;
        _endPacket = packet;
        _extras = extras.AsReference;
        if (chart.IsAny)
        {
            _chart = extras.Charts.Take();
            _chart.Value = chart;
        }
    }

    /// <summary>Where the sender takes what few senders need.</summary>
    public readonly SenderExtras Extras => _extras.Value;

    /// <summary>Takes in the number of the frame that is being read, from 1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void OnPacket(long number) => _packet = number;

    /// <summary>Time in a state, nanoseconds.</summary>
    public readonly long In(OpenState state) => _times.TimeIn(state);

    /// <summary>Adds an interval; nothing unless its end is later than its beginning.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(OpenState state, TraceTime from, TraceTime to)
    {
        if (to > from)
        {
            AddSome(state, from, to);
        }
    }

    /// <summary>Decides about all time of a state that was open.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Decide(OpenState open, OpenState state)
    {
        if (_times.Has(open))
        {
            Move(open, state);
        }
    }

    /// <summary>The longest time in a state without interruption, empty when there was none.</summary>
    public readonly LimitSpan Longest(LimitState state)
    {
        Span span = _times.LongestIn((OpenState)state);
        return new(state, span.From, span.To, span.Packet);
    }

    /// <summary>Takes back what was said of all time so far: it was not judged.</summary>
    public void Forget()
    {
        for (OpenState state = 0; (int)state < TimesByState.States; state++)
        {
            if (state != OpenState.NotJudged)
            {
                Decide(state, OpenState.NotJudged);
            }
        }

        if (_chart.IsAny)
        {
            _chart.Value.Forget();
        }
    }

    /// <summary>Hands what is decided to the charts.</summary>
    public readonly void Flush()
    {
        if (_chart.IsAny)
        {
            _chart.Value.Flush();
        }
    }

    /// <summary>Makes this timeline independent of the one it was copied from, until it is released; it records no charts.</summary>
    public void Detach()
    {
        _times.Detach(_extras);
        _chart = default;
    }

    /// <summary>Gives back what was taken beyond its own state.</summary>
    public void Release()
    {
        _times.Release(_extras);
        if (_chart.IsAny)
        {
            Extras.Charts.Return(ref _chart);
        }
    }

    void AddSome(OpenState state, TraceTime from, TraceTime to)
    {
        ref TimesByState.Entry entry = ref _times.Of(state, _extras);
        entry.Nanos += to - from;
        ExtendSpan(state, from, to);
        entry.Longest.Take(_span);
        if (_chart.IsAny)
        {
            _chart.Value.Add(state, from, to);
        }
    }

    void Move(OpenState open, OpenState state)
    {
        TimesByState.Entry moved = _times.Remove(open);
        ref TimesByState.Entry entry = ref _times.Of(state, _extras);
        entry.Nanos += moved.Nanos;
        entry.Longest.Take(moved.Longest);
        _latest = _latest == open ? state : _latest;
        if (_chart.IsAny)
        {
            _chart.Value.Decide(open, state);
        }
    }

    void ExtendSpan(OpenState state, TraceTime from, TraceTime to)
    {
        if (state != _latest || from != _span.To)
        {
            _latest = state;
            _span.From = from;
            _span.Packet = _endPacket;
        }

        _span.To = to;
        _endPacket = _packet;
    }

    /// <summary>A time without interruption.</summary>
    public struct Span
    {
        /// <summary>Its beginning.</summary>
        public TraceTime From;

        /// <summary>Its end.</summary>
        public TraceTime To;

        /// <summary>Number of the frame with which it began.</summary>
        public long Packet;

        /// <summary>Becomes another one where that is longer.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Take(in Span other)
        {
            if (other.To - other.From > To - From)
            {
                this = other;
            }
        }
    }
}

/// <summary>
/// Time by state. Of all the states most senders use two or three at a time, and there may be a hundred thousand senders: so few have their room
/// here, and what comes beyond them is taken from a pool.
/// </summary>
struct TimesByState
{
    const int InlineLength = 4;

    /// <summary>How many states there are.</summary>
    public const int States = (int)OpenState.StaleSacks + 1; // the last one

    /// <summary>Entries beyond those that have their room here, at most.</summary>
    public const int MoreLength = States - InlineLength;

    InlineEntries _inline;
    Pooled<MoreTimes> _more;
    uint _present; // bit n: there is time in state n
    int _count;

    /// <summary>Time in a state, nanoseconds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly long TimeIn(OpenState state) => Has(state) ? At(PositionOf(state)).Nanos : 0;

    /// <summary>The longest time in a state without interruption, empty when there was none.</summary>
    public readonly LimitTimeline.Span LongestIn(OpenState state) => Has(state) ? At(PositionOf(state)).Longest : default;

    /// <summary>Whether there is time in a state.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Has(OpenState state) => (_present >> (int)state & 1) != 0;

    /// <summary>The entry of a state, made when there is none.</summary>
    /// <param name="state">The state.</param>
    /// <param name="extras">Where further room is taken.</param>
    /// <returns>A reference to it, valid until another is made or removed.</returns>
    [UnscopedRef]
    public ref Entry Of(OpenState state, SenderExtras.Reference extras)
    {
        if (!Has(state))
        {
            Add(state, extras);
        }

        return ref Writable(PositionOf(state));
    }

    /// <summary>Removes the entry of a state; there must be one.</summary>
    public Entry Remove(OpenState state)
    {
        int position = PositionOf(state);
        Entry removed = At(position);
        Writable(position) = At(--_count); // in no order
        _present &= ~(1u << (int)state);
        return removed;
    }

    /// <summary>Makes this independent of what it was copied from.</summary>
    public void Detach(SenderExtras.Reference extras)
    {
        if (_more.IsAny)
        {
            MoreTimes copy = _more.Value;
            _more = extras.Value.Times.Take();
            _more.Value = copy;
        }
    }

    /// <summary>Gives further room back.</summary>
    public void Release(SenderExtras.Reference extras)
    {
        if (_more.IsAny)
        {
            extras.Value.Times.Return(ref _more);
        }
    }

    readonly int PositionOf(OpenState state)
    {
        int position = 0;
        while (At(position).State != state)
        {
            position++;
        }

        return position;
    }

    void Add(OpenState state, SenderExtras.Reference extras)
    {
        if (_count == InlineLength && !_more.IsAny)
        {
            _more = extras.Value.Times.Take();
        }

        Writable(_count) = new Entry { State = state };
        _count++;
        _present |= 1u << (int)state;
    }

    [UnscopedRef]
    readonly ref readonly Entry At(int position)
    {
        if (position < InlineLength)
        {
            return ref _inline[position];
        }

        return ref _more.Value[position - InlineLength];
    }

    [UnscopedRef]
    ref Entry Writable(int position) => ref Unsafe.AsRef(in At(position));

    /// <summary>The time of one state: more than none.</summary>
    public struct Entry
    {
        /// <summary>The state.</summary>
        public OpenState State;

        /// <summary>Time in it.</summary>
        public long Nanos;

        /// <summary>The longest time in it without interruption.</summary>
        public LimitTimeline.Span Longest;
    }

    [InlineArray(InlineLength)]
    struct InlineEntries
    {
        Entry _first;
    }
}

/// <summary>The times of further states.</summary>
[InlineArray(TimesByState.MoreLength)]
struct MoreTimes
{
    TimesByState.Entry _first;
}
