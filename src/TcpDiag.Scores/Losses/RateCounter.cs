using System;
using System.Collections.Generic;
using TcpDiag.Scores.Cards;
using TcpDiag.Wire;

namespace TcpDiag.Scores.Losses;

/// <summary>Counts how often a sender did what it should, and keeps the worst of the other places.</summary>
sealed class RateCounter
{
    const int MaxWorst = 3;

    readonly List<ScorePlace> _worst = [];

    /// <summary>How often it did.</summary>
    public long Hits { get; private set; }

    /// <summary>How often it could have.</summary>
    public long Trials { get; private set; }

    /// <summary>How often it did not.</summary>
    public long Misses => Trials - Hits;

    /// <summary>The rate; null without a trial.</summary>
    public Proportion? Rate => Trials > 0 ? new Proportion(Hits, Trials) : null;

    /// <summary>The worst places.</summary>
    public IReadOnlyList<ScorePlace> Worst => _worst;

    /// <summary>It did.</summary>
    public void Hit()
    {
        Hits++;
        Trials++;
    }

    /// <summary>It did not.</summary>
    /// <param name="packet">Where.</param>
    /// <param name="time">When.</param>
    /// <param name="nanos">By how much, ns.</param>
    public void Miss(long packet, TraceTime time, long nanos)
    {
        Trials++;
        if (_worst.Count == MaxWorst && nanos <= _worst[^1].Nanos)
        {
            return;
        }

        int index = _worst.FindIndex(place => place.Nanos < nanos);
        _worst.Insert(index < 0 ? _worst.Count : index, new ScorePlace(packet, time, nanos));
        if (_worst.Count > MaxWorst)
        {
            _worst.RemoveAt(MaxWorst);
        }
    }
}

/// <summary>Durations of which quantiles are wanted: all up to a bound, and of more an even selection, so that memory is bounded.</summary>
sealed class Durations
{
    const int Max = 4096; // even

    readonly List<long> _kept = [];
    int _stride = 1;
    int _sinceKept;

    /// <summary>Durations there were.</summary>
    public long Count { get; private set; }

    /// <summary>Takes one.</summary>
    public void Add(long nanos)
    {
        Count++;
        if (++_sinceKept < _stride)
        {
            return;
        }

        _sinceKept = 0;
        _kept.Add(nanos);
        if (_kept.Count == Max)
        {
            for (int i = 0; i < Max / 2; i++)
            {
                _kept[i] = _kept[2 * i];
            }

            _kept.RemoveRange(Max / 2, Max / 2);
            _stride *= 2;
        }
    }

    /// <summary>A quantile.</summary>
    /// <param name="share">0 … 1.</param>
    /// <returns>ns; null without any.</returns>
    public long? Quantile(double share)
    {
        if (_kept.Count == 0)
        {
            return null;
        }

        long[] sorted = [.. _kept];
        Array.Sort(sorted);
        return sorted[(int)Math.Round(share * (sorted.Length - 1))];
    }
}
