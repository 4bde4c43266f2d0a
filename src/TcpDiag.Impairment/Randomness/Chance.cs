namespace TcpDiag.Impairment.Randomness;

/// <summary>Chooses packets as <see cref="ChanceSettings"/> says, from one random stream.</summary>
sealed class Chance(ChanceSettings settings, Xoshiro256 random)
{
    readonly double _probability = settings.Probability;
    readonly double _correlation = settings.Correlation;
    readonly int _every = settings.Every;
    Xoshiro256 _random = random;
    bool _last;
    int _sinceChosen;

    /// <summary>Decides about the next packet.</summary>
    public bool Next()
    {
        if (_every > 0)
        {
            return NextPeriodic();
        }

        if (_correlation > 0 && _random.NextUnit() < _correlation)
        {
            return _last;
        }

        return _last = _random.NextUnit() < _probability;
    }

    bool NextPeriodic()
    {
        _sinceChosen++;
        if (_sinceChosen < _every)
        {
            return false;
        }

        _sinceChosen = 0;
        return true;
    }
}
