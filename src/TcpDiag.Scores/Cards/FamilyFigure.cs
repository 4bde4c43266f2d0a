using System;
using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Scores.Cards;

/// <summary>
/// One figure for a family of components, 0 … 100: the weighted mean of the rates that were exercised. It stands second to the rates, because it adds up what a
/// path happened to exercise. There is none for the exit from slow start, which happens once.
/// </summary>
/// <param name="Value">The figure.</param>
/// <param name="Low">Lower end of its 95 % interval.</param>
/// <param name="High">Upper end.</param>
/// <param name="Exercised">Components that were exercised.</param>
/// <param name="Components">Components there are.</param>
public sealed record FamilyFigure(double Value, double Low, double High, int Exercised, int Components)
{
    const double Percent = 100;

    // RFC 8985 §3.3.2 allows to wait that long, and does not ask for it.
    const double WeightOfAllowed = 0.5;

    /// <summary>The figure of a family.</summary>
    /// <param name="components">The components of a sender.</param>
    /// <param name="family">The family.</param>
    /// <returns>Null where nothing of it was exercised, and for the exit from slow start.</returns>
    public static FamilyFigure? Of(IEnumerable<ScoreComponent> components, ScoreFamily family)
    {
        ScoreComponent[] all = [.. components.Where(component => component.Family == family)];
        (double Weight, Proportion Rate)[] rates = [.. all.Where(one => one.Rate is not null).Select(one => (WeightOf(one), one.Rate!.Value))];
        if (rates.Length == 0 || family == ScoreFamily.SlowStartExit)
        {
            return null;
        }

        // The rates are of different things, so their errors add up in squares, each side by itself.
        double weights = rates.Sum(one => one.Weight);
        double mean = rates.Sum(one => one.Weight * one.Rate.Rate) / weights;
        double below = Math.Sqrt(rates.Sum(one => Square(one.Weight * (one.Rate.Rate - one.Rate.Low)))) / weights;
        double above = Math.Sqrt(rates.Sum(one => Square(one.Weight * (one.Rate.High - one.Rate.Rate)))) / weights;
        return new FamilyFigure(Percent * mean, Percent * (mean - below), Percent * (mean + above), rates.Length, all.Length);
    }

    static double WeightOf(ScoreComponent component) => component.Id is "late-within-srtt" or "early-within-srtt" ? WeightOfAllowed : 1;

    static double Square(double value) => value * value;
}
