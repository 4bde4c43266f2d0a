using System.Collections.Generic;
using TcpDiag.Analysis.Timelines;
using TcpDiag.Wire;

namespace TcpDiag.Analysis.Limits;

/// <summary>Hands the intervals of one sender to the charts, in order, each as soon as its state and that of all before it is known.</summary>
/// <param name="recorder">Records charts.</param>
/// <param name="connection">Index of the connection while the trace is read.</param>
/// <param name="from">Direction of the sender's data.</param>
sealed class LimitRibbon(TimelineRecorder recorder, int connection, int from)
{
    // Of more the oldest are handed over as what they look like.
    const int MostWaiting = 1024;

    readonly List<Span> _spans = [];

    /// <summary>Adds an interval.</summary>
    /// <param name="place">What it is.</param>
    /// <param name="begin">Its beginning, where the one before ended.</param>
    /// <param name="end">Its end.</param>
    public void Add(LimitPlace place, TraceTime begin, TraceTime end)
    {
        if (_spans.Count > 0 && _spans[^1].Place == place)
        {
            _spans[^1] = _spans[^1] with { End = end };
            return;
        }

        Flush();
        _spans.Add(new(place, begin, end));
    }

    /// <summary>Decides about all intervals of a kind.</summary>
    /// <param name="waited">What they are.</param>
    /// <param name="place">What they become.</param>
    public void Move(LimitPlace waited, LimitPlace place)
    {
        for (int i = 0; i < _spans.Count; i++)
        {
            _spans[i] = _spans[i].Place == waited ? _spans[i] with { Place = place } : _spans[i];
        }
    }

    /// <summary>Hands over what is decided.</summary>
    public void Flush()
    {
        int decided = 0;
        int surplus = _spans.Count - MostWaiting;
        while (decided < _spans.Count && (decided < surplus || _spans[decided].Place <= LimitPlace.NotJudged))
        {
            Span span = _spans[decided++];
            recorder.OnLimit(connection, from, Guess(span.Place), span.Begin, span.End);
        }

        _spans.RemoveRange(0, decided);
    }

    static LimitState Guess(LimitPlace place) => place switch
    {
        LimitPlace.RunAnswered or LimitPlace.Level or LimitPlace.Crest => LimitState.CongestionWindow,
        LimitPlace.RunOpen or LimitPlace.Chance => LimitState.Application,
        LimitPlace.RunWritten or LimitPlace.LateWriter or LimitPlace.LesserFill => LimitState.SendBuffer,
        LimitPlace.Probe => LimitState.Timeout,
        LimitPlace.Stale => LimitState.Recovery,
        _ => (LimitState)place,
    };

    readonly record struct Span(LimitPlace Place, TraceTime Begin, TraceTime End);
}
