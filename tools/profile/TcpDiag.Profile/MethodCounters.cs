using System.Collections.Generic;
using System.Linq;

namespace TcpDiag.Profile;

/// <summary>The counters of a method, as one run or several have left them.</summary>
/// <param name="Method">Whose.</param>
/// <param name="Counters">In the order of the compiler; a histogram behind its count.</param>
sealed record MethodCounters(MethodName Method, IReadOnlyList<Counter> Counters)
{
    /// <summary>Whether anything of it was counted. (The compiler counts nothing where there is nothing to decide.)</summary>
    public bool Ran => Counters.Any(counter => counter.Count > 0);

    /// <summary>Both runs in one: edges add up, a histogram is that of the run that drew from more.</summary>
    /// <param name="other">The same method in another run.</param>
    /// <returns>Their sum.</returns>
    public MethodCounters Add(MethodCounters other)
    {
        var sum = new List<Counter>(Counters.Count);
        bool othersHistogram = false;
        foreach ((Counter mine, Counter theirs) in Counters.Zip(other.Counters))
        {
            if (mine.Kind is InstrumentationKind.ClassCount)
            {
                othersHistogram = theirs.Count > mine.Count;
            }

            sum.Add(mine.Kind is InstrumentationKind.EdgeCount ? mine with { Count = mine.Count + theirs.Count } : othersHistogram ? theirs : mine);
        }

        return this with { Counters = sum };
    }
}
