namespace TcpDiag.Impairment.Randomness;

/// <summary>Selects packets by <see cref="ChanceSettings"/>, from a random stream of its own.</summary>
sealed class Chance(ChanceSettings settings, Xoshiro256 random)
{
    readonly double _probability = settings.Probability;
    readonly double _correlation = settings.Correlation;
    readonly int _every = settings.Every;
    Xoshiro256 _random = random;
    bool _last;
    int _sinceSelected;

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
        _sinceSelected++;
        if (_sinceSelected < _every)
        {
            return false;
        }

        _sinceSelected = 0;
        return true;
    }
}

/// <summary>
/// Which packets an impairment selects: each with a probability, or one in every n.
/// With a correlation c each packet repeats the choice made for the one before it with probability c and is drawn afresh otherwise: the share
/// of selected packets stays the probability, neighbouring choices have autocorrelation c, and selected packets come in runs of mean length 1/((1−c)(1−p)).
/// </summary>
/// <param name="Probability">0 … 1; ignored when <paramref name="Every"/> is set.</param>
/// <param name="Correlation">0 … below 1.</param>
/// <param name="Every">Selects packets n, 2n, 3n …; 0 selects by probability.</param>
public sealed record ChanceSettings(double Probability, double Correlation = 0, int Every = 0);
