using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

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

    // Shifts that are asked about, in steps of 0.2 %: up to a factor of 20 either way, and 0 among them.
    const double Step = 0.002;
    const int WidestShift = 1500;

    readonly double _logLimit;
    readonly double _margin;
    readonly List<double> _pairs = [];
    double _least = double.PositiveInfinity;
    double _most = double.NegativeInfinity;
    int _low = -WidestShift;
    int _high = WidestShift;

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

    /// <summary>The middle of the pairs' log-ratios (Hodges and Lehmann); NaN without pairs.</summary>
    public double LogRatio => _pairs.Count == 0 ? double.NaN : RankIntervals.OfPairs(CollectionsMarshal.AsSpan(_pairs)).Value;

    /// <summary>
    /// The log-ratios that are not rejected, with what lies between them and the next that is; unbounded on a side where nothing is rejected.
    /// </summary>
    public Interval LogInterval => new(
        _low == -WidestShift ? double.NegativeInfinity : (_low - 1) * Step,
        _high == WidestShift ? double.PositiveInfinity : (_high + 1) * Step);

    /// <summary>The same as ratios B/A.</summary>
    public Interval Ratio => new(Math.Exp(LogInterval.Low), Math.Exp(LogInterval.High));

    /// <summary>The verdict on what is known: a difference needs an interval without 1, and a middle beyond the margin.</summary>
    public SequentialVerdict Verdict =>
        _low > 0 && LogRatio > _margin ? SequentialVerdict.Higher
        : _high < 0 && LogRatio < -_margin ? SequentialVerdict.Lower
        : LogInterval.Low >= -_margin && LogInterval.High <= _margin ? SequentialVerdict.Equal
        : SequentialVerdict.Open;

    /// <summary>Takes in a pair.</summary>
    /// <param name="logRatio">Natural logarithm of B/A; far beyond all others where one of the two did not come to its end.</param>
    public void Add(double logRatio)
    {
        _pairs.Add(logRatio);
        (_least, _most) = (Math.Min(_least, logRatio), Math.Max(_most, logRatio));

        // What was rejected once stays rejected: the sequence only narrows. Where all scores are cut they are the same for all shifts, and these fall at once.
        while (_low < _high && Rejected(_low * Step) > 0)
        {
            _low = Math.Clamp((int)Math.Max(Math.Floor((_least - MaxScore) / Step), -WidestShift), _low + 1, _high);
        }

        while (_high > _low && Rejected(_high * Step) < 0)
        {
            _high = Math.Clamp((int)Math.Min(Math.Ceiling((_most + MaxScore) / Step), WidestShift), _low, _high - 1);
        }
    }

    // 0 for a shift that is not rejected; else on which side of it the pairs lie.
    int Rejected(double shift)
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
        return (variance * sum * sum / (2 * grown)) - (Math.Log(grown) / 2) >= _logLimit ? Math.Sign(sum) : 0;
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
