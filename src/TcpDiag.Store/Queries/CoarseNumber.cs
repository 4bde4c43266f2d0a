using System.Collections.Generic;

namespace TcpDiag.Store.Queries;

/// <summary>
/// Numbers to within one percent: steps of 2, 4 and 10 in their first three digits. Of many numbers few differ then, so that an engine can keep how often each
/// is there; and the middle of numbers so rounded is the middle of the numbers, rounded.
/// </summary>
static class CoarseNumber
{
    /// <summary>Numbers below this one stay as they are.</summary>
    public const long Min = 100;

    /// <summary>Numbers from this one on stay as they are: no path has such a rate.</summary>
    public const long Max = 10_000_000_000_000;

    /// <summary>Where each step begins to hold, ascending.</summary>
    public static IEnumerable<(long From, long Step)> Steps
    {
        get
        {
            for (long unit = 1; Min * unit < Max; unit *= 10)
            {
                yield return (Min * unit, 2 * unit);
                yield return (2 * Min * unit, 4 * unit);
                yield return (5 * Min * unit, 10 * unit);
            }
        }
    }

    /// <summary>Rounds a number, halves up.</summary>
    public static long Of(long value)
    {
        long step = 1;
        foreach ((long from, long next) in value < Max ? Steps : [])
        {
            step = value >= from ? next : step;
        }

        return (value + (step / 2)) / step * step;
    }
}
