using System;

namespace TcpDiag.Scores.Cards;

/// <summary>
/// Counts hits where those of one episode (a recovery, the rounds between two reductions) have a cause in common. From how far the rates of episodes lie apart
/// follows how many independent trials would tell as much (the design effect of cluster samples: Kish 1965; its uncertainty in few: Korn and Graubard 1998).
/// Taken are the differences of neighbours in time: what changes slowly over a transfer, its slow start before all, is no matter of chance (the estimator of
/// successive differences for systematic samples: Wolter 2007, §8.2).
/// </summary>
struct Episodes
{
    const double Z = Proportion.Z;

    // What trials of an episode have in common at least (intraclass correlation): a run may lack the rare episode in which all go wrong.
    const double MinCommon = 0.02;

    long _hits;
    long _trials;
    long _count;
    double _trialsSquared;
    Differences _apart;
    long _lastHits;
    long _lastTrials;

    /// <summary>Takes an episode.</summary>
    /// <param name="hits">Hits in it.</param>
    /// <param name="trials">Trials in it; one without any is left out.</param>
    public void Add(long hits, long trials)
    {
        if (trials == 0)
        {
            return;
        }

        _hits += hits;
        _trials += trials;
        _count++;
        _trialsSquared += (double)trials * trials;
        if (_count > 1)
        {
            _apart.Add(hits - _lastHits, trials - _lastTrials);
        }

        (_lastHits, _lastTrials) = (hits, trials);
    }

    /// <summary>All of them; null without a trial.</summary>
    public readonly Proportion? Rate => _trials > 0 ? new Proportion(_hits, _trials, Independent) : null;

    // Episodes that are all alike tell no more than one trial each.
    readonly double Independent
    {
        get
        {
            double rate = (double)_hits / _trials;
            if (_count < 2 || _hits == 0 || _hits == _trials)
            {
                return _count;
            }

            double variance = _apart.Of(rate) / 2 * _count / (_count - 1) / ((double)_trials * _trials);
            double narrower = Z / StudentQuantile(_count - 1);
            double most = _trials / (1 + (((_trialsSquared / _trials) - 1) * MinCommon));
            return Math.Clamp(rate * (1 - rate) / variance * narrower * narrower, 1, most);
        }
    }

    // 97.5 % quantile of Student's t: the expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5), 4 % low with 3 degrees of freedom and 1 % with 5.
    static double StudentQuantile(long degrees)
    {
        double z3 = Z * Z * Z;
        double z5 = z3 * Z * Z;
        return Z + ((z3 + Z) / (4 * degrees)) + (((5 * z5) + (16 * z3) + (3 * Z)) / (96.0 * degrees * degrees));
    }

    // Σ (Δhits − rate·Δtrials)² of neighbours, for a rate that is known in the end.
    struct Differences
    {
        double _hitsSquared;
        double _hitsByTrials;
        double _trialsSquared;

        public void Add(double hits, double trials)
        {
            _hitsSquared += hits * hits;
            _hitsByTrials += hits * trials;
            _trialsSquared += trials * trials;
        }

        public readonly double Of(double rate) => Math.Max(_hitsSquared - (2 * rate * _hitsByTrials) + (rate * rate * _trialsSquared), 0);
    }
}
