using System.Runtime.CompilerServices;

namespace TcpDiag.Analysis.Limits;

/// <summary>Nanoseconds in each <see cref="LimitState"/>.</summary>
[InlineArray(States)]
public struct LimitTimes
{
    /// <summary>Number of states.</summary>
    public const int States = 9;

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
}
