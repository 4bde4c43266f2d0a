using System;
using TcpDiag.Impairment.Randomness;
using TcpDiag.Wire;

namespace TcpDiag.Impairment.Stages;

/// <summary>
/// Jitter that keeps the order of packets and its distribution, at whatever rate they are sent: the delay wanders at constant speed, up and down, and turns so
/// often that it spends the time in each place that the distribution gives it (a zig-zag process: Bierkens, Fearnhead, Roberts, Annals of Statistics 47, 2019).
/// Since it moves by at most half a nanosecond in one, no packet overtakes another. The places are cells of equal width in which the density is constant.
/// </summary>
sealed class WanderingJitter : IJitter
{
    // Below half: what was sent in 2 ms arrives within 1 ms at least. No round number, so that packets at a steady pace do not hit the same places of the
    // cells again and again: 0.3 times the golden ratio.
    const double LargestSlope = 0.48541019662496847;

    // Turns that no density asks for, so that a uniform delay has no period: one in two crossings of its range.
    const double FreeTurn = 1.0 / (2 * JitterCells.UniformCells);

    // After so many cells, 31 times the range of a uniform delay, it has forgotten where it was, and is drawn anew.
    const int LongestWalk = 2_000;

    readonly double[] _weights;
    readonly double[] _upTo;
    readonly double _cellNanos;
    readonly double _lowest;
    readonly double _nanosPerCell;
    Xoshiro256 _random;
    TraceTime _at = TraceTime.Earliest;
    double _into;
    int _cell;
    int _step;

    public WanderingJitter(JitterSettings settings, Xoshiro256 random)
    {
        _random = random;
        (_weights, double lowest, double width) = JitterCells.Of(settings.Shape);
        _upTo = JitterCells.Sums(_weights);
        _cellNanos = Math.Max(1, width * settings.AmountNanos);
        _lowest = lowest * settings.AmountNanos;
        double slope = settings.OverNanos > 0 ? Math.Min(LargestSlope, (double)settings.AmountNanos / settings.OverNanos) : LargestSlope;
        _nanosPerCell = _cellNanos / slope;
        Draw();
    }

    /// <inheritdoc/>
    public long Next(TraceTime sent)
    {
        long passed = _at == TraceTime.Earliest ? 0 : Math.Max(0, sent - _at);
        _at = sent > _at ? sent : _at;
        _into += passed / _nanosPerCell;
        if (_into > LongestWalk)
        {
            Draw();
        }

        while (_into >= 1)
        {
            _into -= 1;
            Cross();
        }

        double within = _step > 0 ? _into : 1 - _into;
        return (long)(_lowest + ((_cell + within) * _cellNanos));
    }

    // On into the next cell or back. Going into a cell that is visited less it turns back so often that as many come out of it as go in (detailed balance).
    void Cross()
    {
        int next = _cell + _step;
        bool exists = next >= 0 && next < _weights.Length;
        double passes = exists ? (1 - FreeTurn) * Math.Min(1, _weights[next] / _weights[_cell]) : 0;
        if (_random.NextUnit() < passes)
        {
            _cell = next;
        }
        else
        {
            _step = -_step;
        }
    }

    void Draw()
    {
        double place = _random.NextUnit() * _upTo[^1];
        int at = Array.BinarySearch(_upTo, place);
        _cell = Math.Min(at >= 0 ? at + 1 : ~at, _weights.Length - 1);
        _step = _random.NextUnit() < 0.5 ? 1 : -1;
        _into = _random.NextUnit();
    }
}
