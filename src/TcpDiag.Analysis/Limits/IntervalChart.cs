using System.Collections.Generic;
using TcpDiag.Analysis.Results;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>Hands the intervals of one sender to the charts, in order, each as soon as its state and that of all before it is decided.</summary>
/// <param name="recorder">Records charts.</param>
/// <param name="connection">Index of the connection while the trace is read.</param>
/// <param name="from">The end that sends.</param>
readonly struct IntervalChart(TimelineRecorder recorder, int connection, int from)
{
    // Of more the oldest are handed over as what they look like.
    const int MaxOpen = 1024;

    readonly List<Interval> _intervals = [];

    /// <summary>False by default, where no charts are drawn.</summary>
    public bool IsAny => _intervals is not null;

    /// <summary>Adds an interval, which begins where the one before ended.</summary>
    public void Add(OpenState state, TraceTime begin, TraceTime end)
    {
        if (_intervals.Count > 0 && _intervals[^1].State == state)
        {
            _intervals[^1] = _intervals[^1] with { End = end };
            return;
        }

        Flush();
        _intervals.Add(new(state, begin, end));
    }

    /// <summary>Decides about all intervals of a state that was open.</summary>
    public void Decide(OpenState open, OpenState state)
    {
        for (int i = 0; i < _intervals.Count; i++)
        {
            _intervals[i] = _intervals[i].State == open ? _intervals[i] with { State = state } : _intervals[i];
        }
    }

    /// <summary>Takes back what was handed over: it was not judged.</summary>
    public void Forget() => recorder.ForgetLimits(connection, from);

    /// <summary>Hands over what is decided.</summary>
    public void Flush()
    {
        int decided = 0;
        int surplus = _intervals.Count - MaxOpen;
        while (decided < _intervals.Count && (decided < surplus || _intervals[decided].State <= OpenState.NotJudged))
        {
            Interval interval = _intervals[decided++];
            recorder.OnLimit(connection, from, Guess(interval.State), interval.Begin, interval.End);
        }

        _intervals.RemoveRange(0, decided);
    }

    static LimitState Guess(OpenState state) => state switch
    {
        OpenState.EvenAnswered or OpenState.FullFlight or OpenState.SlowStartTop => LimitState.CongestionWindow,
        OpenState.EvenUnanswered or OpenState.WriterOrChance => LimitState.Application,
        OpenState.EvenWritten or OpenState.LateWriter => LimitState.SendBuffer,
        OpenState.UnseenProbe => LimitState.Timeout,
        OpenState.StaleSacks => LimitState.Recovery,
        _ => (LimitState)state,
    };

    readonly record struct Interval(OpenState State, TraceTime Begin, TraceTime End);
}
