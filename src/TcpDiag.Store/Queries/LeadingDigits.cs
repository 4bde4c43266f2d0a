namespace TcpDiag.Store.Queries;

/// <summary>
/// Numbers to their first three digits, which is what is printed of them: rows of which no more is kept are few, and the middle of numbers so rounded is the
/// middle of the numbers, rounded.
/// </summary>
static class LeadingDigits
{
    /// <summary>Numbers below this one stay as they are.</summary>
    public const long Least = 1000;

    /// <summary>Numbers from this one on stay as they are: no rate is as large.</summary>
    public const long Most = 1_000_000_000_000_000_000;

    /// <summary>Rounds a number, halves up.</summary>
    public static long Of(long value)
    {
        if (value >= Most)
        {
            return value;
        }

        long step = 1;
        while (value / step >= Least)
        {
            step *= 10;
        }

        return (value + (step / 2)) / step * step;
    }
}
