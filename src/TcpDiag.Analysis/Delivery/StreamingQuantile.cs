using System;
using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Delivery;

/// <summary>
/// A quantile of values that are not kept: the P² algorithm (R. Jain, I. Chlamtac, CACM 28(10), 1985), five markers that move along the distribution. Exact
/// up to five values. The default value has none.
/// </summary>
struct StreamingQuantile
{
    const int Markers = 5;

    Floats _heights;
    Ints _positions;

    /// <summary>Values taken.</summary>
    public int Count { get; private set; }

    /// <summary>The quantile; 0 before any value.</summary>
    /// <param name="quantile">Which one, 0 … 1; the same in every call of <see cref="Add"/>.</param>
    public readonly float Value(double quantile) => Count switch
    {
        0 => 0,
        <= Markers => _heights[(int)Math.Round(quantile * (Count - 1))],
        _ => _heights[2],
    };

    /// <summary>Takes a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="quantile">The quantile asked for.</param>
    public void Add(float value, double quantile)
    {
        if (Count < Markers)
        {
            Insert(value);
            return;
        }

        Count++;
        Enclose(value);
        MoveTowards(1, quantile / 2);
        MoveTowards(2, quantile);
        MoveTowards(3, (1 + quantile) / 2);
    }

    // Most values move no marker: it has to be off by a whole position.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void MoveTowards(int marker, double share)
    {
        double distance = 1 + ((Count - 1) * share) - _positions[marker];
        if (Math.Abs(distance) >= 1)
        {
            Adjust(marker, distance);
        }
    }

    void Insert(float value)
    {
        int at = Count;
        for (; at > 0 && _heights[at - 1] > value; at--)
        {
            _heights[at] = _heights[at - 1];
        }

        _heights[at] = value;
        _positions[Count] = ++Count;
    }

    // Markers above a value move up with it: no branch, as where it falls is by chance. The outer markers are the smallest and largest of all.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    void Enclose(float value)
    {
        _heights[0] = value < _heights[0] ? value : _heights[0];
        _heights[Markers - 1] = value > _heights[Markers - 1] ? value : _heights[Markers - 1];
        _positions[1] += value < _heights[1] ? 1 : 0;
        _positions[2] += value < _heights[2] ? 1 : 0;
        _positions[3] += value < _heights[3] ? 1 : 0;
        _positions[Markers - 1]++;
    }

    void Adjust(int i, double distance)
    {
        bool isBehind = distance >= 1 && _positions[i + 1] - _positions[i] > 1;
        bool isAhead = distance <= -1 && _positions[i - 1] - _positions[i] < -1;
        if (!isBehind && !isAhead)
        {
            return;
        }

        int step = isBehind ? 1 : -1;
        float parabolic = Parabolic(i, step);
        bool fits = _heights[i - 1] < parabolic && parabolic < _heights[i + 1];
        _heights[i] = fits ? parabolic : Linear(i, step);
        _positions[i] += step;
    }

    readonly float Parabolic(int i, int step)
    {
        float below = _positions[i] - _positions[i - 1];
        float above = _positions[i + 1] - _positions[i];
        float up = (below + step) * (_heights[i + 1] - _heights[i]) / above;
        float down = (above - step) * (_heights[i] - _heights[i - 1]) / below;
        return _heights[i] + (step * (up + down) / (above + below));
    }

    readonly float Linear(int i, int step) =>
        _heights[i] + (step * (_heights[i + step] - _heights[i]) / (_positions[i + step] - _positions[i]));

    [InlineArray(Markers)]
    struct Floats
    {
        float _first;
    }

    [InlineArray(Markers)]
    struct Ints
    {
        int _first;
    }
}
