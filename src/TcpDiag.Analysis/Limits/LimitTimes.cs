using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Limits;

/// <summary>Nanoseconds in each <see cref="LimitState"/>.</summary>
[InlineArray(States)]
public struct LimitTimes
{
    /// <summary>Number of states.</summary>
    public const int States = 10;

    long _first;

    /// <summary>All states together: the active time of the direction.</summary>
    public readonly long Total
    {
        get
        {
            long total = 0;
            for (int i = 0; i < States; i++)
            {
                total += this[i];
            }

            return total;
        }
    }

    /// <summary>Time in one state, nanoseconds.</summary>
    /// <param name="state">The state.</param>
    /// <returns>The time.</returns>
    public readonly long In(LimitState state) => this[(int)state];

    /// <summary>Adds time to a state.</summary>
    /// <param name="state">The state.</param>
    /// <param name="nanoseconds">The time; nothing is added for a negative one.</param>
    internal void Add(LimitState state, long nanoseconds) => this[(int)state] += long.Max(nanoseconds, 0);

    /// <summary>Moves time from one state to another.</summary>
    /// <param name="from">The state it was counted to.</param>
    /// <param name="to">The state it belongs to.</param>
    /// <param name="nanoseconds">How much, at most what is there.</param>
    internal void Move(LimitState from, LimitState to, long nanoseconds)
    {
        this[(int)from] -= nanoseconds;
        this[(int)to] += nanoseconds;
    }

    /// <summary>Makes the total what it has to be: what is missing goes to a state, what is too much is taken from the largest ones.</summary>
    /// <param name="total">The total, nanoseconds.</param>
    /// <param name="rest">The state that gets what is missing.</param>
    internal void FitTo(long total, LimitState rest)
    {
        long missing = total - Total;
        Add(rest, missing);
        while (missing < 0)
        {
            int largest = 0;
            for (int i = 1; i < States; i++)
            {
                largest = this[i] > this[largest] ? i : largest;
            }

            long taken = long.Min(this[largest], -missing);
            this[largest] -= taken;
            missing += taken;
        }
    }
}
