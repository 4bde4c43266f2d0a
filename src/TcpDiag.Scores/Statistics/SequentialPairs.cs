using System;
using System.Collections.Generic;

namespace TcpDiag.Scores.Statistics;

/// <summary>
/// A test of paired log-ratios at which one may look after every pair, and stop when it is decided. Where A and B are alike, a ratio and its inverse are as
/// likely, whatever the noise; then exp(λS − λ²V/2), S the sum of the scores and V that of their squares, is a supermartingale for every λ (de la Peña 1999),
/// and so is its mean over λ from a normal distribution. It exceeds 1/α, ever, with a chance of at most α (Ville 1939). The shifts that are not rejected at
/// any time are a confidence sequence.
/// </summary>
public sealed class SequentialPairs
{
    // Beyond it an outlier counts no more: a change of 35 %. Scores stay symmetric, and so the test valid.
    const double MaxScore = 0.3;

    // Spread of λ: at its best for changes of about 10 %, and good from 3 to 30 %.
    const double Spread = 10;

    const double WidestShift = 3; // a factor of 20
    const double Step = 0.002; // shifts that are asked about, 0.2 % apart

    readonly double _logLimit;
    readonly double _margin;
    readonly List<double> _pairs = [];
    double _low = -WidestShift;
    double _high = WidestShift;

    /// <summary>Starts a test.</summary>
    /// <param name="error">Chance of a wrong verdict, however often one looks, e.g. 0.05.</param>
    /// <param name="margin">Differences that do not matter, e.g. 0.05.</param>
    public SequentialPairs(double error, double margin)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(error);
        ArgumentOutOfRangeException.ThrowIfNegative(margin);
        _logLimit = Math.Log(1 / error);
        _margin = Math.Log(1 + margin);
    }

    /// <summary>Pairs so far.</summary>
    public int Count => _pairs.Count;

    /// <summary>The ratios B/A that are not rejected.</summary>
    public (double Low, double High) Ratio => (Math.Exp(_low), Math.Exp(_high));

    /// <summary>The verdict on what is known.</summary>
    public SequentialVerdict Verdict =>
        _low > 0 && _high > _margin ? SequentialVerdict.Higher
        : _high < 0 && _low < -_margin ? SequentialVerdict.Lower
        : _low >= -_margin && _high <= _margin ? SequentialVerdict.Equal
        : SequentialVerdict.Open;

    /// <summary>Takes in a pair.</summary>
    /// <param name="a">Of A, above 0.</param>
    /// <param name="b">Of B, above 0.</param>
    public void Add(double a, double b)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(a);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(b);
        _pairs.Add(Math.Log(b / a));

        // What was rejected once stays rejected: the sequence only narrows.
        while (_low < _high && IsRejected(_low))
        {
            _low += Step;
        }

        while (_high > _low && IsRejected(_high))
        {
            _high -= Step;
        }
    }

    bool IsRejected(double shift)
    {
        (double sum, double squares) = (0, 0);
        foreach (double pair in _pairs)
        {
            double score = Math.Clamp(pair - shift, -MaxScore, MaxScore);
            sum += score;
            squares += score * score;
        }

        const double variance = Spread * Spread;
        double grown = 1 + (variance * squares);
        return ((variance * sum * sum / (2 * grown)) - (Math.Log(grown) / 2)) >= _logLimit;
    }
}

/// <summary>What a sequential test says.</summary>
public enum SequentialVerdict
{
    /// <summary>Not decided yet.</summary>
    Open,

    /// <summary>B is lower.</summary>
    Lower,

    /// <summary>The difference does not matter.</summary>
    Equal,

    /// <summary>B is higher.</summary>
    Higher,
}
