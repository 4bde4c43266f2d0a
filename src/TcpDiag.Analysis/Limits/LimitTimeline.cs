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
